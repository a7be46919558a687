// A question or an exercise becomes a form, and an answer is judged at once: numbers and choices here, functions by Python.
addEventListener("DOMContentLoaded", () => {
    const { make, button, draft } = elements;

    // 0.25, 1/4, 2e3 and 3 963 368
    function number(text) {
        const [, up, down = 1] = text.replace(/\s/g, "").replace("−", "-").replace(/^(-?0|-?\d+(?!,\d{3}$)),(\d+)$/, "$1.$2").match(/^(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)(?:\/(\d+\.?\d*))?$/i) || [];
        return up === undefined ? NaN : up / down;
    }

    // the form: what `parts` show, Check, and a line that a screen reader reads when it changes
    function build(box, legend, ...parts) {
        const check = make("button", { type: "submit", textContent: "Check" });
        const verdict = make("div", { className: "verdict" });
        verdict.setAttribute("role", "status");
        const form = make("form", { noValidate: true }, make("fieldset", {}, make("legend", {}, ...legend.childNodes), ...parts),
            make("div", { className: "check" }, check, verdict));
        legend.replaceWith(form);
        const say = (right, ...said) => { box.classList.toggle("right", right === true); box.classList.toggle("wrong", right === false); verdict.replaceChildren(...said); };
        form.addEventListener("input", () => say(undefined));
        return { form, check, say };
    }

    // the words of a reason, without its letter or number
    function reason(box, i) {
        const item = box.querySelectorAll(".reasons li")[i];
        if (!item) return [];
        const copy = item.cloneNode(true);
        for (const key of copy.querySelectorAll(".key")) key.remove();
        return [" ", ...copy.childNodes];
    }

    function choices(box, name) {
        const { keys, right } = box.dataset, list = box.querySelector("ul");
        const items = [...list.children].map((item, i) => make("label", {}, make("input", { type: "radio", name, value: keys.split(" ")[i] }),
            make("span", {}, ...item.childNodes)));
        list.remove();
        const { form, say } = build(box, box.querySelector("p"), ...items);
        form.onsubmit = event => {
            event.preventDefault();
            const chosen = form.elements[name].value, i = keys.split(" ").indexOf(chosen);
            if (!chosen) say(undefined, "Choose one first.");
            else say(chosen === right, make("strong", { textContent: chosen === right ? "Right." : "Not this one." }), ...reason(box, i));
        };
    }

    function numbers(box) {
        const { keys, right, within, exact } = box.dataset, known = keys.split(" ");
        const nearly = said => known.some((v, i) => v === right && Math.abs(said - v) <= 5 * within.split(" ")[i]);
        const input = make("input", { type: "text", autocomplete: "off", spellcheck: false });
        input.setAttribute("aria-label", "Your number");
        const { form, say } = build(box, box.querySelector("p"), input, make("small", { textContent: ` ${exact}` }));
        form.onsubmit = event => {
            event.preventDefault();
            const said = number(input.value);
            const i = within.split(" ").findIndex((off, i) => Math.abs(said - known[i]) <= +off + 1e-9 * Math.abs(known[i]));
            if (Number.isNaN(said)) say(undefined, "Write a number, as 0.25 or 1/4.");
            else if (i < 0) say(false, make("strong", { textContent: nearly(said) ? `Nearly. ${exact}` : said < right ? "Too small." : "Too large." }));
            else say(known[i] === right, make("strong", { textContent: known[i] === right ? "Right." : "Not this one." }), ...reason(box, i));
        };
    }

    function functions(box) {
        if (!window.python) return;                  // the page says where the exercise can be done
        const code = box.querySelector("[class*=highlight-]"), source = `import numpy as np\n\n${code.querySelector("pre").textContent.trim()}\n`, name = box.dataset.exercise;
        const editor = make("textarea", { value: draft(name, source) ?? source, spellcheck: false, autocapitalize: "off", wrap: "off", onkeydown: event => elements.enter(event, () => event.target.form.requestSubmit()) });
        editor.rows = editor.value.split("\n").length + 3;
        editor.setAttribute("aria-label", "Your function. Control and Enter checks it, Tab leaves the field.");
        const { form, check, say } = build(box, box.querySelector("p"), editor);
        const mark = make("span", { className: "your-draft", textContent: "your draft" });
        const reset = button("Reset", () => { editor.value = source; editor.dispatchEvent(new Event("input", { bubbles: true })); editor.focus(); });
        check.after(reset, mark);
        (editor.oninput = () => { mark.hidden = reset.hidden = draft(name, source, editor.value) === undefined; })();
        code.remove();
        box.querySelector(".elsewhere").remove();
        let runs = false;
        form.onsubmit = async event => {
            event.preventDefault();
            if (runs) { python.stop(); return; }
            runs = true; check.textContent = "Stop";
            try {
                await python.start(text => say(undefined, text));
                say(undefined, "Checking …");
                const [right, says] = await python.call("dtree_lit.workshop.exercises", "try_source", name, editor.value);
                say(right, says);
            } catch (error) { say(undefined, error.message); }
            runs = false; check.textContent = "Check";
        };
    }

    document.querySelectorAll(".question").forEach((box, i) => {
        if (box.dataset.exercise) functions(box);
        else if (box.dataset.within) numbers(box);
        else choices(box, `choice-${i}`);
    });
});
