// A tree beside the plane that it splits, cut at a depth that the reader moves. A tree of numbers over one feature splits a line into steps.
//
// root      the element to fill
// features  names of the two features; or of one, and of the numbers
// names     of the classes; null: the tree predicts numbers
// first, feature, t, depth, size, value   for each node: its first child or -1, what it tests, how deep it is, how many training rows came by,
//           and what it says as a leaf: the code of a class, or a number
// tests, says, when   in words for each node: its test after the name of the feature, what it says as a leaf, which rows come to it
// rows      training rows, and held-out rows: two numbers each, and the code of the class
// looks     for each class: its color, the outline of its mark, and its kind: 0 hatched, 1 solid, 2 dotted

// The node where a row ends in a tree that is cut at a depth.
function endOf(row, { first, feature, t, depth }, most) {
  let k = 0;
  while (first[k] > 0 && depth[k] < most) k = first[k] + (row[feature[k]] >= t[k]);
  return k;
}

// The box of each node down to a depth: for each axis where it begins, and where the next begins.
function boxesOf({ first, feature, t, depth }, most) {
  const all = [-Infinity, Infinity], boxes = new Map([[0, [all, all]]]);
  for (const [k, box] of boxes) {  // a Map comes to what is added meanwhile
    if (first[k] < 0 || depth[k] >= most) continue;
    const [low, high] = box[feature[k]], side = (a, b) => box.map((old, f) => f === feature[k] ? [a, b] : old);
    boxes.set(first[k], side(low, Math.min(high, t[k]))).set(first[k] + 1, side(Math.max(low, t[k]), high));
  }
  return boxes;
}

function plane(root, { features, names, tests, says, when, rows, looks, ...tree }) {
  const { first, feature, depth, size, value } = tree, deepest = max(depth), parent = [];
  first.forEach((c, k) => { if (c > 0) parent[c] = parent[c + 1] = k; });

  // ---- how wrong the tree is at each depth, on training rows and on held-out rows
  const off = (row, most) => { const end = value[endOf(row, tree, most)]; return names ? +(end !== row[2]) : (end - row[1]) ** 2; };
  const depths = Array.from({ length: deepest + 1 }, (_, d) => d);
  const losses = rows.map(set => depths.map(d => sum(set.map(row => off(row, d)))));
  const means = losses.map((all, i) => all.map(loss => loss / rows[i].length));
  const best = means[1].indexOf(min(means[1]));

  // ---- elements
  const [ground, crown, board] = ["plane", "tree", "board"].map(name => html("div", { class: name }));
  const state = html("p", { class: "state", "aria-live": "polite" }), about = html("p", { class: "about", "aria-live": "polite" }, "Point at a leaf or at a region: the other lights up.");
  const slider = range("depth", deepest, best, d => show(d));
  const which = html("select", { ...own, "aria-label": "rows in the plane" }, ...["training rows", "held-out rows"].map(name => html("option", {}, name)));
  const sample = (d, look) => svg("svg", { width: 18, height: 18, viewBox: "-9 -9 18 18", "aria-hidden": "true" }, svg("path", { d: "M0,0" + d, ...look }));
  const RING = "m-6.5,0a6.5,6.5,0,1,0,13,0a6.5,6.5,0,1,0,-13,0z";
  const mark = c => ({ fill: looks[c][2] === 1 ? looks[c][0] : "none", stroke: looks[c][0] });
  const key = html("div", { class: "key" }, which, ...(names ? [...names.map((name, c) => html("span", {}, sample(looks[c][1], mark(c)), name)), html("span", {}, sample(RING, { class: "ring" }), "predicted wrongly")] : []));
  root.setAttribute("aria-label", "A tree beside what it splits, at each depth");
  root.replaceChildren(key, html("div", { class: "frame" }, ground, crown, html("div", {}, board, slider)), state, about);

  // ---- what both pictures share: the look of a node, and the picture itself
  const WIDE = 360, low = min(value), high = max(value);
  const paint = k => names ? { fill: `url(#${root.id}-${value[k]})` } : { fill: looks[0][0], "fill-opacity": (0.05 + 0.45 * (value[k] - low) / (high - low || 1)).toFixed(2) };
  const drawing = (high, look, ...parts) => svg("svg", { viewBox: `0 0 ${WIDE} ${high}`, ...look }, ...parts);
  const text = (words, x, y, look = {}) => svg("text", { x, y, ...look }, words);
  const pattern = ([colour, , kind], c) => svg("pattern", { id: `${root.id}-${c}`, patternUnits: "userSpaceOnUse", width: 7, height: 7 }, svg("path", { d: "M0,0h7v7h-7z", fill: colour, "fill-opacity": 0.18 }),
    svg("path", { d: ["M0,7L7,0", "", "M3,3h1.5"][kind], stroke: colour, "stroke-opacity": 0.6, "stroke-width": kind ? 1.5 : 0.8 }));
  const cut = (words, room) => words.length <= room ? words : words.slice(0, Math.max(room - 1, 0)) + "…";
  const linked = (element, k) => {
    for (const event of ["pointerenter", "click"]) element.addEventListener(event, () => light(k));
    return element;
  };

  // ---- the plane
  const ends = [0, 1].map(axis => {
    const v = rows.flat().map(row => row[axis]), a = min(v), b = max(v), more = 0.05 * (b - a || 1);
    return [a - more, b + more];
  });
  const inside = (v, axis) => Math.min(Math.max(v, ends[axis][0]), ends[axis][1]);
  const scale = (axis, from, to) => v => +(from + (to - from) * (inside(v, axis) - ends[axis][0]) / (ends[axis][1] - ends[axis][0])).toFixed(2);
  const x = scale(0, 44, 354), y = scale(1, 306, 6);
  let at = best, here = null, boxes, glow;
  const leaf = k => first[k] < 0 || depth[k] >= at;
  const span = (k, shape) => { const [[l, r], [b, t]] = boxes.get(k); return { x: x(l), y: y(t), width: x(r) - x(l), height: y(b) - y(t), ...shape }; };

  function drawPlane() {
    const picture = drawing(346, { ...own, tabindex: 0, role: "group", "aria-label": "The plane. Arrow keys go from region to region." }, ...(names ? looks.map(pattern) : []));
    const leaves = [...boxes.keys()].filter(leaf);
    for (const k of leaves) {
      const shape = span(k, { class: "region", "data-node": k, ...paint(k) });
      picture.append(linked(svg("rect", shape), k));
    }
    const set = rows[which.selectedIndex], put = (some, shape, look) => picture.append(svg("path", { d: some.map(row => `M${x(row[0])},${y(row[1])}${shape}`).join(""), ...look }));
    looks.forEach(([, shape], c) => put(set.filter(row => !names || row[2] === c), shape, { class: "mark", ...mark(c) }));
    if (names) put(set.filter(row => off(row, at)), RING, { class: "ring" });
    else for (const k of leaves) picture.append(svg("path", { d: `M${span(k).x},${y(value[k])}h${span(k).width}`, class: "step" }));
    for (const k of leaves) {  // over the marks, wherever there is room for a number
      const { x, y, width, height } = span(k), long = 7 * String(k).length;
      if (width > long + 2 && height > 11) picture.append(text(k, x + Math.min(4, (width - long) / 2), y + Math.min(12, height / 2 + 4.5), { class: "number over" }));
    }
    for (const v of ticks(...ends[0], 5)) picture.append(text(short(v), x(v), 322, { class: "middle" }));
    for (const v of ticks(...ends[1], 5)) picture.append(text(short(v), 38, y(v) + 4, { class: "end" }));
    picture.append(text(cut(features[0], 50), 199, 340, { class: "middle" }), text(cut(features[1], 46), 0, 0, { class: "middle", transform: "translate(11 156) rotate(-90)" }));
    picture.append(glow = svg("rect", { class: "glow" }));
    picture.addEventListener("keydown", event => {  // over the border of the region: it belongs to the next one
      const [axis, end] = { ArrowLeft: [0, 0], ArrowRight: [0, 1], ArrowDown: [1, 0], ArrowUp: [1, 1] }[event.key] ?? [];
      if (axis === undefined) return;
      event.preventDefault();
      const box = boxes.get(here ?? 0).map((side, f) => side.map(v => inside(v, f))), row = box.map(([a, b]) => (a + b) / 2);
      if (here !== null) row[axis] = end ? box[axis][1] : box[axis][0] - 1e-9 * (ends[axis][1] - ends[axis][0]);
      light(endOf(row, tree, at));
    });
    ground.replaceChildren(picture);
  }

  // ---- the tree: leaves side by side, a node over the middle of its children
  function drawTree() {
    const shown = [...boxes.keys()], leaves = shown.filter(leaf).length, slot = (WIDE - 4) / leaves, levels = max(shown.map(k => depth[k]));
    const apart = Math.min(56, 186 / Math.max(levels, 1)), tall = Math.min(30, apart - 9), top = k => 2 + apart * depth[k];
    const middle = [], groups = new Map(), edges = [], order = [];
    let end = 2;
    (function visit(k) {
      const left = end;
      groups.set(k);  // a parent before its children, as it is read aloud
      if (leaf(k)) order.push(k), end += slot;
      else for (const c of [first[k], first[k] + 1]) visit(c);
      middle[k] = leaf(k) ? left + slot / 2 : (middle[first[k]] + middle[first[k] + 1]) / 2;
      const room = 2 * Math.min(middle[k] - left, end - middle[k], 62) - 3, letters = Math.floor((room - 4) / 6);
      const lines = leaf(k) ? [String(k), names ? cut(names[value[k]], letters) : short(value[k])] : [tests[k].trim(), cut(features[feature[k]], letters)];
      const kept = lines.slice(0, letters > 3 && tall > 24 ? 2 : 1).filter((line, i, all) => tall > 12 && all[0].length <= letters && line.length <= letters);
      if (!leaf(k)) kept.reverse();
      groups.set(k, linked(svg("g", { role: "treeitem", id: `${root.id}-node-${k}`, "data-node": k, "aria-level": depth[k] + 1, "aria-label": told(k), transform: `translate(${middle[k].toFixed(1)} ${top(k)})` },
        svg("rect", { x: -room / 2, width: Math.max(room, 1), height: Math.max(tall, 2), rx: 3, ...(leaf(k) ? paint(k) : { class: "inner" }) }),
        ...kept.map((line, i) => text(line, 0, tall / 2 + 4 + 12 * (i - (kept.length - 1) / 2), { class: leaf(k) && i === 0 ? "middle number" : "middle" }))), k));
      if (!leaf(k)) for (const j of [0, 1]) {
        const c = first[k] + j;
        edges.push(svg("path", { class: "edge", d: `M${middle[k].toFixed(1)},${top(k) + tall}L${middle[c].toFixed(1)},${top(c)}`, "stroke-width": (1 + 4 * size[c] / (size[0] || 1)).toFixed(1) }));
        if (k === 0) edges.push(text(["no", "yes"][j], middle[0] + (j ? 70 : -70), 16, { class: j ? "" : "end" }));
      }
    })(0);
    const picture = drawing(224, { ...own, tabindex: 0, role: "tree", "aria-label": `The tree at depth ${at}. Left and right go from leaf to leaf, up and down to a parent and to a child.` }, ...edges, ...groups.values());
    picture.addEventListener("keydown", event => {
      const now = here ?? 0, end = leaf(now);
      let low = now;
      while (!leaf(low)) low = first[low];
      const i = order.indexOf(low), to = { ArrowLeft: () => order[i - 1], ArrowRight: () => order[i + end], ArrowUp: () => parent[now], ArrowDown: () => end ? now : first[now], Home: () => order[0], End: () => order.at(-1) }[event.key];
      if (!to) return;
      event.preventDefault();
      light(to() ?? now);
    });
    crown.replaceChildren(picture);
  }

  // ---- the curves
  const across = d => 50 + 296 * d / (deepest || 1), most = max(means.flat()) || 1, up = v => 74 - 52 * v / most;
  function drawCurves() {
    const picture = drawing(92, { role: "img", "aria-label": "The error at each depth, on training rows and on held-out rows" });
    const line = (d, look) => picture.append(svg("path", { d, class: look }));
    line(`M44,${up(0)}H354`, "axis"), line(`M${across(at)},18V${up(0)}`, "cursor");
    for (const v of [0, most]) picture.append(text(names ? `${(100 * v).toFixed(0)} %` : short(v), 38, up(v) + 4, { class: "end" }));
    means.forEach((curve, i) => {
      line("M" + curve.map((v, d) => `${across(d).toFixed(1)},${up(v).toFixed(1)}`).join("L"), ["training", "held"][i]);
      picture.append(svg("path", { class: "here", d: `M${across(at)},${up(curve[at])}${["m-4.5,0a4.5,4.5,0,1,0,9,0a4.5,4.5,0,1,0,-9,0z", "m-4,-4h8v8h-8z"][i]}` }));
      picture.append(svg("path", { d: `M${[100, 218][i]},8h26`, class: ["training", "held"][i] }), text(["training error", "held-out error"][i], [132, 250][i], 12));
    });
    for (const d of depths) if (d % Math.ceil((deepest + 1) / 16) === 0) picture.append(text(d, across(d), 89, { class: "middle" }));
    picture.append(text("depth", 0, 89));
    board.replaceChildren(picture);
  }
  dragged(board, share => show(Math.min(Math.max(Math.round((share * WIDE - 50) / 296 * deepest), 0), deepest)));

  // ---- moving
  const told = k => `${leaf(k) ? "leaf" : "node"} ${k}: ${when[k]}: ` + (leaf(k) ? says[k] : `${features[feature[k]]}${tests[k]}? As a leaf ${says[k]}`);
  const short = v => String(+v.toPrecision(4));
  function light(k) {
    here = k;
    for (const item of crown.querySelectorAll("g")) item.setAttribute("aria-selected", item.dataset.node === String(k));
    for (const [name, v] of Object.entries(span(k))) glow.setAttribute(name, v);
    crown.firstChild.setAttribute("aria-activedescendant", `${root.id}-node-${k}`);
    about.textContent = told(k);
  }
  function show(d) {
    at = d;
    slider.value = d;
    slider.setAttribute("aria-valuetext", `${d} of ${deepest}`);
    boxes = boxesOf(tree, at);
    drawPlane();
    drawTree();
    drawCurves();
    const leaves = [...boxes.keys()].filter(leaf).length, lowest = at === best ? ", the lowest" : "";
    const error = i => names ? `${losses[i][at]} of ${rows[i].length}` : short(means[i][at]);
    state.textContent = `Depth ${at}, ${leaves} ${leaves === 1 ? "leaf" : "leaves"}. ${names ? "Errors" : "Mean squared error"}: ${error(0)} on training rows, ${error(1)} on held-out rows${lowest}.`;
    while (here !== null && !boxes.has(here)) here = parent[here];
    if (here !== null) light(here);
  }
  which.addEventListener("change", () => show(at));
  show(best);
}
