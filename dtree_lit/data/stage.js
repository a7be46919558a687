// A tree that the reader grows and prunes: rows fall from question to question, and a bar shows what is left to ask.
//
// A row is { id, x, y }: its number, in each column a number or the code of a word, and 0 or 1.
// A question is { f, t }: its column, and a threshold where that holds numbers.
// A node is { rows, ask, children, says }: the rows that come to it, its question or null, and its answer.

const both = rows => [rows.filter(r => !r.y).length, rows.filter(r => r.y).length];
const mixed = rows => rows.length && entropy(both(rows));
const tied = rows => rows.length && rows.length === 2 * both(rows)[1];
const wrong = (rows, says) => rows.filter(r => r.y !== says).length;
const side = (x, { f, t }) => t === undefined ? x[f] : +(x[f] >= t);
const fallen = (rows, ask, words) => Array.from({ length: words[ask.f]?.length ?? 2 }, (_, i) => rows.filter(r => side(r.x, ask) === i));

// all that can be asked: each column of words, and of numbers a threshold between each two
function questions(rows, words) {
  const between = values => values.slice(1).map((v, i) => (values[i] + v) / 2);
  const numbers = f => [...new Set(rows.map(r => r.x[f]))].sort((a, b) => a - b);
  return words.flatMap((known, f) => known ? [{ f }] : between(numbers(f)).map(t => ({ f, t })));
}

// what a question gains: the bits of the rows, less the mean of what is left in the groups
const gained = (rows, ask, words) => rows.length && mixed(rows) - sum(fallen(rows, ask, words).map(part => part.length * mixed(part))) / rows.length;

// the question that gains most, the first of equal ones; null when all rows are alike, or no word gains anything
function best(rows, words) {
  let most = 0, found = null;
  for (const ask of mixed(rows) ? questions(rows, words) : []) {
    const gain = gained(rows, ask, words);
    if (gain > most + 1e-12 || !found && !words[ask.f]) [most, found] = [gain, ask];
  }
  return found;
}

// a node without a question answers what most of its rows say, and without rows as the node above
function leaf(rows, above = 0) {
  const [no, yes] = both(rows);
  return { rows, ask: null, children: [], says: rows.length ? +(yes > no) : above };
}

// the same tree with one node replaced
const replaced = (node, old, fresh) => node === old ? fresh : { ...node, children: node.children.map(child => replaced(child, old, fresh)) };

function split(node, ask, words) {
  return { ...node, ask, children: fallen(node.rows, ask, words).map(part => leaf(part, node.says)) };
}

// the algorithm: the best question of a node, and so on below
function grown(node, words) {
  const ask = best(node.rows, words);
  if (!ask) return { ...node, ask: null, children: [] };
  const { children, ...asked } = split(node, ask, words);
  return { ...asked, children: children.map(child => grown(child, words)) };
}

// the same questions, with other rows
function refilled(node, rows, words, above = 0) {
  const fresh = leaf(rows, above);
  if (!node.ask) return fresh;
  const parts = fallen(rows, node.ask, words);
  return { ...fresh, ask: node.ask, children: node.children.map((child, i) => refilled(child, parts[i], words, fresh.says)) };
}

// two trees are the same when they ask the same of the same rows
const form = ({ rows, ask, children }) => [rows, ask, children.map(form)];
const same = (a, b) => JSON.stringify(form(a)) === JSON.stringify(form(b));

const leaves = node => node.ask ? node.children.flatMap(leaves) : [node];
const reached = (node, x) => node.ask ? reached(node.children[side(x, node.ask)], x) : node;
const left = node => sum(leaves(node).map(end => end.rows.length * mixed(end.rows))) / node.rows.length;
const errors = (node, rows) => rows.filter(r => reached(node, r.x).says !== r.y).length;
const closed = node => ({ ...node, ask: null, children: [] });

// Pruning goes from the leaves upward: a node becomes a leaf where this costs no more than all that is below it.
// Here a leaf costs its errors and a price.
function priced(node, price) {
  if (!node.ask) return node;
  const cost = end => wrong(end.rows, end.says) + price;
  const kept = { ...node, children: node.children.map(child => priced(child, price)) };
  return cost(node) <= sum(leaves(kept).map(cost)) + 1e-9 ? closed(node) : kept;
}

// The prices at which a branch falls, from none on. A branch that saves no error falls at any price, so at one that is below all others.
function prices(node) {
  const found = [0], saves = end => end.ask ? [(wrong(end.rows, end.says) - errors(end, end.rows)) / (leaves(end).length - 1), ...end.children.flatMap(saves)] : [];
  for (let left = node; left.ask; left = priced(node, found.at(-1))) found.push(Math.max(0.01, min(saves(left))));
  return found;
}

// And here its errors on rows that the tree has not seen.
function reduced(node, unseen, words) {
  if (!node.ask) return node;
  const parts = fallen(unseen, node.ask, words);
  const kept = { ...node, children: node.children.map((child, i) => reduced(child, parts[i], words)) };
  return wrong(unseen, node.says) <= errors(kept, unseen) ? closed(node) : kept;
}

// root    the element to fill
// names   of the columns
// words   of each column its words; null where it holds numbers
// rows    those that grow the tree: [values, 0 or 1]
// unseen  those that judge it
// slip    rows that are wrong, to be added to the others
// says    what 0 and 1 are called
// one, many  what a row is called, and several
// acts    [name, what to do], one after the other
// proofs  by name: [title, text, page]
// table   whether the rows are shown in words, too
function stage(root, { names, words, rows, unseen, slip, says, one, many, acts, proofs, table }) {
  const numbered = (list, from = 1) => list.map(([x, y], i) => ({ id: from + i, x, y }));
  const news = numbered(unseen), slips = numbered(slip, rows.length + 1);
  let seen = numbered(rows), tree = leaf(seen), path = [], alone = false;  // the rows, the tree, the node in question, and has the algorithm grown it?
  let act = 0, price = 0, pruning = false, lost = 0, draft = null;  // what is on, what folds the tree, by how much the bar has just shrunk; and a threshold that is tried
  let mine = null;  // the tree as the reader has folded it
  let touched = false, kept = null;  // has the reader done something; and what he had done when another act took its place
  let beside = null;  // does the reader want the table beside the tree? Else it is there as long as the tree leaves room
  const COMPARE = 1, GROW = 2, TEST = 3, SLIP = 4, FOLD = 5;

  const at = (node, steps) => steps.reduce((above, i) => above.children[i], node);
  const present = () => [act, seen, tree, path, alone, price, pruning, mine];
  const shown = ([act, , tree, , , price, pruning, mine] = present()) => act < FOLD ? tree : mine ?? (pruning ? reduced(tree, news, words) : price ? priced(tree, price) : tree);
  const added = () => seen.length > rows.length;
  const letter = i => String.fromCharCode(97 + i), nameOf = r => !news.includes(r) ? String(r.id) : r.id <= 26 ? letter(r.id - 1) : letter(Math.floor((r.id - 27) / 26)) + letter((r.id - 27) % 26);  // letters for the unseen
  const bits = v => v.toFixed(3), counted = n => `${n} ${n === 1 ? one : many}`;
  const flat = names.length === 2 && words.every(known => !known);  // two columns of numbers make a plane
  const asked = ({ f, t }) => t === undefined ? names[f] : `${names[f]} ≥ ${+t.toPrecision(12)}`;

  // ---- what a reader can do
  function change(fresh, text, steps = path) {
    const before = left(shown());
    [tree, mine] = [fresh, null];
    const end = steps.findIndex((_, i) => !at(tree, steps.slice(0, i)).ask);
    path = end < 0 ? steps : steps.slice(0, end);
    lost = before - left(shown());
    [draft, touched] = [null, true];
    show(text);
  }
  function pick(steps, text = "") {
    [path, lost, draft] = [steps, 0, null];
    show(text);
  }
  // the way to the first leaf that is still mixed
  function next(node, steps = []) {
    if (!node.ask) return mixed(node.rows) ? steps : null;
    for (const [i, child] of node.children.entries()) {
      const found = next(child, [...steps, i]);
      if (found) return found;
    }
    return null;
  }
  function ask(question) {
    const node = at(tree, path), gain = gained(node.rows, question, words), most = best(node.rows, words);
    const share = node.rows.length / seen.length, more = most && gained(node.rows, most, words) > gain + 1e-12;
    const parted = split(node, question, words), fresh = replaced(tree, node, parted);
    alone = false;
    change(fresh, `${asked(question)}? This gains ${bits(gain)} bits` +
      (share < 1 ? ` for ${counted(node.rows.length)} of ${seen.length}, which is ${bits(gain * share)} for all.` : ".") +
      (act < COMPARE ? "" : more ? " Another question gains more." : " No question gains more.") +
      (parted.children.some(child => tied(child.rows)) ? ` Where as many say ${says[1]} as ${says[0]}, the answer is ${says[0]}.` : ""), next(fresh) ?? path);
  }
  function choose() {
    const question = best(at(tree, path).rows, words);
    if (question) ask(question);
    else show("No question gains anything here.");
  }
  function grow() {
    const on = node => node.ask ? { ...node, children: node.children.map(on) } : grown(node, words);
    alone ||= !tree.ask;
    change(on(tree), "", []);
    state.textContent = howGrown();
  }
  function howGrown() {
    const failed = errors(tree, seen);
    return `Grown to the end: ${leaves(tree).length} leaves, and ${failed} of ${counted(seen.length)} wrong.` + (failed ? " No further question tells these apart." : "");
  }
  function forget() {
    alone = false;
    change(replaced(tree, at(tree, path), closed(at(tree, path))), "This question is gone, and all below it.");
  }
  const spoilt = () => [...numbered(rows), ...slips];
  const changed = () => seen.length > rows.length || seen.some((r, i) => r.y !== rows[i][1]);
  function restart() {
    alone = act >= TEST;
    [price, pruning, kept] = [0, false, null];
    seen = act === FOLD ? spoilt() : numbered(rows);
    change(alone ? grown(leaf(seen), words) : leaf(seen), !alone ? `All ${counted(seen.length)} lie in one pile again.` :
      act === FOLD ? "Nothing is pruned any more." : "The rows are as they were.", []);
    touched = false;
  }
  // other rows: the algorithm grows its tree anew; the questions of a reader stay
  function learn(fresh, what) {
    const was = tree.ask && asked(tree.ask), before = leaves(tree).length;
    seen = fresh;
    const other = alone ? grown(leaf(seen), words) : refilled(tree, seen, words), now = other.ask ? asked(other.ask) : "none";
    change(other, what + (alone ? ` The first question ${now === was ? `is still ${now}` : `was ${was}, and is ${now}`}; ${before} leaves before this change, ${leaves(other).length} now.` : ""));
  }
  const turn = row => learn(seen.map(r => r.id === row.id ? { ...r, y: 1 - r.y } : r), `Number ${row.id} now says ${says[1 - row.y]}.`);
  const slipped = () => added() ? learn(seen.slice(0, rows.length), `The wrong ${one} is gone.`) : learn([...seen, ...slips], `A wrong ${one} has come.`);
  function fold(by, as, all) {
    [price, pruning, lost, path, touched, mine] = [by, as, 0, [], true, null];
    show(howFolded(), all);
  }
  // a branch is folded by hand, or unfolded; and what the unseen rows would fold
  function turnBranch(steps) {
    const was = shown(), node = at(was, steps), whole = at(tree, steps), machine = reduced(tree, news, words);
    [price, pruning, touched, mine] = [0, false, true, replaced(was, node, node.ask ? closed(node) : whole)];
    const [then, now, theirs] = [was, mine, machine].map(all => [leaves(all).length, errors(all, seen), errors(all, news)]), told = i => `${now[i]} instead of ${then[i]}`;
    pick(steps, `${asked(whole.ask)}? ${node.ask ? "is folded" : "is back"}. Leaves: ${told(0)}. Wrong: ${told(1)} of ${counted(seen.length)}, and ${told(2)} of ${news.length} unseen. The unseen ${many} choose ` +
      (same(mine, machine) ? "the same." : `otherwise: leaves ${theirs[0]}, wrong ${theirs[1]} and ${theirs[2]}.`));
  }
  function howFolded() {
    return `${leaves(shown()).length} of ${leaves(tree).length} leaves ${leaves(shown()).length === 1 ? "is" : "are"} left. Wrong now: ${errors(shown(), seen)} of ${counted(seen.length)}, and ${errors(shown(), news)} of ${news.length} that the tree has not seen.`;
  }
  // An act begins where the one before has ended, unless that does not belong to it. One that a paragraph calls shows what the paragraph tells.
  function play(i, told = false) {
    if (!told && kept?.[0] === i) return back();  // the reader comes back to what waits there
    const was = present(), other = changed(), slip = told ? i >= SLIP : i === FOLD && !other && slips.length > 0;
    [act, note.hidden] = [i, true];
    if (slip) seen = spoilt();
    else if (told || i < SLIP) seen = numbered(rows);
    const asks = tree.ask && !alone && !other && !told;  // the questions of a reader
    if (i > TEST || i === TEST && !asks || i === GROW && told) [tree, alone] = [grown(leaf(seen), words), true];
    else if (!asks) [tree, alone, path] = [leaf(seen), false, []];
    const stays = !told && same(tree, was[2]);  // then what folds it stays, too
    if (!stays) [price, pruning, mine] = [0, told && i === FOLD, null];
    const gone = touched && !stays && !same(shown(), shown(was));  // what the reader made waits until he wants it back
    if (gone) [kept, touched] = [was, false];
    pick(i >= TEST ? [] : path, (told && i === GROW ? howGrown() : i === FOLD && (told || price || pruning || mine) ? howFolded() :
      slip ? `With the wrong ${one} the tree has ${leaves(tree).length} leaves.${i === FOLD ? " What of it pays?" : ""}` : "") + (gone ? ` This is the tree of the story; yours waits in act ${was[0] + 1}.` : ""));
  }
  function back() {
    [act, seen, tree, path, alone, price, pruning, mine] = kept;
    [kept, touched] = [null, true];
    pick(path, "Here is your own tree again.");
  }
  function explain(key) {
    const [title, text, page] = proofs[key], here = document.querySelector(".bd-article");
    note.replaceChildren(html("strong", {}, title), html("p", {}, text),
      html("p", {}, here ? html("a", { href: page }, "Read the proof") : `The proof: ${page}`, " "), button("Close", () => { note.hidden = true; }));
    note.hidden = false;
    note.onkeydown = event => { if (event.key === "Escape") { note.hidden = true; event.stopPropagation(); } };
    note.querySelector("button").focus({ preventScroll: true });
  }

  // ---- what stays on the page
  // a shape that can be pressed as a button can; without `press` it cannot
  function pressed(shape, press) {
    for (const [name, value] of Object.entries({ ...own, role: "button", tabindex: "0" })) press ? shape.setAttribute(name, value) : shape.removeAttribute(name);
    shape.onclick = press;
    shape.onkeydown = press && (event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); press(); } });
    return shape;
  }
  // other elements in a place; the keyboard stays where it was
  function refill(place, fresh) {
    const found = () => [...place.querySelectorAll("button:enabled, input")], old = found().indexOf(document.activeElement);
    place.replaceChildren(...fresh);
    if (old >= 0) (found()[old] ?? found().at(-1) ?? tabs[act]).focus({ preventScroll: true });
  }
  const why = key => key in proofs ? button("why?", () => explain(key), { class: "why", "aria-label": `Why? ${proofs[key][0]}` }) : "";
  const part = name => html("div", { class: name }), group = (...inner) => html("span", { class: "group" }, ...inner);
  const state = html("p", { class: "state", "aria-live": "polite" }), todo = html("p", { class: "todo" }), note = html("aside", { hidden: "" });
  const tabs = acts.map(([name], i) => button(`${i + 1} ${name}`, () => play(i)));
  const bars = part("bars"), asks = part("asks"), tools = part("tools"), list = part("list"), frame = part("frame");
  const edges = svg("g"), boxes = svg("g"), marks = svg("g"), dots = new Map();
  const drawing = svg("svg", { role: "group", "aria-label": "The tree, and the rows in its leaves" }, edges, boxes, marks);
  frame.append(drawing);
  const row = part("acts"), scene = part("scene"), side = part("side"), main = part("main");
  row.append(...tabs);
  side.append(bars, asks, tools);
  main.append(state, note, frame);
  scene.append(side, main, ...table ? [list] : []);
  if (flat) scene.classList.add("flat");
  root.setAttribute("aria-label", "A tree that you grow and prune");
  root.replaceChildren(row, todo, scene);

  // `all`: the questions and buttons too, which stay while one of them moves
  function show(text, all = true) {
    if (boxes.firstChild && note.hidden) root.style.minHeight = `${root.offsetHeight}px`;  // what stands below does not jump
    scene.classList.toggle("open", withTable());
    tabs.forEach((tab, i) => i === act ? tab.setAttribute("aria-current", "step") : tab.removeAttribute("aria-current"));
    todo.textContent = acts[act][1];
    state.textContent = text;
    refill(bars, measured());
    if (all) refill(asks, act < TEST ? choices() : []);
    if (all) refill(tools, handles());
    if (table) refill(list, [flat ? plane() : written()]);
    draw();
  }
  addEventListener("resize", () => { root.style.minHeight = ""; draw(); });
  new ResizeObserver(() => { if (frame.clientWidth !== fitted) draw(); }).observe(frame);  // letters that come late move what stands beside

  // ---- the bars
  function measured() {
    const now = shown(), rest = left(now), share = v => `${(100 * v).toFixed(2)}%`;
    const bar = part("bar");
    bar.append(html("span", { class: "rest", style: `width: ${share(rest)}` }));
    if (lost > 1e-12) bar.append(html("span", { class: "lost", style: `width: ${share(lost)}` }));
    const found = [html("p", {}, `Left to ask: ${bits(rest)} bits${lost > 1e-12 ? `, ${bits(lost)} less` : ""} `, why(lost > 1e-12 ? "gain" : "bits")), bar];
    if (act < TEST) return found;
    const tested = (rows, name) => {
      const cells = part("cells"), wrongs = rows.map(r => reached(now, r.x).says !== r.y), many = wrongs.filter(v => v).length;
      cells.append(...wrongs.map(v => html("span", v ? { class: "wrong" } : {}, v ? "×" : "")));
      return [html("p", {}, `${name}: ${many} of ${rows.length} wrong`), ...flat ? [] : [cells]];  // the plane is full of rows already
    };
    return [...found, ...tested(seen, "Seen"), ...tested(news, "Not seen"), ...before(now)];
  }
  // beside a tree that other rows or a pruning have changed, what it was
  function before(now) {
    const old = act === FOLD ? tree : alone ? grown(leaf(numbered(rows)), words) : refilled(tree, numbered(rows), words);
    if (act < SLIP || act === SLIP && !changed() || leaves(old).length === leaves(now).length && act === FOLD) return [];
    const lines = [], marks = [], name = `Before ${act === FOLD ? "pruning" : "any change"}: ${old.ask ? `${asked(old.ask)} first, ` : ""}${leaves(old).length} leaves; not seen: ${errors(old, news)} of ${news.length} wrong`;
    let end = 0;
    function put(node, y) {
      if (!node.ask) {
        const x = 20 * end++ + 10;
        marks.push(node.says ? svg("circle", { cx: x, cy: y, r: 6, class: "yes" }) : svg("rect", { x: x - 5.5, y: y - 5.5, width: 11, height: 11, class: "no" }));
        return x;
      }
      const places = node.children.map(child => put(child, y + 22)), x = (places[0] + places.at(-1)) / 2;
      lines.push(...places.map((to, i) => svg("path", { d: `M${x},${y}L${to},${y + (node.children[i].ask ? 22 : 16)}` })));
      return x;
    }
    put(old, 8);
    const deep = max(marks.map(mark => +(mark.getAttribute("cy") ?? mark.getAttribute("y")))) + 14;
    return [html("p", { class: "before" }, name), svg("svg", { class: "before", viewBox: `0 0 ${20 * end} ${deep}`, width: 20 * end, "aria-hidden": "true" }, ...lines, ...marks)];
  }

  // ---- the questions of the node in question
  function choices() {
    const node = at(tree, path), here = node.rows.length;
    if (node.ask) return [html("p", {}, `Here it asks: ${asked(node.ask)}?`)];
    if (!mixed(node.rows)) return [html("p", {}, `${here ? "All are alike" : "None came"} here: nothing is left to ask.`)];
    const most = best(node.rows, words), told = (flat ? "Move a threshold, or drag it across the plane, and ask" : "Ask about") + (path.length ? `, for the ${here} in the heavy box` : "");
    const heads = act >= COMPARE && path.length && !flat ? [html("p", { class: "heads", "aria-hidden": "true" }, ...["bits gained:", `by these ${here}`, "off the bar"].map(head => html("span", {}, head)))] : [];
    return [html("p", {}, told), ...heads, ...names.map((_, f) => flat ? threshold(node, f, most) : column(node, f, most))];
  }
  // what a question gains in this node; and what that is of the bar, where rows elsewhere gain nothing
  const shareOf = (gain, node) => gain * node.rows.length / seen.length;
  function column(node, f, most) {
    const gain = gained(node.rows, { f }, words), made = button(names[f], () => ask({ f })), known = new Set(node.rows.map(r => r.x[f]));
    if (known.size === 1) {
      made.disabled = true;
      made.append(html("span", {}, `all ${words[f][[...known][0]]}`));
      return made;
    }
    if (act < COMPARE) return made;
    const share = shareOf(gain, node), star = most?.f === f ? "★ " : "", inAll = path.length ? [bits(share)] : [];
    made.append(html("span", { class: "gain", style: `width: ${(100 * share).toFixed(2)}%` }), ...[bits(gain), ...inAll].map((v, i) => html("span", { class: "number" }, (i ? "" : star) + v)));
    made.setAttribute("aria-label", `${names[f]}, ${bits(gain)} bits${path.length ? ` here, ${bits(share)} of the whole bar` : ""}${star ? ", the algorithm's choice" : ""}`);
    return made;
  }
  // a threshold on a column of numbers; when questions are compared, with what each of them gains
  function threshold(node, f, most) {
    const all = questions(node.rows, words).filter(question => question.f === f), made = part("threshold");
    if (!all.length) return made;
    const start = draft?.f === f ? all.findIndex(({ t }) => t === draft.t) : all.length >> 1, go = button("", () => ask(all[slider.value]));
    const told = question => act < COMPARE ? "" : ` ${bits(gained(node.rows, question, words))} bits${path.length ? ` here, ${bits(shareOf(gained(node.rows, question, words), node))} of the bar` : ""}${most?.f === f && most.t === question.t ? " ★" : ""}`;
    const name = () => { go.textContent = `${asked(all[slider.value])}?${told(all[slider.value])}`; slider.setAttribute("aria-valuetext", asked(all[slider.value]) + told(all[slider.value])); };
    const slider = range(`threshold on ${names[f]}`, all.length - 1, start, i => { name(); attempt(all[i]); });
    name();
    made.append(...act < COMPARE ? [] : [skyline(all.map(question => gained(node.rows, question, words)), all.findIndex(({ t }) => most?.f === f && most.t === t))], slider, go);
    return made;
  }
  function skyline(gains, star) {
    const bar = (v, i) => `M${100 * (i + 0.5) / gains.length},30v${(-28 * v).toFixed(2)}`, x = 100 * (star + 0.5) / gains.length;
    return svg("svg", { viewBox: "0 0 100 30", preserveAspectRatio: "none", class: "skyline", role: "img", "aria-label": `What each threshold gains, at most ${bits(max(gains))} bits` },
      svg("path", { d: gains.map(bar).join(""), style: `stroke-width: ${60 / gains.length}` }), ...star < 0 ? [] : [svg("path", { d: `M${x},0V30`, class: "best" })]);
  }
  // a threshold is tried: it is seen, and not yet asked
  function attempt(question) {
    draft = question;
    state.textContent = `${asked(question)}? It would gain ${bits(gained(at(tree, path).rows, question, words))} bits${path.length ? " here" : ""}.`;
    list.replaceChildren(plane());
  }

  // ---- what else can be pressed
  function handles() {
    const node = at(tree, path), made = [];
    const open = act <= TEST && leaves(tree).some(end => best(end.rows, words));
    if (act >= COMPARE && act < TEST && !node.ask && mixed(node.rows)) made.push(group(button("The algorithm's choice", choose), why("best")));
    if (open && act >= GROW) made.push(button("Grow to the end", grow));
    if (act === SLIP && slips.length) made.push(button(added() ? `Take the wrong ${one} away` : `Add a wrong ${one}`, slipped));
    if (act === FOLD) {
      const stops = prices(tree), said = html("span"), fill = v => { said.textContent = `A leaf costs ${+v.toFixed(2)} ${v === 1 ? "error" : "errors"} `; slider.setAttribute("aria-valuetext", said.textContent); };
      const slider = range("price of a leaf, in errors", stops.length - 1, stops.findLastIndex(v => v <= price), i => { fill(stops[i]); judge.setAttribute("aria-pressed", false); fold(stops[i], false, false); });
      const judge = button(`Prune with the unseen ${many}`, () => fold(0, !pruning), { "aria-pressed": String(pruning) });
      fill(price);
      made.push(html("label", {}, said, why("price"), slider), group(judge, why("rows")));
    }
    if (act < TEST && node.ask) made.push(button("Take this question away", forget));
    if (kept && !same(shown(kept), shown())) made.push(button("Back to my tree", back));
    if (table && !flat) made.push(button(withTable() ? "Hide the table" : "Show the table", () => { beside = !withTable(); show(state.textContent); }, { class: "beside" }));
    made.push(button("Start again", restart));
    return made;
  }

  // ---- the rows in words
  const withTable = () => beside ?? act < TEST;
  // a row and its mark in the tree light up together
  function paired(element, id) {
    element.dataset.row = id;
    const light = on => root.querySelectorAll(`[data-row="${id}"]`).forEach(e => e.classList.toggle("lit", on));
    [element.onpointerenter, element.onpointerleave] = [() => light(true), () => light(false)];
    return element;
  }
  function written() {
    const here = new Set(at(shown(), path.filter((_, i) => at(shown(), path.slice(0, i)).ask)).rows.map(r => r.id));
    const line = r => {
      const mark = button(says[r.y], () => turn(r), { class: r.y ? "yes" : "no", "aria-label": `${one} ${r.id} says ${says[r.y]}: turn it over` });
      mark.disabled = act < SLIP;
      const cells = r.x.map((v, f) => html("td", {}, words[f] ? words[f][v] : String(v)));
      return paired(html("tr", here.has(r.id) ? {} : { class: "away" }, html("th", {}, String(r.id)), ...cells, html("td", {}, mark)), r.id);
    };
    return html("table", {}, html("tr", {}, html("th", {}), ...names.map(name => html("th", {}, name)), html("th", {})), ...seen.map(line));
  }

  // ---- two columns of numbers as a plane, with a region for each leaf
  const ends = names.map((_, f) => { const values = rows.concat(unseen, slip).map(([x]) => x[f]), pad = 0.06 * (max(values) - min(values)); return [min(values) - pad, max(values) + pad]; });
  const SIZE = 300, spot = (v, f) => f ? SIZE * (ends[1][1] - v) / (ends[1][1] - ends[1][0]) : SIZE * (v - ends[0][0]) / (ends[0][1] - ends[0][0]);
  function regions(node, steps = [], box = ends) {
    if (!node.ask) return [[node, steps, box]];
    const { f, t } = node.ask, within = i => box.map((side, j) => j !== f ? side : i ? [t, side[1]] : [side[0], t]);
    return node.children.flatMap((child, i) => regions(child, [...steps, i], within(i)));
  }
  const outline = ([[a, b], [c, d]]) => ({ x: spot(a, 0), y: spot(d, 1), width: spot(b, 0) - spot(a, 0), height: spot(c, 1) - spot(d, 1) });
  function plane() {
    const all = regions(shown()), here = all.find(([, steps]) => String(steps) === String(path));
    const drawn = svg("svg", { viewBox: `-20 -4 ${SIZE + 24} ${SIZE + 24}`, class: "plane", role: "img", "aria-label": `The plane of ${names.join(" and ")}, with a region for each leaf` });
    for (const [node, steps, box] of all) drawn.append(svg("rect", { ...outline(box), class: (node.says ? "yes" : "no") + (steps === here?.[1] ? " here" : "") }));
    const there = act < TEST ? seen : [...seen, ...news], crossed = r => act >= TEST && reached(shown(), r.x).says !== r.y;
    for (const r of there) {
      const [x, y] = r.x.map(spot), fresh = news.includes(r) ? " fresh" : "";
      if (crossed(r)) drawn.append(svg("path", { class: "cross", d: `M${x - 6},${y - 6}l12,12m0,-12l-12,12` }));
      drawn.append(r.y ? svg("circle", { cx: x, cy: y, r: 4, class: "yes" + fresh }) : svg("rect", { x: x - 3.5, y: y - 3.5, width: 7, height: 7, class: "no mark" + fresh }));
    }
    // words in the emptiest corner of a region
    for (const [node, , box] of all) {
      const { x, y, width, height } = outline(box), said = says[node.says], long = 6.6 * said.length, spots = there.map(r => r.x.map(spot));
      if (width < long + 8 || height < 17) continue;
      const hit = ([left, base]) => spots.filter(([a, b]) => a > left - 5 && a < left + long + 5 && b > base - 15 && b < base + 6).length;
      const [left, base] = [y + 13, y + height - 5].flatMap(base => [x + 5, x + width - long - 5].map(left => [left, base])).reduce((a, b) => hit(b) < hit(a) ? b : a);
      drawn.append(svg("text", { x: left, y: base, class: "said" }, said));
    }
    if (draft && here) {
      const [[a, b], [c, d]] = here[2], at = spot(draft.t, draft.f);
      drawn.append(svg("path", { class: "draft", d: draft.f ? `M${spot(a, 0)},${at}H${spot(b, 0)}` : `M${at},${spot(c, 1)}V${spot(d, 1)}` }));
    }
    const tick = v => String(+v.toPrecision(2));
    drawn.append(...[0, 1].map(i => svg("text", { x: i ? SIZE - 10 : 10, y: SIZE + 16 }, tick(ends[0][i]))), ...[0, 1].map(i => svg("text", { transform: `translate(-8,${i ? 10 : SIZE - 10}) rotate(-90)` }, tick(ends[1][i]))));
    drawn.append(svg("text", { x: SIZE / 2, y: SIZE + 16 }, `${names[0]} →`), svg("text", { transform: `translate(-8,${SIZE / 2}) rotate(-90)` }, `${names[1]} →`));
    return drawn;
  }
  // A drag begins in a region; across it moves a threshold on the first column, upward and downward one on the second.
  let from = null;
  if (flat && table) {
    dragged(list, (across, down, begins) => {
      if (act >= TEST) return;
      const share = [((SIZE + 24) * across - 20) / SIZE, 1 - ((SIZE + 24) * down - 4) / SIZE];
      const point = ends.map(([a, b], f) => a + share[f] * (b - a));
      if (begins) {
        from = [across, down];
        const [, steps] = regions(tree).find(([, , box]) => box.every(([a, b], f) => a <= point[f] && point[f] < b)) ?? [null, path];
        pick(steps);
        return;
      }
      const f = +(Math.abs(down - from[1]) > Math.abs(across - from[0])), { rows } = at(tree, path), all = mixed(rows) ? questions(rows, words).filter(question => question.f === f) : [];
      if (!all.length) return;
      attempt(all.reduce((a, b) => Math.abs(b.t - point[f]) < Math.abs(a.t - point[f]) ? b : a));
      refill(asks, choices());
    });
    list.addEventListener("pointerup", () => { if (draft && from) ask(draft); from = null; });
  }

  // ---- the tree
  const BOX = 40, STEP = 88, INDENT = 20, phone = matchMedia("(max-width: 48rem)");
  let DOT = 20;  // from mark to mark
  const wide = text => 6.2 * text.length + 14;
  const lines = node => {
    const many = both(node.rows)[node.says], count = `${many} of ${node.rows.length}` + (tied(node.rows) ? ", a tie" : "");
    return node.ask ? [`${asked(node.ask)}?`, `${says[node.says]}, ${count}`] : [says[node.says], node.rows.length ? count : "none came"];
  };
  const columns = n => n > 28 ? 10 : n > 12 ? 7 : n > 2 ? Math.ceil(n / 2) : Math.max(n, 1);

  const wordOf = ({ ask }, i) => ask.t === undefined ? words[ask.f][i] : i ? "yes" : "no";

  // each node over the middle of its children, each subtree in its own strip: [node, x, y, width, its place, the word before it]
  function placed(node, steps = [], x = 0, word = "") {
    const box = Math.max(...lines(node).map(text => wide(text)), wide(word));
    if (!node.ask) {
      const room = Math.max(box, columns(node.rows.length + fresh(node).length) * DOT) + 7;
      return { room, all: [[node, x + room / 2, steps, box, word]] };
    }
    let end = x;
    const below = node.children.map((child, i) => {
      const found = placed(child, [...steps, i], end, wordOf(node, i));
      end += found.room;
      return found.all;
    });
    const room = Math.max(end - x, box + 7), shift = (room - (end - x)) / 2;
    const all = below.flat().map(([child, at, ...more]) => [child, at + shift, ...more]);
    return { room, all: [[node, x + room / 2, steps, box, word], ...all] };
  }
  let arrived = new Map();
  const fresh = node => arrived.get(node) ?? [], pile = node => [...node.rows, ...fresh(node)];
  // Where a tree is broader than the page, each node gets a line of its own, further in than its parent, and its rows beside it.
  function listed(node, wide, y = 0, steps = [], word = "") {
    const [first, second] = lines(node), said = [word && `${word}: `, first].join(""), left = INDENT * steps.length, box = Math.max(...[said, second].map(text => 6.6 * text.length + 14));
    const n = Math.max(1, Math.floor((wide - left - box - 6) / DOT)), tall = Math.max(BOX, node.ask ? 0 : DOT * Math.ceil(pile(node).length / n)) + 6;
    let end = y + tall;
    const below = (node.ask ? node.children : []).map((child, i) => {
      const found = listed(child, wide, end, [...steps, i], wordOf(node, i));
      end = found.end;
      return found.all;
    });
    return { end, all: [{ node, steps, box, said: [said, second], x: left + box / 2, y, heap: [left + box + DOT / 2 + 4, y + (pile(node).length > n ? DOT / 2 + 1 : BOX / 2), n, 0] }, ...below.flat()] };
  }
  // Else all nodes of a depth stand side by side.
  function standing(node, wide) {
    const { room, all } = placed(node), W = Math.max(room, wide / LARGEST), across = (W - room) / 2;
    return { W, room, all: all.map(([node, x, steps, box, word]) => {
      const y = STEP * steps.length;
      return { node, steps, box, word, said: lines(node), x: x + across, y, heap: [x + across, y + BOX + DOT / 2 + 3, columns(pile(node).length), 0.5] };
    }) };
  }

  const SMALLEST = 0.92, LARGEST = 1.1;  // how a unit is drawn, in pixels: letters are never below 11
  let tall = 0, turned = false, fitted = 0;
  function draw() {
    const now = shown(), focus = boxes.contains(document.activeElement), wide = frame.clientWidth;
    [arrived, fitted, DOT] = [new Map(), wide, phone.matches ? 30 : 20];  // a finger needs 24 pixels
    if (act >= TEST) for (const r of news) arrived.set(reached(now, r.x), [...fresh(reached(now, r.x)), r]);
    let { W, room, all } = standing(now, wide), lying = wide > 0 && SMALLEST * room > wide;
    if (lying) [all, W] = [listed(now, wide).all, wide];
    if (lying !== turned) [tall, turned] = [0, lying];
    const end = ({ node, y, heap: [, top, n] }) => Math.max(y + BOX, node.ask ? 0 : top + DOT * (Math.ceil(pile(node).length / n) - 0.5));
    W = Math.max(W, ...all.map(({ x, box }) => lying ? x + box / 2 + DOT + 6 : 0));
    tall = Math.max(tall, max(all.map(end)) + 4, 220);
    drawing.setAttribute("viewBox", `0 0 ${W} ${tall}`);
    drawing.style.minWidth = `${SMALLEST * W}px`;
    drawing.style.maxHeight = lying ? "none" : "";
    frame.classList.toggle("sideways", SMALLEST * W > wide);
    const where = new Map(all.map(each => [String(each.steps), each]));
    edges.replaceChildren(...all.slice(1).map(({ x, y, steps, box, word }) => {
      const up = where.get(String(steps.slice(0, -1)));
      if (lying) return svg("path", { d: `M${up.x - up.box / 2 + INDENT / 2},${up.y + BOX - 1}V${y + BOX / 2}H${x - box / 2}` });
      return svg("g", {}, svg("path", { d: `M${up.x},${up.y + BOX + 1}L${x},${y - 18}` }), svg("text", { x, y: y - 5 }, word));
    }));
    boxes.replaceChildren(...all.map(({ node, steps, box, said: [first, second], x, y }) => {
      const here = String(steps) === String(path), branch = act === FOLD && at(tree, steps).ask;
      const made = svg("g", { ...own, class: `node${here ? " here" : ""}${node.ask ? "" : node.says ? " leaf yes" : " leaf no"}${branch && !node.ask ? " folded" : ""}`, transform: `translate(${x},${y})`, "aria-label": `${first} ${second}`, ...branch ? { "aria-expanded": Boolean(node.ask) } : { "aria-pressed": here } },
        svg("rect", { x: -box / 2, y: 1, width: box, height: BOX - 2, rx: 4 }), svg("text", { y: 17, class: "first" }, first), svg("text", { y: 32 }, second));
      return pressed(made, () => branch ? turnBranch(steps) : pick(steps));
    }));
    if (focus) boxes.querySelector(".here")?.focus({ preventScroll: true });
    const there = new Set();
    for (const { node, heap: [left, top, n, middle] } of all) {
      if (node.ask) continue;
      const rows = pile(node);
      rows.forEach((r, i) => {
        const key = `${news.includes(r) ? "new" : "seen"} ${r.id}`, inRow = Math.min(n, rows.length - n * Math.floor(i / n));
        there.add(key);
        dot(key, r, node.says !== r.y && act >= TEST, left + (i % n - (inRow - 1) * middle) * DOT, top + Math.floor(i / n) * DOT);
      });
    }
    for (const [key, mark] of dots) if (!there.has(key)) { mark.remove(); dots.delete(key); }
  }
  // a row as a mark that keeps its identity, so that it is seen to fall
  function dot(key, r, wrong, x, y) {
    let mark = dots.get(key);
    if (!mark) { marks.append(mark = svg("g")); dots.set(key, mark); }
    mark.setAttribute("class", `dot ${r.y ? "yes" : "no"} ${key.split(" ")[0]}${key.startsWith("seen") && r.id > rows.length ? " slip" : ""}`);
    mark.replaceChildren(svg("title", {}, `${key.startsWith("new") ? "not seen: " : ""}${one} ${nameOf(r)}, ${r.x.map((v, f) => words[f] ? words[f][v] : v).join(", ")}: ${says[r.y]}`),
      r.y ? svg("circle", { r: DOT / 2 - 1 }) : svg("rect", { x: 1.5 - DOT / 2, y: 1.5 - DOT / 2, width: DOT - 3, height: DOT - 3 }), ...wrong ? [svg("path", { d: "M-10,-10L10,10M10,-10L-10,10" })] : [], svg("text", { y: 4 }, nameOf(r)));
    const turns = act >= SLIP && seen.includes(r);
    if (seen.includes(r)) paired(mark, r.id);
    pressed(mark, turns ? () => turn(r) : null);
    if (turns) mark.setAttribute("aria-label", `${one} ${r.id} says ${says[r.y]}: turn it over`);
    mark.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  // Paragraphs of the same section name the act that shows what they say. As long as the figure stays in view above them, the last one that
  // has come up calls it on stage; where there is no room for that, a button at its end brings the figure below it.
  function follow() {
    const place = root.closest(".cell_output"), cues = [...root.closest("section")?.querySelectorAll("[data-act]") ?? []];
    if (!place || !cues.length) return;
    function bring(text, i) {
      const before = text.getBoundingClientRect().top;
      scene.classList.add("brought");  // the tree first, which the paragraph is about
      text.after(place);
      play(i, true);
      scrollBy({ top: text.getBoundingClientRect().top - before, behavior: "instant" });
    }
    for (const cue of cues) {
      const text = cue.closest("p");
      text.append(" ", button("Show it", () => bring(text, cue.dataset.act - 1), { class: "bring" }));
    }
    let on = null;
    addEventListener("scroll", () => {
      if (getComputedStyle(place).position !== "sticky") return;
      const now = cues.findLast(cue => cue.getBoundingClientRect().top < 0.88 * innerHeight);
      if (now && now !== on) play((on = now).dataset.act - 1, true);
    }, { passive: true });
  }
  document.readyState === "loading" ? addEventListener("DOMContentLoaded", follow) : follow();

  show("");
}
