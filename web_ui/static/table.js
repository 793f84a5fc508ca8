// The live table follows by itself; without this file the link "Refresh" does the same by hand.
"use strict";

(() => {
  const PAUSE_MS = 1000;
  const PARTS = ["table-stage", "table-state", "table-words"];
  const box = document.getElementById("table-now");
  if (!box) return;
  const silent = document.getElementById("table-silent");
  const hold = document.getElementById("table-hold");
  const seen = new Map();
  let held = false;

  // The picture is fetched before it is shown, so that nothing flickers.
  const fetched = (part) => {
    const image = part.querySelector("image");
    if (!image) return Promise.resolve();
    const ahead = new Image();
    ahead.src = image.getAttribute("href");
    return ahead.decode().catch(() => {});
  };

  // What someone is about to copy stays until they are done.
  const selecting = (part) => {
    const selection = getSelection();
    return !selection.isCollapsed && part.contains(selection.focusNode);
  };

  const follow = async () => {
    const answer = await fetch(box.dataset.now, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of PARTS) {
      const part = fresh.getElementById(id);
      const shown = document.getElementById(id);
      if (part.innerHTML === seen.get(id) || selecting(shown)) continue;
      await fetched(part);
      seen.set(id, part.innerHTML);
      shown.replaceChildren(...part.childNodes);
    }
  };

  const step = async () => {
    if (!held && !document.hidden) {
      try {
        await follow();
        silent.hidden = true;
      } catch {
        silent.hidden = false;
      }
    }
    setTimeout(step, PAUSE_MS);
  };

  hold.hidden = false;
  hold.addEventListener("click", () => {
    held = !held;
    hold.setAttribute("aria-pressed", String(held));
  });
  setTimeout(step, PAUSE_MS);
})();
