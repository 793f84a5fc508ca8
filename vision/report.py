"""Writes a measurement as one HTML page: tables by group, reliability, confusions, the worst crops."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import Mark
from vision.crops import Pyramid, apply_affine, cut_square, square_matrix
from vision.evaluate import SHARES, Evaluation, Judged, percent, str_of
from vision.pictures import PictureError, load_picture

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

WORST = 60  # crops on the page
CROP = 144  # pixels a side of a crop
REACH = 1.5  # what a crop shows, in longer sides of the tile
BINS = 20  # of confidence, 0 to 1
LEVELS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
NUMBERS = (*(str(number) for number in range(1, 14)), "*", "#")
COLOURS = ("r", "y", "b", "k")
_TRUTH, _READ = (90, 220, 60), (255, 60, 220)  # BGR of the outlines on a crop

_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 1.5rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
.wide { overflow-x: auto; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap; }
th:first-child { text-align: left; font-weight: inherit; }
.groups tbody tr:first-child { font-weight: 600; }
.matrix td, .matrix th { padding: .1rem .45rem; text-align: center; border: 1px solid #8884; }
.matrix .off { background: #d9480f33; font-weight: 600; }
.matrix .on { background: #2b8a3e33; }
figure { margin: 0; }
.crops { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: 1rem; }
.crops img, .crops .gone { width: 144px; height: 144px; display: block; }
.crops .gone { border: 1px dashed; box-sizing: border-box; padding: 3rem .5rem; text-align: center; }
figcaption { font-size: .85rem; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
"""


def write_report(evaluation: Evaluation, folder: Path) -> Path:
    """Writes `folder/index.html` and returns its path.

    The page needs nothing beside itself: crops are in it. It does not say how long the reading took, so that
    the same readings give the same page.
    """
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "index.html"
    page.write_text(_page(evaluation), encoding="utf-8")
    return page


@dataclass(frozen=True)
class Bin:
    """Accepted tiles whose confidence lies in one part of the scale: how many, how sure, how many right."""

    low: float
    high: float
    tiles: int
    confidence: float  # mean
    right: int


def reliability(judged: Iterable[Judged], bins: int = BINS) -> list[Bin]:
    """The bins that hold accepted tiles: what was read as a face or back, false finds (never right) too."""
    sure = _accepted(judged)
    found: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in sure:
        found.setdefault(min(bins - 1, int(confidence * bins)), []).append((confidence, right))
    return [
        Bin(
            index / bins,
            (index + 1) / bins,
            len(members),
            sum(confidence for confidence, _ in members) / len(members),
            sum(right for _, right in members),
        )
        for index, members in sorted(found.items())
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error: mean distance of confidence and share right, each bin by its tiles."""
    total = sum(part.tiles for part in bins)
    return sum(abs(part.confidence * part.tiles - part.right) for part in bins) / total if total else 0.0


def worst(judged: Iterable[Judged], limit: int = WORST) -> list[Judged]:
    """What went wrong, worst first: misread (surest first), missed, false finds, unread."""
    ranked = [(_rank(entry), entry) for entry in judged]
    bad = [(rank, entry) for rank, entry in ranked if rank is not None]
    # Sorting keeps the order of reading among equals, so that the same readings give the same page.
    return [entry for _, entry in sorted(bad, key=lambda pair: pair[0])[:limit]]


def _rank(entry: Judged) -> tuple[int, float] | None:
    if entry.seen is None:
        return (1, 0.0)
    if entry.truth is None:
        return (2, -entry.seen.confidence)
    if entry.seen.face is Mark.UNREAD:
        return (3, -entry.seen.confidence)
    return None if str_of(entry.seen) == entry.truth.face else (0, -entry.seen.confidence)


def _accepted(judged: Iterable[Judged]) -> list[tuple[float, bool]]:
    return [
        (entry.seen.confidence, entry.truth is not None and str_of(entry.seen) == entry.truth.face)
        for entry in judged
        if entry.seen is not None and entry.seen.face is not Mark.UNREAD
    ]


# --- the page ---------------------------------------------------------------------------------------------


def _page(evaluation: Evaluation) -> str:
    name = escape(evaluation.data.name)
    total = evaluation.total
    head = (
        f"{evaluation.pictures} pictures, {evaluation.pictures_right} entirely right; {total.tiles} tiles, "
        f"{total.tiles - total.found} missed, {total.wrong} misread, {total.unread} unread, "
        f"{total.false_finds} false finds."
    )
    sections = [
        ("By group", _groups(evaluation)),
        ("How far the confidence can be trusted", _trust(evaluation.judged)),
        ("Confusions", _confusions(evaluation)),
        ("Worst first", _crops(evaluation)),
    ]
    body = "\n".join(f"<section>\n<h2>{title}</h2>\n{content}\n</section>" for title, content in sections)
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>Reading of {name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>Reading of {name}</h1>\n<p>{head}</p>\n{body}\n</body>\n</html>\n"
    )


def _groups(evaluation: Evaluation) -> str:
    counts = ("unread", "wrong", "missed", "false_finds")
    head = ["group", "tiles", *SHARES, *(name.replace("_", " ") for name in counts)]
    rows = []
    for name, tally in [("all", evaluation.total), *sorted(evaluation.groups.items())]:
        values = tally.to_json()
        shares = [percent(values[key]) for key in SHARES]
        rows.append([name, str(tally.tiles), *shares, *(str(values[key]) for key in counts)])
    note = (
        "<p>Found and right are shares of all tiles, number and colour of those found, precision of all "
        "finds. Tiles of which less than half is in sight are not counted.</p>"
    )
    return f'<div class="groups">{_table(head, rows)}</div>\n{note}'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    titles = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = []
    for first, *rest in rows:
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        lines.append(f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>')
    return (
        f'<div class="wide"><table>\n<thead><tr>{titles}</tr></thead>\n'
        "<tbody>\n" + "\n".join(lines) + "\n</tbody>\n</table></div>\n"
    )


def _trust(judged: Sequence[Judged]) -> str:
    bins = reliability(judged)
    if not bins:
        return "<p>No tile was read.</p>"
    accepted = _accepted(judged)
    rows = []
    for level in LEVELS:
        kept = [right for confidence, right in accepted if confidence >= level]
        wrong = len(kept) - sum(kept)
        share = percent(wrong / len(kept) if kept else None)
        rows.append(
            [f"at least {level:.2f}", str(len(kept)), percent(len(kept) / len(accepted)), str(wrong), share]
        )
    error = f"<p>Expected calibration error: {100 * calibration_error(bins):.2f} %.</p>"
    return _plot(bins) + error + _table(["confidence", "tiles", "of all read", "wrong", "share wrong"], rows)


def _plot(bins: Sequence[Bin]) -> str:
    """The share right over the confidence, a bar for each bin; on the diagonal the two agree."""
    side, left, top = 320, 44, 12
    most = max(part.tiles for part in bins)
    parts = [
        f'<svg role="img" viewBox="0 0 {left + side + 16} {top + side + 44}" width="{left + side + 16}">',
        "<title>Share of accepted tiles that are right, by confidence</title>",
        f'<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="none" stroke="currentColor"/>',
        f'<path d="M{left} {top + side}L{left + side} {top}" stroke="currentColor" stroke-dasharray="4 4"/>',
    ]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        x, y = left + tick * side, top + (1 - tick) * side
        parts.append(f'<text x="{x:.0f}" y="{top + side + 16}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{100 * tick:g} %</text>')
    for part in bins:
        share = part.right / part.tiles
        x, wide = left + part.low * side, (part.high - part.low) * side
        # Bins with more tiles are darker: a bar that stands on three tiles says little.
        shade = 0.25 + 0.6 * part.tiles / most
        label = (
            f"{part.low:.2f} to {part.high:.2f}: {part.tiles} tiles, confidence {part.confidence:.3f}, "
            f"right {percent(share)}"
        )
        parts.append(
            f'<rect x="{x:.1f}" y="{top + (1 - share) * side:.1f}" width="{wide:.1f}" '
            f'height="{share * side:.1f}" fill="#1971c2" fill-opacity="{shade:.2f}">'
            f"<title>{label}</title></rect>"
        )
        spot = (left + part.confidence * side, top + (1 - share) * side)
        parts.append(f'<circle cx="{spot[0]:.1f}" cy="{spot[1]:.1f}" r="3" fill="#d9480f"/>')
    middle = left + side / 2
    parts.append(f'<text x="{middle:.0f}" y="{top + side + 36}" text-anchor="middle">confidence</text></svg>')
    return "<figure>" + "\n".join(parts) + "</figure>\n"


def _confusions(evaluation: Evaluation) -> str:
    numbers: Counter[tuple[str, str]] = Counter()
    colours: Counter[tuple[str, str]] = Counter()
    for entry in evaluation.judged:
        if entry.truth is None or entry.seen is None:
            continue
        truth, read = entry.truth.face, str_of(entry.seen)
        numbers[truth[1:] or truth, read[1:] or read] += 1
        if truth[0] in COLOURS and read[0] in COLOURS:
            colours[truth[0], read[0]] += 1
    most = [f"{truth} as {read} &times;{count}" for (truth, read), count in _escaped(evaluation)]
    listed = f"<p>{', '.join(most)}.</p>" if most else "<p>None.</p>"
    return (
        listed
        + "<h3>Numbers (rows: on the tile, columns: read)</h3>\n"
        + _matrix(numbers, NUMBERS, (*NUMBERS, "?"))
        + "<h3>Colours</h3>\n"
        + _matrix(colours, COLOURS, COLOURS)
    )


def _escaped(evaluation: Evaluation) -> list[tuple[tuple[str, str], int]]:
    return [((escape(truth), escape(read)), count) for (truth, read), count in evaluation.most_confused()]


def _matrix(counts: Counter[tuple[str, str]], rows: Sequence[str], columns: Sequence[str]) -> str:
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    lines = []
    for row in rows:
        cells = []
        for column in columns:
            count = counts[row, column]
            kind = ' class="on"' if row == column else ' class="off"' if count else ""
            cells.append(f"<td{kind}>{count or ''}</td>")
        lines.append(f'<tr><th scope="row">{row}</th>{"".join(cells)}</tr>')
    return (
        f'<div class="wide"><table class="matrix"><thead><tr><td></td>{head}</tr></thead>\n<tbody>\n'
        + "\n".join(lines)
        + "\n</tbody></table></div>\n"
    )


# --- crops ------------------------------------------------------------------------------------------------


def _crops(evaluation: Evaluation) -> str:
    chosen = worst(evaluation.judged)
    if not chosen:
        return "<p>Everything was found and read right.</p>"
    images: dict[int, str | None] = {}
    for path in sorted({entry.path for entry in chosen}):
        pyramid = _pyramid(path)  # one picture at a time: they may be large
        for index, entry in enumerate(chosen):
            if entry.path == path:
                images[index] = None if pyramid is None else _data_uri(_crop(pyramid, entry))
    figures = [_figure(entry, images[index]) for index, entry in enumerate(chosen)]
    note = "<p>Upright as read. Green: the tile as labelled. Magenta: as found.</p>"
    return f'{note}\n<div class="crops">\n' + "\n".join(figures) + "\n</div>"


def _figure(entry: Judged, image: str | None) -> str:
    truth = f"is {entry.truth.face}" if entry.truth else "no tile there"
    if entry.seen is None:
        read = "not found"
    else:
        others = [f"{other.face} {other.confidence:.2f}" for other in entry.seen.alternatives[:2]]
        read = f"read {str_of(entry.seen)} {entry.seen.confidence:.2f}"
        read += f" (else {', '.join(others)})" if others else ""
    text = escape(f"{truth}, {read}")
    shown = f'<img src="{image}" alt="{text}">' if image else '<div class="gone">picture not there</div>'
    caption = f"{text}<br><small>{escape(entry.path.name)}</small>"
    return f"<figure>{shown}<figcaption>{caption}</figcaption></figure>"


def _pyramid(path: Path) -> Pyramid | None:
    try:
        return Pyramid(load_picture(path))
    except (OSError, PictureError):
        return None


def _crop(pyramid: Pyramid, entry: Judged) -> U8:
    """The tile upright (as found, else as labelled) with some of what is round it, outlines drawn in."""
    truth = None if entry.truth is None else entry.truth.outline
    read = None if entry.seen is None else np.asarray(entry.seen.quad, np.float32)
    outline = read if read is not None else truth
    if outline is None:
        raise ValueError("neither a tile nor a find")
    top = outline[1] - outline[0] if len(outline) == 4 else np.asarray([1.0, 0.0])
    everything = np.concatenate([points for points in (truth, read) if points is not None])
    low, high = everything.min(axis=0), everything.max(axis=0)
    side = max(8.0, float(np.linalg.norm(high - low)) / 1.2 * REACH)
    x, y = (low + high) / 2
    matrix = square_matrix((float(x), float(y)), side, -float(np.arctan2(top[1], top[0])), pixels=CROP)
    crop = np.ascontiguousarray(cut_square(pyramid, matrix, pixels=CROP))
    for points, colour in ((truth, _TRUTH), (read, _READ)):
        if points is not None:
            corners = np.round((apply_affine(matrix, points) - 0.5) * 16).astype(np.int32)
            cv2.polylines(crop, [corners.reshape(-1, 1, 2)], True, colour, 1, cv2.LINE_AA, 4)
    return crop


def _data_uri(image: U8) -> str:
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])
    if not done:
        raise RuntimeError("the JPEG encoder refused a crop")
    return "data:image/jpeg;base64," + base64.b64encode(data.tobytes()).decode("ascii")
