"""Judges what the nets say of a picture's finds: which are tiles, what their faces are, how surely."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.readings import Candidate, SeenTile
from engine.tiles import JOKER, Face, Mark, Seen
from vision import confidence as trust
from vision.chance import Chance, columns, like_other_backs
from vision.classes import BACK, COLOURS, NOTHING
from vision.confidence import Confidence

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

ALTERNATIVES = 5
PLACES = 4  # of a confidence


@dataclass(frozen=True)
class Thresholds:
    """Where the reader draws its lines; the card of the weights says them."""

    find: float = 0.1  # a box below it is not looked at
    tile: float = 0.5  # chance that a find is a tile: below it there is none
    down: float = 0.35  # the same of what looks like a tile face down: a false one does little harm
    read: float = 0.5  # chance that a face is right: below it it stays unread
    back: float = 0.5  # the same of a tile face down, which is no face and takes part in no meld


@dataclass(frozen=True)
class Finds:
    """What may be tiles: quads (n, 4, 2) px, and all (n,) 0 to 1: the finder's score, how centred in the
    first and the second look, how well the corners agree."""

    quads: F32
    found: F32
    first: F32
    second: F32
    fit: F32

    def where(self, chosen: NDArray[np.bool_] | I64) -> Finds:
        """Those that are chosen, by a mask (n,) or by their places."""
        return Finds(
            self.quads[chosen], self.found[chosen], self.first[chosen], self.second[chosen], self.fit[chosen]
        )


def joined(first: Finds, second: Finds) -> Finds:
    """The finds of both, those of the second after those of the first."""
    return Finds(
        np.concatenate([first.quads, second.quads]),
        np.concatenate([first.found, second.found]),
        np.concatenate([first.first, second.first]),
        np.concatenate([first.second, second.second]),
        np.concatenate([first.fit, second.fit]),
    )


@dataclass(frozen=True)
class Faces:
    """Probabilities of faces: number (n, 16), colour (n, 4); and whether each stands upside down (n,).

    `agree` (n,) is how likely the number is in that of the two looks (upright, turned) which says less,
    `body` (n, 3) the colours of the bodies as `vision.inks.measure` has them.
    """

    number: F32
    colour: F32
    turned: NDArray[np.bool_]
    agree: F32 | None = None
    body: F32 | None = None

    def where(self, chosen: NDArray[np.bool_] | I64) -> Faces:
        """Those that are chosen, by a mask (n,) or by their places."""
        return Faces(
            self.number[chosen],
            self.colour[chosen],
            self.turned[chosen],
            None if self.agree is None else self.agree[chosen],
            None if self.body is None else self.body[chosen],
        )


@dataclass(frozen=True)
class Evidence:
    """What of a picture's finds is known before it is weighed: what each may show, and the rows of evidence.

    `codes` and `shares` (n, 18) as in `vision.confidence.options`, `rows` (n, 7) as in its `columns`.
    """

    codes: I64
    shares: F64
    rows: F64


def judge(
    finds: Finds, faces: Faces, real: F32, thresholds: Thresholds, confidence: Confidence | None = None
) -> list[SeenTile]:
    """The tiles among the finds, with their corners upright; a face below the threshold stays unread.

    `real` (n,) is how surely each find is a tile (`chances`, of all finds of the picture together). Without a
    fitted `confidence` a face's is its share of number and colour, times that.
    """
    return judge_at(taken(real, faces, thresholds), finds, faces, real, thresholds, confidence)


def judge_at(
    places: I64,
    finds: Finds,
    faces: Faces,
    real: F32,
    thresholds: Thresholds,
    confidence: Confidence | None = None,
) -> list[SeenTile]:
    """The finds at certain places as tiles, in that order; see `judge`."""
    if len(places) == 0:
        return []
    finds, faces, real = finds.where(places), faces.where(places), real[places]
    known = weigh(finds, faces, real, confidence or Confidence())
    codes, shares = known.codes, known.shares
    if confidence is None:
        sure = np.asarray(shares[:, 0] * real, np.float32)
    else:
        sure = confidence.of(known.rows)
        shares = trust.spread(shares, sure)
    told = codes[:, : ALTERNATIVES + 1]
    # Down: what is listed never makes more than 1 together.
    rounded = np.floor(shares[:, : ALTERNATIVES + 1] * 1e6) / 1e6
    return [
        _seen_tile(
            _upright(quad, bool(turned)),
            [Candidate(_face(code), share) for code, share in zip(*row, strict=True)],
            confidence=round(surely, PLACES),
            threshold=thresholds.back if row[0][0] == BACK else thresholds.read,
        )
        for quad, turned, surely, row in zip(
            finds.quads,
            faces.turned,
            sure.tolist(),
            zip(told.tolist(), rounded.tolist(), strict=True),
            strict=True,
        )
    ]


def taken(real: F32, faces: Faces, thresholds: Thresholds) -> I64:
    """Which finds are taken for tiles, given how surely each is one (n,)."""
    down = faces.number[:, :NOTHING].argmax(axis=1) == BACK
    return np.flatnonzero(real >= np.where(down, thresholds.down, thresholds.tile))


def chances(finds: Finds, faces: Faces, chance: Chance) -> F32:
    """How surely each find (n,) of a picture is a tile, 0 to 1; they are measured against each other."""
    return like_other_backs(chance.of(evidence(finds, faces)), faces.number, faces.body)


def evidence(finds: Finds, faces: Faces) -> F64:
    """What speaks for each find being a tile, as the rows of `vision.chance.columns`."""
    return columns(
        finds.found,
        (finds.first, finds.second),
        finds.fit,
        faces.number,
        quads=finds.quads,
        body=faces.body,
    )


def weigh(finds: Finds, faces: Faces, real: F32, confidence: Confidence) -> Evidence:
    """What the faces of finds may be and what speaks for the likeliest, with `real` the chance of a tile."""
    number, colour = calm(faces, confidence)
    codes, shares = trust.options(number, colour)
    agree = faces.number[:, :NOTHING].max(axis=1) if faces.agree is None else faces.agree
    told = (real, agree, finds.fit, trust.shorter_sides(finds.quads))
    return Evidence(codes, shares, trust.columns(codes[:, 0], number, colour, finds=told))


def calm(faces: Faces, confidence: Confidence) -> tuple[F64, F64]:
    """Number (n, 15; of a tile, so without "no tile") and colour (n, 4) at their fitted temperatures."""
    return (
        trust.heated(faces.number[:, :NOTHING], confidence.number_heat),
        trust.heated(faces.colour, confidence.colour_heat),
    )


def _upright(quad: F32, turned: bool) -> F32:
    return np.roll(quad, 2, axis=0) if turned else quad


def _seen_tile(quad: F32, options: list[Candidate], *, confidence: float, threshold: float) -> SeenTile:
    corners = tuple((round(x, 2), round(y, 2)) for x, y in quad.tolist())
    if confidence < threshold:
        return SeenTile(Mark.UNREAD, corners, confidence, tuple(options[:ALTERNATIVES]))
    return SeenTile(options[0].face, corners, confidence, tuple(options[1 : ALTERNATIVES + 1]))


@cache
def _face(code: int) -> Seen:
    if code == trust.JOKER:
        return JOKER
    if code == BACK:
        return Mark.FACE_DOWN
    number, colour = divmod(code - trust.FIRST_FACE, len(COLOURS))
    return Face(COLOURS[colour], number)
