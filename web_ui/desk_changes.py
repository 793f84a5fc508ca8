"""What a correction changes: two documents of a game side by side, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from web_ui.desk_words import name_of
from web_ui.languages import gettext, in_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True)
class Change:
    """One thing that becomes another; an empty text where there is nothing."""

    what: str
    before: str
    after: str


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return what is otherwise in the second document, scores first."""
    return [one for one in _pairs(before, after) if one.before != one.after]


def _pairs(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    for old, new in zip(before["scores"], after["scores"], strict=False):
        name = name_of(after, new["seat"])
        yield Change(gettext("Score of %(name)s", name=name), _total(old), _total(new))
    yield from _match(before, after)
    for old, new in zip(before["seats"], after["seats"], strict=False):
        name = str(old["name"])
        yield Change(gettext("Name"), name, str(new["name"]))
        yield Change(
            gettext("Tiles on the rack of %(name)s", name=name), str(old["tiles"]), str(new["tiles"])
        )
        yield Change(gettext("%(name)s has opened", name=name), _yes(old["opened"]), _yes(new["opened"]))
    yield Change(gettext("Turn"), _turn(before), _turn(after))
    yield Change(gettext("Phase"), _phase(before["phase"]), _phase(after["phase"]))
    yield Change(gettext("Paused"), _yes(before["paused"]), _yes(after["paused"]))
    yield Change(gettext("Game"), str(before["game"]), str(after["game"]))
    yield Change(gettext("Tiles in the wall"), _text(before["wall"]), _text(after["wall"]))
    yield Change(gettext("Atu"), _text(before["atu"]), _text(after["atu"]))
    yield Change(gettext("Discard row"), " ".join(before["row"]), " ".join(after["row"]))
    old_melds = {meld["id"]: meld for meld in before["melds"]}
    new_melds = {meld["id"]: meld for meld in after["melds"]}
    for key in dict.fromkeys((*old_melds, *new_melds)):
        meld = new_melds.get(key) or old_melds[key]
        what = gettext("Meld %(id)s of %(name)s", id=key, name=name_of(after, meld["seat"]))
        yield Change(what, _meld(old_melds.get(key)), _meld(new_melds.get(key)))
    yield from _refusals(before, after)


def _match(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    old, new = before.get("match"), after.get("match")
    if old is None or new is None:
        return
    yield Change(gettext("Match"), str(old["number"]), str(new["number"]))
    for seat, (was, now) in enumerate(zip(old["totals"], new["totals"], strict=False)):
        name = name_of(after, seat)
        yield Change(gettext("Match total of %(name)s", name=name), str(was), str(now))
    yield Change(gettext("Match over"), _yes(old["over"]), _yes(new["over"]))


def _refusals(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    def said(game: Mapping[str, Any]) -> dict[tuple[int, str], str]:
        return {
            (one["seq"], one["code"]): in_language(ro=one["hint_ro"], en=one["hint"])
            for one in game["refusals"]
        }

    old, new = said(before), said(after)
    for key in dict.fromkeys((*old, *new)):
        what = gettext("Against entry %(number)s", number=key[0])
        yield Change(what, old.get(key, ""), new.get(key, ""))


def _total(score: Mapping[str, Any]) -> str:
    return str(score["total"]) if score["complete"] else gettext("%(total)s so far", total=score["total"])


def _yes(value: object) -> str:
    return gettext("yes") if value else gettext("no")


def _turn(game: Mapping[str, Any]) -> str:
    return "" if game["turn"] is None else name_of(game, game["turn"])


def _phase(phase: str) -> str:
    words = {"deal": gettext("before the deal"), "play": gettext("being played"), "over": gettext("over")}
    return words.get(phase, phase)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _meld(meld: Mapping[str, Any] | None) -> str:
    return "" if meld is None else " + ".join(filter(None, (meld["tiles"], meld["beside"])))
