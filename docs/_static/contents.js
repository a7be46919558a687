// "On this page" marks the section that is read: the last one whose head has come to the upper part of the window. Where a figure
// stays above the text (data-act in style.css), a section begins below it. The theme's own marking lags behind there, and wherever
// one scrolls upward; it no longer finds the contents by their name, because this script runs first.
(() => {
    const nav = document.querySelector("#pst-page-toc-nav"), stage = document.querySelector(".cell_output:has(.dtree-stage)");
    if (!nav) return;
    nav.id = "contents";
    const parts = [...nav.querySelectorAll("a")].flatMap(link => {
        const part = document.getElementById(decodeURIComponent(link.hash.slice(1)));
        return part ? [{ link, head: part.querySelector(":scope > p > [data-act]") || part }] : [];
    });
    function mark() {
        const stays = stage && getComputedStyle(stage).position === "sticky", end = scrollY + innerHeight >= document.body.scrollHeight - 2;
        const begun = ({ head }) => head.getBoundingClientRect().top < (stays && head.dataset.act ? 0.88 : 0.4) * innerHeight;
        const here = end ? parts.at(-1) : parts.findLast(begun);
        for (const part of parts) {
            part.link.classList.toggle("active", part === here);
            part === here ? part.link.setAttribute("aria-current", "true") : part.link.removeAttribute("aria-current");
        }
    }
    addEventListener("scroll", mark, { passive: true });
    mark();
})();
