"""What a rule set counts, in words, from its data: house rules change the words with the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.tiles import CARD_SUITS, HIGHEST
from web_ui.faces import number_label
from web_ui.languages import gettext, in_language, ngettext

if TYPE_CHECKING:
    from engine.rules import RuleSet


def rules_name(rules: RuleSet) -> str:
    """Return the name of the rule set in the visitor's language."""
    return in_language(ro=rules.name_ro, en=rules.name_en)


def uses_cards(rules: RuleSet) -> bool:
    """Return whether the rule set is played with cards."""
    return rules.colours[0] in CARD_SUITS


def rule_notes(rules: RuleSet) -> list[str]:
    """Return the lines that say what counts in a picture under these rules."""
    one = number_label(1, card=uses_cards(rules))
    notes = []
    if rules.melds_score:
        notes.append(gettext("The total is the melds at their final value minus the loose tiles."))
    else:
        notes.append(gettext("Melds score nothing at the end: only what is left over counts, against you."))
    notes.append(_numbers(rules))
    if rules.melds_score and rules.one_final_points is not None:
        notes.append(
            gettext(
                "%(one)s: %(points)d in any meld, %(rack)d when loose.",
                one=one,
                points=rules.one_final_points,
                rack=rules.one_rack_points,
            )
        )
    elif rules.melds_score:
        notes.append(
            gettext(
                "%(one)s: %(low)d in 1-2-3, %(high)d after 13, %(group)d in a group, %(rack)d when loose.",
                one=one,
                low=rules.one_low_points,
                high=rules.one_high_points,
                group=rules.one_group_points,
                rack=rules.one_rack_points,
            )
        )
    else:
        notes.append(gettext("%(one)s: %(rack)d when loose.", one=one, rack=rules.one_rack_points))
    if not rules.melds_score:
        notes.append(gettext("Joker: %(rack)d when loose.", rack=rules.joker_rack_points))
    elif rules.joker_final_points is None:
        notes.append(
            gettext(
                "Joker: in a meld as the tile it stands for, %(rack)d when loose.",
                rack=rules.joker_rack_points,
            )
        )
    else:
        notes.append(
            gettext(
                "Joker: %(points)d in a meld, %(rack)d when loose.",
                points=rules.joker_final_points,
                rack=rules.joker_rack_points,
            )
        )
    jokers = rules.meld_jokers_max
    notes.append(
        ngettext("At most %(num)d joker in a meld.", "At most %(num)d jokers in a meld.", jokers)
        if jokers
        else gettext("No joker in a meld.")
    )
    notes.append(
        gettext("What a photo cannot show is not in it: closing, atu, table games, who put down what.")
    )
    return notes


def _numbers(rules: RuleSet) -> str:
    """Return the values of 2 to 13, neighbours of one value (or all worth their own number) together."""
    spans: list[tuple[int, int, int | None]] = []  # first, last, points; None: its own number
    points = dict(zip(range(2, HIGHEST + 1), rules.number_points, strict=True))
    for number, value in points.items():
        if spans:
            first, last, worth = spans[-1]
            if value == worth or (worth is None and value == number):
                spans[-1] = first, number, worth
                continue
            if first == last and worth == first and value == number:
                spans[-1] = first, number, None
                continue
        spans.append((number, number, value))
    parts = []
    for first, last, worth in spans:
        card = uses_cards(rules)
        start, stop = number_label(first, card=card), number_label(last, card=card)
        which = start if first == last else gettext("%(first)s to %(last)s", first=start, last=stop)
        worth_text = gettext("its number") if worth is None else str(worth)
        parts.append(f"{which}: {worth_text}")
    line = "; ".join(parts) + "."
    return line[0].upper() + line[1:]
