"""Flat things with print or handwriting: score sheets, cards, calendars, price tags, markers, rulers."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.synth.things import Make, Sheet, Thing, any_font, grey, shade, sheet, tint

INKS = ((30.0, 30.0, 30.0), (150.0, 50.0, 20.0), (30.0, 30.0, 180.0), (80.0, 80.0, 80.0), (40.0, 110.0, 40.0))


def _ink(rng: np.random.Generator) -> tuple[float, float, float]:
    return INKS[rng.integers(len(INKS))]


def _paper(rng: np.random.Generator, wide: float, tall: float, tile_px: float) -> Sheet:
    paper = sheet(wide, tall, tile_px, grey(rng, 205, 252))
    paper.cover[:] = 255
    return paper


def notes(rng: np.random.Generator, tile_px: float) -> Thing:
    """A sheet with handwriting or print, ruled or not."""
    wide, tall = rng.uniform(2.5, 8), rng.uniform(2.5, 8)
    paper, ink = _paper(rng, wide, tall, tile_px), _ink(rng)
    step = tall / int(rng.integers(5, 14))
    ruled, font = rng.random() < 0.5, int(rng.choice([0, 1, 3, 6, 7]))
    for y in np.arange(step, tall, step):
        if ruled:
            paper.line([(0, float(y)), (wide, float(y))], (210, 190, 170), 0.03)
        if rng.random() < 0.8:
            text = "".join(rng.choice(list("0123456789 abcemnr-+=")) for _ in range(int(rng.integers(3, 14))))
            paper.scrawl(text, wide * 0.06, float(y) - step * 0.15, step * 0.6, ink, font=font)
    return paper.thing(0.02)


def score_sheet(rng: np.random.Generator, tile_px: float) -> Thing:
    """A table of points, written by hand in columns."""
    columns, rows = int(rng.integers(2, 6)), int(rng.integers(4, 14))
    cell = rng.uniform(0.5, 1.5)
    wide, tall = columns * cell * 1.5, rows * cell
    paper, ink, font = _paper(rng, wide, tall, tile_px), _ink(rng), int(rng.choice([0, 6, 7]))
    for column in range(columns):
        paper.line([(column * cell * 1.5, 0), (column * cell * 1.5, tall)], (90, 80, 70), 0.05)
    paper.line([(0, cell), (wide, cell)], (90, 80, 70), 0.06)
    for row in range(1, int(rng.integers(2, rows + 1))):
        for column in range(columns):
            text = str(int(rng.choice([rng.integers(0, 14), rng.integers(-100, 300)])))
            at = (column + 0.2 + rng.uniform(-0.1, 0.1)) * cell * 1.5
            paper.scrawl(text, at, (row + rng.uniform(0.75, 0.9)) * cell, cell * 0.6, ink, font=font)
    return paper.thing(0.02)


def card(rng: np.random.Generator, tile_px: float) -> Thing:
    """A playing card, face or back."""
    wide = rng.uniform(1.7, 3.2)
    tall = wide * 1.42
    paper = sheet(wide, tall, tile_px)
    white = grey(rng, 230, 252)
    paper.round_box(0, 0, wide, tall, wide * 0.07, white)
    ink = (30.0, 20.0, 190.0) if rng.random() < 0.5 else (25.0, 25.0, 25.0)
    if rng.random() < 0.3:
        back = tint(rng, 20, 190)
        paper.box(wide * 0.08, wide * 0.08, wide * 0.84, tall - wide * 0.16, back)
        for step in np.arange(0.1, wide + tall, wide * 0.12):
            start, end = (wide * 0.08, float(step)), (wide * 0.92, float(step) - wide * 0.8)
            if end[1] > wide * 0.08 and step < tall - wide * 0.08:
                paper.line([start, end], white, 0.03)
        return paper.thing(0.03)
    font, rank = any_font(rng), str(rng.choice(["A", "K", "Q", "J", *map(str, range(2, 11))]))
    for x, y in ((0.13, 0.1), (0.87, 0.9)):
        paper.print(rank, wide * x, tall * y, wide * 0.16, ink, font=font)
    count = int(rank) if rank.isdigit() else 1
    for index in range(count):
        x = wide * (0.5 if count == 1 else 0.33 if index % 2 else 0.67)
        y = tall * (0.15 + 0.7 * (index // 2 + 0.5) / max(1, (count + 1) // 2))
        size = wide * (0.22 if count == 1 else 0.08)
        paper.poly([(x, y - size), (x + size * 0.8, y), (x, y + size), (x - size * 0.8, y)], ink)
    return paper.thing(0.03)


def calendar(rng: np.random.Generator, tile_px: float) -> Thing:
    """A calendar's page or a bingo card: numbers in a grid."""
    columns, rows, cell = int(rng.integers(4, 8)), int(rng.integers(3, 7)), rng.uniform(0.5, 1.6)
    head = cell * rng.uniform(0, 1.5)
    wide, tall = columns * cell, rows * cell + head
    paper, font = _paper(rng, wide, tall, tile_px), any_font(rng)
    if head:
        paper.box(0, 0, wide, head, tint(rng))
    first, ink, other = int(rng.integers(1, 20)), grey(rng, 10, 90), tint(rng, 10, 180)
    ruled = rng.random() < 0.6
    for row in range(rows):
        for column in range(columns):
            number = str((first + row * columns + column) % 31 + 1)
            at = ((column + 0.5) * cell, head + (row + 0.5) * cell)
            paper.print(
                number,
                *at,
                cell * rng.uniform(0.36, 0.44),
                other if column == columns - 1 else ink,
                font=font,
            )
        if ruled:
            paper.line([(0, head + row * cell), (wide, head + row * cell)], ink, 0.03)
    for column in range(columns if ruled else 0):
        paper.line([(column * cell, head), (column * cell, tall)], ink, 0.03)
    return paper.thing(0.05)


def price_tag(rng: np.random.Generator, tile_px: float) -> Thing:
    """A label with one number, of any shape but a tile's."""
    wide = rng.uniform(0.7, 3)
    tall = wide * float(rng.choice([rng.uniform(0.25, 0.6), rng.uniform(0.95, 1.05)]))
    paper = sheet(wide, tall, tile_px)
    paper.round_box(0, 0, wide, tall, tall * rng.uniform(0.02, 0.45), tint(rng, 120, 255))
    kind = rng.integers(3)
    text = (
        f"{rng.integers(0, 40)},{rng.integers(10, 99)}"
        if kind == 0
        else str(rng.integers(1, 14 if kind == 1 else 999))
    )
    size = min(tall * 0.6, wide * 1.1 / len(text))
    paper.print(text, wide / 2, tall / 2, size, _ink(rng), font=any_font(rng))
    if rng.random() < 0.3:
        paper.line([(wide * 0.1, tall * 0.9), (wide * 0.9, tall * 0.9)], _ink(rng), 0.06)
    return paper.thing(0.02)


def marker(rng: np.random.Generator, tile_px: float) -> Thing:
    """A square black and white marker on white paper."""
    cells, side = int(rng.integers(6, 9)), rng.uniform(1, 3.2)
    border = side * rng.uniform(0.1, 0.35)
    wide = side + 2 * border
    paper = _paper(rng, wide, wide * (1 if rng.random() < 0.7 else 1.2), tile_px)
    black, cell = grey(rng, 10, 45, 2), side / cells
    paper.box(border, border, side, side, black)
    white = grey(rng, 225, 250, 2)
    for row in range(1, cells - 1):
        for column in range(1, cells - 1):
            if rng.random() < 0.5:
                paper.box(border + column * cell, border + row * cell, cell, cell, white)
    return paper.thing(0.02)


def ruler(rng: np.random.Generator, tile_px: float) -> Thing:
    """A ruler with numbers."""
    wide, tall = rng.uniform(6, 12), rng.uniform(0.9, 1.4)
    body = grey(rng, 180, 250) if rng.random() < 0.4 else tint(rng, 90, 245)
    paper, ink, font = sheet(wide, tall, tile_px, body), grey(rng, 5, 60), any_font(rng)
    paper.cover[:] = 255
    step = 0.385  # a centimetre in tile widths
    for index in range(int(wide / step)):
        x = (index + 0.3) * step
        paper.line([(x, 0), (x, tall * 0.3)], ink, 0.02)
        paper.line([(x + step / 2, 0), (x + step / 2, tall * 0.18)], ink, 0.02)
        paper.print(str(index), x, tall * 0.5, tall * 0.2, ink, font=font)
    return paper.thing(0.06)


def booklet(rng: np.random.Generator, tile_px: float) -> Thing:
    """A magazine or box with blocks of colour, columns of text and a big heading."""
    wide = rng.uniform(3, 8)
    tall = wide * rng.uniform(0.6, 1.4)
    paper, font = _paper(rng, wide, tall, tile_px), any_font(rng)
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(0, 0.6) * wide, rng.uniform(0, 0.7) * tall
        paper.box(x, y, wide * rng.uniform(0.2, 0.6), tall * rng.uniform(0.1, 0.4), tint(rng))
    paper.print(
        str(rng.choice(["NOU 24", "2 X 1", "REMI", "100%", "Vineri 13", "TOP 10"])),
        wide / 2,
        tall * 0.12,
        tall * 0.1,
        tint(rng, 0, 200),
        font=font,
    )
    ink = grey(rng, 40, 120)
    for column in (0.05, 0.52):
        for y in np.arange(0.3, 0.95, 0.035):
            end = wide * (column + rng.uniform(0.3, 0.43))
            paper.line([(wide * column, tall * float(y)), (end, tall * float(y))], ink, 0.05)
    return paper.thing(rng.uniform(0.03, 0.3))


def dial(rng: np.random.Generator, tile_px: float) -> Thing:
    """A clock's or scale's face: numbers in a ring."""
    radius = rng.uniform(1, 3)
    paper, font = sheet(2 * radius, 2 * radius, tile_px), any_font(rng)
    paper.disc(radius, radius, radius, tint(rng), solid=True)
    paper.disc(radius, radius, radius * 0.92, grey(rng, 200, 252))
    ink = grey(rng, 5, 70)
    for hour in range(1, 13):
        angle = math.pi * hour / 6 - math.pi / 2
        at = (radius + radius * 0.75 * math.cos(angle), radius + radius * 0.75 * math.sin(angle))
        paper.print(str(hour), *at, radius * 0.17, ink, font=font)
    for reach in (0.4, 0.6):
        angle = rng.uniform(0, 2 * math.pi)
        end = (radius + radius * reach * math.cos(angle), radius + radius * reach * math.sin(angle))
        paper.line([(radius, radius), end], ink, 0.08)
    return paper.thing(0.3)


def envelope(rng: np.random.Generator, tile_px: float) -> Thing:
    """Plain paper: a folded sheet, an envelope or a napkin with a rim."""
    wide = rng.uniform(1.8, 7)
    tall = wide * rng.uniform(0.45, 1)
    body = grey(rng, 190, 252) if rng.random() < 0.7 else tint(rng, 80, 250)
    paper = sheet(wide, tall, tile_px, body)
    paper.cover[:] = 255
    fold = shade(body, 0.9)
    if rng.random() < 0.5:
        paper.line([(0, 0), (wide / 2, tall * 0.55), (wide, 0)], fold, 0.06)
    else:
        for share in (0.33, 0.66):
            paper.line([(wide * share, 0), (wide * share, tall)], fold, 0.05)
        rim = tint(rng)
        cv2.rectangle(paper.colour, (3, 3), (paper.colour.shape[1] - 4, paper.colour.shape[0] - 4), rim, 2)
    paper.grain(rng, 0.015)
    return paper.thing(0.05)


KINDS: dict[Make, float] = {
    notes: 1.2,
    score_sheet: 1.5,
    card: 1.5,
    calendar: 1.0,
    price_tag: 1.2,
    marker: 1.0,
    ruler: 0.6,
    booklet: 0.8,
    dial: 0.5,
    envelope: 0.6,
}
