// The card of a tree. The picture is there already, as an image; where this script runs, a tree that can be opened, closed and asked takes its place.
//
// root       the figure that holds the image
// title      what is shown
// names      of the classes; of numbers the least mean, one between, and the largest
// numbers    are the answers numbers?
// features   names of the features
// parent     for each node the one above it; -1 at the root. Children have larger numbers, and siblings stand together.
// asks, says, when, edge   for each node: its question, its answer in words, which rows come to it, what is written at its edge
// hidden     for each node how many nodes are below it that were not sent
// size       for each node how many rows of the training set came by
// bars       for each node, its classes and their shares, one after the other; of numbers 0 and how high the mean is
// answer     for each node what it answers, as code writes it
// test       for each node with children: [feature, threshold or null, for each child its categories or null, child for a missing value, child for a category not seen; -1: ends here, -2: goes all ways]
// stands     by node, what is asked where its value is missing: lists as in test, but at last the child for x >= t
// others     the same in words
// worth      pairs: a feature, and its importance
// lit        nodes of one way, and why it is gone, or null
// laid       of rows that are laid over: { rows, right, leaf, pictures }, or null
function card(root, { title, names, numbers, features, parent, asks, says, when, edge, hidden, size, bars, answer, test, stands, others, worth, lit, laid }) {
  const n = parent.length, children = parent.map(() => []), depth = parent.map(() => 0);
  parent.forEach((up, k) => { if (up >= 0) children[up].push(k), depth[k] = depth[up] + 1; });
  const COLOURS = ["#DF7A00", "#0072B2", "#009E73"], DASHES = ["3 1.4", "none", "2 2"];          // as in the picture
  const colour = c => numbers ? COLOURS[1] : COLOURS[c % 3], dashes = c => numbers ? "none" : DASHES[(c + Math.floor(c / 3)) % 3];
  const pairs = k => bars[k].filter((_, i) => i % 2 === 0).map((c, i) => [c, bars[k][2 * i + 1]]);
  const largest = k => pairs(k).reduce((best, pair) => pair[1] > best[1] ? pair : best, [0, 0]);
  const strength = k => numbers ? largest(k)[1] : Math.max(0, (largest(k)[1] - 1 / names.length) / (1 - 1 / names.length)) || 0;
  const frame = root.querySelector(".frame"), still = frame.firstElementChild;
  const below = k => children[k].reduce((all, c) => all + 1 + below(c), hidden[k]);
  const count = (many, what) => `${many.toLocaleString("en")} ${what}${many === 1 ? "" : "s"}`;

  // ---- what is open, and what is looked at
  const open = children.map(family => family.length > 0), way = new Set(lit ? lit[0] : []);
  let here = lit ? lit[0][lit[0].length - 1] : 0, scale = 1, shown = [];
  const level = to => open.forEach((_, k) => { open[k] = children[k].length > 0 && depth[k] < to; });
  let deepest = max(depth);
  if (n > 127) { deepest = 4; level(deepest); }
  else if (n > 15 && frame.clientWidth <= 600) { deepest = 2; level(deepest); }       // a phone
  const unfold = k => { for (let up = parent[k]; up >= 0; up = parent[up]) open[up] = true; };
  unfold(here);

  // ---- the tree, lying: a leaf is a row, and a node stands in the middle of its children
  const HIGH = laid && laid.pictures.some(one => one) ? 112 : laid ? 66 : 54, GAP = 60, NARROW = 120, SMALL = 11 / 12;  // letters are never below 11
  let WIDE = 208, STEP = WIDE + GAP;
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "12px sans-serif";
  function fitted(text, room) {
    if (pen.measureText(text).width <= room) return text;
    let end = text.length;
    while (end > 1 && pen.measureText(text.slice(0, end) + "…").width > room) end--;
    return text.slice(0, end) + "…";
  }
  function asked(k, room) {                             // a long name is cut, and not the test
    const name = features[test[k][0]], cut = asks[k].startsWith(name) ? name.length : asks[k].indexOf("…") + 1;
    const rest = asks[k].slice(cut), left = room - pen.measureText(rest).width;
    return cut && left > room / 4 ? fitted(asks[k].slice(0, cut), left) + rest : fitted(asks[k], room);
  }
  function bar(k, x, y, length) {
    let at = x;
    return pairs(k).map(([c, share]) => {
      const piece = svg("path", { d: `M${at} ${y}h${share * length}`, stroke: colour(c), "stroke-width": 6, "stroke-dasharray": dashes(c) });
      at += share * length;
      return piece;
    });
  }
  const words = (x, y, text, more = {}) => svg("text", { x, y, fill: "currentColor", ...more }, text);
  function box(k, x, y) {
    const folded = !open[k], more = folded ? below(k) : 0, [c] = largest(k);
    const sort = { role: "treeitem", id: `${root.id}-${k}`, "aria-level": depth[k] + 1, "aria-selected": k === here, "aria-label": `${edge[k] ? edge[k] + ": " : ""}${asks[k] ? asks[k] + " " : ""}${says[k]}` };
    if (children[k].length) sort["aria-expanded"] = open[k];
    if (way.has(k)) sort.class = "lit";
    const group = svg("g", { ...sort, transform: `translate(${x} ${y})`, "data-node": k },
      svg("rect", { width: WIDE, height: HIGH - 8, rx: 3, fill: colour(c), "fill-opacity": (0.4 * strength(k)).toFixed(2), stroke: "#8A8A8A" }),
      words(6, 14, asks[k] ? asked(k, WIDE - 12) : fitted(says[k], WIDE - 12)),
      words(6, 29, fitted(asks[k] ? says[k] : count(size[k], "row"), WIDE - 12 - (more ? 40 : 0))),
      ...bar(k, 6, 38, WIDE - 12));
    if (more) group.append(words(WIDE - 6, 29, `+${more}`, { "text-anchor": "end", "font-weight": "bold" }));
    if (laid && laid.pictures[k]) group.append(picture(laid.pictures[k], 6, 46, WIDE - 12, HIGH - 62));
    else if (laid) group.append(words(6, 54, fitted(came(k), WIDE - 12)));
    group.addEventListener("click", () => {
      if (pulled) return;
      if (k === here && children[k].length) open[k] = !open[k];
      select(k);
    });
    group.addEventListener("pointerenter", () => tell(k));
    return group;
  }
  const came = k => `given: ${count(laid.rows[k], "row")}` + (laid.right ? `, ${laid.right[k].toLocaleString("en")} right` : "");

  // A feature among the rows of a node: bars, classes stacked, or dots of numbers; and the threshold.
  function picture({ bins, cut, dots, low, high, labels }, x, y, w, h) {
    const g = svg("g", { transform: `translate(${x} ${y})` }), most = bins ? max(bins.map(sum)) || 1 : 1;
    const step = bins ? w / bins.length : 0;
    const pieces = {};                                  // by class, so that a picture has few elements
    (bins ?? []).forEach((classes, i) => {
      let top = h;
      classes.forEach((many, c) => {
        const tall = h * many / most;
        if (many) pieces[c] = `${pieces[c] ?? ""}M${((i + 0.5) * step).toFixed(1)} ${top.toFixed(1)}v${(-tall).toFixed(1)}`;
        top -= tall;
      });
    });
    for (const [c, d] of Object.entries(pieces)) g.append(svg("path", { d, stroke: laid.classes ? colour(+c) : "#8A8A8A", "stroke-width": Math.max(step - 1, 0.5), "stroke-dasharray": laid.classes ? dashes(+c) : "none" }));
    for (const [u, v] of dots ?? []) g.append(svg("circle", { cx: u * w, cy: (1 - v) * h, r: 1.6, fill: "currentColor", "fill-opacity": 0.6 }));
    g.append(svg("path", { d: `M0 ${h}H${w}`, stroke: "#8A8A8A" }));
    if (cut !== undefined) g.append(svg("path", { d: `M${cut * w} ${h}l-4 6h8z`, fill: "currentColor" }), svg("path", { d: `M${cut * w} 0V${h}`, stroke: "currentColor", "stroke-dasharray": "2 2" }));
    g.append(svg("title", {}, labels ? labels.join(", ") : `from ${low} to ${high}`));
    return g;
  }

  // ---- all of it
  const tree = svg("svg", { role: "tree", tabindex: 0, "aria-label": title, "font-family": "sans-serif", "font-size": 12, fill: "none", style: "display:block;color:inherit;max-width:none", ...own });
  function draw() {
    const at = [], rows = [];
    shown = [];
    (function visit(k) {
      shown.push(k);
      if (open[k]) { children[k].forEach(visit); at[k] = (at[children[k][0]] + at[children[k][children[k].length - 1]]) / 2; }
      else { at[k] = rows.length * HIGH; rows.push(k); }
    })(0);
    const W = (1 + max(shown.map(k => depth[k]))) * STEP - (STEP - WIDE) + 8, H = rows.length * HIGH + 4, parts = [];
    for (const k of shown) {
      const x = depth[k] * STEP, middle = y => y + (HIGH - 8) / 2;
      if (k) {
        const lines = { d: `M${x - STEP + WIDE} ${middle(at[parent[k]])}h12V${middle(at[k])}H${x}`, stroke: "#8A8A8A", "stroke-width": (1 + 4.4 * size[k] / (size[0] || 1)).toFixed(1) };
        parts.unshift(svg("path", way.has(k) ? { ...lines, class: "lit" } : lines));
        parts.push(words(x - 4, middle(at[k]) - 4, fitted(edge[k], STEP - WIDE - 20), { "text-anchor": "end" }));
      }
      parts.push(box(k, x, at[k]));
    }
    tree.replaceChildren(...parts);
    tree.setAttribute("viewBox", `-2 -2 ${W} ${H}`);
    resize();
    tree.setAttribute("aria-activedescendant", `${root.id}-${here}`);
    for (const [k, cell] of cells) cell.setAttribute("class", k === here ? "here" : "");
    tell(here);
  }
  function resize() {
    const { width, height } = tree.viewBox.baseVal;
    tree.style.width = `${width * scale}px`;
    tree.style.height = `${height * scale}px`;
  }
  function select(k) {
    here = k;
    unfold(k);
    draw();
    look();
  }
  const look = () => reveal(frame, document.getElementById(`${root.id}-${here}`));

  // ---- what is known of a node
  const about = html("div", { class: HIGH > 66 ? "about tall" : "about", "aria-live": "polite" });
  function tell(k) {
    const line = (...said) => html("p", {}, ...said), shares = pairs(k).map(([c, share]) => `${names[c]}: ${(100 * share).toPrecision(3)} %`).join(", ");
    about.replaceChildren(line(html("b", {}, `node ${k}: `), `${when[k]}`), line(`${asks[k] ? asks[k] + " Else it would answer " : ""}${says[k]}; ${count(size[k], "row")}`));
    if (!numbers) about.append(line(shares));
    if (others[k]) about.append(line(others[k]));
    if (lit && way.has(k)) about.append(line(lit[1]));
    if (laid) about.append(line(came(k) + rowsOf(k)));
    const drawn = laid && laid.pictures[k];
    const long = Math.min(360, (frame.clientWidth || 372) - 12);
    if (drawn) about.append(svg("svg", { viewBox: `-6 -2 ${long + 12} 110`, width: long + 12, height: 110, role: "img", "aria-label": `${asks[k]} among the given rows` }, picture(drawn, 0, 0, long, 90),
      words(0, 106, String(drawn.labels ? drawn.labels[0] : drawn.low), { "font-size": 11 }), words(long, 106, String(drawn.labels ? drawn.labels.at(-1) : drawn.high), { "font-size": 11, "text-anchor": "end" })));
  }
  function rowsOf(k) {
    if (!laid.leaf) return "";
    const inside = end => { while (end > k) end = parent[end]; return end === k; };
    const found = laid.leaf.flatMap((end, row) => inside(end) ? [row] : []);
    return found.length ? `: ${found.slice(0, 40).join(", ")}${found.length > 40 ? `, and ${found.length - 40} more` : ""}` : "";
  }

  // ---- a map of a large tree: bars as wide as their rows; what is looked at is marked
  const cells = new Map(), map = svg("svg", { class: "map", viewBox: `0 0 760 ${8 * (1 + max(depth))}`, width: "100%", role: "img", "aria-label": "A map of the tree: bars as wide as their rows" });
  if (n > 127) {
    const left = [0], wide = [760];
    for (let k = 0; k < n; k++) {
      let at = left[k];
      const all = sum(children[k].map(c => size[c])) || 1;
      for (const c of children[k]) { left[c] = at; wide[c] = wide[k] * size[c] / all; at += wide[c]; }
      if (wide[k] < 0.8) continue;
      const cell = svg("rect", { x: left[k], y: 8 * depth[k], width: wide[k], height: 8, fill: colour(largest(k)[0]), "fill-opacity": (0.15 + 0.6 * strength(k)).toFixed(2) }, svg("title", {}, asks[k] || says[k]));
      cell.addEventListener("click", () => select(k));
      cells.set(k, cell);
      map.append(cell);
    }
  }

  // ---- moving
  const zoom = by => { scale = Math.min(3, Math.max(0.1, scale * by)); resize(); };
  const wanted = { "−": () => zoom(1 / 1.25), "+": () => zoom(1.25), "fit": () => { scale = 1; zoom(Math.min(1, frame.clientWidth / tree.viewBox.baseVal.width)); },
    "close a level": () => { deepest = Math.max(0, deepest - 1); level(deepest); while (here && !visible(here)) here = parent[here]; draw(); }, "open a level": () => { deepest = Math.min(max(depth), deepest + 1); level(deepest); draw(); } };
  const spoken = { "−": "smaller", "+": "larger", "fit": "fit the width" };
  const visible = k => { for (let up = parent[k]; up >= 0; up = parent[up]) if (!open[up]) return false; return true; };
  const tools = html("div", { class: "tools" }, ...Object.entries(wanted).map(([name, act]) => button(name, act, { "aria-label": spoken[name] ?? name })));
  frame.addEventListener("wheel", event => { if (event.ctrlKey || event.metaKey) event.preventDefault(), zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1); }, { passive: false });
  let grip = null, pulled = false;
  frame.addEventListener("pointerdown", event => { if (event.pointerType === "mouse" && event.button === 0) grip = [event.clientX + frame.scrollLeft, event.clientY + frame.scrollTop], pulled = false; });
  frame.addEventListener("pointermove", event => { 
    if (!grip || !event.buttons) { grip = null; return; }
    const to = [grip[0] - event.clientX, grip[1] - event.clientY];
    pulled ||= Math.abs(to[0] - frame.scrollLeft) + Math.abs(to[1] - frame.scrollTop) > 5;
    if (pulled) frame.scrollTo(...to);
  });
  tree.addEventListener("keydown", event => {
    const i = shown.indexOf(here), moves = {
      ArrowDown: () => select(shown[Math.min(i + 1, shown.length - 1)]), ArrowUp: () => select(shown[Math.max(i - 1, 0)]), Home: () => select(0), End: () => select(shown[shown.length - 1]),
      ArrowRight: () => { if (open[here]) select(children[here][0]); else if (children[here].length) open[here] = true, draw(); },
      ArrowLeft: () => { if (open[here]) open[here] = false, draw(); else if (here) select(parent[here]); },
      Enter: () => { if (children[here].length) open[here] = !open[here]; draw(); } };
    if (!(event.key in moves)) return;
    event.preventDefault();
    moves[event.key]();
  });

  // ---- the other ways to read it
  const cellsOf = (kind, values) => html("tr", {}, ...values.map(v => v instanceof Node ? v : html(kind, {}, v)));
  const table = (head, rows) => html("table", {}, html("thead", {}, cellsOf("th", head)), html("tbody", {}, ...rows.map(row => cellsOf("td", row))));
  const order = [];
  (function visit(k) { order.push(k); children[k].forEach(visit); })(0);
  const leaves = order.filter(k => !children[k].length);
  const literal = v => typeof v === "number" ? Number.isFinite(v) ? String(v) : `float("${v > 0 ? "inf" : v < 0 ? "-inf" : "nan"}")` : v === null ? "None" : typeof v === "boolean" ? v ? "True" : "False"
    : Array.isArray(v) ? `(${v.map(literal).join(", ")}${v.length === 1 ? "," : ""})` : JSON.stringify(v);
  function code() {
    const lines = ["def answer(row):", `    "What the tree says of a row: a dict of values by name; NaN where one is missing."`];
    function write(k, indent) {
      const say = (text, more = 0) => lines.push("    ".repeat(indent + more) + text);
      if (!children[k].length) return say(`return ${literal(answer[k])}` + (hidden[k] ? `  # ${hidden[k]} more nodes below are not in this card` : ""));
      if (stands[k]) return withOthers(k, say, indent);
      const [feature, t, groups, missing, unseen] = test[k], x = `row[${JSON.stringify(features[feature])}]`;
      const last = groups ? unseen : missing, gap = j => j === missing && missing !== last ? ` or ${x} is None or ${x} != ${x}` : "";
      const holds = j => groups ? `${x} in ${literal(groups[j])}${gap(j)}` : t === null ? `${x} ${j ? "!=" : "=="} ${x}` : `${x} ${j ? ">=" : "<"} ${literal(t)}`;
      const rest = children[k].map((_, j) => j).filter(j => j !== last);
      rest.forEach((j, i) => { say(`${i ? "elif" : "if"} ${holds(j)}:`); write(children[k][j], indent + 1); });
      if (rest.length || last < 0) say("else:");
      if (last >= 0) write(children[k][last], indent + 1);
      else { if (last === -2) say("# the tree asks all children, in shares; this is the answer of the node itself", 1); say(`return ${literal(answer[k])}`, 1); }
    }
    function withOthers(k, say, indent) {               // where a value is missing, other features are asked in turn
      const [feature, , coded, missing, unseen] = test[k], asked = [[...test[k].slice(0, 3), 1], ...stands[k]];
      const own = `row[${JSON.stringify(features[feature])}]`, ends = missing < 0 || coded && unseen < 0;
      const chain = asked.reduceRight((rest, [f, t, groups, above]) => {
        const x = `row[${JSON.stringify(features[f])}]`;
        if (groups) return groups.reduceRight((others, group, j) => `${j} if ${x} in ${literal(group)} else ${others}`, rest);
        return `${above} if ${x} >= ${literal(t)} else ${1 - above} if ${x} < ${literal(t)} else ${rest}`;
      }, missing < 0 ? "None" : ends ? `${missing} if ${own} is None or ${own} != ${own} else None` : missing);
      say(`child = ${chain}`);
      children[k].forEach((c, j) => { say(`${j ? "elif" : "if"} child == ${j}:`); write(c, indent + 1); });
      if (ends) { say("else:"); say(`return ${literal(answer[k])}`, 1); }
    }
    write(0, 1);
    return lines.join("\n");
  }
  const key = html("div", { class: "key" }, ...names.slice(0, 12).flatMap((name, c) => {
    const sample = svg("svg", { width: 26, height: 14, "aria-hidden": "true" });
    if (numbers) sample.append(svg("rect", { width: 26, height: 14, fill: colour(0), "fill-opacity": 0.4 * c / Math.max(1, names.length - 1), stroke: "#8A8A8A" }));
    else sample.append(svg("rect", { width: 26, height: 14, fill: colour(c), "fill-opacity": 0.4 }), svg("path", { d: "M3 7h20", stroke: colour(c), "stroke-width": 6, "stroke-dasharray": dashes(c) }));
    return [html("span", {}, sample, c === 11 && names.length > 12 ? `${name} and ${names.length - 12} more` : name)];
  }));
  const panels = {
    Tree: () => [tools, key, ...(n > 127 ? [map] : []), frame, about],
    Rules: () => [html("pre", {}, [...leaves.map(k => `${when[k]}: ${says[k]}`), ...order.filter(k => others[k]).map(k => `${when[k]}: ${others[k]}`)].join("\n"))],
    Table: () => [table(["node", "below", "when", "asks", "answers", "rows"], order.map(k => [String(k), parent[k] < 0 ? "" : String(parent[k]), edge[k], asks[k], says[k], String(size[k])]))],
    Importances: () => [worth.length ? table(["feature", "share of what was removed", ""], worth.map(([name, share]) => {
      const bar = html("td", { class: "bar" }, html("i", { style: `width:${(100 * share / worth[0][1]).toFixed(1)}%` }));
      return [name, share.toFixed(4), bar];
    })) : html("p", {}, "No question is asked, so no feature removed anything.")],
    Code: () => [html("pre", {}, code())],
  };
  const built = {}, tabs = Object.keys(panels).map(name => button(name, () => turn(name), { role: "tab", id: `${root.id}-tab-${name}`, "aria-controls": `${root.id}-panel-${name}` }));
  const places = Object.fromEntries(Object.keys(panels).map(name => [name, html("div", { role: "tabpanel", id: `${root.id}-panel-${name}`, "aria-labelledby": `${root.id}-tab-${name}` })]));
  function turn(to) {
    if (!built[to]) places[to].append(...panels[to]()), built[to] = true;
    tabs.forEach(tab => { const on = tab.textContent === to; tab.setAttribute("aria-selected", on); tab.tabIndex = on ? 0 : -1; });
    for (const [name, place] of Object.entries(places)) place.hidden = name !== to;
  }
  tabs.forEach((tab, i) => {
    tab.addEventListener("keydown", event => {
      const by = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const next = tabs[(i + by) % tabs.length];
      next.focus();
      turn(next.textContent);
    });
  });
  root.append(html("div", { class: "tabs", role: "tablist", "aria-label": "ways to read the tree" }, ...tabs), ...Object.values(places));
  still.replaceWith(tree);
  turn("Tree");
  root.setAttribute("aria-label", title);
  draw();
  if (tree.viewBox.baseVal.width > frame.clientWidth && frame.clientWidth > 600) {
    const room = frame.clientWidth / SMALL - 12;                      // boxes give way before letters do, and the last levels before both
    if (n > 15) deepest = Math.min(deepest, Math.floor((room + GAP) / (NARROW + GAP)) - 1), level(deepest), unfold(here), draw();
    const columns = 1 + max(shown.map(k => depth[k]));
    WIDE = Math.max(NARROW, Math.min(WIDE, Math.floor((room - (columns - 1) * GAP) / columns)));
    STEP = WIDE + GAP;
    draw();
    wanted.fit();
    zoom(Math.max(1, SMALL / scale));
  }
  look();
}
