// What the scripts of a page share: elements, buttons, and an editor whose lines begin where they should.
const elements = {
    make(tag, how = {}, ...inner) {
        const e = Object.assign(document.createElement(tag), how);
        e.append(...inner);
        return e;
    },

    button: (text, onclick, how = {}) => elements.make("button", { type: "button", textContent: text, onclick, ...how }),

    // HTML as it comes from Python; a script that is set as text does not run.
    fill(element, text) {
        element.innerHTML = text;
        for (const old of element.querySelectorAll("script")) old.replaceWith(elements.make("script", { textContent: old.textContent }));
    },

    // What a reader has written in place of `source`: kept by his browser, where it does so, until `text` is the source again.
    // Without `text`, what is kept; nothing where the source is another one since.
    draft(name, source, text) {
        const key = `draft ${location.pathname} ${name}`;
        try {
            const [of, kept] = text === undefined ? JSON.parse(localStorage[key] || "[]") : [source, text];
            if (of === source && kept !== source) {
                localStorage[key] = JSON.stringify([source, kept]);
                return kept;
            }
            delete localStorage[key];
        } catch { }
    },

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
