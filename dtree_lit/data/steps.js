// A tree, grown and pruned step by step. The picture is there already, as an image, and stays where it is: only classes and words change.
//
// root      the figure that holds the image
// parent    for each box of the picture, the box above it; -1 at the root
// lines     for each box with children, the texts that change: what it answers as a leaf, and what was decided
// begin     a sentence for the time before the first step
// grown     steps: [box, sentence, does it have children from now on?, its texts from now on, or null];
//           where one child takes the place of a box, also: this child, and pairs of a box and what it answers from now on
// choices   for each step of growing null, or what the reader chooses from before it is seen:
//           [what is asked, a sentence with the answer, offers: [split, its worth in words, length of its bar up to 1,
//           does the tree make it?, the sentence if it is chosen]]
// prunings  [name, steps]: what comes after growing
function steps(root, { parent, lines, begin, grown, choices, prunings }) {
  const frame = root.querySelector(".frame"), image = frame.querySelector("img");
  const bytes = Uint8Array.from(atob(image.src.split(",")[1]), letter => letter.charCodeAt(0));
  const picture = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml").documentElement;
  image.replaceWith(picture);
  const groups = parent.map((_, box) => [...frame.querySelectorAll(`[data-node="${box}"]`)]);
  const turns = groups.map(both => both.flatMap(group => [...group.querySelectorAll(".turn")]));

  // ---- controls, which exist only where they work
  const slider = range("step", 0, 0, to => show(to));
  const moves = { first: () => 0, back: () => at - 1, forward: () => at + 1, last: () => history().length };
  const buttons = Object.entries(moves).map(([name, to]) => button(name, () => show(to())));
  const which = html("select", { ...own, "aria-label": "which pruning" }, ...prunings.map(([name]) => html("option", {}, name)));
  const state = html("p", { class: "state", "aria-live": "polite" });
  const controls = html("div", { class: "controls" }, ...buttons, slider);
  if (prunings.length > 1) controls.prepend(which);
  frame.before(controls, state);
  root.setAttribute("aria-label", "A tree, step by step");

  // ---- choosing: at a step of growing that is not seen yet, the reader takes an offer, or only looks at the answer
  const chosen = [];                                   // for each step the number of an offer; -1: the answer was only shown
  const choosing = choices.some(choice => choice);
  const boards = choices.map((choice, i) => {
    if (!choice) return null;
    const answer = html("button", { ...own, type: "button", class: "answer" }, "show the answer"), offers = choice[2].map(([split]) =>
      html("button", { ...own, type: "button" }, html("span", {}, split), html("span"), html("i")));
    [...offers, answer].forEach((button, j) => button.addEventListener("click", () => {
      chosen[i] ??= j < offers.length ? j : -1;
      show(at);
    }));
    return html("div", { role: "group", "aria-label": "candidate splits" }, ...offers, answer);
  });
  if (choosing) state.after(html("div", { class: "choices" }, ...boards.filter(board => board)));
  root.classList.toggle("choosing", choosing);
  const open = () => choices[at - 1] && chosen[at - 1] === undefined;
  function turn(board, i) {
    if (!board) return;
    board.hidden = i !== at - 1;
    if (chosen[i] === undefined) return;
    choices[i][2].forEach(([, worth, share, taken], j) => {
      const button = board.children[j], [, said, bar] = button.children;
      button.className = taken ? "taken" : "other";
      said.textContent = worth + (taken ? " ◆ algorithm" : "") + (j === chosen[i] ? " ● you" : "");
      bar.style.width = `${100 * share}%`;
    });
    for (const button of board.children) button.setAttribute("aria-disabled", true);
  }

  // ---- what there is after some steps: the last word about a node counts, and nothing is there below a node without children,
  // or beside the one child that took its place
  let at = choosing ? 1 : Infinity;
  const history = () => [...grown, ...prunings[which.selectedIndex][1]];
  function show(to) {
    const steps = history(), asks = [], been = [], heirs = [], written = { ...lines }, words = [];
    at = Math.max(0, Math.min(to, steps.length));
    for (const [box, , children, texts, heir = null, others = []] of steps.slice(0, open() ? at - 1 : at)) {
      asks[box] = children;
      heirs[box] = heir;
      been[box] ||= children;
      if (texts) written[box] = texts;
      for (const [other, answer] of others) written[other] = [answer, ...written[other].slice(1)];
    }
    const [here, plain] = steps[at - 1] ?? [0, begin], choice = choices[at - 1];
    const sentence = !choice ? plain : open() ? choice[0] : choice[2][chosen[at - 1]]?.[4] ?? choice[1];
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
    boards.forEach(turn);
    reveal(frame, groups[here][0]);
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
