// A tree, grown and pruned step by step. The picture is there already, as an image, and stays where it is: only classes and words change.
//
// root      the figure that holds the image
// parent    for each box of the picture, the box above it; -1 at the root
// lines     for each box with children, the texts that change: what it answers as a leaf, and what was decided
// begin     a sentence for the time before the first step
// grown     steps: [box, sentence, does it have children from now on?, its texts from now on, or null];
//           where one child takes the place of a box, also: this child, and pairs of a box and what it answers from now on
// prunings  [name, steps]: what comes after growing
function steps(root, { parent, lines, begin, grown, prunings }) {
  const frame = root.querySelector(".frame"), image = frame.querySelector("img");
  const bytes = Uint8Array.from(atob(image.src.split(",")[1]), letter => letter.charCodeAt(0));
  const picture = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml").documentElement;
  image.replaceWith(picture);
  const groups = parent.map((_, box) => [...frame.querySelectorAll(`[data-node="${box}"]`)]);
  const turns = groups.map(both => both.flatMap(group => [...group.querySelectorAll(".turn")]));

  // ---- controls, which exist only where they work
  const slider = range("step", 0, 0, to => show(to));
  const moves = { first: () => 0, back: () => at - 1, forward: () => at + 1, last: () => history().length };
  const buttons = Object.entries(moves).map(([name, to]) => {
    const button = html("button", { ...own, type: "button" }, name);
    button.addEventListener("click", () => show(to()));
    return button;
  });
  const which = html("select", { ...own, "aria-label": "which pruning" }, ...prunings.map(([name]) => html("option", {}, name)));
  const state = html("p", { class: "state", "aria-live": "polite" });
  const controls = html("div", { class: "controls" }, ...buttons, slider);
  if (prunings.length > 1) controls.prepend(which);
  frame.before(controls, state);
  root.setAttribute("aria-label", "A tree, step by step");

  // ---- what there is after some steps: the last word about a node counts, and nothing is there below a node without children,
  // or beside the one child that took its place
  let at = Infinity;
  const history = () => [...grown, ...prunings[which.selectedIndex][1]];
  function show(to) {
    const steps = history(), asks = [], been = [], heirs = [], written = { ...lines }, words = [];
    at = Math.max(0, Math.min(to, steps.length));
    for (const [box, , children, texts, heir = null, others = []] of steps.slice(0, at)) {
      asks[box] = children;
      heirs[box] = heir;
      been[box] ||= children;
      if (texts) written[box] = texts;
      for (const [other, answer] of others) written[other] = [answer, ...written[other].slice(1)];
    }
    const [here, sentence] = steps[at - 1] ?? [0, begin];
    parent.forEach((up, box) => {
      const there = up < 0 || words[up] === "asks" || words[up] === "raised" && heirs[up] === box;
      if (there && asks[box]) words[box] = heirs[box] === null ? "asks" : "raised";
      else if (there) words[box] = been[box] ? "cut" : "leaf";
      else words[box] = been[up] ? "gone" : "ahead";
      for (const group of groups[box]) group.setAttribute("class", words[box] + (box === here ? " here" : ""));
      turns[box].forEach((text, j) => { text.textContent = written[box][j]; });
    });
    slider.max = steps.length;
    slider.value = at;
    slider.setAttribute("aria-valuetext", `${at} of ${steps.length}`);
    buttons.forEach((button, j) => button.setAttribute("aria-disabled", at === (j < 2 ? 0 : steps.length)));
    state.textContent = `${at} of ${steps.length} · ${sentence}`;
    reveal(groups[here][0].getBoundingClientRect(), frame.getBoundingClientRect());
  }
  // A large picture scrolls inside its frame, so that the node in question is seen.
  function reveal(box, view) {
    if (box.left < view.left || box.right > view.right) frame.scrollLeft += (box.left + box.right - view.left - view.right) / 2;
    if (box.top < view.top || box.bottom > view.bottom) frame.scrollTop += (box.top + box.bottom - view.top - view.bottom) / 2;
  }

  // ---- moving: the slider brings its own keys, and the buttons know the same
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", End: "last" };
  controls.addEventListener("keydown", event => {
    if (!buttons.includes(event.target) || !(event.key in keys)) return;
    event.preventDefault();
    show(moves[keys[event.key]]());
  });
  which.addEventListener("change", () => show(at));

  show(at);
}
