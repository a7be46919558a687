// A table of the reader's own: dropped, opened or pasted; read, grown, pruned and explained by own_table.py. Python starts when a table is chosen, and not before.
(() => {
    const root = document.getElementById("own-table");
    if (!root || !window.python) return;

    const { make, button } = elements;
    const option = (value, text = value) => make("option", { value, textContent: text });
    const named = (text, ...inner) => make("label", {}, `${text} `, ...inner);
    const ask = (name, ...args) => python.call("own_table", name, ...args);
    const count = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

    const LARGEST = 100e6;                                  // bytes

    // what the reader has chosen, and what Python has said of it
    let table, tree, at = 0, turn = 0, asked = 0;

    // ---- choosing a table

    const open = make("input", { type: "file", id: "own-file", accept: ".csv,.tsv,.txt,.gz,.bz2", onchange: () => take(open.files[0]) });
    const ours = make("select", { id: "own-ours" }, option("", "choose one …"), ...[...document.querySelectorAll("#the-tables-of-the-project tbody tr")].map(
        row => option(row.cells[0].textContent.trim(), `${row.cells[0].textContent.trim().replace(/.*\//, "")}: ${row.cells[1].textContent.trim()}`)));
    ours.onchange = () => { open.value = ""; if (ours.value) read(ours.value, null); };
    const pasted = make("textarea", { id: "own-pasted", rows: 4, spellcheck: false, placeholder: "height,color,kind\n12,red,a\n…" });
    const drop = make("div", { className: "own-drop" },
        make("p", {}, make("strong", { textContent: "Drop a CSV here" }), ", or ", make("label", { htmlFor: "own-file", textContent: "open one: " }), open),
        make("p", {}, named("Or a table of the project:", ours)),
        make("details", {}, make("summary", { textContent: "Or paste one" }), named("The first line names the columns.", pasted),
            button("Read what is pasted", () => { open.value = ours.value = ""; read("pasted.csv", encode(new TextEncoder().encode(pasted.value))); })));
    const privately = make("p", { className: "own-note", textContent: "Nothing leaves this page: Python runs in it, reads the table here, and asks no server for anything." });
    const status = make("p", { className: "own-status" }), wrong = make("div", { className: "own-wrong", hidden: true });
    status.setAttribute("role", "status");
    wrong.setAttribute("role", "alert");
    const halt = button("Stop", () => { turn++; python.stop(); table = undefined; root.ariaBusy = "false"; parts.hidden = true; say("Stopped. Choose a table to begin again."); halt.hidden = true; }, { hidden: true });
    const parts = make("div", { hidden: true });
    root.replaceChildren(drop, privately, make("div", { className: "own-line" }, status, halt), wrong, parts);
    root.classList.add("own-table");

    // a file that misses the frame would take the place of the page
    for (const kind of ["dragenter", "dragover"]) addEventListener(kind, event => { event.preventDefault(); drop.classList.add("own-over"); });
    for (const kind of ["dragleave", "drop"]) addEventListener(kind, () => drop.classList.remove("own-over"));
    addEventListener("drop", event => {
        event.preventDefault();
        const file = event.dataTransfer.files[0];
        if (file) { open.files = event.dataTransfer.files; take(file); }
        else fail("What was dropped is no file: drop a CSV, or paste it.");
    });

    function encode(bytes) {
        let text = "";
        for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
        return btoa(text);
    }
    async function take(file) {
        if (!file) return;
        ours.value = "";
        root.ariaBusy = "true";
        if (file.size > LARGEST) return fail(`${file.name} has ${Math.round(file.size / 1e6)} MB, and a page takes ${LARGEST / 1e6} at most: use dtree-lit on the command line.`);
        read(file.name, encode(new Uint8Array(await file.arrayBuffer())));
    }

    // ---- saying

    const say = text => { status.textContent = text; };
    const fail = text => { say(""); root.ariaBusy = "false"; wrong.hidden = false; wrong.replaceChildren(make("p", { textContent: text })); };
    // what Python says last, without the kind of the error
    const sentence = error => error.message.replace(/^\w*Error: /, "");
    const seconds = begun => `${((performance.now() - begun) / 1000).toFixed(1)} s`;

    // one piece of work; a later one makes it void. What it says when it fails is Python's own sentence.
    async function work(what, steps) {
        const mine = ++turn;
        wrong.hidden = true;
        halt.hidden = false;
        root.ariaBusy = "true";
        try {
            await python.start(say);
            say(what);
            await steps(() => mine === turn);
        } catch (error) { if (mine === turn) fail(sentence(error)); }
        if (mine !== turn) return;
        halt.hidden = true;
        root.ariaBusy = "false";
    }

    // ---- reading

    const read = (name, data, kinds = {}, missing = []) => work("Reading …", async still => {
        parts.hidden = true;
        table = undefined;
        const said = await ask("read", name, data, kinds, missing);
        if (!still()) return;
        table = { name, data, kinds, missing, target: said.target, dropped: [], skip: false, ...said };
        await learn(still);
    });

    // the same table, with what the reader has said of its columns
    function again() {
        const kinds = {}, dropped = [];
        for (const [name, select] of Object.entries(table.selects)) {
            if (select.value === "drop" && name !== table.target) dropped.push(name);
            else if (select.value && select.value !== "drop") kinds[name] = select.value;
        }
        table.dropped = dropped;
        table.skip = table.skipping.checked;
        const missing = texts.value.split(",").map(text => text.trim()).filter(text => text);
        return work("Reading …", async still => {
            const said = await ask("read", table.name, table.data, kinds, missing);
            if (!still()) return;
            Object.assign(table, { kinds, missing, columns: said.columns });
            await learn(still);
        });
    }

    // ---- growing

    async function learn(still) {
        const begun = performance.now();
        say("Growing the tree …");
        columns();
        title.textContent = `Columns of ${table.name.replace(/.*\//, "")}`;
        parts.hidden = false;
        tree = undefined;
        result.hidden = true;
        tree = await ask("learn", table.target, table.dropped, table.skip);
        if (!still()) return;
        for (const [name, cell] of Object.entries(table.notes)) cell.textContent = name in tree.told ? tree.told[name].slice(name.length + 2) : "left out";
        follow.hidden = !Object.keys(tree.advice).length && !tree.missing.length;
        doubts.hidden = !tree.doubts.length;
        doubts.replaceChildren(make("p", {}, make("strong", { textContent: "Look at these columns first" })), make("ul", {}, ...tree.doubts.map(text => make("li", { textContent: text }))));
        const few = tree.leaves.findIndex(n => n <= 16);
        slider.max = tree.leaves.length - 1;
        result.hidden = false;
        facts.textContent = `A tree for ${table.target}, grown from ${count(tree.rows, "row")} and ${count(tree.columns, "column")}: ${count(tree.leaves[0], "leaf", "leaves")}, ${tree.depth} deep.`;
        await show(few, still);
        const grown = seconds(begun);
        for (let i = 0; i < 10 && still(); i++) {
            say(`Grown in ${grown}. Now ten trees are grown, each without a tenth of the rows, which then judges it: ${i} of 10 …`);
            try { const judged = await ask("fold", i); if (still() && judged) Object.assign(tree, judged); }
            catch (error) { tree.unjudged = sentence(error); break; }
        }
        if (!still()) return;
        say(tree.errors ? `Grown in ${grown}, judged in ${seconds(begun)}.` : `Grown in ${grown}. ${tree.unjudged}.`);
        tell();
    }

    // ---- columns

    const KINDS = { words: "categories", numbers: "numbers", comma: "numbers with a decimal comma" };
    const list = make("tbody"), doubts = make("div", { className: "own-doubts", hidden: true });

    function columns() {
        const old = table.selects || {};
        table.selects = {};
        table.notes = {};
        list.replaceChildren(...table.columns.map(({ name, kind }) => {
            const select = make("select", {}, option("", `as read: ${KINDS[kind]}`), ...Object.entries(KINDS).map(([value, text]) => option(value, text)), option("drop", "leave out"));
            select.setAttribute("aria-label", `How ${name} is read`);
            select.value = old[name] ? old[name].value : "";
            const target = make("input", { type: "radio", name: "own-target", value: name, checked: name === table.target, onchange: () => { table.target = name; } });
            target.setAttribute("aria-label", `${name} is the target`);
            table.selects[name] = select;
            table.notes[name] = make("td");
            return make("tr", {}, make("th", { scope: "row", textContent: name }), make("td", {}, target), make("td", {}, select), table.notes[name]);
        }));
        const skipping = make("input", { type: "checkbox", checked: table.skip });
        table.skipping = skipping;
        skip.replaceChildren(skipping, " Leave out rows without a target");
        texts.value = table.missing.join(", ");
    }

    const skip = make("label"), texts = make("input", { id: "own-missing", size: 16, placeholder: "k.A., unknown" });
    const follow = button("Follow the advice, and grow again", () => {
        for (const [name, kind] of Object.entries(tree.advice)) table.selects[name].value = kind;
        texts.value = [...new Set([...table.missing, ...tree.missing])].join(", ");
        again();
    });
    const title = make("h3");
    const head = make("tr", {}, ...["column", "target", "is", "how it was read"].map(text => make("th", { scope: "col", textContent: text })));
    const fields = make("section", {}, title,
        make("p", { className: "own-note", textContent: "Each column is read as the command line reads it. Where a sentence advises something, choose it beside the column." }),
        make("div", { className: "own-scroll", tabIndex: 0 }, make("table", { className: "table" }, make("thead", {}, head), list)),
        make("p", { className: "own-line" }, named("Treat as missing, beside ?, NA, NaN and null:", texts)), make("p", { className: "own-line" }, skip, button("Grow again", () => again()), follow), doubts);

    // ---- the tree, and its prunings

    const facts = make("p"), now = make("p", { className: "own-now" }), card = make("div"), chart = make("div", { className: "own-chart" });
    const slider = make("input", { type: "range", id: "own-slider", min: 0, step: 1 });
    slider.oninput = () => { result.ariaBusy = "true"; at = +slider.value; tell(); clearTimeout(slider.later); slider.later = setTimeout(pruned, 250); };
    async function pruned() {
        const mine = ++asked, of = tree;
        try { await show(at, () => mine === asked && of === tree); } catch (error) { if (of === tree) fail(sentence(error)); }
        if (mine === asked) result.ariaBusy = "false";
    }
    const jump = (text, where) => button(text, () => { slider.value = where(); slider.oninput(); });
    const whole = jump("The whole tree", () => 0), best = jump("The least error on held-out rows", () => tree.best);

    const amount = loss => tree.numbers ? `off by ${Number(loss.toPrecision(3))}` : `${(100 * loss).toFixed(1)} % wrong`;
    function tell() {
        const judged = tree.errors ? ` On held-out rows: ${amount(tree.errors[at])}${at === tree.best ? ", the least of all" : ""}.` : "";
        now.textContent = `${count(tree.leaves[at], "leaf", "leaves")}. On the rows that have grown it: ${amount(tree.trained[at])}.${judged} Without a tree: ${amount(tree.base)}.`;
        const single = tree.errors && tree.errors.at(-1);
        if (at < tree.leaves.length - 1 && tree.errors && tree.errors[at] >= single) now.append(make("strong", { textContent:
            ` This tree is ${tree.errors[at] > single ? "worse" : "no better"} than none on held-out rows, where a single leaf is ${amount(single)}: prune it, or leave out columns that explain nothing.` }));
        slider.setAttribute("aria-valuetext", now.textContent);
        best.disabled = !tree.errors;
        draw();
    }

    // two lines, from the whole tree to a single leaf
    function draw() {
        const most = Math.max(tree.base, ...tree.trained, ...(tree.errors || [])) || 1, n = tree.leaves.length;
        const x = k => n > 1 ? 300 * k / (n - 1) : 150, y = v => 58 - 52 * v / most;
        const line = (values, dash, color) => `<polyline points="${values.map((v, k) => `${x(k).toFixed(1)},${y(v).toFixed(1)}`).join(" ")}" fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}" vector-effect="non-scaling-stroke"/>`;
        chart.innerHTML = `<svg viewBox="0 0 300 60" preserveAspectRatio="none" aria-hidden="true">${line(tree.trained, "5 3", "var(--pst-color-text-muted)")}${tree.errors ? line(tree.errors, "", "var(--blue)") : ""}<line x1="${x(at)}" x2="${x(at)}" y1="0" y2="60" stroke="currentColor" vector-effect="non-scaling-stroke"/></svg>`;
        key.hidden = false;
    }
    const key = make("p", { className: "own-note", hidden: true, textContent: "The errors of all prunings, from the whole tree on the left to a single leaf on the right. Dashed: on the rows that have grown it; solid: on held-out rows." });

    async function show(k, still) {
        const said = await ask("show", k);
        if (!still()) return;
        slider.value = at = k;
        elements.fill(card, said.card);
        errors.innerHTML = said.errors;
        command.textContent = said.command;
        tree.model = said.model;
        for (const [box, code] of [[sql, sqlCode], [py, pyCode]]) { code.textContent = ""; if (box.open) box.ontoggle(); }
        tell();
    }

    // ---- what can be taken along

    const errors = make("div", { className: "own-scroll", tabIndex: 0 }), sqlCode = make("code"), pyCode = make("code"), command = make("code");
    const copied = make("span", { className: "own-note" });
    copied.setAttribute("role", "status");
    const copy = (code, what) => button("Copy", async event => {
        try { await navigator.clipboard.writeText(code.textContent); copied.textContent = `${what} is copied`; }
        catch { getSelection().selectAllChildren(code); copied.textContent = `${what} is selected: press Control and C`; }
        event.target.after(" ", copied);
    });
    const fold = (title, ...inner) => make("details", {}, make("summary", { textContent: title }), ...inner);
    const block = code => make("pre", { tabIndex: 0 }, code);
    const write = async (box, code, ...how) => {
        if (!box.open || code.textContent) return;
        try { code.textContent = await ask("program", at, ...how); }
        catch (error) { code.textContent = sentence(error); }
    };
    const dialect = make("select", {}, ...["sqlite", "duckdb", "postgres", "mysql", "bigquery", "snowflake", "mssql"].map(name => option(name)));
    const sql = fold("SQL", named("Dialect:", dialect), " ", copy(sqlCode, "The query"), block(sqlCode));
    const py = fold("Python", copy(pyCode, "The program"), block(pyCode));
    sql.ontoggle = () => write(sql, sqlCode, "sql", dialect.value);
    py.ontoggle = () => write(py, pyCode, "python", "");
    dialect.onchange = () => { sqlCode.textContent = ""; sql.ontoggle(); };
    const save = button("Save the tree as a file", () => {
        const link = make("a", { href: URL.createObjectURL(new Blob([tree.model], { type: "application/json" })), download: "model.json" });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    const line = fold("The command line", make("p", { textContent: "This command grows the same tree from the same file, byte for byte:" }), block(command), copy(command, "The command"),
        make("p", {}, "The file that it writes, and that ", make("code", { textContent: "dtree-lit predict" }), " reads: ", save));

    const result = make("section", { hidden: true }, make("h3", { textContent: "The tree" }), facts,
        make("p", { className: "own-line" }, named("Pruning:", slider), whole, best), chart, key, now, card, fold("Where it errs", errors), sql, py, line);
    parts.append(fields, result);
})();
