"""Print and keys of about a tile's size that are no tiles: calendars, tallies, number cards, boards."""

from __future__ import annotations

import math

import numpy as np

from vision.synth import paper_things, solid_things
from vision.synth.things import Colour, Make, Sheet, Thing, any_font, grey, shade, sheet, tint

#: Inks that tiles have too, BGR.
INKS: tuple[Colour, ...] = (
    (40, 35, 200),
    (150, 70, 20),
    (30, 150, 235),
    (25, 25, 28),
    (60, 120, 30),
    (90, 90, 95),
)


def _ink(rng: np.random.Generator) -> Colour:
    return INKS[rng.integers(len(INKS))]


def _body(rng: np.random.Generator) -> Colour:
    base = solid_things.BODIES[rng.integers(len(solid_things.BODIES))]
    return base if rng.random() < 0.7 else grey(rng, 200, 252)


def _cell(rng: np.random.Generator) -> tuple[float, float]:
    """Width and height of a cell about as large as a tile."""
    wide = rng.uniform(0.7, 1.5)
    return wide, wide * rng.uniform(0.7, 1.5)


def month(rng: np.random.Generator, tile_px: float) -> Thing:
    """A page of a calendar, a bingo card or a table of numbers, each in a cell of about a tile's size."""
    wide, tall = _cell(rng)
    columns, rows = int(rng.integers(3, 8)), int(rng.integers(2, 6))
    paper, font = sheet(columns * wide, rows * tall, tile_px, _body(rng)), any_font(rng)
    paper.cover[:] = 255
    line, ink, other = grey(rng, 60, 215), _ink(rng), _ink(rng)
    ruled, first = rng.random() < 0.75, int(rng.integers(1, 32))
    size, drop = min(tall * rng.uniform(0.3, 0.6), wide * 0.55), rng.uniform(0.3, 0.6)
    for row in range(rows):
        for column in range(columns):
            x, y = column * wide, row * tall
            if rng.random() < 0.06:
                paper.box(x, y, wide, tall, tint(rng, 120, 250))
            if rng.random() < 0.85:
                number = str((first + row * columns + column - 1) % 31 + 1)
                paper.print(
                    number, x + wide / 2, y + tall * drop, size, other if column == 0 else ink, font=font
                )
    _rules(paper, (columns, rows), (wide, tall), line if ruled else None, rng)
    return paper.thing(0.03)


def tally(rng: np.random.Generator, tile_px: float) -> Thing:
    """A score sheet with one number by hand in each cell, large and small."""
    wide, tall = _cell(rng)
    columns, rows = int(rng.integers(2, 6)), int(rng.integers(3, 8))
    paper, ink = sheet(columns * wide, rows * tall, tile_px, grey(rng, 190, 252)), _ink(rng)
    paper.cover[:] = 255
    font, size = int(rng.choice([0, 2, 3, 6, 7])), tall * rng.uniform(0.4, 0.75)
    for row in range(rows):
        for column in range(columns):
            if rng.random() < 0.8:
                text = str(int(rng.choice([rng.integers(0, 14), rng.integers(-50, 130)])))
                at = (column + rng.uniform(0.05, 0.3)) * wide
                paper.scrawl(text, at, (row + rng.uniform(0.75, 0.95)) * tall, size, ink, font=font)
    _rules(paper, (columns, rows), (wide, tall), grey(rng, 90, 210) if rng.random() < 0.8 else None, rng)
    return paper.thing(0.02)


def _rules(
    paper: Sheet,
    count: tuple[int, int],
    cell: tuple[float, float],
    ink: Colour | None,
    rng: np.random.Generator,
) -> None:
    if ink is None:
        return
    (columns, rows), (wide, tall), thick = count, cell, rng.uniform(0.02, 0.08)
    for column in range(columns + 1):
        paper.line([(column * wide, 0), (column * wide, rows * tall)], ink, thick)
    for row in range(rows + 1):
        paper.line([(0, row * tall), (columns * wide, row * tall)], ink, thick)


def number_card(rng: np.random.Generator, tile_px: float) -> Thing:
    """A card of a game with one large number, larger or longer than a tile."""
    wide = rng.uniform(1.6, 2.6)
    tall = wide * rng.uniform(1.35, 1.6)
    paper, font, ink = sheet(wide, tall, tile_px), any_font(rng), _ink(rng)
    coloured = rng.random() < 0.4
    paper.round_box(0, 0, wide, tall, wide * 0.09, ink if coloured else grey(rng, 225, 252))
    number, print_ink = str(rng.integers(0, 16)), (250.0, 250.0, 250.0) if coloured else ink
    if coloured and rng.random() < 0.6:
        paper.disc(wide / 2, tall / 2, wide * 0.38, (245.0, 245.0, 245.0))
        print_ink = ink
    paper.print(number, wide / 2, tall / 2, wide * rng.uniform(0.35, 0.6), print_ink, font=font)
    for x, y in ((0.15, 0.11), (0.85, 0.89)):
        corner = (250.0, 250.0, 250.0) if coloured else ink
        paper.print(number, wide * x, tall * y, wide * 0.14, corner, font=font)
    return paper.thing(0.03)


def key_cap(rng: np.random.Generator, tile_px: float) -> Thing:
    """A key of a keyboard or machine with its sign, square or wide, its top smaller than its foot."""
    wide = rng.uniform(0.7, 1.3)
    tall = wide * float(rng.choice([rng.uniform(0.92, 1.08), rng.uniform(0.5, 0.7)], p=[0.75, 0.25]))
    body = grey(rng, 20, 245) if rng.random() < 0.6 else _body(rng)
    paper = sheet(wide, tall, tile_px)
    paper.round_box(0, 0, wide, tall, 0.1, shade(body, 0.75))
    edge = wide * rng.uniform(0.08, 0.18)
    paper.round_box(edge, edge * 0.7, wide - 2 * edge, tall - 2 * edge, 0.1, body)
    ink = grey(rng, 5, 60) if sum(body) > 380 else grey(rng, 215, 250)
    text = str(rng.integers(0, 14)) if rng.random() < 0.75 else "ACEFKMQRT+-="[rng.integers(12)]
    paper.print(text, wide / 2, tall / 2 - edge * 0.3, tall * rng.uniform(0.3, 0.5), ink, font=any_font(rng))
    return paper.thing(0.35)


def dial_pad(rng: np.random.Generator, tile_px: float) -> Thing:
    """A phone or reader that shows digits to type, each in a field of about a tile's size."""
    wide = rng.uniform(2.4, 3.6)
    tall = wide * rng.uniform(1.6, 2.1)
    paper, font = sheet(wide, tall, tile_px), any_font(rng)
    paper.round_box(0, 0, wide, tall, wide * 0.1, grey(rng, 10, 70))
    screen = grey(rng, 225, 252) if rng.random() < 0.6 else grey(rng, 8, 40)
    paper.box(wide * 0.05, tall * 0.05, wide * 0.9, tall * 0.9, screen)
    ink = grey(rng, 5, 60) if sum(screen) > 380 else grey(rng, 215, 250)
    head, step = tall * rng.uniform(0.2, 0.35), wide * 0.9 / 3
    down = (tall * 0.95 - head) / 4
    kind = rng.integers(3)
    for index, text in enumerate("123456789*0#"):
        x = wide * 0.05 + step * (index % 3 + 0.5)
        y = head + down * (index // 3 + 0.5)
        if kind == 1:
            paper.disc(x, y, min(step, down) * 0.44, shade(screen, 0.88 if sum(screen) > 380 else 2.2))
        elif kind == 2:
            field = shade(screen, 0.9 if sum(screen) > 380 else 2.0)
            paper.round_box(x - step * 0.46, y - down * 0.46, step * 0.92, down * 0.92, 0.08, field)
        paper.print(text, x, y, min(step, down) * rng.uniform(0.38, 0.42), ink, font=font)
    return paper.thing(0.25)


def barrel(rng: np.random.Generator, tile_px: float) -> Thing:
    """A lotto barrel, token or bottle cap: a number on a disc."""
    radius = rng.uniform(0.4, 0.85)
    paper = sheet(2 * radius, 2 * radius, tile_px)
    body = _body(rng) if rng.random() < 0.6 else tint(rng, 90, 250)
    paper.disc(radius, radius, radius, shade(body, 0.75), solid=True)
    paper.disc(radius, radius, radius * rng.uniform(0.78, 0.95), body)
    ink = _ink(rng)
    if rng.random() < 0.5:
        paper.ring(radius, radius, radius * 0.7, ink, 0.04)
    text = str(rng.integers(1, 91 if rng.random() < 0.4 else 14))
    paper.print(text, radius, radius, radius * rng.uniform(0.55, 0.8), ink, font=any_font(rng))
    return paper.thing(0.4)


def sticky(rng: np.random.Generator, tile_px: float) -> Thing:
    """A square note with one number or a few words by hand."""
    side = rng.uniform(1.5, 3)
    body = (rng.uniform(90, 200), rng.uniform(200, 245), rng.uniform(230, 252))
    paper, ink = sheet(side, side, tile_px, body), _ink(rng)
    paper.cover[:] = 255
    text = str(rng.integers(1, 14)) if rng.random() < 0.6 else f"{rng.integers(1, 9)}+{rng.integers(1, 9)}"
    size = side * rng.uniform(0.3, 0.55)
    paper.scrawl(text, side * 0.2, side * 0.7, size, ink, font=int(rng.choice([0, 3, 6, 7])))
    return paper.thing(0.04)


def letter_board(rng: np.random.Generator, tile_px: float) -> Thing:
    """A board of a game: coloured squares with letters or numbers, of about a tile's size."""
    cell, columns, rows = rng.uniform(0.9, 1.6), int(rng.integers(4, 9)), int(rng.integers(3, 8))
    paper, font = sheet(columns * cell, rows * cell, tile_px), any_font(rng)
    paper.cover[:] = 255
    pool = [_body(rng), tint(rng, 60, 250), tint(rng, 20, 250), grey(rng, 200, 250)]
    first, numbers = int(rng.integers(1, 40)), rng.random() < 0.7
    turned = rng.random() < 0.5
    for row in range(rows):
        for column in range(columns):
            colour = pool[int(rng.integers(4)) if not turned else (row + column) % 2]
            paper.box(column * cell, row * cell, cell, cell, colour)
            if rng.random() < 0.7:
                text = str((first + row * columns + column) % 64) if numbers else "ABCDEFKR"[rng.integers(8)]
                ink = grey(rng, 10, 60) if sum(colour) > 330 else grey(rng, 210, 250)
                at = ((column + 0.5) * cell, (row + 0.5) * cell)
                paper.print(text, *at, cell * rng.uniform(0.3, 0.34), ink, font=font)
    _rules(paper, (columns, rows), (cell, cell), grey(rng, 20, 120) if rng.random() < 0.6 else None, rng)
    return paper.thing(0.1)


def number_die(rng: np.random.Generator, tile_px: float) -> Thing:
    """A die with a number instead of pips, perhaps with many sides."""
    side = rng.uniform(0.6, 1.1)
    body = _body(rng) if rng.random() < 0.5 else tint(rng)
    paper = sheet(side, side, tile_px)
    corners = int(rng.choice([4, 5, 6, 10]))
    angles = np.linspace(0, 2 * math.pi, corners, endpoint=False) + math.pi / 4
    radius = side / 2
    points = np.stack([radius + radius * np.cos(angles), radius + radius * np.sin(angles)], 1)
    paper.poly(points, shade(body, 0.8), solid=True)
    paper.poly((points - radius) * 0.82 + radius, body)
    ink = grey(rng, 5, 60) if sum(body) > 380 else grey(rng, 215, 250)
    paper.print(str(rng.integers(1, 21)), radius, radius, side * 0.35, ink, font=any_font(rng))
    return paper.thing(0.5)


def pale_block(rng: np.random.Generator, tile_px: float) -> Thing:
    """A plain box, tin or pack with a tile's colours, nearly of a tile's outline but not of its size."""
    size = float(rng.choice([rng.uniform(0.35, 0.7), rng.uniform(1.45, 2.6)]))
    tall = size * rng.uniform(1.1, 1.7)
    body = _body(rng)
    paper = sheet(size + 0.4, tall + 0.4, tile_px, body)
    drop = rng.uniform(0.03, 0.15)
    paper.box(0.2 + drop, 0.2 + drop, size, tall, shade(body, 0.65), solid=True)
    paper.round_box(0.2, 0.2, size, tall, 0.06, body)
    return paper.thing(0.4)


KINDS: dict[Make, float] = {
    month: 3.0,
    tally: 2.5,
    number_card: 1.5,
    key_cap: 1.5,
    dial_pad: 1.2,
    barrel: 1.0,
    sticky: 0.8,
    letter_board: 2.0,
    number_die: 0.8,
    pale_block: 1.5,
    paper_things.card: 1.0,
    paper_things.price_tag: 1.0,
    solid_things.keypad: 1.0,
    solid_things.domino: 1.0,
    solid_things.block: 1.0,
    solid_things.die: 0.6,
}
