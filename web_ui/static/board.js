// The scoreboard follows the game by itself: every event of the stream fetches what the server drew anew.
"use strict";

(() => {
  const AGAIN_MS = 2000;
  const SILENT_MS = 4000;
  const print = document.getElementById("print");
  if (print) {
    print.hidden = false;
    print.addEventListener("click", () => window.print());
  }
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
  const box = document.getElementById("board");
  if (!box) return;
  const silent = document.getElementById("board-silent");
  let stream = null;
  let busy = false;
  let again = false;
  let shownAt = performance.now();
  let quiet = null;

  const lost = () => {
    if (quiet === null) quiet = setTimeout(() => { silent.hidden = false; }, SILENT_MS);
  };
  const found = () => {
    clearTimeout(quiet);
    quiet = null;
    silent.hidden = true;
  };

  // Only parts that changed are replaced: focus, place on the page and what is read aloud stay.
  const show = (html) => {
    const fresh = new DOMParser().parseFromString(html, "text/html");
    for (const part of fresh.querySelectorAll(".board-part")) {
      const shown = document.getElementById(part.id);
      if (!shown || shown.innerHTML === part.innerHTML && shown.hidden === part.hidden) continue;
      shown.replaceChildren(...part.childNodes);
      shown.hidden = part.hidden;
    }
    shownAt = performance.now();
    tick();
  };

  const fetchNow = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      do {
        again = false;
        const answer = await fetch(box.dataset.now, { cache: "no-store" });
        if (!answer.ok) throw new Error(answer.status);
        show(await answer.text());
      } while (again);
      found();
    } catch {
      lost();
      setTimeout(fetchNow, AGAIN_MS);
    } finally {
      busy = false;
    }
  };

  // The browser reconnects with Last-Event-ID; after each connection the whole board is fetched, since the numbers
  // begin anew with the server. A refused stream (too many readers) is closed for good: then it is asked by hand.
  const connect = () => {
    stream = new EventSource(box.dataset.events);
    stream.addEventListener("open", fetchNow);
    stream.addEventListener("game", fetchNow);
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED) {
        setTimeout(connect, AGAIN_MS);
        fetchNow();
      } else {
        lost();
      }
    });
  };

  const text = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const tick = () => {
    const clock = box.querySelector(".board-clock");
    if (!clock || clock.dataset.runs !== "yes") return;
    const more = (performance.now() - shownAt) / 1000;
    const down = clock.dataset.left !== undefined;
    const now = down ? Math.max(0, Number(clock.dataset.left) - more) : Number(clock.dataset.spent) + more;
    const seconds = Math.floor(now);
    clock.querySelector(".clock-digits").textContent = text(seconds);
    if (down) clock.classList.toggle("late", seconds === 0);
  };

  setInterval(tick, 1000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) fetchNow(); });
  window.addEventListener("pagehide", () => stream.close());
  window.addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
  connect();
})();
