"""Names all tiles of a set laid out in rows: by what is read, what lies beside it, and what a set has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.errors import HintedError
from engine.readings import Candidate, Quad
from engine.tiles import HIGHEST, JOKER, TILE_COLOURS, Face, Mark, Seen
from vision import census_rows
from vision.classes import BACK, NOTHING
from vision.layout import rows
from vision.sightings import Sighting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    F64 = NDArray[np.float64]

FACES: Final = (*(Face(slot, number) for slot in TILE_COLOURS for number in range(1, HIGHEST + 1)), JOKER)
"""The 53 faces, red 1 to 13 first, the joker last: the order of all arrays here."""

COPIES: Final = 2
WHOLE_SET: Final = COPIES * len(FACES)
FEWEST: Final = 80
"""Tiles that must be found: with fewer neither rows nor inventory say what was misread."""
MOST: Final = 130
MOST_DOWN: Final = 12
"""Tiles that may look like backs: jokers, and what somebody forgot to turn."""
SMALLEST: Final = 18.0
"""Pixels of width that a tile must have to teach by."""

SURE: Final = 0.9
"""An assignment below it is asked."""
CLEAR: Final = 0.95
"""A reading above it that was overruled is asked, unless the reader errs so on this set again and again."""
SYSTEMATIC: Final = 3
CANDIDATES: Final = 5

_ROUNDS: Final = 8
_NUMBER_DOUBT, _COLOUR_DOUBT = 0.01, 0.005  # how often a net may be wrong though it is sure
_STRANGE = -4.0  # nats: a tile further than that from all classes is likelier a joker
_LIKENESS_LIMIT = 6.0  # what likeness to the other tiles of a face may say at most, in nats
_THIRD = 6.0  # what a third tile of a face costs, in nats
_NAMELESS = 9.0  # what a tile without a face costs
_SETTLED = 60.0


class CensusError(HintedError):
    """The pictures are no census; says why and what to do, in both languages."""


@dataclass(frozen=True)
class CensusTile:
    """A tile of the census: where it lies, what it is, and what the reader alone took it for.

    `face` is a face, `#` for a tile face down, `?` where nothing fits. `asked` says that a person should
    look; `settled` that one did.
    """

    picture: int
    quad: Quad
    face: Seen
    confidence: float
    read_as: Seen
    candidates: tuple[Candidate, ...]
    asked: bool
    settled: bool = False


@dataclass(frozen=True)
class Census:
    """All tiles, row by row, and what a set of 106 has more or less of, each face as often as it is so.

    `misread` counts the tiles that the reader alone took for another face.
    """

    tiles: tuple[CensusTile, ...]
    missing: tuple[Face, ...]
    extra: tuple[Face, ...]

    @property
    def asked(self) -> tuple[int, ...]:
        """Indexes of the tiles that a person should look at."""
        return tuple(index for index, tile in enumerate(self.tiles) if tile.asked)

    @property
    def misread(self) -> int:
        """How many tiles the reader alone took for another face than the census."""
        return sum(isinstance(tile.face, Face) and tile.face != tile.read_as for tile in self.tiles)

    @property
    def complete(self) -> bool:
        """Whether it is exactly a set."""
        return not self.missing and not self.extra and not self.asked


def check(sighting: Sighting) -> None:
    """Raises CensusError where a sighting can't be a census, with the next step."""
    found = len(sighting)
    if found < FEWEST:
        raise CensusError(
            "too_few",
            hint_en=f"Only {found} tiles were found, a set has {WHOLE_SET}. Lay all of them face up in rows, "
            "not on top of each other, and take one picture from above, or one of each half.",
            hint_ro=f"S-au găsit doar {found} piese, un set are {WHOLE_SET}. Așezați-le pe toate cu fața în "
            "sus, în rânduri, fără să se suprapună, și faceți o poză de sus sau câte una pentru fiecare "
            "jumătate.",
        )
    if found > MOST:
        raise CensusError(
            "too_many",
            hint_en=f"{found} tiles were found, a set has {WHOLE_SET}. Lay out one set only, and let no tile "
            "be in two pictures.",
            hint_ro=f"S-au găsit {found} piese, un set are {WHOLE_SET}. Așezați un singur set și aveți grijă "
            "ca nicio piesă să nu apară în două poze.",
        )
    down = int((sighting.number[:, : BACK + 1].argmax(axis=1) == BACK).sum())
    if down > MOST_DOWN:
        raise CensusError(
            "face_down",
            hint_en=f"{down} tiles seem to lie face down. Turn all tiles face up and take the picture again; "
            "if they lie so, a lamp washes them out: move it or the tiles, or let the camera expose less.",
            hint_ro=f"{down} piese par să fie cu fața în jos. Întoarceți toate piesele cu fața în sus și "
            "faceți din nou poza; dacă stau deja așa, o lampă le albește: mutați lampa sau piesele, ori "
            "reduceți expunerea camerei.",
        )
    width = sighting.width_px
    if width < SMALLEST:
        raise CensusError(
            "too_small",
            hint_en=f"The tiles are only {width:.0f} pixels wide, to teach by they must have {SMALLEST:.0f}. "
            "Come closer, or take one picture of each half.",
            hint_ro=f"Piesele au doar {width:.0f} pixeli lățime, iar pentru învățare trebuie {SMALLEST:.0f}. "
            "Apropiați-vă sau faceți câte o poză pentru fiecare jumătate.",
        )


def take_census(sighting: Sighting, settled: Mapping[int, Seen | None] | None = None) -> Census:
    """Names every tile of a sighting; what a person said (by index; None: no tile) is taken as it is.

    Tiles keep the order and the indexes of the sighting, whatever was settled; one that is no tile is given
    as unread, with confidence 1, and is counted nowhere. Raises CensusError where it can't be a census,
    IndexError for an answer about no tile.
    """
    check(sighting)
    said = dict(settled or {})
    for index in said:
        if not 0 <= index < len(sighting):
            raise IndexError(f"there is no tile {index}, only 0 to {len(sighting) - 1}")
    # What looks like a back may be a joker nobody has seen: it is named like the others, and asked.
    members = np.asarray(
        [index for index in range(len(sighting)) if isinstance(said.get(index, JOKER), Face)], np.int64
    )
    place = {int(index): at for at, index in enumerate(members)}
    pinned = {place[index]: FACES.index(face) for index, face in said.items() if isinstance(face, Face)}
    chances = _chances(sighting, members, pinned)
    faces = _fill(chances, pinned)
    return _census(sighting, said, members, chances, faces)


def _chances(sighting: Sighting, members: NDArray[np.int64], pinned: Mapping[int, int]) -> F64:
    """Probabilities (m, 53) of the faces of the members, each row summing to 1."""
    number, colour = _read(sighting, members)
    chains = _chains(sighting, members)
    hidden = sighting.hidden[members].astype(np.float64)
    hidden /= np.linalg.norm(hidden, axis=1, keepdims=True) + 1e-6
    ink = sighting.measured[members, :3].astype(np.float64)
    likeness_number, likeness_colour = np.zeros_like(number), np.zeros_like(colour)
    weights, pressure = census_rows.START, np.zeros(len(FACES))
    chances = np.zeros((len(members), len(FACES)))
    for turn in range(_ROUNDS):
        evidence = _evidence(number + likeness_number, colour + likeness_colour)
        for at, face in pinned.items():
            evidence[at] = -_SETTLED
            evidence[at, face] = 0
        chances, weights, pressure = census_rows.settle(evidence, chains, weights, pressure)
        if turn == _ROUNDS - 1:
            break
        by_number = np.concatenate([chances[:, -1:], _by_colour(chances).sum(axis=1)], axis=1)
        likeness_number = _likeness(hidden, by_number, spread=0.02, stranger=0)
        likeness_colour = _likeness(ink, _by_colour(chances).sum(axis=2), spread=0.08)
    return chances


def _by_colour(chances: F64) -> F64:
    return np.asarray(chances[:, :-1].reshape(-1, len(TILE_COLOURS), HIGHEST))


def _read(sighting: Sighting, members: NDArray[np.int64]) -> tuple[F64, F64]:
    """Log chances of number (m, 14) and colour (m, 4) as read, never quite sure."""
    number = sighting.number[members].astype(np.float64)
    # A joker nobody has seen looks like a back, or like nothing that the net knows.
    number[:, 0] += 0.3 * number[:, BACK] + 0.3 * number[:, NOTHING]
    number = number[:, :14] + 1e-6
    number /= number.sum(axis=1, keepdims=True)
    colour = sighting.colour[members].astype(np.float64)
    number = (1 - _NUMBER_DOUBT) * number + _NUMBER_DOUBT / number.shape[1]
    colour = (1 - _COLOUR_DOUBT) * colour + _COLOUR_DOUBT / colour.shape[1]
    return np.log(number), np.log(colour)


def _evidence(number: F64, colour: F64) -> F64:
    """Log likelihoods (m, 53) from those of number (m, 14) and colour (m, 4)."""
    inked = number[:, None, 1:] + colour[:, :, None]
    # A joker has no colour that would be known: it is charged what an even guess costs.
    joker = number[:, :1] + colour.max(axis=1, keepdims=True) + np.log(1 / len(TILE_COLOURS))
    return np.concatenate([inked.reshape(len(number), -1), joker], axis=1)


def _likeness(features: F64, shares: F64, *, spread: float, stranger: int | None = None) -> F64:
    """Log of how alike each tile (m, d) is to the others of each class, `shares` (m, k) saying who is of it.

    A tile is compared with the mean of the others, so that none confirms itself; a class with less than one
    other tile says nothing. `stranger` is a class whose tiles may look like no other: the two jokers of many
    sets differ.
    """
    whole, count = shares.T @ features, shares.sum(axis=0)
    rest = count[None] - shares
    means = (whole[None] - shares[..., None] * features[:, None]) / np.maximum(rest, 1e-6)[..., None]
    apart = ((features[:, None] - means) ** 2).sum(axis=2)
    inner = float((apart * shares).sum() / max(1.0, shares.sum()))
    score = -apart / (2 * (inner / 2 + spread**2))
    known = rest >= 1
    score = np.where(known, score, np.median(score, axis=1, keepdims=True))
    if stranger is not None:
        score[:, stranger] = np.maximum(score[:, stranger], _STRANGE)
    score -= score.max(axis=1, keepdims=True)
    return np.asarray(np.maximum(score, -_LIKENESS_LIMIT))


def _chains(sighting: Sighting, members: NDArray[np.int64]) -> list[list[int]]:
    """Rows of neighbours, as places among the members."""
    place = {int(index): at for at, index in enumerate(members)}
    found = []
    for picture in range(sighting.pictures):
        here = [int(index) for index in members if sighting.picture[index] == picture]
        found += [[place[here[at]] for at in row] for row in rows(sighting.quads[here])]
    return found


def _fill(chances: F64, pinned: Mapping[int, int]) -> list[int | None]:
    """The face of each member so that all together are likeliest: two of each, a third one dearly."""
    from scipy.optimize import linear_sum_assignment

    cost = -np.log(np.maximum(chances, 1e-12))
    for at, face in pinned.items():
        cost[at] = _SETTLED
        cost[at, face] = -_SETTLED
    spare = np.full((len(cost), len(cost)), _NAMELESS)
    table = np.concatenate([cost] * COPIES + [cost + _THIRD] * 2 + [spare], axis=1)
    _, columns = linear_sum_assignment(table)
    regular = len(FACES) * (COPIES + 2)
    return [int(column) % len(FACES) if column < regular else None for column in columns]


def _census(
    sighting: Sighting,
    said: Mapping[int, Seen | None],
    members: NDArray[np.int64],
    chances: F64,
    faces: Sequence[int | None],
) -> Census:
    place = {int(index): at for at, index in enumerate(members)}
    read = [_read_as(sighting, index) for index in range(len(sighting))]
    counts = np.zeros(len(FACES), int)
    for face in faces:
        if face is not None:
            counts[face] += 1
    overruled: dict[tuple[int, int], int] = {}
    for at, index in enumerate(members):
        seen, face = read[index], faces[at]
        if isinstance(seen, Face) and face is not None and seen != FACES[face]:
            pair = (seen.number, FACES[face].number)
            overruled[pair] = overruled.get(pair, 0) + 1
    tiles = []
    for index in range(len(sighting)):
        quad: Quad = tuple((float(x), float(y)) for x, y in sighting.quads[index])
        picture = int(sighting.picture[index])
        if index in said:
            answer = Mark.UNREAD if (told := said[index]) is None else told
            tiles.append(CensusTile(picture, quad, answer, 1.0, read[index], (), asked=False, settled=True))
            continue
        at = place[index]
        order = np.argsort(-chances[at])[:CANDIDATES]
        options = tuple(Candidate(FACES[face], round(float(chances[at, face]), 4)) for face in order)
        chosen = faces[at]
        if chosen is None:
            tiles.append(CensusTile(picture, quad, Mark.UNREAD, 0.0, read[index], options, asked=True))
            continue
        confidence = round(float(chances[at, chosen]), 4)
        asked = confidence < SURE or int(counts[chosen]) > COPIES
        seen = read[index]
        if not isinstance(seen, Face):
            asked = True
        elif seen != FACES[chosen] and _clear(sighting, index):
            asked = asked or overruled[seen.number, FACES[chosen].number] < SYSTEMATIC
        others = tuple(option for option in options if option.face != FACES[chosen])
        tiles.append(CensusTile(picture, quad, FACES[chosen], confidence, seen, others, asked))
    missing = [face for face, count in zip(FACES, counts, strict=True) for _ in range(COPIES - count)]
    extra = [face for face, count in zip(FACES, counts, strict=True) for _ in range(count - COPIES)]
    return Census(tuple(tiles), tuple(missing), tuple(extra))


def _read_as(sighting: Sighting, index: int) -> Seen:
    """What the reader alone takes a tile for."""
    number = int(sighting.number[index, : BACK + 1].argmax())
    if number == BACK:
        return Mark.FACE_DOWN
    return JOKER if number == 0 else Face(TILE_COLOURS[int(sighting.colour[index].argmax())], number)


def _clear(sighting: Sighting, index: int) -> bool:
    sure = float(sighting.number[index, : BACK + 1].max())
    seen = _read_as(sighting, index)
    inked = isinstance(seen, Face) and not seen.is_joker
    return sure * (float(sighting.colour[index].max()) if inked else 1.0) >= CLEAR
