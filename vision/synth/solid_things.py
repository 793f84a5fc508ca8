"""Things with a height: blocks, dominoes, dice, phones, keys, cups, plates, pens, coins, food."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.synth.things import Colour, Make, Sheet, Thing, any_font, grey, shade, sheet, tint

BODIES: tuple[Colour, ...] = (
    (214, 233, 240), (205, 228, 238), (240, 240, 243), (190, 222, 236), (168, 208, 228), (232, 236, 240),
)  # fmt: skip
WOODS: tuple[Colour, ...] = ((110, 160, 200), (140, 190, 225), (70, 110, 160), (50, 80, 120), (160, 200, 225))


def _body(rng: np.random.Generator) -> Colour:
    """A colour that tiles have too."""
    base = np.clip(np.asarray(BODIES[rng.integers(len(BODIES))]) + rng.normal(0, 6, 3), 0, 255)
    return (float(base[0]), float(base[1]), float(base[2]))


def _raised(
    paper: Sheet, box: tuple[float, float, float, float], colour: Colour, rng: np.random.Generator
) -> None:
    """A box (x, y, w, h) whose side walls show on one or two sides."""
    x, y, wide, tall = box
    dx, dy = rng.uniform(-0.18, 0.18, 2)
    paper.box(x + dx, y + dy, wide, tall, shade(colour, 0.68), solid=True)
    for corner in ((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)):
        paper.line([corner, (corner[0] + dx, corner[1] + dy)], shade(colour, 0.75), 0.03, solid=True)
    paper.box(x, y, wide, tall, colour, solid=True)


def block(rng: np.random.Generator, tile_px: float) -> Thing:
    """A sugar cube, wooden block or box of a tile's colours: square or long, never a tile's shape."""
    wide = rng.uniform(0.6, 1.4)
    tall = wide * float(rng.choice([rng.uniform(0.94, 1.06), rng.uniform(2.0, 5.0)], p=[0.6, 0.4]))
    wooden = rng.random() < 0.35
    body = WOODS[rng.integers(len(WOODS))] if wooden else _body(rng)
    paper = sheet(wide + 0.4, tall + 0.4, tile_px, body)
    _raised(paper, (0.2, 0.2, wide, tall), body, rng)
    if wooden:
        for y in np.arange(0.2, tall + 0.2, rng.uniform(0.06, 0.14)):
            start, end = (0.2, float(y)), (0.2 + wide, float(y) + rng.normal(0, 0.05))
            paper.line([start, end], shade(body, rng.uniform(0.8, 0.95)), 0.02)
    paper.grain(rng, rng.uniform(0.0, 0.08))
    return paper.thing(rng.uniform(0.3, 0.8))


def domino(rng: np.random.Generator, tile_px: float) -> Thing:
    """A domino: two halves with pips."""
    wide = rng.uniform(0.75, 1.3)
    dark = rng.random() < 0.3
    body = grey(rng, 15, 50) if dark else _body(rng)
    pip = grey(rng, 210, 250) if dark else grey(rng, 10, 60) if rng.random() < 0.7 else tint(rng, 10, 190)
    paper = sheet(wide + 0.4, 2 * wide + 0.4, tile_px, body)
    _raised(paper, (0.2, 0.2, wide, 2 * wide), body, rng)
    paper.line([(0.2 + wide * 0.08, 0.2 + wide), (0.2 + wide * 0.92, 0.2 + wide)], pip, 0.05)
    for half in (0, 1):
        pips(paper, 0.2 + wide / 2, 0.2 + wide * (half + 0.5), wide, int(rng.integers(0, 7)), pip)
    return paper.thing(0.3)


def pips(paper: Sheet, x: float, y: float, side: float, count: int, colour: Colour) -> None:
    """The pips of a die's face of `side` about (x, y)."""
    d = 0.27
    spots = {
        0: (), 1: ((0, 0),), 2: ((-d, -d), (d, d)), 3: ((-d, -d), (0, 0), (d, d)),
        4: ((-d, -d), (d, d), (-d, d), (d, -d)), 5: ((-d, -d), (d, d), (-d, d), (d, -d), (0, 0)),
        6: ((-d, -d), (d, d), (-d, d), (d, -d), (-d, 0), (d, 0)),
    }  # fmt: skip
    for across, down in spots[count]:
        paper.disc(x + across * side, y + down * side, side * 0.085, colour)


def die(rng: np.random.Generator, tile_px: float) -> Thing:
    """A die with round corners."""
    side = rng.uniform(0.45, 0.85)
    body = _body(rng) if rng.random() < 0.6 else tint(rng)
    paper = sheet(side + 0.3, side + 0.3, tile_px, body)
    dx, dy = rng.uniform(-0.1, 0.1, 2)
    paper.round_box(0.15 + dx, 0.15 + dy, side, side, side * 0.2, shade(body, 0.7))
    paper.round_box(0.15, 0.15, side, side, side * 0.2, body)
    pip = grey(rng, 5, 50) if sum(body) > 300 else grey(rng, 220, 250)
    pips(paper, 0.15 + side / 2, 0.15 + side / 2, side, int(rng.integers(1, 7)), pip)
    return paper.thing(side * 0.8)


def eraser(rng: np.random.Generator, tile_px: float) -> Thing:
    """An eraser in its sleeve, or a two-coloured one."""
    wide, tall = rng.uniform(1.6, 3), rng.uniform(0.6, 1.0)
    body = _body(rng)
    paper = sheet(wide, tall, tile_px, body)
    paper.round_box(0, 0, wide, tall, 0.12, body)
    start = wide * rng.uniform(0.25, 0.5)
    paper.box(start, 0, wide - start, tall, tint(rng), solid=True)
    if rng.random() < 0.5:
        paper.box(start, tall * 0.35, wide - start, tall * 0.3, tint(rng))
    return paper.thing(0.4)


def pills(rng: np.random.Generator, tile_px: float) -> Thing:
    """A blister of pills, or a few loose ones."""
    columns, rows, step = int(rng.integers(2, 5)), int(rng.integers(1, 4)), rng.uniform(0.5, 0.8)
    paper = sheet(columns * step, rows * step, tile_px, grey(rng, 160, 215))
    foil = rng.random() < 0.6
    if foil:
        paper.cover[:] = 255
        paper.grain(rng, 0.04)
    body = grey(rng, 225, 252) if rng.random() < 0.6 else tint(rng, 90, 250)
    for row in range(rows):
        for column in range(columns):
            x, y = (column + 0.5) * step, (row + 0.5) * step
            paper.disc(x, y, step * 0.36, shade(body, 0.75), solid=True)
            paper.disc(x - 0.02, y - 0.02, step * 0.32, body)
            paper.line([(x - step * 0.2, y), (x + step * 0.2, y)], shade(body, 0.85), 0.03)
    return paper.thing(0.2)


def phone(rng: np.random.Generator, tile_px: float) -> Thing:
    """A phone: dark, or its screen lit with icons, lines of text or the time."""
    wide = rng.uniform(2.5, 3.2)
    tall = wide * rng.uniform(1.9, 2.15)
    paper = sheet(wide, tall, tile_px)
    case = grey(rng, 10, 60) if rng.random() < 0.7 else tint(rng)
    paper.round_box(0, 0, wide, tall, wide * 0.13, case)
    kind = rng.integers(4)
    screen = grey(rng, 8, 30) if kind == 0 else tint(rng, 10, 250)
    paper.box(wide * 0.05, tall * 0.04, wide * 0.9, tall * 0.92, screen)
    if kind == 1:
        for row in range(5):
            for column in range(4):
                x, y = wide * (0.12 + column * 0.21), tall * (0.2 + row * 0.14)
                paper.round_box(x, y, wide * 0.14, wide * 0.14, wide * 0.035, tint(rng))
    elif kind == 2:
        for y in np.arange(0.1, 0.9, rng.uniform(0.04, 0.08)):
            ink = grey(rng, 0, 90) if sum(screen) > 380 else grey(rng, 180, 250)
            paper.line(
                [(wide * 0.1, tall * float(y)), (wide * rng.uniform(0.3, 0.9), tall * float(y))], ink, 0.07
            )
    elif kind == 3:
        text = f"{rng.integers(0, 24)}:{rng.integers(10, 60)}"
        paper.print(text, wide / 2, tall * 0.25, wide * 0.2, grey(rng, 230, 255), font=any_font(rng))
    if rng.random() < 0.3:
        glare = [
            (wide * 0.05, tall * 0.5),
            (wide * 0.95, tall * 0.1),
            (wide * 0.95, tall * 0.3),
            (wide * 0.05, tall * 0.7),
        ]
        paper.poly(glare, shade(screen, 1.3))
    return paper.thing(0.25)


def keypad(rng: np.random.Generator, tile_px: float) -> Thing:
    """A calculator, remote or keyboard: keys with digits."""
    columns, rows = int(rng.integers(3, 8)), int(rng.integers(3, 7))
    cell = rng.uniform(0.5, 1.1)
    head = cell * rng.uniform(0.2, 1.8)
    wide, tall = columns * cell + 0.3, rows * cell + head + 0.2
    case = grey(rng, 15, 230) if rng.random() < 0.8 else tint(rng)
    paper, font = sheet(wide, tall, tile_px), any_font(rng)
    paper.round_box(0, 0, wide, tall, 0.15, case)
    if head > cell:
        paper.box(0.2, 0.2, wide - 0.4, head - 0.3, (150, 175, 165))
        paper.print(str(rng.integers(1, 99999)), wide * 0.65, head / 2, head * 0.3, (40, 50, 40), font=font)
    key = grey(rng, 20, 245) if rng.random() < 0.7 else tint(rng)
    ink = grey(rng, 5, 50) if sum(key) > 380 else grey(rng, 220, 250)
    square = rng.uniform(0.75, 0.95)
    for row in range(rows):
        for column in range(columns):
            x, y = 0.15 + column * cell, head + row * cell
            paper.round_box(x, y, cell * square, cell * square, cell * 0.12, key)
            text = str(rng.integers(0, 14)) if rng.random() < 0.7 else "ACEFKMQRT+-="[rng.integers(12)]
            paper.print(text, x + cell * square / 2, y + cell * square / 2, cell * 0.38, ink, font=font)
    return paper.thing(0.3)


def cup(rng: np.random.Generator, tile_px: float) -> Thing:
    """A cup or glass from above with what is in it, perhaps on a saucer."""
    radius = rng.uniform(1.0, 1.9)
    saucer = radius * rng.uniform(1.4, 1.9) if rng.random() < 0.5 else 0.0
    half = max(saucer, radius * 1.5)
    paper, body = sheet(2 * half, 2 * half, tile_px), grey(rng, 190, 252) if rng.random() < 0.6 else tint(rng)
    if saucer:
        for share, gain in ((1.0, 0.9), (0.94, 1.0), (0.6, 0.88), (0.57, 0.96)):
            paper.disc(half, half, saucer * share, shade(body, gain), solid=True)
    angle = rng.uniform(0, 2 * math.pi)
    if rng.random() < 0.7:
        end = (half + radius * 1.4 * math.cos(angle), half + radius * 1.4 * math.sin(angle))
        paper.line([(half, half), end], shade(body, 0.93), radius * 0.25, solid=True)
    liquid: tuple[Colour, ...] = (
        (20, 35, 60),
        (40, 90, 150),
        (60, 130, 200),
        (30, 60, 20),
        (225, 232, 235),
        (30, 20, 110),
    )
    paper.disc(half, half, radius, body, solid=True)
    paper.disc(half, half, radius * 0.9, shade(body, 0.7))
    drink = liquid[rng.integers(len(liquid))]
    paper.disc(half, half, radius * rng.uniform(0.72, 0.88), drink)
    paper.ring(half, half, radius * 0.7, shade(drink, 1.25), 0.05)
    glint = (half + radius * 0.4 * math.cos(angle + 2), half + radius * 0.4 * math.sin(angle + 2))
    paper.disc(*glint, radius * rng.uniform(0.05, 0.15), (235, 240, 240))
    return paper.thing(rng.uniform(0.8, 1.6))


def plate(rng: np.random.Generator, tile_px: float) -> Thing:
    """A plate, bowl or ashtray, perhaps with food."""
    radius = rng.uniform(1.3, 4)
    paper, body = (
        sheet(2 * radius, 2 * radius, tile_px),
        grey(rng, 180, 252) if rng.random() < 0.6 else tint(rng),
    )
    paper.disc(radius, radius, radius, body, solid=True)
    rim = tint(rng)
    if rng.random() < 0.5:
        paper.ring(radius, radius, radius * 0.92, rim, 0.08)
    paper.disc(radius, radius, radius * 0.7, shade(body, 0.85))
    paper.disc(radius, radius, radius * 0.66, shade(body, 0.95))
    crumb = tint(rng)
    for _ in range(int(rng.choice([0, 3, 12, 30]))):
        away, angle = radius * 0.6 * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
        x, y = radius + away * math.cos(angle), radius + away * math.sin(angle)
        size = radius * rng.uniform(0.05, 0.15)
        paper.disc(x, y, size, shade(crumb, 0.6))
        paper.disc(x - size * 0.15, y - size * 0.15, size * 0.8, shade(crumb, rng.uniform(0.8, 1.2)))
    return paper.thing(0.3)


def pen(rng: np.random.Generator, tile_px: float) -> Thing:
    """A pen, pencil, spoon or lighter."""
    wide, tall = rng.uniform(3, 6), rng.uniform(0.25, 0.5)
    paper, body = sheet(wide, tall, tile_px), tint(rng)
    paper.box(0, tall * 0.2, wide * 0.85, tall * 0.6, body, solid=True)
    paper.box(0, tall * 0.3, wide * 0.85, tall * 0.12, shade(body, 1.4))
    tip = grey(rng, 30, 220)
    paper.poly([(wide * 0.85, tall * 0.2), (wide, tall * 0.5), (wide * 0.85, tall * 0.8)], tip, solid=True)
    if rng.random() < 0.4:
        paper.disc(tall * 0.5, tall * 0.5, tall * 0.5, shade(body, 0.8), solid=True)
    return paper.thing(0.3)


def glasses(rng: np.random.Generator, tile_px: float) -> Thing:
    """Spectacles."""
    wide, tall = rng.uniform(4.5, 5.5), 3.2
    paper, frame = sheet(wide, tall, tile_px), grey(rng, 10, 120) if rng.random() < 0.7 else tint(rng)
    line = rng.uniform(0.06, 0.2)
    for x in (0.27, 0.73):
        paper.ring(wide * x, 1.0, wide * 0.18, frame, line, solid=True)
    paper.line([(wide * 0.45, 0.9), (wide * 0.55, 0.9)], frame, line, solid=True)
    for x, end in ((0.09, 0.15), (0.91, 0.8)):
        paper.line([(wide * x, 0.9), (wide * end, tall - 0.2)], frame, line, solid=True)
    return paper.thing(0.3)


def keys(rng: np.random.Generator, tile_px: float) -> Thing:
    """Keys on a ring."""
    paper, metal = sheet(4, 4, tile_px), grey(rng, 120, 200, 15)
    paper.ring(2, 2, 0.45, metal, 0.08, solid=True)
    for _ in range(int(rng.integers(2, 5))):
        angle, long = rng.uniform(0, 2 * math.pi), rng.uniform(1.2, 1.9)
        own = shade(metal, rng.uniform(0.7, 1.2))
        head = (2 + 0.7 * math.cos(angle), 2 + 0.7 * math.sin(angle))
        end = (2 + long * math.cos(angle), 2 + long * math.sin(angle))
        paper.line([head, end], own, 0.18, solid=True)
        paper.disc(*head, 0.4, own, solid=True)
        paper.disc(*head, 0.12, shade(own, 0.5))
    return paper.thing(0.12)


def coins(rng: np.random.Generator, tile_px: float) -> Thing:
    """A few coins, bottle caps or chips."""
    paper = sheet(3, 3, tile_px)
    for _ in range(int(rng.integers(1, 5))):
        x, y, radius = rng.uniform(0.6, 2.4), rng.uniform(0.6, 2.4), rng.uniform(0.35, 0.55)
        metal = (
            (90.0, 150.0, 190.0)
            if rng.random() < 0.4
            else grey(rng, 130, 200)
            if rng.random() < 0.6
            else tint(rng)
        )
        paper.disc(x, y, radius, shade(metal, 0.7), solid=True)
        paper.disc(x, y, radius * 0.9, metal)
        paper.ring(x, y, radius * 0.75, shade(metal, 0.85), 0.03)
        if rng.random() < 0.6:
            text = str(rng.choice(["1", "2", "5", "10", "20", "50"]))
            paper.print(text, x, y, radius * 0.7, shade(metal, rng.choice([0.6, 1.25])), font=any_font(rng))
    return paper.thing(0.08)


def lid(rng: np.random.Generator, tile_px: float) -> Thing:
    """A box's lid or tray: an edge round a floor."""
    wide = rng.uniform(3, 9)
    tall = wide * rng.uniform(0.3, 1)
    body = tint(rng) if rng.random() < 0.5 else WOODS[rng.integers(len(WOODS))]
    paper = sheet(wide, tall, tile_px, body)
    paper.cover[:] = 255
    edge = rng.uniform(0.12, 0.3)
    paper.box(edge, edge, wide - 2 * edge, tall - 2 * edge, shade(body, 0.6))
    paper.box(
        edge * 1.5,
        edge * 1.5,
        wide - 2.5 * edge,
        tall - 2.5 * edge,
        shade(body, 0.8) if rng.random() < 0.6 else tint(rng),
    )
    return paper.thing(0.5)


def cable(rng: np.random.Generator, tile_px: float) -> Thing:
    """A cord, a necklace or a string."""
    paper, colour = sheet(6, 4, tile_px), tint(rng)
    knots = rng.uniform(0.3, 0.7, (5, 2)) * (6, 4) + np.linspace(-2, 2, 5)[:, None] * (0.8, 0)
    t = np.linspace(0, 4, 33)
    line = [
        (float(np.interp(v, range(5), knots[:, 0])), float(np.interp(v, range(5), knots[:, 1]))) for v in t
    ]
    paper.line(line, colour, rng.uniform(0.08, 0.2), solid=True)
    return paper.thing(0.15)


def cloth(rng: np.random.Generator, tile_px: float) -> Thing:
    """A crumpled napkin, bag or sleeve: a lumpy outline with folds."""
    radius = rng.uniform(1, 3)
    paper, body = (
        sheet(2 * radius, 2 * radius, tile_px),
        grey(rng, 60, 250) if rng.random() < 0.5 else tint(rng),
    )
    angles = np.linspace(0, 2 * math.pi, 18, endpoint=False)
    reach = radius * rng.uniform(0.7, 1.0, 18)
    outline = np.stack([radius + reach * np.cos(angles), radius + reach * np.sin(angles)], 1)
    paper.poly(outline, body, solid=True)
    for _ in range(9):
        a, b = rng.uniform(0.3, 1.7, (2, 2)) * radius
        paper.line(
            [(a[0], a[1]), (b[0], b[1])], shade(body, rng.choice([0.8, 0.9, 1.08])), rng.uniform(0.05, 0.4)
        )
    blurred = cv2.GaussianBlur(paper.colour, (0, 0), max(0.8, paper.unit * 0.08))
    paper.colour[:] = blurred
    return paper.thing(0.4)


def seat(rng: np.random.Generator, tile_px: float) -> Thing:
    """A chair from above, its back at the top; beyond a table's edge, never on it."""
    wide = rng.uniform(14, 19)
    tall = wide * rng.uniform(0.95, 1.15)
    dark = rng.random() < 0.75
    body = grey(rng, 15, 90, 10) if dark else WOODS[rng.integers(len(WOODS))]
    paper = sheet(wide, tall, tile_px)
    paper.round_box(wide * 0.05, tall * 0.1, wide * 0.9, tall * 0.9, wide * rng.uniform(0.06, 0.3), body)
    inner = shade(body, 1.2) if rng.random() < 0.5 else tint(rng, 20, 200)
    share = rng.uniform(0.7, 0.85)
    paper.round_box(wide * (1 - share) / 2, tall * 0.18, wide * share, tall * 0.75, wide * 0.1, inner)
    paper.round_box(0, 0, wide, tall * rng.uniform(0.08, 0.16), wide * 0.03, shade(body, 0.8))
    paper.grain(rng, 0.03)
    return paper.thing(3.0)


KINDS: dict[Make, float] = {
    block: 2.5,
    domino: 1.5,
    die: 1.2,
    eraser: 0.6,
    pills: 0.5,
    phone: 1.2,
    keypad: 1.0,
    cup: 1.2,
    plate: 1.0,
    pen: 0.8,
    glasses: 0.5,
    keys: 0.5,
    coins: 0.7,
    lid: 0.8,
    cable: 0.3,
    cloth: 0.5,
}
