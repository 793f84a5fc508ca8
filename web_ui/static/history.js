// Comfort on plain links: arrow keys step through a game, the entry that is shown is in sight, a sheet is printed.
"use strict";

(() => {
  const keys = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea")) return;
    const link = document.querySelector(`.steps [data-step="${keys[event.key]}"]`);
    if (!link) return;
    event.preventDefault();
    link.click();
  });
  const steps = document.querySelector(".steps");
  if (steps) steps.dataset.keys = "on";

  const now = document.getElementById("now");
  const list = now && now.closest(".entries");
  if (list) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;

  const print = document.querySelector("[data-print]");
  if (print) {
    print.hidden = false;
    print.addEventListener("click", () => window.print());
  }
})();
