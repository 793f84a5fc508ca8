"""Bags: the laws of multisets, and the sets that games are played with."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bags import Bag, BagError, full_set
from engine.rules import RULE_KEYS, rule_set
from engine.tiles import JOKER, Face
from tests.engine.strategies import faces

bags = st.lists(faces, max_size=12).map(Bag)


@given(st.lists(faces, max_size=12))
def test_a_bag_forgets_the_order_and_nothing_else(drawn: list[Face]) -> None:
    bag = Bag(drawn)
    assert Counter(bag) == Counter(drawn)
    assert len(bag) == len(drawn)
    assert dict(bag.items()) == Counter(drawn)
    assert bag == Bag(reversed(drawn)) == Bag.of(Counter(drawn))
    assert hash(bag) == hash(Bag(reversed(drawn)))
    assert all(bag.count(face) == drawn.count(face) for face in drawn)
    assert all(face in bag for face in drawn)
    assert bool(bag) == bool(drawn)


@given(bags)
def test_text_round_trips(bag: Bag) -> None:
    assert Bag.parse(str(bag)) == bag
    assert repr(bag) == f"Bag.parse({str(bag)!r})"


@given(bags, bags)
def test_sum_and_difference(one: Bag, other: Bag) -> None:
    assert one + other == other + one
    assert (one + other) - other == one
    assert one <= one + other
    assert (one <= other) == (not one.beyond(other))
    assert one.beyond(other) + other == other.beyond(one) + one


def test_taking_what_is_not_there_names_all_of_it() -> None:
    with pytest.raises(BagError, match=r"^not in the bag: r7 \*$") as caught:
        Bag.parse("r7 b2") - Bag.parse("r7 r7 * b2")
    assert caught.value.missing == Bag.parse("* r7")


def test_no_negative_counts() -> None:
    with pytest.raises(ValueError, match="r7: -1"):
        Bag.of({Face("r", 7): -1})
    assert Bag.of({Face("r", 7): 0}) == Bag()


def test_a_bag_is_no_list() -> None:
    assert Bag() != []
    assert Face("r", 1) not in Bag()


@pytest.mark.parametrize("key", [key for key in RULE_KEYS if key != "classic"])
def test_106_tiles(key: str) -> None:
    tiles = full_set(rule_set(key))
    assert (len(tiles), tiles.count(JOKER), tiles.count(Face("y", 13))) == (106, 2, 2)
    assert sum(face.number for face in tiles) == 728


@pytest.mark.parametrize(
    ("pack", "cards", "jokers"), [("52+1", 53, 1), ("52", 52, 0), ("2x52+2", 106, 2), (None, 106, 2)]
)
def test_packs_of_cards(pack: str | None, cards: int, jokers: int) -> None:
    bag = full_set(rule_set("classic"), pack=pack)
    assert (len(bag), bag.count(JOKER)) == (cards, jokers)
    assert Face("r", 1) not in bag


def test_a_pack_it_does_not_have() -> None:
    with pytest.raises(ValueError, match=r"played with 52\+1, 52, 2x52\+2"):
        full_set(rule_set("classic"), pack="54")


def test_players() -> None:
    assert [rule_set(key).players for key in RULE_KEYS] == [(2, 4), (2, 4), (2, 4), (2, 6)]
