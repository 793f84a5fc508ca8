"""What the reader says of each tile as log odds over all faces of a rule set, for the repair."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import TYPE_CHECKING, Final

from engine.bags import full_set
from engine.tiles import HIGHEST, JOKER, Face, Mark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.readings import Candidate, SeenTile
    from engine.rules import RuleSet
    from engine.tiles import Seen

NONE: Final = -1
"""The code of what is no face of the rule set, or none in particular."""

MOST_PRIOR: Final = 0.998
"""However surely a tile was read before: it may have been changed for another, or misread then."""


@dataclass(frozen=True, slots=True)
class Codes:
    """The faces of a rule set as numbers: colour by colour, 1 to 13, and the joker last."""

    faces: tuple[Face, ...]
    code: Mapping[Face, int]
    copies: tuple[int, ...]
    """How many of each face the set has."""

    @property
    def joker(self) -> int:
        """The code of the joker."""
        return len(self.faces) - 1


def codes_of(rules: RuleSet) -> Codes:
    """The codes of the faces of a rule set, and how many its largest pack has of each."""
    faces = [Face(colour, number) for colour in rules.colours for number in range(1, HIGHEST + 1)]
    every = (*faces, JOKER)
    pack = full_set(rules)
    return Codes(
        every, {face: code for code, face in enumerate(every)}, tuple(pack.count(face) for face in every)
    )


@dataclass(frozen=True, slots=True)
class Belief:
    """How likely each face is for one tile, as log odds against its likeliest (0): codes to numbers <= 0.

    `listed` are the codes that the reader named. `aside` is the best of all that is no face of the rule set
    or none in particular. `only` is the code of a tile that can be just one face, else NONE; `fixed` says
    that nothing else is possible, face or not. `loose` is the best chance outside of a meld, `pick` what it
    is.
    """

    chances: Sequence[float]
    listed: tuple[int, ...]
    aside: float
    only: int
    fixed: bool
    loose: float
    pick: int


def belief(chances: Sequence[float], listed: tuple[int, ...], aside: float) -> Belief:
    """The belief with its derived parts."""
    pick, loose = NONE, aside
    for code in listed:
        if chances[code] > loose:
            pick, loose = code, chances[code]
    only = listed[0] if len(listed) == 1 and aside == -inf else NONE
    return Belief(chances, listed, aside, only, aside == -inf and only != NONE, loose, pick)


def settled(code: int, count: int, chance: float = 0.0) -> Belief:
    """The belief in one face alone, of `count` codes; in no face at all for NONE."""
    chances = [-inf] * count
    if code == NONE:
        return Belief(chances, (), 0.0, NONE, True, 0.0, NONE)
    chances[code] = chance
    return Belief(chances, (code,), -inf, code, True, chance, code)


def without(now: Belief, *codes: int) -> Belief:
    """The belief in anything but these faces."""
    chances = list(now.chances)
    for code in codes:
        chances[code] = -inf
    return belief(chances, tuple(code for code in now.listed if code not in codes), now.aside)


def beliefs_of(
    tiles: Sequence[SeenTile],
    codes: Codes,
    *,
    clear: float,
    floor: float,
    priors: Mapping[int, Candidate] | None = None,
) -> tuple[Belief, ...]:
    """The belief about each tile.

    A clear face, a foreign one and a tile face down are certain. Else what the reader left over of its 1 is
    shared among the faces that it did not name, each at most as likely as the least that it named. `priors`
    has by index what a tile was seen to be before, with a confidence: it adds those odds to that face, where
    the reader names it among others.
    """
    count = len(codes.faces)
    certain: dict[int, Belief] = {}
    found = []
    earlier = priors or {}
    for index, tile in enumerate(tiles):
        code = codes.code.get(tile.face, NONE) if isinstance(tile.face, Face) else NONE
        if tile.face is Mark.UNREAD or (code != NONE and tile.confidence < clear):
            found.append(_doubtful(tile, codes, floor=floor, prior=earlier.get(index)))
            continue
        if code not in certain:
            certain[code] = settled(code, count)
        found.append(certain[code])
    return tuple(found)


def _doubtful(tile: SeenTile, codes: Codes, *, floor: float, prior: Candidate | None) -> Belief:
    named: dict[Seen, float] = {}
    for other in tile.alternatives:
        if other.face is not Mark.UNREAD:
            named[other.face] = max(named.get(other.face, 0.0), other.confidence, floor)
    if tile.face is not Mark.UNREAD:
        # The reader took it for the likeliest, whatever it thinks of there being a tile at all.
        named[tile.face] = max([tile.confidence, floor, *named.values()])
    count = len(codes.faces)
    left = max(0.0, 1.0 - sum(named.values())) / max(1, count - len(named))
    others = [chance for face, chance in named.items() if face != tile.face]
    rest = max(floor, min([left, *others]))
    # A face that the reader does not even name is no longer there, whatever lay there before.
    if prior is not None and prior.face in named and prior.confidence > 0.5:
        sure = min(prior.confidence, MOST_PRIOR)
        named[prior.face] *= sure / (1 - sure)
    most = max([rest, *named.values()])
    chances = [log(rest / most)] * count
    aside = log(rest / most)
    listed = []
    for face, chance in named.items():
        code = codes.code.get(face, NONE) if isinstance(face, Face) else NONE
        if code == NONE:
            aside = max(aside, log(chance / most))
        else:
            chances[code] = log(chance / most)
            listed.append(code)
    return belief(chances, tuple(listed), aside)
