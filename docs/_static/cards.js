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

function look() {
    if (!phone.matches) return;
    for (const table of document.querySelectorAll(".bd-article table.table:not(.cards, .dataframe)"))
        if (table.tHead && table.offsetWidth > table.parentElement.clientWidth) stack(table);
}

// formulas have a width once they are set
addEventListener("load", async () => {
    if (window.MathJax) await MathJax.startup.promise;
    look();
    phone.addEventListener("change", look);
    addEventListener("toggle", look, true);       // what is unfolded has a width, too
});

// A statement that a link leads to is unfolded; on paper all are.
function unfold() {
    const there = location.hash && document.getElementById(location.hash.slice(1));
    if (there && there.matches("details")) there.open = true;
}
addEventListener("DOMContentLoaded", unfold);
addEventListener("hashchange", unfold);
addEventListener("beforeprint", () => { for (const card of document.querySelectorAll("details.claim")) card.open = true; });
