"""Repairs and conflicts as data: what was changed or does not fit, by which clause, in words for players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.meld_reasons import GROUP, RUN, SET, joker_reasons
from engine.shapes import face_at
from engine.tiles import JOKER, Face, Mark, Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.repair_rows import Laid
    from engine.rules import RuleSet
    from engine.tiles import Seen

REPAIR_CODES: Final = frozenset({"run_needs", "group_needs", "more_than_the_set", "as_before"})
"""Every code that a repair has."""

CONFLICT_CODES: Final = frozenset({"more_than_the_set", "may_be_another"})
"""Every code that a conflict has."""

_COLOURS_EN: Final = {"r": "red", "y": "yellow", "b": "blue", "k": "black"}
_COLOURS_RO: Final = {"r": "roșu", "y": "galben", "b": "albastru", "k": "negru"}
_SUITS_EN: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_SUITS_RO: Final = {"S": "pică", "H": "inimă", "D": "romb", "C": "treflă"}
_RANKS: Final = {1: "A", 11: "J", 12: "Q", 13: "K"}


@dataclass(frozen=True, slots=True)
class Repair:
    """One tile that was changed: its index, what was read, what it is, and why.

    `odds`: so many times likelier than any other face. `meld` has the indexes of the meld that speaks for it
    and is empty where the number of tiles does. `clause` is a heading of the page of rules.
    """

    index: int
    was: Seen
    now: Face
    odds: float
    code: str
    clause: str
    hint_en: str
    hint_ro: str
    meld: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.hint_en


@dataclass(frozen=True, slots=True)
class Conflict:
    """Tiles that do not fit together or leave two faces open, for someone to look at.

    `tiles` are indexes, `faces` what there is too much of, or what the one tile may be, likeliest first.
    """

    code: str
    clause: str
    tiles: tuple[int, ...]
    faces: tuple[Face, ...]
    hint_en: str
    hint_ro: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tile lies in a meld: the meld, the indexes of its tiles, all their faces, and the place."""

    laid: Laid
    tiles: tuple[int, ...]
    faces: tuple[Face, ...]
    at: int
    fits: tuple[Face, ...]
    """The faces that the other tiles of the meld leave for this place, the joker last."""


def by_meld(index: int, was: Seen, now: Face, *, odds: float, place: Place) -> Repair:
    """The repair of a tile by its place in a meld."""
    read_en, read_ro = _as_read(was, now)
    where_en, where_ro = _where(place)
    only_en = _listed([name_en(face) for face in place.fits], "or a")
    only_ro = _listed([name_ro(face) for face in place.fits], "sau")
    if JOKER not in place.fits:
        only_en = _listed([name_en(face) for face in place.fits], "or")
    return Repair(
        index,
        was,
        now,
        odds,
        "run_needs" if place.laid.shape == "run" else "group_needs",
        RUN if place.laid.shape == "run" else GROUP,
        _begun(f"{read_en}: {where_en} only {only_en} fits"),
        _begun(f"{read_ro}: {where_ro} se potrivește doar {only_ro}"),
        place.tiles,
    )


def by_number(index: int, was: Seen, now: Face, *, odds: float, ruled_out: Face, copies: int) -> Repair:
    """The repair of a tile by how many there are of the face that it would else be."""
    read_en, read_ro = _as_read(was, now)
    out_en, out_ro = name_en(ruled_out), name_ro(ruled_out)
    all_en = (
        f"all {copies} {out_en} of the set lie elsewhere" if copies > 1 else f"the {out_en} lies elsewhere"
    )
    all_ro = f"toate cele {copies} piese {out_ro}" if copies > 1 else f"piesa {out_ro}"
    lie_ro = "sunt în altă parte" if copies > 1 else "este în altă parte"
    return Repair(
        index,
        was,
        now,
        odds,
        "more_than_the_set",
        SET,
        _begun(f"{read_en}: {all_en}"),
        _begun(f"{read_ro}: {all_ro} {lie_ro}"),
    )


def as_before(index: int, was: Seen, now: Face, *, odds: float) -> Repair:
    """The repair of a tile by what was seen at its place before, since it has not moved."""
    read_en, read_ro = _as_read(was, now)
    return Repair(
        index,
        was,
        now,
        odds,
        "as_before",
        SET,
        _begun(f"{read_en}: {name_en(now)} lay there before and has not moved"),
        _begun(f"{read_ro}: {name_ro(now)} era acolo și înainte și nu a fost mutată"),
    )


def too_many(face: Face, tiles: Sequence[int], copies: int) -> Conflict:
    """More of a face than the set has, so that one of these tiles must be misread."""
    return Conflict(
        "more_than_the_set",
        SET,
        tuple(tiles),
        (face,),
        _begun(f"{name_en(face)} was read {len(tiles)} times, the set has {copies}: look which is misread"),
        _begun(f"{name_ro(face)} apare de {len(tiles)} ori, setul are {copies}: vedeți care e citită greșit"),
    )


def undecided(index: int, faces: Sequence[Face], *, place: Place | None) -> Conflict:
    """A tile that may be one of several faces, and nothing known settles which."""
    en = f"may be {_listed([name_en(face) for face in faces], 'or')}"
    ro = f"poate fi {_listed([name_ro(face) for face in faces], 'sau')}"
    clause = SET
    if place is not None:
        clause = RUN if place.laid.shape == "run" else GROUP
        where_en, where_ro = _where(place)
        en, ro = f"{where_en}: {en}", f"{where_ro}: {ro}"
    return Conflict("may_be_another", clause, (index,), tuple(faces), _begun(en), _begun(ro))


def name_en(seen: Seen) -> str:
    """The name of a face in English, in lower case: `red 6`, `joker`, `Q of hearts`."""
    if isinstance(seen, Mark):
        return "not read" if seen is Mark.UNREAD else "face down"
    if seen.is_joker:
        return "joker"
    if seen.is_card:
        return f"{_RANKS.get(seen.number, seen.number)} of {_SUITS_EN[seen.colour]}"
    return f"{_COLOURS_EN[seen.colour]} {seen.number}"


def name_ro(seen: Seen) -> str:
    """The name of a face in Romanian: `6 roșu`, `joly`, `Q de inimă`."""
    if isinstance(seen, Mark):
        return "necitită" if seen is Mark.UNREAD else "cu fața în jos"
    if seen.is_joker:
        return "joly"
    if seen.is_card:
        return f"{_RANKS.get(seen.number, seen.number)} de {_SUITS_RO[seen.colour]}"
    return f"{seen.number} {_COLOURS_RO[seen.colour]}"


def place_in_meld(
    laid: Laid, tiles: Sequence[int], faces: Sequence[Face], *, at: int, rules: RuleSet
) -> Place:
    """The place of a tile in a meld: the indexes of the meld's tiles, all their faces, and which it is."""
    others = [face for place, face in enumerate(faces) if place != at and not face.is_joker]
    if laid.run is None:
        lying = {face.colour for face in others}
        fits = [Face(colour, others[0].number) for colour in rules.colours if colour not in lying]
    else:
        first, step = laid.run
        fits = [face_at(others[0].colour, first + step * at)]
    with_joker = [Tile(face) for face in (*others, *[JOKER] * (len(faces) - len(others)))]
    if faces[at].is_joker or not joker_reasons(with_joker, rules):
        fits.append(JOKER)
    return Place(laid, tuple(tiles), tuple(faces), at, tuple(fits))


def _where(place: Place) -> tuple[str, str]:
    faces, at = place.faces, place.at
    if place.laid.shape == "group":
        others = [face for other, face in enumerate(faces) if other != at]
        return (
            f"in a group with {_listed([name_en(face) for face in others], 'and')}",
            f"în terța cu {_listed([name_ro(face) for face in others], 'și')}",
        )
    if 0 < at < len(faces) - 1:
        before, after = faces[at - 1], faces[at + 1]
        return (
            f"between {name_en(before)} and {name_en(after)}",
            f"între {name_ro(before)} și {name_ro(after)}",
        )
    two = faces[1:3] if at == 0 else faces[-3:-1]
    names_en = _listed([name_en(face) for face in two], "and")
    names_ro = _listed([name_ro(face) for face in two], "și")
    return (
        (f"before {names_en}", f"înainte de {names_ro}")
        if at == 0
        else (f"after {names_en}", f"după {names_ro}")
    )


def _as_read(was: Seen, now: Face) -> tuple[str, str]:
    if isinstance(was, Mark):
        return f"{name_en(now)}, not read", f"{name_ro(now)}, necitit"
    return f"{name_en(now)} read as {name_en(was)}", f"{name_ro(now)} citit ca {name_ro(was)}"


def _listed(names: Sequence[str], last: str) -> str:
    return f" {last} ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]
