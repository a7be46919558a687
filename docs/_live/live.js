// Cells that run: Run, Edit, Reset and Run all above at each of them.
(() => {
    const live = window.live, { make, button } = elements;

    // ---- running

    const source = c => c.editor ? c.editor.value : c.source;
    const status = text => { if (live.running) live.running.status.textContent = text; };

    const above = c => live.cells.slice(0, c.number).filter(a => a.source && !a.needs);
    // imports take what is there; a definition waits for its packages
    const able = a => a.base === "imports" || a.packages.every(name => python.loaded.has(name));
    // what a cell stands on: imports and exported definitions that have not run yet, or were changed
    const base = c => above(c).filter(a => a.base && !a.done && able(a));

    // load packages; imports that did without them are run again
    async function prepare(packages) {
        const fresh = await python.load([...new Set(packages)], status);
        if (fresh) for (const a of live.cells) if (a.base && a.packages.length) a.done = false;
        return fresh;
    }

    async function send(c) {
        clear(c);
        const well = await python.run({ cell: c.number, source: source(c), lenient: c.base === "imports" && !c.editor, alt: c.alt });
        c.done = well === true;
        return well;
    }

    // a cell, after those that it stands on; gives the one that fails
    async function step(c) {
        for (const a of [...base(c), c]) {
            const well = await send(a);
            if (well === true) continue;
            // an import that only running could tell
            const lacks = (well || "").match(/\w+/g) || [];
            return await prepare(lacks.filter(name => name in live.packages)) ? step(c) : a;
        }
    }

    // `list` in order, up to the first that fails, whose error is shown at `c` when its own cell has no place
    async function run(c, list) {
        if (live.running) return;
        live.running = c;
        document.documentElement.classList.add("live-runs");
        c.run.textContent = "Stop"; c.run.setAttribute("aria-label", "Stop what runs");
        c.status.textContent = "";
        if (c.last) clear(c);                               // an error of an earlier run
        const fresh = !python.running, pressed = performance.now();
        let said = "";
        try {
            await python.start(status);
            await prepare(list.flatMap(a => a.packages));
            const begun = performance.now();
            status("Running …");
            let failed;
            for (const a of list) if (failed = await step(a)) break;
            if (!failed) said = (list.at(-1) === c ? "" : `${list.length} cells above have run. `)
                + (fresh ? `Each page starts its own Python, here in ${seconds(begun - pressed)}; the cell${list.length > 1 ? "s" : ""} took ` : "")
                + `${seconds(performance.now() - begun)} · ${python.version}`;
            else if (failed === c) said = "";
            else if (!failed.bar) say(c, `A hidden cell above fails: ${failed.last}`);
            else { said = "A cell above fails: see there."; failed.box.scrollIntoView({ block: "center" }); }
        } catch (error) {
            for (const a of live.cells) a.done = false;
            if (error.stopped) said = "Stopped. All variables are lost: run the cells above again.";
            else say(c, `Python cannot be started: ${error.message}`);
        }
        live.running = undefined;
        document.documentElement.classList.remove("live-runs");
        c.run.textContent = "Run"; c.run.removeAttribute("aria-label");
        c.status.textContent = said;
    }
    const seconds = ms => ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

    const press = c => live.running ? python.stop() : run(c, [c]);

    python.listeners.give = (number, kind, text) => give(live.cells[number], kind, text);

    // ---- what a cell gives

    function clear(c) {
        c.last = "";
        if (c.output) { c.output.replaceChildren(); c.output.hidden = true; }
    }

    function say(c, text) { give(c, "error", ""); c.output.lastChild.replaceChildren(make("p", { className: "live-last", textContent: text })); }

    function give(c, kind, text) {
        if (kind === "error") c.last = text.replace(/<\/p>[^]*/, "").replace(/<[^>]+>/g, "");
        if (!c.output) return;
        c.output.hidden = false;
        let last = c.output.lastChild;
        if (kind === "text") {
            if (!last || !last.matches("pre.live-text")) c.output.append(last = make("pre", { className: "live-text" }));
            last.append(text);
            return;
        }
        c.output.append(last = make("div", { className: `live-${kind}` }));
        elements.fill(last, text);
        if (window.MathJax && MathJax.typesetPromise && last.querySelector(".math")) MathJax.typesetPromise([last]);
        if (kind === "error" && /^NameError/.test(c.last) && above(c).some(a => !a.done)) last.append(
            make("p", {}, "It may be made in a cell above. ", button("Run all above, and this", () => run(c, [...above(c), c]))));
    }

    // ---- what stands at a cell

    function grow(editor) { editor.style.height = "auto"; editor.style.height = `${editor.scrollHeight + 2}px`; }

    function edit(c, text = c.source) {
        if (!c.editor) {
            c.editor = make("textarea", { className: "live-editor", value: text, spellcheck: false, autocapitalize: "off", wrap: "off" });
            c.editor.setAttribute("aria-label", "Code of this cell. Control and Enter runs it, Tab leaves it.");
            c.editor.oninput = () => { grow(c.editor); changed(c); };
            c.editor.onkeydown = event => keys(c, event);
            c.pre.hidden = true;
            c.pre.after(c.editor);
            c.reset.hidden = false;
        }
        const fold = c.box.querySelector("details");
        if (fold) fold.open = true;
        grow(c.editor);
    }

    function changed(c) {
        for (const b of live.cells.slice(c.number)) b.done = false;
        c.draft.hidden = elements.draft(c.number, c.source, source(c)) === undefined;
    }

    function keys(c, event) {
        if (event.key === "Escape") { event.preventDefault(); c.run.focus(); }
        elements.enter(event, () => press(c));
    }

    function reset(c) {
        if (c.editor) { c.editor.remove(); c.editor = undefined; c.pre.hidden = false; changed(c); }
        clear(c);
        c.status.textContent = "";
        c.reset.hidden = true;
        c.change.focus();
    }

    function dress(c) {
        c.pre = c.box.querySelector(".cell_input .highlight");
        if (!c.pre) return;
        if (c.needs) {
            c.box.querySelector(".cell_input").after(make("p", { className: "live-not", textContent: `Does not run in this page: it needs ${c.needs}.` }));
            return;
        }
        c.run = button("Run", () => press(c), { className: "live-run" });
        c.change = button("Edit", () => { edit(c); c.editor.focus(); });
        c.reset = button("Reset", () => reset(c), { hidden: true });
        c.draft = make("span", { className: "your-draft", textContent: "your draft", hidden: true });
        c.above = button("Run all above", () => run(c, above(c)), { hidden: !above(c).length });
        c.status = make("span", { className: "live-status" });
        c.status.setAttribute("role", "status");
        c.output = make("div", { className: "live-output", hidden: true });
        c.output.setAttribute("aria-live", "polite");
        c.output.setAttribute("aria-label", "What your run gives");
        c.output.setAttribute("role", "region");
        c.bar = make("div", { className: "live-bar" }, c.run, c.draft, c.change, c.reset, c.above, c.status);
        (c.box.querySelector(":scope > details") || c.box.querySelector(".cell_input")).after(c.bar, c.output);
        const kept = elements.draft(c.number, c.source);
        if (kept !== undefined) { edit(c, kept); changed(c); }
    }

    Object.assign(live, { prepare, step });
    live.cells.forEach((c, number) => {
        c.number = number;
        c.box = document.querySelector(`div.cell.tag_cell-${number}`);
        if (c.box) dress(c);
    });
})();
