// The chord of a node that is cut in two: F and T lie on the curve of a measure, the mean of theirs on the chord below D.
// The area of each disc is its number of examples, so D lies nearer to the larger part.
//
// root   the element to fill
// F, T   the two parts: how many negative and how many positive examples
function chord(root, { F, T }) {
  const size = { F: sum(F), T: sum(T) }, positives = { F: F[1], T: T[1] }, n = size.F + size.T;
  const measures = { entropy: p => entropy([1 - p, p]), Gini: p => 2 * p * (1 - p), "share of errors": p => Math.min(p, 1 - p) };
  const frame = html("div", { class: "frame" }), state = html("p", { class: "state", "aria-live": "polite" });
  const which = html("select", { ...own, "aria-label": "measure" }, ...Object.keys(measures).map(name => html("option", {}, name)));
  const sliders = Object.fromEntries(["F", "T"].map(part =>
    [part, range(`positive examples of ${part}, of ${size[part]}`, size[part], positives[part], k => { positives[part] = k; show(); })]));
  const named = part => html("label", {}, `${part} `, sliders[part]);
  root.setAttribute("aria-label", "What a cut gains, as the gap between a curve and its chord");
  root.replaceChildren(html("div", { class: "controls" }, which, named("F"), named("T")), frame, state);

  const wide = 640, left = 60, right = 622, bottom = 240, x = p => left + p * (right - left);
  function show() {
    const phi = measures[which.value], y = v => bottom - 190 * v / phi(0.5);
    const share = { F: positives.F / size.F, T: positives.T / size.T, D: (positives.F + positives.T) / n };
    const parts = (size.F * phi(share.F) + size.T * phi(share.T)) / n, gain = Math.max(0, phi(share.D) - parts);
    const drawing = svg("svg", { viewBox: `0 0 ${wide} 282`, role: "img", "aria-label": `The curve of the ${which.value}, with F, T and D` });
    const line = (d, kind) => drawing.append(svg("path", { d, class: kind }));
    const text = (words, px, py, kind = "middle") => drawing.append(svg("text", { x: px, y: py, class: kind }, words));
    line(`M${left},${bottom}H${right}M${left},${bottom}V42`, "axis");
    for (const p of [0, 0.5, 1]) text(String(p), x(p), bottom + 32);
    for (const v of [0, phi(0.5)]) text(String(v), left - 18, y(v) + 4, "end");
    text("share of positives", x(0.75), bottom + 32);
    line("M" + Array.from({ length: 101 }, (_, i) => `${x(i / 100).toFixed(1)},${y(phi(i / 100)).toFixed(1)}`).join("L"), "curve");
    line(`M${x(share.F)},${y(phi(share.F))}L${x(share.T)},${y(phi(share.T))}`, "chord");
    line(`M${x(share.D)},${y(phi(share.D))}V${y(parts)}`, "gain");
    // D is named above its disc; F and T below theirs, the left one to the left, but above the axis
    for (const [name, count] of Object.entries({ ...size, D: n })) {
      const px = x(share[name]), py = y(phi(share[name])), r = 14 * Math.sqrt(count / n);
      drawing.append(svg("circle", { cx: px, cy: py, r, class: "size" }), svg("circle", { cx: px, cy: py, r: 2.5 }));
      const first = name === "F" ? share.F <= share.T : share.T < share.F, above = name === "D" || py + r > bottom - 24;
      text(name, px + (name === "D" ? 0 : first ? -3 : 3), above ? py - r - 5 : py + r + 20, name === "D" ? "middle" : first ? "end" : "start");
    }
    frame.replaceChildren(drawing);
    const say = name => `${name}: ${positives[name]} of ${size[name]} positive, ${phi(share[name]).toFixed(3)}`;
    state.textContent = `${say("F")}; ${say("T")}; D: ${positives.F + positives.T} of ${n}, ${phi(share.D).toFixed(3)}. ` +
      `Mean of the parts ${parts.toFixed(3)}, gain ${gain.toFixed(3)}` + nothing();
    for (const part of ["F", "T"]) sliders[part].value = positives[part];
  }

  // When is nothing gained? Entropy and Gini bend everywhere, and the share of errors only in the middle.
  function nothing() {
    const excess = part => 2 * positives[part] - size[part];
    if (positives.F * size.T === positives.T * size.F) return ". Nothing is gained: F and T have the same share of positives.";
    const straight = which.value === "share of errors" && excess("F") * excess("T") >= 0;
    return straight ? ". Nothing is gained: F and T have different shares, but the measure is straight between them." : "";
  }

  let held = "F";
  dragged(frame, (across, _, begins) => {
    const p = Math.min(1, Math.max(0, (across * wide - left) / (right - left)));
    const away = part => Math.abs(positives[part] / size[part] - p);
    if (begins) held = away("F") <= away("T") ? "F" : "T";
    positives[held] = Math.round(p * size[held]);
    show();
  });
  which.addEventListener("change", show);
  show();
}
