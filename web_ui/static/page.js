// Comfort on top of plain links and forms: everything but adding a tile by its place works without this file.
"use strict";

(() => {
  const picker = () => document.getElementById("picker");
  const show = (id, on) => { const box = document.getElementById(id); if (box) box.hidden = !on; };

  document.documentElement.classList.add("scripted");

  // Upload at once; say early when a file is too big.
  const upload = document.querySelector("form.upload");
  if (upload) {
    upload.addEventListener("change", (event) => {
      const input = event.target;
      if (input.type === "radio") {
        document.querySelectorAll("[data-follows-rules]").forEach((field) => { field.value = input.value; });
        return;
      }
      const file = input.files && input.files[0];
      if (!file) return;
      const tooBig = file.size > Number(upload.dataset.maxBytes);
      show("too-big", tooBig);
      show("problem", false);
      if (tooBig) { input.value = ""; return; }
      upload.requestSubmit();
    });
    const busy = (on) => {
      document.body.classList.toggle("busy", on);
      const words = upload.querySelector(".busy-words");
      words.textContent = on ? words.dataset.text : "";
    };
    document.querySelectorAll("form.upload, form.sample").forEach((form) => form.addEventListener("submit", () => busy(true)));
    window.addEventListener("pageshow", () => {
      busy(false);
      upload.querySelectorAll("input[type=file]").forEach((input) => { input.value = ""; });
    });
  }

  // A change of language comes back to what is shown now, whatever rules were chosen since.
  const languages = document.querySelector("form.languages");
  languages.addEventListener("submit", () => {
    if (document.getElementById("count")) languages.elements.next.value = location.pathname + location.search;
  });

  // The choice of faces opens over the photo, and closes when the correction is in.
  document.addEventListener("htmx:after:swap", (event) => {
    const target = event.detail.ctx && event.detail.ctx.target;
    if (target && target.id === "picker-body" && !picker().open) picker().showModal();
  });
  document.addEventListener("htmx:after:request", (event) => {
    const { request, response } = event.detail.ctx;
    show("offline", false);
    show("failed", response.status >= 400);
    if (request.method !== "GET" && response.status < 400 && picker() && picker().open) picker().close();
  });
  document.addEventListener("htmx:error", () => {
    if (picker() && picker().open) picker().close();
    show("offline", true);
    window.scrollTo({ top: 0 });
  });
  document.addEventListener("click", (event) => {
    if (event.target === picker()) picker().close();
  });

  // A tap where no tile was found: which tile lies there?
  document.addEventListener("click", (event) => {
    const stage = event.target.closest && event.target.closest("svg.stage");
    if (!stage || event.target.closest("a")) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(stage.getScreenCTM().inverse());
    const url = new URL(stage.dataset.addUrl, location.href);
    url.searchParams.set("x", at.x.toFixed(1));
    url.searchParams.set("y", at.y.toFixed(1));
    htmx.ajax("GET", url.pathname + url.search, { target: "#picker-body", swap: "innerHTML" });
  });

  // The same tile in the photo and in the list lights up together.
  const mark = (event, on) => {
    const from = event.target.closest && event.target.closest("[data-tile]");
    document.querySelectorAll(".hot").forEach((other) => other.classList.remove("hot"));
    if (!from || !on) return;
    document.querySelectorAll(`[data-tile="${from.dataset.tile}"]`).forEach((other) => other.classList.add("hot"));
  };
  document.addEventListener("pointerover", (event) => mark(event, true));
  document.addEventListener("focusin", (event) => mark(event, true));
  document.addEventListener("focusout", (event) => mark(event, false));
})();
