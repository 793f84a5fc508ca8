"""Mends what was read with little confidence by what is known: how many of each there are, what a meld is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from math import exp, log
from typing import TYPE_CHECKING, Final

from engine.readings import Candidate
from engine.repair_beliefs import NONE, beliefs_of, codes_of
from engine.repair_reasons import (
    Conflict,
    Repair,
    as_before,
    by_meld,
    by_number,
    place_in_meld,
    too_many,
    undecided,
)
from engine.repair_rows import Pattern
from engine.repair_search import Problem, another, solve
from engine.tiles import Face, Mark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.readings import SeenTile
    from engine.repair_beliefs import Belief, Codes
    from engine.repair_reasons import Place
    from engine.repair_rows import RowPlan
    from engine.repair_search import Plan
    from engine.rules import RuleSet
    from engine.tiles import Seen

__all__ = ["Conflict", "Repair", "RepairSettings", "Repaired", "repair"]


@dataclass(frozen=True, slots=True)
class RepairSettings:
    """How much knowledge may say against a reading; odds and chances, and their natural logarithms.

    `clear`: a face read with this confidence or more is never changed. `odds`: a repair must be so many times
    likelier than the best explanation without it. `floor`: the least chance of a face that the reader did not
    name. A row of touching tiles may lie there by chance, so that a meld is no proof: `meld_start` and
    `meld_tile` are what a meld and each of its tiles add to the log odds, `meld_most` bounds their sum,
    `meld_joker` is what each joker in it takes off, and `loose_tile` what each loose tile in a row with melds
    takes off. `most_steps` bounds the search.
    """

    clear: float = 0.98
    odds: float = 50.0
    floor: float = 1e-4
    meld_start: float = -0.5
    meld_tile: float = 2.0
    meld_most: float = 12.0
    meld_joker: float = 0.5
    loose_tile: float = 3.0
    most_steps: int = 300

    def __post_init__(self) -> None:
        if not 0 < self.floor <= 0.01:
            raise ValueError(f"floor {self.floor!r} must be over 0 and at most 0.01")
        if not 0.5 < self.clear <= 1:
            raise ValueError(f"clear {self.clear!r} must be over 0.5 and at most 1")
        if not self.odds > 1:
            raise ValueError(f"odds {self.odds!r} must be over 1: else a repair is a guess")
        if self.most_steps < 1:
            raise ValueError(f"most_steps {self.most_steps!r} must be at least 1")


DEFAULT: Final = RepairSettings()

_MOST_MARGIN: Final = 20.0


@dataclass(frozen=True, slots=True)
class Repaired:
    """Tiles after repair, in the same order, what was changed and why, and what does not fit together.

    `doubts` are the indexes of tiles that knowledge speaks against or leaves open without settling it;
    `conflicts` says why, each with its tiles. `proven` is False where the search was cut short: then what it
    had not settled is left as it was read.
    """

    tiles: tuple[SeenTile, ...]
    repairs: tuple[Repair, ...]
    doubts: tuple[int, ...]
    conflicts: tuple[Conflict, ...] = ()
    proven: bool = True


def repair(
    tiles: Sequence[SeenTile],
    rows: Sequence[Sequence[int]],
    rules: RuleSet,
    *,
    settings: RepairSettings = DEFAULT,
    priors: Mapping[int, Candidate] | None = None,
) -> Repaired:
    """The tiles of one picture with what knowledge settles beyond doubt; each change is named.

    `rows` are rows of touching tiles, left to right, as indexes into `tiles` (from `vision.layout.rows`).
    Known are the set of `rules` (its largest pack: two of each tile, two jokers) and its melds; tiles that
    touch may be melds but need not. Of all explanations, faces for all tiles and melds in the rows, the
    likeliest is found exactly. A tile changes only where that is `settings.odds` times likelier than the
    likeliest one that gives the tile another face. A face read clearly, a tile face down and a foreign face
    never change; an unread tile gets a face only where something known speaks for it. Where two faces or more
    are clearly there too often, more than one set lies there, and numbers settle nothing. A repaired tile has
    the confidence of those odds, and what was read among its alternatives. `priors` has by index what a tile
    that has not moved was seen to be before, and how surely: its odds count for that face where the reader
    names it too. ValueError where the rows do not hold every tile exactly once.

    >>> from engine.rules import rule_set
    >>> tile = lambda word, sure, *others: SeenTile(parse_seen(word), (), sure, others)
    >>> from engine.notation import parse_seen
    >>> from engine.readings import SeenTile
    >>> wrong = tile("r8", 0.6, Candidate(parse_seen("r6"), 0.35))
    >>> mended = repair([tile("r5", 0.99), wrong, tile("r7", 0.99)], [[0, 1, 2]], rule_set("etalat"))
    >>> print(*mended.repairs)
    Red 6 read as red 8: between red 5 and red 7 only red 6 or a joker fits
    """
    listed = [index for row in rows for index in row]
    if sorted(listed) != list(range(len(tiles))):
        raise ValueError(f"rows must hold each of the {len(tiles)} tiles exactly once, not {listed}")
    codes = codes_of(rules)
    earlier = priors or {}
    beliefs = beliefs_of(tiles, codes, clear=settings.clear, floor=settings.floor, priors=earlier)
    problem = Problem(
        beliefs,
        tuple(tuple(row) for row in rows),
        codes.copies if _one_set(beliefs, codes) else (len(tiles),) * len(codes.faces),
        Pattern.of(
            rules,
            start=settings.meld_start,
            tile=settings.meld_tile,
            most=settings.meld_most,
            joker=settings.meld_joker,
            loose=settings.loose_tile,
        ),
        settings.most_steps,
    )
    return _judged(tiles, problem, codes, rules=rules, settings=settings, priors=earlier)


def _one_set(beliefs: Sequence[Belief], codes: Codes) -> bool:
    """Whether the picture may show one set alone: one face too many may be misread, two are another set."""
    clear = Counter(one.only for one in beliefs if one.fixed and one.only != NONE)
    return sum(count > codes.copies[code] for code, count in clear.items()) < 2


def _judged(
    tiles: Sequence[SeenTile],
    problem: Problem,
    codes: Codes,
    *,
    rules: RuleSet,
    settings: RepairSettings,
    priors: Mapping[int, Candidate],
) -> Repaired:
    best = solve(problem)
    proven = best.proven
    needed = log(settings.odds)
    repairs: list[Repair] = []
    conflicts: list[Conflict] = []
    for row, plan in zip(problem.rows, best.rows, strict=True):
        for at, (index, pick) in enumerate(zip(row, plan.picks, strict=True)):
            was, belief = tiles[index].face, problem.beliefs[index]
            if belief.fixed or pick == NONE or codes.faces[pick] == was:
                continue
            now = codes.faces[pick]
            place = _place(row, plan, at, codes=codes, rules=rules)
            as_it_was = index in priors and priors[index].face == now
            if place is None and pick == belief.pick and not as_it_was:
                # Nothing known speaks for it but the reader, who did not dare to.
                continue
            other = another(problem, best, index, pick)
            if other.score <= best.score - needed:
                held = {index: (NONE, frozenset((pick,)))}
                other = solve(problem, near=best, held=held, least=best.score - needed)
            # A search cut short says how likely another explanation is at most: this errs on the safe side.
            margin = best.score - other.score if best.proven else 0.0
            if margin >= needed:
                odds = exp(min(margin, _MOST_MARGIN))
                if place is None and as_it_was:
                    repairs.append(as_before(index, was, now, odds=odds))
                else:
                    repairs.append(
                        _named(index, was, now, odds=odds, place=place, belief=belief, codes=codes)
                    )
                continue
            proven = proven and other.proven
            if place is None and was is Mark.UNREAD:
                continue
            rival = _shown(problem, other, index)
            faces = (now, *([codes.faces[rival]] if rival != NONE else []))
            conflicts.append(undecided(index, faces, place=place))
    kept, excess = _without_excess(tiles, repairs, codes)
    conflicts += excess
    mended = list(tiles)
    for one in kept:
        mended[one.index] = _mended(tiles[one.index], one)
    doubts = sorted({index for conflict in conflicts for index in conflict.tiles})
    return Repaired(tuple(mended), tuple(kept), tuple(doubts), tuple(conflicts), proven)


def _place(row: Sequence[int], plan: RowPlan, at: int, *, codes: Codes, rules: RuleSet) -> Place | None:
    for laid in plan.melds:
        if laid.start <= at < laid.stop:
            faces = [codes.faces[code] for code in laid.codes]
            return place_in_meld(laid, row[laid.start : laid.stop], faces, at=at - laid.start, rules=rules)
    return None


def _named(
    index: int, was: Seen, now: Face, *, odds: float, place: Place | None, belief: Belief, codes: Codes
) -> Repair:
    if place is not None:
        return by_meld(index, was, now, odds=odds, place=place)
    out = belief.pick
    return by_number(index, was, now, odds=odds, ruled_out=codes.faces[out], copies=codes.copies[out])


def _shown(problem: Problem, plan: Plan, index: int) -> int:
    """What a tile shows in an explanation, as a code."""
    return next(
        pick
        for row, planned in zip(problem.rows, plan.rows, strict=True)
        for one, pick in zip(row, planned.picks, strict=True)
        if one == index
    )


def _without_excess(
    tiles: Sequence[SeenTile], repairs: Sequence[Repair], codes: Codes
) -> tuple[list[Repair], list[Conflict]]:
    """The repairs that make no face more than there are, and a conflict for each that still is more."""
    kept = list(repairs)
    while True:
        now = {one.index: one.now for one in kept}
        shown: dict[Face, list[int]] = {}
        for index, tile in enumerate(tiles):
            face = now.get(index, tile.face)
            if isinstance(face, Face) and face in codes.code:
                shown.setdefault(face, []).append(index)
        excess = {face: at for face, at in shown.items() if len(at) > codes.copies[codes.code[face]]}
        fewer = [one for one in kept if one.now not in excess]
        if len(fewer) == len(kept):
            conflicts = [too_many(face, at, codes.copies[codes.code[face]]) for face, at in excess.items()]
            return kept, conflicts
        kept = fewer


def _mended(tile: SeenTile, one: Repair) -> SeenTile:
    others = tuple(other for other in tile.alternatives if other.face not in (one.now, one.was))
    if isinstance(one.was, Face):
        others = (Candidate(one.was, tile.confidence), *others)
    sure = round(one.odds / (1 + one.odds), 4)
    return replace(tile, face=one.now, confidence=sure, alternatives=others)
