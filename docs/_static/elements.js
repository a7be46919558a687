// What the scripts of a page share: elements, buttons, and an editor whose lines begin where they should.
const elements = {
    make(tag, how = {}, ...inner) {
        const e = Object.assign(document.createElement(tag), how);
        e.append(...inner);
        return e;
    },

    button: (text, onclick, how = {}) => elements.make("button", { type: "button", textContent: text, onclick, ...how }),

    // Enter: the next line begins where this one does, and further in after a colon; with Control or Shift it runs.
    enter(event, run) {
        if (event.key !== "Enter") return;
        event.preventDefault();
        if (event.ctrlKey || event.metaKey || event.shiftKey) { run(); return; }
        const e = event.target, line = e.value.slice(0, e.selectionStart).split("\n").pop();
        e.setRangeText("\n" + line.match(/^ */)[0] + (/:\s*$/.test(line) ? "    " : ""), e.selectionStart, e.selectionEnd, "end");
        e.dispatchEvent(new Event("input", { bubbles: true }));
    },
};
