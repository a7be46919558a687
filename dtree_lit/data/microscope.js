// The threshold microscope: one numerical feature, a binary label, and a threshold t that the reader moves.
// D is all examples, T those with x >= t, F those with x < t. Four panels share the axis of t.
//
// root              the element to fill; it bears an id
// feature           name of the feature
// positive          name of the positive class
// values            the distinct values of the feature, ascending, at least two
// negative          how many negative examples have each value
// positives         how many positive ones
// candidates        a threshold for each gap: values[i] < candidates[i] <= values[i + 1]
// by_hand           two panels only, the examples and the gain, which is drawn as far as the threshold has been
function microscope(root, { feature, positive, values, negative, positives, candidates, by_hand }) {

  // ---- what each threshold is worth, from integer counts
  const part = (neg, pos) => ({ n: neg + pos, pos, ratio: pos / (neg + pos), H: entropy([neg, pos]) });

  const D = part(sum(negative), sum(positives));
  let neg = 0, pos = 0;                                // of F, running from left to right
  const splits = candidates.map((t, i) => {
    neg += negative[i];
    pos += positives[i];
    const F = part(neg, pos), T = part(D.n - D.pos - neg, D.pos - pos);
    const alike = T.pos * F.n === F.pos * T.n;         // equal ratios: the gain is 0, not a speck of rounding
    return { t, T, F, gain: alike ? 0 : Math.max(0, D.H - (F.n * F.H + T.n * T.H) / D.n) };
  });
  // of the best thresholds the lowest; gains that differ by rounding are equal
  const best = splits.reduce((b, s, i) => s.gain > splits[b].gain + 1e-12 ? i : b, 0);

  // ---- numbers as words
  const compact = new Intl.NumberFormat("en", { notation: "compact" }).format;
  const low = values[0], high = values.at(-1);
  const digits = Math.ceil(Math.log10(max([Math.abs(low), Math.abs(high)]) / (high - low))) + 4;   // enough to tell values apart…
  const number = v => String(+v.toPrecision(Math.min(Math.max(digits, 7), 17)));                   // …and 0.3 for 0.1 + 0.2
  const percent = v => `${(100 * v).toFixed(1)} %`;
  const bits = v => v === 0 ? "0" : v < 1e-6 ? "below 0.000001" : v.toPrecision(3);
  const each = (split, say) => `T ${say(split.T)} · F ${say(split.F)} · D ${say(D)}`;
  const condition = split => `${feature} >= ${number(split.t)}`;
  const sentence = s => `${condition(s)}: T holds ${s.T.n} example${s.T.n === 1 ? "" : "s"}, ${percent(s.T.ratio)} positive; ` +
    `F holds ${s.F.n}, ${percent(s.F.ratio)}; gain ${bits(s.gain)} bit`;

  // ---- elements
  const frame = html("div", { class: "frame" });
  // its thumb lies below the line: it is moved in the unit of the feature, and by keys from threshold to threshold
  const nearest = v => splits.reduce((near, s, i) => Math.abs(s.t - v) < Math.abs(splits[near].t - v) ? i : near, 0);
  const slider = range(`threshold on ${feature}`, splits.at(-1).t, 0, v => show(nearest(v)));
  [slider.min, slider.step] = [splits[0].t, "any"];
  let on = by_hand ? 0 : best;                         // the threshold that is shown
  slider.addEventListener("keydown", event => {
    const to = { ArrowLeft: on - 1, ArrowDown: on - 1, ArrowRight: on + 1, ArrowUp: on + 1, PageDown: on - 10, PageUp: on + 10, Home: 0, End: splits.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(Math.min(Math.max(to, 0), splits.length - 1));
  });
  const highest = button("best threshold", () => {
    reached = splits.length - 1;                        // the best of all, so all are drawn
    show(best);
  });
  const state = html("p", { class: "state", "aria-live": "polite" });
  const key = html("p", {}, html("span", { class: "swatch positive" }), ` positive (${positive}) `,
    html("span", { class: "swatch negative" }), " negative · click or drag in a panel");
  root.setAttribute("aria-label", `What a threshold on ${feature} is worth`);
  root.replaceChildren(key, frame, html("div", { class: "controls" }, slider, highest), state);

  // ---- the four panels
  // The histogram has a bar for each value where there is room for it, else a hundred bars.
  const bins = [];
  const barWidth = Math.max((high - low) / 100, min(values.slice(1).map((v, i) => v - values[i])));
  values.forEach((v, i) => {
    const bin = bins[Math.round((v - low) / barWidth)] ??= { positive: 0, all: 0 };
    bin.positive += positives[i];
    bin.all += positives[i] + negative[i];
  });

  // of: what T, F and D are drawn by; tick: labels of the axis; says: what stands beside the title
  const largest = of => max(splits.flatMap(s => [of(s.T), of(s.F)]));
  const panels = [
    { title: "examples", max: max(bins.flatMap(b => b.all)), tick: compact, says: s => each(s, p => p.n) },
    { title: "ratio of positives", of: p => p.ratio, max: largest(p => p.ratio) || 1, tick: v => `${number(100 * v)} %`,
      says: s => each(s, p => percent(p.ratio)) },
    { title: "entropy (bit)", of: p => p.H, max: 1, tick: number, says: s => each(s, p => p.H.toFixed(3)) },
    { title: "information gain (bit)", max: Math.max(0.001, splits[best].gain), tick: number, says: s => bits(s.gain) },
  ].filter(p => !(by_hand && p.of));

  let width, valueAt, place;                           // place(split) moves the line and the marks
  let reached = by_hand ? 0 : splits.length - 1;       // so far the gain is drawn

  // Drawn anew when the width changes, so that text keeps its size on a telephone.
  function draw() {
    const available = Math.min(640, Math.max(300, frame.clientWidth || 640));
    if (width === available) return;
    width = available;
    const left = 46, right = width - 18, tall = 88, apart = 119;
    const start = left + 30, scale = (right - left - 60) / (high - low + barWidth);   // 30 at either end: names of the curves
    const x = v => +(start + (v - low + barWidth / 2) * scale).toFixed(2);
    valueAt = px => (px - start) / scale + low - barWidth / 2;

    const drawing = svg("svg", { viewBox: `0 0 ${width} ${59 + apart * panels.length}`, role: "img",
      "aria-label": `Over the threshold on ${feature}: ${panels.map(p => p.title).join(", ")}` });
    const draws = (d, attributes) => drawing.append(svg("path", { d, ...attributes }));
    const writes = (text, x, y, style = "") => drawing.appendChild(svg("text", { x, y, class: style }, text));
    const cursor = svg("g"), moves = [];               // the line with its marks; what changes with the threshold
    const marks = (kind, at) => {
      const dot = cursor.appendChild(svg("circle", { r: 4, class: kind }));
      moves.push(split => dot.setAttribute("cy", at(split)));
    };
    // Between two values nothing changes, so the curves are stairs.
    const stairs = (at, some = splits) => some.map((s, i) => `${x(values[i])},${at(s).toFixed(2)}H${x(values[i + 1])}`).join("L");

    panels.forEach((p, k) => {
      const top = 40 + apart * k, bottom = top + tall;
      const y = v => bottom - v / p.max * (tall - 8), titleAt = top - (k ? 9 : 25);
      writes(p.title, 0, titleAt, "title");
      const says = writes("", right, titleAt, "end");
      moves.push(split => { says.textContent = p.says(split); });
      cursor.append(svg("path", { d: `M0,${top}V${bottom}` }));
      for (const v of ticks(0, p.max, 4)) {
        draws(`M${left},${y(v)}H${right}`, { class: v ? "grid" : "axis" });
        writes(p.tick(v), left - 6, y(v) + 4, "end");
      }
      if (k === 0) {                                   // bars: positive examples below, negative ones, hatched, on top
        const bars = (from, to) => bins.map((b, j) =>
          `M${x(low + (j - 0.5) * barWidth)},${y(from(b))}V${y(to(b))}H${x(low + (j + 0.5) * barWidth)}V${y(from(b))}z`).join("");
        const hatch = drawing.appendChild(svg("pattern", { id: `${root.id}-hatch`, patternUnits: "userSpaceOnUse", width: 4, height: 4,
          patternTransform: "rotate(45)" }, svg("path", { class: "hatch", d: "M1,0V4" })));
        draws(bars(() => 0, b => b.positive), { class: "bar positive" });
        draws(bars(b => b.positive, b => b.all), { class: "bar negative", style: `fill: url(#${hatch.id})` });
        cursor.append(svg("text", { x: -6, y: top - 5, class: "end" }, "← F"), svg("text", { x: 6, y: top - 5 }, "T →"));
      } else if (p.of) {                               // curves: F is named at its left end, T at its right end, D in the margin
        const yD = y(p.of(D));
        draws(`M${left},${yD}H${right}`, { class: "D" });
        writes("D", right + 5, yD + 4, "name");
        for (const [name, end, nameAt] of [["F", splits[0], x(low) - 9], ["T", splits.at(-1), x(high) + 9]]) {
          const at = split => y(p.of(split[name]));
          draws("M" + stairs(at), { class: name });
          marks(name, at);
          // the name keeps off the line of D, the title and the axis
          const below = yD < top + 16 || at(end) > yD && yD < bottom - 16;
          const clear = Math.min(bottom - 7, below ? Math.max(at(end), yD + 9) : Math.min(at(end), yD - 9));
          writes(name, nameAt, clear + 4, name === "F" ? "name end" : "name");
        }
      } else {                                         // the gain: zero where all examples are on one side
        const at = split => y(split.gain);
        const curve = drawing.appendChild(svg("path", { class: "gain" }));
        moves.push(() => curve.setAttribute("d", `M${left},${bottom}H${x(low)}L${stairs(at, splits.slice(0, reached + 1))}` +
          (reached < splits.length - 1 ? "" : `L${x(high)},${bottom}H${right}`)));
        marks("gain", at);
        draws(candidates.map(t => `M${x(t)},${bottom}v5`).join(""), { class: "axis" });
        for (const v of ticks(low, high, width / 80)) {
          draws(`M${x(v)},${bottom + 7}v5`);
          writes(number(v), x(v), bottom + 25, "middle");
        }
        writes(`threshold t on ${feature}`, (left + right) / 2, bottom + 45, "middle");
      }
    });
    drawing.append(cursor);
    place = split => {
      cursor.setAttribute("transform", `translate(${x(split.t)})`);
      for (const move of moves) move(split);
    };
    frame.replaceChildren(drawing);
    const thumb = 16, [from, to] = [splits[0], splits.at(-1)].map(s => x(s.t));      // its middle goes from half of its width to the other half
    slider.style.cssText = `margin-left: ${from - thumb / 2}px; width: ${to - from + thumb}px`;
    place(splits[on]);
  }

  // ---- moving: the slider brings the keys, the panels can be dragged, nothing moves by itself
  function show(i) {
    on = i;
    slider.value = splits[i].t;
    reached = Math.max(reached, i);
    slider.setAttribute("aria-valuetext", condition(splits[i]));
    state.textContent = sentence(splits[i]);
    place(splits[i]);
  }
  dragged(frame, share => {
    show(nearest(valueAt(share * width)));
  });
  frame.addEventListener("click", () => slider.focus({ preventScroll: true }));

  draw();
  show(on);
  new ResizeObserver(draw).observe(frame);
}
