// A row of labels, and what each cut of it leaves. A label is turned over by a click; a block can be laid over the row.
//
// root    the element to fill
// labels  zeros and ones, in the order of a feature
// block   null; or the first place of a block, and the first behind it
function cuts(root, { labels, block }) {
  labels = [...labels];
  const n = labels.length, wide = 640, high = 200, x = i => 8 + (wide - 16) * i / n;
  const frame = html("div", { class: "frame" }), state = html("p", { class: "state", "aria-live": "polite" });
  const marks = labels.map((_, i) => button("", () => turn(i)));
  const row = html("div", { class: "row", style: `grid-template-columns: repeat(${n}, 1fr)` }, ...marks);
  const ends = block && ["begins after", "ends after"].map((name, k) =>
    html("label", {}, `block ${name} `, range(`block ${name} how many labels`, n, block[k], v => { block[k] = k ? Math.max(v, block[0] + 1) : Math.min(v, block[1] - 1); show(); })));
  root.setAttribute("aria-label", "What each cut of a row of labels leaves");
  root.replaceChildren(frame, row, html("p", {}, "Click a label to turn it over."), ...(ends ? [html("div", { class: "controls" }, ...ends)] : []), state);

  const turn = i => { labels[i] = 1 - labels[i]; show(); };
  const disorder = c => sum(c) * entropy(c);             // Φ: the bits of all labels
  function show() {
    const all = [n - sum(labels), sum(labels)], before = [[0, 0]];
    for (const k of labels) before.push(before.at(-1).map((c, j) => c + (j === k)));
    const minus = (a, b) => a.map((c, j) => c - b[j]), plus = (a, b) => a.map((c, j) => c + b[j]);
    const leaves = part => disorder(part) + disorder(minus(all, part));
    const left = before.map(leaves), top = Math.max(1, left[0]);
    const inner = left.map((_, i) => i).slice(1, n), boundary = inner.filter(i => labels[i - 1] !== labels[i]);
    const better = (a, b) => left[b] < left[a] - 1e-9 ? b : a, best = inner.reduce(better);
    const y = v => 10 + (high - 40) * (1 - v / top);

    const drawing = svg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": "Bits that are left at each cut" });
    const line = (d, kind) => drawing.append(svg("path", { d, class: kind }));
    line(`M8,${y(0)}H${wide - 8}`, "axis");
    drawing.append(svg("text", { x: 8, y: high - 8 }, `bits left, of ${left[0].toFixed(2)}`));
    if (block) drawing.append(svg("rect", { x: x(block[0]), width: x(block[1]) - x(block[0]), y: 4, height: y(0) - 4, class: "block" }));
    line("M" + left.map((v, i) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`).join("L"), "curve");
    for (const i of inner) drawing.append(svg("circle", { cx: x(i), cy: y(left[i]), r: i === best ? 6 : 4, class: boundary.includes(i) ? "boundary" : "" }));
    let said = boundary.length ? `${boundary.length} of ${n - 1} cuts are boundaries (filled). The best is after ${best} labels and leaves ${left[best].toFixed(2)} bits.`
      : "All labels are alike: no cut divides them.";
    if (block) {
      const [a, b] = block, inside = minus(before[b], before[a]);
      const ends = disorder(before[a]) + disorder(minus(all, before[b]));
      const corners = Math.min(left[a], left[b], ...inside.map((c, k) => leaves(plus(before[a], inside.map((v, j) => j === k ? c : 0)))));
      const outside = inner.filter(i => i <= a || i >= b).reduce(better, a > 0 ? a : Math.min(b, n - 1));
      line(`M${x(a)},${y(ends)}H${x(b)}`, "bound"), line(`M${x(a)},${y(corners)}H${x(b)}`, "corner");
      const closed = corners >= left[outside] - 1e-9;
      said = `Inside the block no cut leaves less than ${ends.toFixed(2)} bits, by its ends (thin), and ${corners.toFixed(2)}, by its corners (thick). ` +
        `Outside ${left[outside].toFixed(2)} can be had, so the block ${closed ? "stays closed." : "has to be opened."}`;
    }
    frame.replaceChildren(drawing);
    marks.forEach((mark, i) => {
      mark.className = labels[i] ? "positive" : "negative";
      mark.setAttribute("aria-label", `label ${i + 1}: ${labels[i] ? "positive" : "negative"}, turn it over`);
    });
    if (ends) ends.forEach((label, k) => { label.lastChild.value = block[k]; });
    state.textContent = said;
  }
  show();
}
