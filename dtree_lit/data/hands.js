// What the figures that move have in common. Each is a function that fills an element; nothing leaves the script around it.

const own = { "data-lm-suppress-shortcuts": "true" };    // else JupyterLab takes the arrow keys and Enter for its cells
const maker = namespace => (name, attributes = {}, ...children) => {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const html = maker("http://www.w3.org/1999/xhtml"), svg = maker("http://www.w3.org/2000/svg");

const sum = counts => counts.reduce((a, b) => a + b, 0);
const entropy = counts => counts.reduce((H, c) => c > 0 ? H - c / sum(counts) * Math.log2(c / sum(counts)) : H, 0);
const max = numbers => numbers.reduce((a, b) => Math.max(a, b), -Infinity), min = numbers => -max(numbers.map(v => -v));

// About `count` round numbers from lo to hi.
function ticks(lo, hi, count) {
  const power = 10 ** Math.floor(Math.log10((hi - lo) / count));
  const step = power * [1, 2, 5, 10].find(k => k * power > 0.999 * (hi - lo) / count);
  const first = Math.ceil(lo / step - 1e-9), last = Math.floor(hi / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

// While a finger or the mouse is down on an element, `at` is told where it is, in shares of the element's width and height.
function dragged(element, at) {
  const tell = event => {
    const box = element.getBoundingClientRect();
    at((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height, event.type === "pointerdown");
  };
  element.addEventListener("pointerdown", event => { if (event.button === 0) element.setPointerCapture(event.pointerId), tell(event); });
  element.addEventListener("pointermove", event => { if (element.hasPointerCapture(event.pointerId)) tell(event); });
}

function button(text, pressed, more = {}) {
  const made = html("button", { ...own, type: "button", ...more }, text);
  made.addEventListener("click", pressed);
  return made;
}

// A frame is scrolled until a part of its picture is seen.
function reveal(frame, part) {
  const box = part.getBoundingClientRect(), view = frame.getBoundingClientRect();
  if (box.left < view.left || box.right > view.right) frame.scrollLeft += (box.left + box.right - view.left - view.right) / 2;
  if (box.top < view.top || box.bottom > view.bottom) frame.scrollTop += (box.top + box.bottom - view.top - view.bottom) / 2;
}

// A range with its name before it.
function range(name, top, value, moved) {
  const slider = html("input", { ...own, type: "range", min: 0, max: top, "aria-label": name });
  slider.value = value;
  slider.addEventListener("input", () => moved(+slider.value));
  return slider;
}
