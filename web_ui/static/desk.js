// The desk follows by itself, and tiles can be tapped; without this file forms and "Refresh" do the same.
"use strict";

(() => {
  const PAUSE_MS = 1500;
  const desk = document.getElementById("desk");
  const check = document.getElementById("desk-check");
  const silent = document.getElementById("desk-silent");
  const seen = new Map();
  let busy = false;
  let again = false;

  // What somebody is about to tap, type or copy stays until they are done.
  const inUse = (part) => {
    const selection = getSelection();
    const typing = document.activeElement;
    return (part.contains(typing) && typing.matches("input:not([type=hidden]), select, textarea"))
      || (!selection.isCollapsed && part.contains(selection.focusNode))
      || part.querySelector(":active") !== null;
  };

  const fetched = (part) => {
    const image = part.querySelector("image");
    if (!image) return Promise.resolve();
    const ahead = new Image();
    ahead.src = image.getAttribute("href");
    return ahead.decode().catch(() => {});
  };

  // A name that holds over the exchange: what was focused is focused again.
  const path = (part) => {
    const at = document.activeElement;
    return part.contains(at) ? [...part.querySelectorAll("a, button")].indexOf(at) : -1;
  };

  const put = async (fresh) => {
    for (const part of fresh.querySelectorAll("[data-live]")) {
      const shown = document.getElementById(part.id);
      const text = part.innerHTML;
      if (!shown || text === seen.get(part.id) || inUse(shown)) continue;
      await fetched(part);
      seen.set(part.id, text);
      const focus = path(shown);
      shown.replaceChildren(...part.childNodes);
      htmx.process(shown);
      if (focus >= 0) {
        const there = shown.querySelectorAll("a, button")[focus];
        if (there) there.focus({ preventScroll: true });
      }
    }
  };

  const follow = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(desk.dataset.now, { cache: "no-store", headers: { "HX-Request": "true" } });
      if (answer.status === 401) { location.reload(); return; }
      if (!answer.ok) throw new Error(answer.status);
      await put(new DOMParser().parseFromString(await answer.text(), "text/html"));
      silent.hidden = true;
    } catch {
      silent.hidden = false;
    } finally {
      busy = false;
    }
    if (again) { again = false; await follow(); }
  };

  // A tile that was just taken away has no picture any more.
  const gone = (image) => { image.hidden = true; };
  document.addEventListener("error", (event) => { if (event.target instanceof HTMLImageElement) gone(event.target); }, true);
  document.querySelectorAll("img").forEach((image) => { if (image.complete && !image.naturalWidth) gone(image); });

  if (desk) {
    const events = new EventSource(desk.dataset.events);
    events.addEventListener("game", follow);
    const step = async () => {
      if (!document.hidden) await follow();
      setTimeout(step, PAUSE_MS);
    };
    setTimeout(step, PAUSE_MS);
    document.addEventListener("htmx:after:swap", (event) => {
      const target = event.detail.ctx && event.detail.ctx.target;
      if (target !== check && !check.contains(target)) return;
      check.scrollIntoView({ block: "nearest" });
      const confirm = document.getElementById("desk-confirm");
      (confirm || check).focus();
    });
    document.addEventListener("htmx:after:request", (event) => {
      const source = event.target;
      if (source && source.closest && source.closest("[data-at-once]")) follow();
    });
  }

  // Tiles are tapped into the field that was used last.
  const palette = document.getElementById("desk-palette");
  const fields = [...document.querySelectorAll("[data-tiles]")];
  if (palette && fields.length) {
    let last = fields[0];
    palette.hidden = false;
    fields.forEach((field) => field.addEventListener("focus", () => { last = field; }));
    palette.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const value = last.value;
      if (button.dataset.face === undefined) last.value = value.replace(/\s*\S+\s*$/, "");
      else last.value = value && !/\s$/.test(value) ? `${value} ${button.dataset.face}` : value + button.dataset.face;
    });
  }
})();
