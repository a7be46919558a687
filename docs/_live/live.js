// Cells that run: Run, Edit, Reset and Run all above at each of them. Python is loaded when a reader first presses Run, and not before.
(() => {
    const live = window.live, place = new URL(".", document.currentScript.src), got = {};
    live.take = (name, packed) => { got[name] = packed; };

    const make = (tag, how = {}, ...inner) => {
        const e = Object.assign(document.createElement(tag), how);
        e.append(...inner);
        return e;
    };

    // ---- the worker

    let worker, ready, waiting = {}, turn = 0, told = () => {}, asked = 0;
    const status = text => { told(text); for (const c of live.cells) if (c.busy) c.status.textContent = text; };

    const script = name => new Promise((loaded, refused) => document.head.append(make("script", {
        src: new URL(`${name}.js`, place).href, onload: loaded, onerror: () => refused(new Error(`${name}.js cannot be loaded`)) })));

    async function unpack(name) {
        const bytes = Uint8Array.from(atob(got[name]), c => c.charCodeAt(0));
        return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    }

    async function start() {
        status("Loading Python, 10 MB, once …");
        await Promise.all(live.files.filter(name => !(name in got)).map(script));
        worker = new Worker(URL.createObjectURL(new Blob([await unpack("worker.js")], { type: "text/javascript" })));
        return new Promise((begin, refuse) => {
            const broken = text => { stop(); refuse(new Error(text)); };
            worker.onerror = event => broken(event.message);
            worker.onmessage = ({ data }) => {
                if (data.kind === "status") status(data.text);
                else if (data.kind === "broken") broken(data.text);
                else if (data.kind === "ready") { live.version = data.text; begin(); }
                else if (data.kind === "value" || data.kind === "failed") { const end = waiting[data.id]; delete waiting[data.id]; end(data); }
                else if (data.kind === "done") { const end = waiting[data.id]; delete waiting[data.id]; end(data.well); }
                else { const c = live.cells[data.id]; if (c) give(c, data.kind, data.text); }
            };
            worker.postMessage({ files: got });
        });
    }

    // what runs ends here; so do all variables
    function stop() {
        if (worker) worker.terminate();
        worker = ready = undefined;
        for (const end of Object.values(waiting)) end(null);
        waiting = {};
        for (const c of live.cells) c.done = false;
    }

    // what other scripts of a page use: functions of Python modules, with arguments and results as JSON
    window.python = {
        start(say) {
            told = say;
            return (ready ||= start().catch(error => { ready = undefined; throw error; })).finally(() => { told = () => {}; });
        },
        async call(...call) {
            await this.start(told);
            const id = `call ${++asked}`;
            const data = await new Promise(end => { waiting[id] = end; worker.postMessage({ call: JSON.stringify(call), id }); });
            if (!data) throw new Error("stopped");
            if (data.kind === "failed") throw new Error(data.text.trim().split("\n").pop());
            return JSON.parse(data.text);
        },
        stop,
    };

    // ---- running

    const source = c => c.editor ? c.editor.value : c.source;

    async function send(c) {
        clear(c);
        const mine = turn;
        if (!(ready ||= start().catch(error => { ready = undefined; throw error; }))) return;
        await ready;
        if (mine !== turn) return null;
        status("Running …");
        const well = await new Promise(end => {
            waiting[c.number] = end;
            worker.postMessage({ id: c.number, source: source(c), lenient: c.base && !c.editor });
        });
        c.done = well === true;
        return well;
    }

    // `list` in order, up to the first that fails, whose error is shown at `c` when its own cell has no place
    async function run(c, list) {
        if (live.running) return;
        live.running = c; c.busy = true; turn++;
        document.documentElement.classList.add("live-runs");
        c.run.textContent = "Stop"; c.run.setAttribute("aria-label", "Stop what runs");
        c.status.textContent = "";
        const begun = performance.now();
        let well = true, at = c, ran = 0;
        try {
            for (at of list) {
                c.shown = at;
                if ((well = await send(at)) !== true) break;
                ran++;
            }
        } catch (error) { well = false; say(c, `Python cannot be started: ${error.message}`); }
        live.running = undefined; c.busy = false;
        document.documentElement.classList.remove("live-runs");
        c.run.textContent = "Run"; c.run.removeAttribute("aria-label");
        c.seconds = (performance.now() - begun) / 1000;
        if (well === null) c.status.textContent = "Stopped. All variables are lost: run the cells above again.";
        else if (well === false && at !== c && !at.bar) say(c, `A hidden cell above fails: ${at.last || ""}`);
        else if (well === false && at !== c) { c.status.textContent = "A cell above fails: see there."; at.bar.scrollIntoView({ block: "center" }); }
        else if (!well) c.status.textContent = "";
        else c.status.textContent = (list.at(-1) === c ? "" : `${ran} cells above have run. `) + took(c.seconds);
    }
    const took = seconds => `${seconds < 1 ? Math.round(1000 * seconds) + " ms" : seconds.toFixed(1) + " s"} · ${live.version}`;

    const above = c => live.cells.slice(0, c.number).filter(a => a.source && !a.needs);
    // what a cell stands on: imports and exported definitions that have not run yet, or were changed
    const base = c => above(c).filter(a => a.base && !a.done);

    const press = c => live.running ? halt() : run(c, [...base(c), c]);
    function halt() { turn++; stop(); }

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
        last.innerHTML = text;
        // a script that is set as text does not run
        for (const old of last.querySelectorAll("script")) old.replaceWith(make("script", { textContent: old.textContent }));
        if (window.MathJax && MathJax.typesetPromise && last.querySelector(".math")) MathJax.typesetPromise([last]);
        if (kind === "error" && /^NameError/.test(c.last) && above(c).some(a => !a.done)) last.append(
            make("p", {}, "It may be made in a cell above. ", button("Run all above, and this", () => run(c, [...above(c), c]))));
    }

    // ---- what stands at a cell

    const button = (text, onclick, how = {}) => make("button", { type: "button", textContent: text, onclick, ...how });

    function grow(editor) { editor.style.height = "auto"; editor.style.height = `${editor.scrollHeight + 2}px`; }

    function edit(c) {
        if (!c.editor) {
            c.editor = make("textarea", { className: "live-editor", value: c.source, spellcheck: false, autocapitalize: "off", wrap: "off" });
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
        c.editor.focus();
    }

    function changed(c) { for (const b of live.cells.slice(c.number)) b.done = false; }

    function keys(c, event) {
        if (event.key === "Escape") { event.preventDefault(); c.run.focus(); }
        if (event.key !== "Enter") return;
        if (event.ctrlKey || event.metaKey || event.shiftKey) { event.preventDefault(); press(c); return; }
        // the next line begins where this one does, and further in after a colon
        const e = c.editor, line = e.value.slice(0, e.selectionStart).split("\n").pop();
        event.preventDefault();
        e.setRangeText("\n" + line.match(/^ */)[0] + (/:\s*$/.test(line) ? "    " : ""), e.selectionStart, e.selectionEnd, "end");
        e.dispatchEvent(new Event("input"));
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
        c.change = button("Edit", () => edit(c));
        c.reset = button("Reset", () => reset(c), { hidden: true });
        c.above = button("Run all above", () => run(c, above(c)), { hidden: !above(c).length });
        c.status = make("span", { className: "live-status" });
        c.status.setAttribute("role", "status");
        c.output = make("div", { className: "live-output", hidden: true });
        c.output.setAttribute("aria-live", "polite");
        c.output.setAttribute("aria-label", "What your run gives");
        c.output.setAttribute("role", "region");
        c.bar = make("div", { className: "live-bar" }, c.run, c.change, c.reset, c.above, c.status);
        if (c.draws) c.bar.append(make("span", { className: "live-note", textContent: "Its figure is drawn more simply here, without matplotlib." }));
        (c.box.querySelector(":scope > details") || c.box.querySelector(".cell_input")).after(c.bar, c.output);
    }

    live.cells.forEach((c, number) => {
        c.number = number;
        c.box = document.querySelector(`div.cell.tag_cell-${number}`);
        if (c.box) dress(c);
    });
})();
