"""Why tiles are no meld: every problem at once, each with its clause of RULES.md and what to do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.notation import format_tiles
from engine.reasons import Reason
from engine.rules import MELD_MIN_LENGTH, RuleSet
from engine.shapes import group_means, last_place, longest_run, run_means, run_order
from engine.tiles import HIGHEST, Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.values import Shape

SET: Final = "set"
RUN: Final = "run"
GROUP: Final = "group"
JOKERS: Final = "jokers in a meld"
JOKER_PLACE: Final = "what a joker stands for"
"""The clauses: headings of docs/RULES.md."""

MELD_CODES: Final = frozenset(
    {
        "not_in_set",
        "too_many_jokers",
        "too_few_real_tiles",
        "too_many_jokers_for_tiles",
        "too_few_tiles",
        "wrong_order",
        "joker_elsewhere",
        "mixed_colours",
        "mixed_numbers",
        "colour_twice",
        "group_too_long",
        "run_too_long",
        "number_twice",
        "one_inside_run",
        "gap",
    }
)
"""Every code that `meld_reasons` gives."""


def set_reasons(tiles: Sequence[Tile], rules: RuleSet) -> tuple[Reason, ...]:
    """What is against tiles that the rule set is not played with, such as cards among tiles."""
    foreign = tuple(
        tile for tile in tiles if (face := tile.means) is not None and face.colour not in rules.colours
    )
    if not foreign:
        return ()
    colours = " ".join(rules.colours)
    return (
        Reason(
            "not_in_set",
            SET,
            f"{rules.name_en} has no {_list(foreign)}; its colours are {colours}",
            f"{rules.name_ro} nu are {_list(foreign)}; culorile sunt {colours}",
            foreign,
        ),
    )


def joker_reasons(tiles: Sequence[Tile], rules: RuleSet) -> tuple[Reason, ...]:
    """What is against the number of jokers in a meld of these tiles."""
    jokers = tuple(tile for tile in tiles if tile.is_joker)
    if not jokers:
        return ()
    real = len(tiles) - len(jokers)
    reasons: list[Reason] = []
    if len(jokers) > (most := rules.meld_jokers_max):
        reasons.append(
            Reason(
                "too_many_jokers",
                JOKERS,
                f"{len(jokers)} jokers; a meld may have {most} at most",
                f"{len(jokers)} joly; o formație poate avea cel mult {most}",
                jokers,
            )
        )
    if real < (least := rules.meld_real_tiles_min):
        reasons.append(
            Reason(
                "too_few_real_tiles",
                JOKERS,
                f"{_count_en(real, rules)} besides the jokers; a meld needs at least {least}",
                f"{_count_ro(real, rules)} în afară de joly; o formație are nevoie de cel puțin {least}",
                jokers,
            )
        )
    if real < len(jokers) * (ratio := rules.meld_real_tiles_per_joker):
        reasons.append(
            Reason(
                "too_many_jokers_for_tiles",
                JOKERS,
                f"{_count_en(real, rules)} for {len(jokers)} jokers; each needs {_count_en(ratio, rules)}",
                f"{_count_ro(real, rules)} la {len(jokers)} joly; fiecare cere {_count_ro(ratio, rules)}",
                jokers,
            )
        )
    return tuple(reasons)


def meld_reasons(tiles: Sequence[Tile], rules: RuleSet) -> tuple[Reason, ...]:
    """All that is against these tiles, in this order, as a meld; they must not be one.

    The reasons of shape are those of the shape the tiles come nearer to: a group where more of them share a
    number than a colour, a run where more share a colour, and both where neither stands out.
    """
    reasons = [*set_reasons(tiles, rules), *joker_reasons(tiles, rules)]
    if len(tiles) < MELD_MIN_LENGTH:
        reasons.append(_too_few(tiles, rules))
    if run_means(tiles, rules) is None and group_means(tiles, rules) is None:
        reasons += (
            _order_reasons(tiles, rules) or _joker_place_reasons(tiles, rules) or _shape_reasons(tiles, rules)
        )
    return tuple(reasons)


def _too_few(tiles: Sequence[Tile], rules: RuleSet) -> Reason:
    return Reason(
        "too_few_tiles",
        GROUP if _nearer_shape(tiles) == ("group",) else RUN,
        f"{_count_en(len(tiles), rules)}; a meld has at least {MELD_MIN_LENGTH}",
        f"{_count_ro(len(tiles), rules)}; o formație are cel puțin {MELD_MIN_LENGTH}",
        tuple(tiles),
    )


def _order_reasons(tiles: Sequence[Tile], rules: RuleSet) -> list[Reason]:
    order = run_order(tiles, rules)
    if order is None:
        return []
    text = format_tiles(order)
    return [
        Reason(
            "wrong_order",
            RUN,
            f"not a run in this order; lay them as {text}",
            f"nu este o suită în această ordine; așezați-le {text}",
            order,
        )
    ]


def _joker_place_reasons(tiles: Sequence[Tile], rules: RuleSet) -> list[Reason]:
    """Where the tiles would be a meld if each joker stood for what its place asks for."""
    bare = [replace(tile, stands_for=None) if tile.is_joker else tile for tile in tiles]
    means = run_means(bare, rules)
    if means is None:
        # In a group any colour that lacks will do: a joker that names one keeps it.
        numbers = {tile.face.number for tile in tiles if not tile.is_joker}
        taken = {tile.face for tile in tiles if not tile.is_joker}
        for at, tile in enumerate(tiles):
            meant = tile.stands_for
            if meant is not None and meant.number in numbers and meant not in taken:
                taken.add(meant)
                bare[at] = tile
        means = group_means(bare, rules)
    if means is None:
        return []
    wrong = [
        (tile, face)
        for tile, face in zip(tiles, means, strict=True)
        if tile.stands_for is not None and tile.stands_for != face
    ]
    return [
        Reason(
            "joker_elsewhere",
            JOKER_PLACE,
            f"at its place the joker stands for {face}, not {tile.stands_for}; write *={face}",
            f"aici joly-ul ține locul lui {face}, nu al lui {tile.stands_for}; scrieți *={face}",
            (tile,),
        )
        for tile, face in wrong
    ]


def _nearer_shape(tiles: Sequence[Tile]) -> tuple[Shape, ...]:
    colours, numbers = _colours(tiles), _numbers(tiles)
    if not colours:
        return ()
    same_colour, same_number = max(colours.values()), max(numbers.values())
    if same_colour == same_number:
        return ("run", "group")
    return ("run",) if same_colour > same_number else ("group",)


def _shape_reasons(tiles: Sequence[Tile], rules: RuleSet) -> list[Reason]:
    reasons: list[Reason] = []
    for shape in _nearer_shape(tiles):
        reasons += _run_reasons(tiles, rules) if shape == "run" else _group_reasons(tiles, rules)
    return reasons


def _group_reasons(tiles: Sequence[Tile], rules: RuleSet) -> list[Reason]:
    reasons: list[Reason] = []
    number, _ = _numbers(tiles).most_common(1)[0]
    if odd := tuple(tile for tile in tiles if tile.means is not None and tile.means.number != number):
        reasons.append(
            Reason(
                "mixed_numbers",
                GROUP,
                f"a group has one number; {_list(odd)} cannot be in it",
                f"o terță are un singur număr; nu pot fi în ea: {_list(odd)}",
                odd,
            )
        )
    twice = {colour for colour, count in _colours(tiles).items() if count > 1}
    if again := tuple(tile for tile in tiles if tile.means is not None and tile.means.colour in twice):
        reasons.append(
            Reason(
                "colour_twice",
                GROUP,
                f"in a group all colours are different; {_list(again)} are not",
                f"într-o terță toate culorile sunt diferite; {_list(again)} nu sunt",
                again,
            )
        )
    if len(tiles) > (most := len(rules.colours)):
        reasons.append(
            Reason(
                "group_too_long",
                GROUP,
                f"{_count_en(len(tiles), rules)}; a group has {most} at most",
                f"{_count_ro(len(tiles), rules)}; o terță are cel mult {most}",
                tuple(tiles),
            )
        )
    return reasons


def _run_reasons(tiles: Sequence[Tile], rules: RuleSet) -> list[Reason]:
    reasons: list[Reason] = []
    colour, _ = _colours(tiles).most_common(1)[0]
    if odd := tuple(tile for tile in tiles if tile.means is not None and tile.means.colour != colour):
        reasons.append(
            Reason(
                "mixed_colours",
                RUN,
                f"a run has one colour; {_list(odd)} cannot be in it",
                f"o suită are o singură culoare; nu pot fi în ea: {_list(odd)}",
                odd,
            )
        )
    if len(tiles) > (most := longest_run(rules)):
        reasons.append(
            Reason(
                "run_too_long",
                RUN,
                f"{_count_en(len(tiles), rules)}; a run has {most} at most",
                f"{_count_ro(len(tiles), rules)}; o suită are cel mult {most}",
                tuple(tiles),
            )
        )
    return [*reasons, *_number_reasons(tiles, rules)]


def _number_reasons(tiles: Sequence[Tile], rules: RuleSet) -> list[Reason]:
    """What is against the numbers of a run, whatever their order and colours."""
    jokers = sum(tile.means is None for tile in tiles)
    numbers = _numbers(tiles)
    ones_at_both_ends = numbers[1] == 2 and len(_between({*numbers, last_place(rules)})) <= jokers
    twice = {
        number for number, count in numbers.items() if count > 1 and not (number == 1 and ones_at_both_ends)
    }
    reasons: list[Reason] = []
    if again := _with_numbers(tiles, twice):
        reasons.append(
            Reason(
                "number_twice",
                RUN,
                f"a run has each number once; {_list(again)} are not consecutive",
                f"o suită are fiecare număr o singură dată; {_list(again)} nu sunt consecutive",
                again,
            )
        )
    spans = [set(numbers)]
    if 1 in numbers and last_place(rules) > HIGHEST:
        spans.append({last_place(rules) if number == 1 else number for number in numbers})
    missing = min((_between(span) for span in spans), key=len)
    if len(missing) <= jokers or ones_at_both_ends:
        return reasons
    if 1 in numbers and _closes_a_circle(set(numbers), jokers):
        ends = "1-2-3 … 12-13-1" if rules.one_after_13 else "1-2-3"
        reasons.append(
            Reason(
                "one_inside_run",
                RUN,
                f"in a run a 1 lies only at an end, {ends}; never 13-1-2",
                f"într-o suită un 1 stă doar la capăt, {ends}; niciodată 13-1-2",
                _with_numbers(tiles, {1}),
            )
        )
        return reasons
    text = ", ".join(str(1 if number > HIGHEST else number) for number in missing)
    reasons.append(
        Reason(
            "gap",
            RUN,
            f"not consecutive; {text} would have to lie in between",
            f"nu sunt consecutive; lipsește între ele: {text}",
            tuple(tile for tile in tiles if tile.means is not None),
        )
    )
    return reasons


def _between(places: set[int]) -> list[int]:
    """The places that lack between the lowest and the highest of these."""
    return [place for place in range(min(places), max(places)) if place not in places]


def _closes_a_circle(numbers: set[int], jokers: int) -> bool:
    """Whether these numbers would be consecutive if a 2 could follow the 1 after the 13."""
    circle = sorted(numbers)
    widest = max(
        (after - before for before, after in zip(circle, [*circle[1:], circle[0] + HIGHEST], strict=True)),
        default=0,
    )
    return HIGHEST - widest + 1 - len(numbers) <= jokers


def _with_numbers(tiles: Sequence[Tile], numbers: set[int]) -> tuple[Tile, ...]:
    return tuple(tile for tile in tiles if tile.means is not None and tile.means.number in numbers)


def _colours(tiles: Sequence[Tile]) -> Counter[str]:
    return Counter(tile.means.colour for tile in tiles if tile.means is not None)


def _numbers(tiles: Sequence[Tile]) -> Counter[int]:
    return Counter(tile.means.number for tile in tiles if tile.means is not None)


def _list(tiles: Sequence[Tile]) -> str:
    return ", ".join(str(tile) for tile in tiles)


def _count_en(number: int, rules: RuleSet) -> str:
    noun = "card" if rules.with_cards else "tile"
    return f"1 {noun}" if number == 1 else f"{number or 'no'} {noun}s"


def _count_ro(number: int, rules: RuleSet) -> str:
    one, many = ("o carte", "cărți") if rules.with_cards else ("o piesă", "piese")
    if number == 0:
        return "nicio carte" if rules.with_cards else "nicio piesă"
    if number == 1:
        return one
    # 19 piese, 20 de piese, 101 piese, 120 de piese.
    return f"{number} {many}" if 0 < number % 100 < 20 else f"{number} de {many}"
