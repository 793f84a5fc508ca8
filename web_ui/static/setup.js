// Zones are dragged or moved by keys: what counts are the numbers of the form, the drawing follows them.
"use strict";

(() => {
  const drawing = document.getElementById("zones");
  if (!drawing) return;
  const NS = "http://www.w3.org/2000/svg";
  const STEP = Number(drawing.dataset.step);
  const handles = document.getElementById("handles");
  const lists = [...document.querySelectorAll("details[data-zone]")];
  const shape = (at) => drawing.querySelector(`polygon[data-zone="${at}"]`);
  const inputs = (at) => [...lists[at].querySelectorAll("li")].map((line) => [...line.querySelectorAll("input")]);
  const number = (input) => Number(input.value.replace(",", ".")) || 0;
  const corners = (at) => inputs(at).map(([x, y]) => [number(x), number(y)]);
  const rounded = (value) => String(Math.round(value * 10) / 10);
  let chosen = -1;

  const middle = (points) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);

  const draw = (at) => {
    const points = corners(at);
    shape(at).setAttribute("points", points.map(([x, y]) => `${x},${-y}`).join(" "));
    const [x, y] = middle(points);
    const name = drawing.querySelector(`text[data-name="${at}"]`);
    name.setAttribute("x", x);
    name.setAttribute("y", -y);
    if (at === chosen) place(points);
  };

  const put = (at, only, dx, dy) => {
    inputs(at).forEach(([x, y], corner) => {
      if (only >= 0 && corner !== only) return;
      x.value = rounded(number(x) + dx);
      y.value = rounded(number(y) + dy);
    });
    draw(at);
  };

  const filled = (text, values) => text.replace(/%\((\w+)\)s/g, (_, key) => values[key]);

  const place = (points) => {
    const name = lists[chosen].dataset.name;
    [...handles.children].forEach((handle) => {
      const corner = Number(handle.dataset.corner);
      const [x, y] = corner < 0 ? middle(points) : points[corner];
      // The handle of the whole zone lies above its name.
      handle.setAttribute("transform", `translate(${x} ${corner < 0 ? -y - 42 : -y})`);
      handle.setAttribute("aria-label", corner < 0
        ? filled(drawing.dataset.zone, { zone: name })
        : filled(drawing.dataset.corner, { zone: name, number: corner + 1, x: rounded(x), y: rounded(y) }));
    });
  };

  const handle = (corner) => {
    const one = document.createElementNS(NS, "g");
    one.setAttribute("class", corner < 0 ? "setup-handle whole" : "setup-handle");
    one.setAttribute("tabindex", "0");
    one.setAttribute("role", "button");
    one.dataset.corner = corner;
    for (const [kind, radius] of [["reach", 34], ["dot", 13]]) {
      const circle = document.createElementNS(NS, "circle");
      circle.setAttribute("class", kind);
      circle.setAttribute("r", radius);
      one.append(circle);
    }
    one.addEventListener("keydown", (event) => {
      const by = event.shiftKey ? 1 : STEP;
      const way = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] }[event.key];
      if (!way) return;
      event.preventDefault();
      put(chosen, corner, ...way);
    });
    one.addEventListener("pointerdown", (event) => grab(event, one, corner));
    return one;
  };

  const choose = (at) => {
    if (chosen >= 0) shape(chosen).classList.remove("is-chosen");
    chosen = at;
    if (at < 0) {
      handles.replaceChildren();
      return;
    }
    shape(at).classList.add("is-chosen");
    const points = corners(at);
    handles.replaceChildren(handle(-1), ...points.map((_, corner) => handle(corner)));
    place(points);
  };

  const at = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    return [point.x, -point.y];
  };

  const grab = (event, target, corner) => {
    if (event.button) return;
    event.preventDefault();
    const zone = chosen;
    const from = at(event);
    const before = corners(zone);
    target.setPointerCapture(event.pointerId);
    const move = (later) => {
      const to = at(later);
      inputs(zone).forEach(([x, y], one) => {
        if (corner >= 0 && one !== corner) return;
        x.value = rounded(Math.round(before[one][0] + to[0] - from[0]));
        y.value = rounded(Math.round(before[one][1] + to[1] - from[1]));
      });
      draw(zone);
    };
    const end = () => {
      target.removeEventListener("pointermove", move);
      target.removeEventListener("pointerup", end);
      target.removeEventListener("pointercancel", end);
    };
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerup", end);
    target.addEventListener("pointercancel", end);
    if (target.focus) target.focus({ preventScroll: true });
  };

  lists.forEach((list, zone) => {
    list.addEventListener("toggle", () => {
      if (list.open) choose(zone);
      else if (chosen === zone) choose(-1);
    });
    list.addEventListener("input", () => draw(zone));
    shape(zone).addEventListener("pointerdown", (event) => {
      if (chosen === zone) grab(event, shape(zone), -1);
      else list.open = true;
    });
    draw(zone);
  });
  if (!lists.some((list) => list.open) && lists.length) lists[0].open = true;

  // The picture follows, fetched before it is shown.
  const picture = document.getElementById("above");
  let count = 0;
  const follow = async () => {
    if (!document.hidden) {
      const ahead = new Image();
      count += 1;
      ahead.src = `${picture.dataset.src}?n=${count}`;
      try {
        await ahead.decode();
        picture.setAttribute("href", ahead.src);
      } catch {
        // It stays as it is until there is another.
      }
    }
    setTimeout(follow, 1500);
  };
  if (picture) setTimeout(follow, 1500);
})();

(() => {
  const presses = document.getElementById("presses");
  if (!presses || !presses.dataset.on) return;
  const until = Date.now() + 32000;
  let shown = "";
  const follow = async () => {
    try {
      const answer = await fetch(presses.dataset.src, { cache: "no-store" });
      const text = await answer.text();
      if (answer.ok && text !== shown) {
        shown = text;
        const fresh = new DOMParser().parseFromString(text, "text/html");
        presses.replaceChildren(...fresh.body.childNodes);
      }
    } catch {
      // The companion does not answer for a moment.
    }
    if (Date.now() < until) setTimeout(follow, 400);
  };
  follow();
})();
