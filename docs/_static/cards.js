// A table that is wider than a phone becomes a row of cards: what stood at the head of a column stands before each cell (style.css draws them).
const phone = matchMedia("(max-width: 40rem)");

function stack(table) {
    const names = [...table.tHead.rows[0].cells].map(cell => [...cell.childNodes]);
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, i) => {
        const name = document.createElement("span"), said = document.createElement("div");
        name.className = "column";
        name.append(...names[i].map(node => node.cloneNode(true)));
        said.append(...cell.childNodes);
        cell.append(name, said);
        cell.classList.toggle("empty", !said.textContent.trim() && !said.querySelector("svg, img"));
    });
    table.classList.add("cards");
    for (const formula of table.querySelectorAll("td svg")) {
        const box = formula.closest("td > *");
        if (formula.getBoundingClientRect().width > box.clientWidth) box.parentElement.classList.add("tall");      // below each other
    }
}

// What is broader than the page says so, and has a shadow where it goes on.
function sideways() {
    for (const frame of document.querySelectorAll("figure.drawn, :is(.dtree-steps, .dtree-card) .frame, .bd-article :is(pre, div.math), div.cell_output:has(> .text_html > svg)"))
        frame.classList.toggle("sideways", frame.scrollWidth > frame.clientWidth + 1);
}

// No line begins with the comma behind a formula.
function together() {
    for (const formula of document.querySelectorAll(".bd-article span.math")) {
        const after = formula.nextSibling, mark = after?.nodeType === 3 && after.data.match(/^[,.;:!?)]+/), line = document.createElement("span");
        if (!mark) continue;
        after.splitText(mark[0].length);
        line.style.whiteSpace = "nowrap";
        formula.replaceWith(line);
        line.append(formula, after);
    }
}

// What stood in the window stays there, whatever becomes higher above it: the place that the address names, or the middle.
function keeping(change) {
    const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1))), top = element => element.getBoundingClientRect().top;
    const stays = named && top(named) >= 0 && top(named) < innerHeight ? named : document.elementFromPoint(innerWidth / 2, innerHeight / 2), before = stays && top(stays);
    change();
    if (stays && top(stays) !== before) scrollBy({ top: top(stays) - before, behavior: "instant" });
}

function look() {
    sideways();
    if (phone.matches) keeping(stackAll);
}

function stackAll() {
    for (const table of document.querySelectorAll(".bd-article table.table:not(.cards, .dataframe)"))
        if (table.tHead && table.offsetWidth > table.parentElement.clientWidth) stack(table);
}

// formulas have a width once they are set
addEventListener("load", async () => {
    if (window.MathJax) await MathJax.startup.promise;
    together();
    look();
    phone.addEventListener("change", look);
    addEventListener("toggle", look, true);       // what is unfolded has a width, too
    addEventListener("resize", sideways);
});

// A statement that a link leads to is unfolded; on paper all are.
function unfold() {
    const there = location.hash && document.getElementById(location.hash.slice(1));
    if (there && there.matches("details")) there.open = true;
}
addEventListener("DOMContentLoaded", unfold);
addEventListener("hashchange", unfold);
addEventListener("beforeprint", () => { for (const card of document.querySelectorAll("details.claim")) card.open = true; });
