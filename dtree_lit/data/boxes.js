// Two boxes of marks, which are the parts of a node: a mark goes from one box to the other, and the gain is counted anew.
//
// root   the element to fill
// parts  of each box, how many negative and how many positive marks
function boxes(root, { parts }) {
  let counts = parts.map(part => [...part]);
  const kinds = ["negative", "positive"], names = ["left", "right"], n = sum(counts.flat());
  const places = names.map(name => html("div", { class: "box", role: "group", "aria-label": `${name} box` }));
  const under = names.map(() => html("p", {}));
  const bar = html("div", { class: "bar", "aria-hidden": "true" }, html("span", {}), html("b", {})), state = html("p", { class: "state", "aria-live": "polite" });
  const again = button("start again", () => { counts = parts.map(part => [...part]); show(); }, { class: "again" });
  root.setAttribute("aria-label", "What a split into two boxes gains");
  root.replaceChildren(html("p", {}, "Drag a mark into the other box, or click it, or press Enter on it. The bar is the entropy of all marks; the gain is filled."),
    html("div", { class: "boxes" }, ...places.map((place, i) => html("div", {}, place, under[i]))), bar, state, again);

  const gini = c => 1 - sum(c.map(k => (k / sum(c)) ** 2)), bits = v => v.toFixed(3);
  function show() {
    const node = counts[0].map((c, k) => c + counts[1][k]), sizes = counts.map(sum);
    const mean = measure => sum(counts.map((c, i) => sizes[i] && sizes[i] / n * measure(c)));
    const gain = measure => Math.max(0, measure(node) - mean(measure)), split = entropy(sizes);
    places.forEach((place, i) => {
      place.replaceChildren(...counts[i].flatMap((c, k) => Array.from({ length: c }, () => mark(i, k))));
      if (place.firstChild) place.firstChild.tabIndex = 0;
      under[i].textContent = sizes[i] ? `${counts[i][0]} negative, ${counts[i][1]} positive: entropy ${bits(entropy(counts[i]))}` : "empty";
    });
    bar.firstChild.style.width = `${100 * mean(entropy)}%`;
    bar.lastChild.style.width = `${100 * gain(entropy)}%`;
    state.textContent = `Entropy ${bits(entropy(node))} before, ${bits(mean(entropy))} on average after: gain ${bits(gain(entropy))} bit. ` +
      `Gini gain ${bits(gain(gini))}; gain ratio ${bits(split && gain(entropy) / split)}.`;
  }

  // Each box is one stop of the Tab key; arrows go from mark to mark.
  function mark(i, k) {
    const button = html("button", { ...own, type: "button", class: kinds[k], tabindex: -1, "aria-label": `${kinds[k]}, move it to the ${names[1 - i]} box` });
    let from = null, moved = false;
    const back = () => { from = null; button.style.transform = ""; };
    button.addEventListener("pointerdown", event => {
      moved = false;
      if (event.button === 0) button.setPointerCapture(event.pointerId), from = event;
    });
    button.addEventListener("pointermove", event => {
      if (!from) return;
      const x = event.clientX - from.clientX, y = event.clientY - from.clientY;
      if (moved ||= Math.hypot(x, y) > 6) button.style.transform = `translate(${x}px, ${y}px)`;
    });
    button.addEventListener("pointerup", event => {
      const box = places[1 - i].getBoundingClientRect(), inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
      if (from && moved && inside) across(i, k, button);
      back();
    });
    button.addEventListener("pointercancel", back);
    button.addEventListener("click", event => { if (!moved || !event.detail) across(i, k, button); });   // Enter has no detail
    button.addEventListener("keydown", event => {
      const step = { ArrowLeft: "previous", ArrowUp: "previous", ArrowRight: "next", ArrowDown: "next" }[event.key];
      if (!step) return;
      event.preventDefault();
      button[`${step}ElementSibling`]?.focus();
    });
    return button;
  }
  function across(i, k, button) {
    const at = [...places[i].children].indexOf(button);
    counts[i][k] -= 1;
    counts[1 - i][k] += 1;
    show();
    (places[i].children[Math.min(at, places[i].children.length - 1)] ?? places[1 - i].firstChild).focus({ preventScroll: true });
  }
  show();
}
