"""Writes a measurement as one HTML page: tables by group, reliability, confusions, the worst crops."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.breakdown import TITLES, breakdown
from vision.evaluate import SHARES, Evaluation
from vision.labelled import ENOUGH_IN_SIGHT
from vision.reliability import WORST, Bin, accepted, binned, calibration_error, guesses, worst
from vision.tally import Judged, Tally, percent, str_of
from vision.worst import crops, words, write_sheet

U8 = NDArray[np.uint8]

LEVELS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998)
NUMBERS = (*(str(number) for number in range(1, 14)), "*", "#")
COLOURS = ("r", "y", "b", "k")

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


def write_report(evaluation: Evaluation, folder: Path, *, limit: int | None = None) -> Path:
    """Writes `folder/index.html` and returns its path; with `limit` that many worst, as `worst.png` too.

    The page needs nothing beside itself: crops are in it. It does not say how long the reading took, so that
    the same readings give the same page.
    """
    folder.mkdir(parents=True, exist_ok=True)
    chosen = worst(evaluation.judged, WORST if limit is None else limit)
    page = folder / "index.html"
    page.write_text(_page(evaluation, chosen), encoding="utf-8")
    if limit is not None:
        write_sheet(chosen, folder / "worst.png")
    return page


# --- the page ---------------------------------------------------------------------------------------------


def _page(evaluation: Evaluation, chosen: Sequence[Judged]) -> str:
    name = escape(evaluation.data.name)
    total = evaluation.total
    head = (
        f"{evaluation.pictures} pictures, {evaluation.pictures_right} entirely right "
        f"({evaluation.pictures_mended} after repair); {total.tiles} tiles, "
        f"{total.tiles - total.found} missed, {total.wrong} misread, {total.unread} unread, "
        f"{total.false_finds} false finds; {total.wrong_accepted} of {total.accepted} accepted are wrong."
    )
    sections = [
        ("By group", _groups(evaluation)),
        ("By kind", _kinds(evaluation)),
        ("How far the confidence can be trusted", _trust(evaluation.judged)),
        ("Confusions", _confusions(evaluation)),
        ("Worst first", _crops(chosen)),
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
    note = (
        "<p>Found, right and repaired (right after repair) are shares of all tiles, number and colour of "
        f"those found, precision of all finds. Tiles with less than {100 * ENOUGH_IN_SIGHT:.0f} % in sight "
        "are not counted.</p>"
    )
    rows = [("all", evaluation.total), *sorted(evaluation.groups.items())]
    return f'<div class="groups">{_tallies("group", rows)}</div>\n{note}'


def _kinds(evaluation: Evaluation) -> str:
    tables = breakdown(evaluation.judged)
    return "".join(
        f"<h3>{escape(TITLES[name])}</h3>\n{_tallies(TITLES[name], table.items())}"
        for name, table in tables.items()
    )


def _tallies(title: str, tallies: Iterable[tuple[str, Tally]]) -> str:
    counts = ("unread", "wrong", "missed", "false_finds")
    head = [title, "tiles", *SHARES, *(name.replace("_", " ") for name in counts)]
    rows = []
    for name, tally in tallies:
        values = tally.to_json()
        shares = [percent(values[key]) for key in SHARES]
        rows.append([name, str(tally.tiles), *shares, *(str(values[key]) for key in counts)])
    return _table(head, rows)


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
    found = guesses(judged)
    if not found:
        return "<p>No tile was found.</p>"
    bins = binned(found)
    rows = []
    for level in LEVELS:
        kept = [right for confidence, right in found if confidence >= level]
        wrong = len(kept) - sum(kept)
        share = percent(wrong / len(kept) if kept else None)
        rows.append(
            [f"at least {level:g}", str(len(kept)), percent(len(kept) / len(found)), str(wrong), share]
        )
    taken = accepted(judged)
    wrong = len(taken) - sum(right for _, right in taken)
    rows.append(
        [
            "as accepted",
            str(len(taken)),
            percent(len(taken) / len(found)),
            str(wrong),
            percent(wrong / len(taken) if taken else None),
        ]
    )
    error = (
        f"<p>Expected calibration error: {100 * calibration_error(bins):.2f} %. What stayed unread "
        "counts with its likeliest face.</p>"
    )
    return _plot(bins) + error + _table(["confidence", "tiles", "of all found", "wrong", "share wrong"], rows)


def _plot(bins: Sequence[Bin]) -> str:
    """The share right over the confidence, a bar for each bin; on the diagonal the two agree."""
    side, left, top = 320, 44, 12
    most = max(part.tiles for part in bins)
    parts = [
        f'<svg role="img" viewBox="0 0 {left + side + 16} {top + side + 44}" width="{left + side + 16}">',
        "<title>Share of finds that are right, by confidence</title>",
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


def _crops(chosen: Sequence[Judged]) -> str:
    if not chosen:
        return "<p>Everything was found and read right.</p>"
    figures = [_figure(entry, image) for entry, image in zip(chosen, crops(chosen), strict=True)]
    note = "<p>Upright as read. Green: the tile as labelled. Magenta: as found.</p>"
    return f'{note}\n<div class="crops">\n' + "\n".join(figures) + "\n</div>"


def _figure(entry: Judged, image: U8 | None) -> str:
    text = escape(", ".join(words(entry)))
    if image is None:
        shown = '<div class="gone">picture not there</div>'
    else:
        shown = f'<img src="{_data_uri(image)}" alt="{text}">'
    caption = f"{text}<br><small>{escape(entry.path.name)}</small>"
    return f"<figure>{shown}<figcaption>{caption}</figcaption></figure>"


def _data_uri(image: U8) -> str:
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])
    if not done:
        raise RuntimeError("the JPEG encoder refused a crop")
    return "data:image/jpeg;base64," + base64.b64encode(data.tobytes()).decode("ascii")
