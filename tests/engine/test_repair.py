"""Repair of single tiles: what is mended, what is left alone, what is asked; words and clauses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bags import Bag, full_set
from engine.notation import parse_seen
from engine.readings import Candidate, SeenTile
from engine.repair import Repaired, RepairSettings, repair
from engine.repair_reasons import CONFLICT_CODES, REPAIR_CODES
from engine.rules import RuleSet, rule_set
from engine.tiles import Face, Mark
from tests.engine.strategies import house

ETALAT = rule_set("etalat")
DOUBTFUL = "?:r6=.4,b6=.3,r8=.1"


def tile(text: str) -> SeenTile:
    """`r5`: clear. `r8.6:r6=.35,*=.01`: read with 0.6, and what else it may be. `?:r6=.4`: not read."""
    shown, _, others = text.partition(":")
    word, dot, sure = shown.partition(".")
    listed = [other.split("=") for other in others.split(",")] if others else []
    candidates = tuple(Candidate(parse_seen(face), float(chance)) for face, chance in listed)
    face = parse_seen(word)
    confidence = float(f".{sure}") if dot else 0.4 if face is Mark.UNREAD else 0.99
    return SeenTile(face, (), confidence, candidates)


def mend(*rows: str, rules: RuleSet = ETALAT, settings: RepairSettings | None = None) -> Repaired:
    """The repair of rows, each a text of tiles."""
    tiles: list[SeenTile] = []
    places: list[list[int]] = []
    for row in rows:
        words = row.split()
        places.append(list(range(len(tiles), len(tiles) + len(words))))
        tiles += map(tile, words)
    return repair(tiles, places, rules, settings=settings or RepairSettings())


def shown(repaired: Repaired) -> str:
    return " ".join(str(one.face) for one in repaired.tiles)


@pytest.mark.parametrize(
    ("row", "mended"),
    [
        ("r5 r8.6:r6=.35 r7", "r5 r6 r7"),
        ("r7 r8.6:r6=.35 r5", "r7 r6 r5"),  # falling, as seen from across the table
        ("r5 r6 b7.6:r7=.35", "r5 r6 r7"),
        ("b11.6:r11=.3 r12 r13", "r11 r12 r13"),
        ("r12 r13 k1.5:r1=.4", "r12 r13 r1"),  # the 1 after the 13
        ("r7 k7 y1.6:y7=.3", "r7 k7 y7"),
        ("r7 b1.6:b7=.3 y7 k7", "r7 b7 y7 k7"),
        ("r5 * y7.6:r7=.3", "r5 * r7"),  # a joker in the meld
        ("r5 r6 y8.7:*=.28 r8", "r5 r6 * r8"),  # it is the joker
        (f"r5 {DOUBTFUL} r7", "r5 r6 r7"),
        ("r5 r9.6:r6=.3 y7.6:r7=.3 r8 r9", "r5 r6 r7 r8 r9"),
        ("r5 r6 r7 b7 y1.6:y7=.3 k7", "r5 r6 r7 b7 y7 k7"),  # two melds that touch
    ],
)
def test_a_meld_mends_what_is_unsure_in_it(row: str, mended: str) -> None:
    repaired = mend(row)
    assert shown(repaired) == mended
    assert repaired.proven
    assert not repaired.doubts
    assert [one.index for one in repaired.repairs] == [
        at
        for at, word in enumerate(row.split())
        if word.partition(".")[0].partition(":")[0] != mended.split()[at]
    ]
    for one in repaired.repairs:
        assert one.odds >= 50
        assert one.clause in ("run", "group")
        assert repaired.tiles[one.index].confidence >= 0.98


@pytest.mark.parametrize(
    "row",
    [
        "r5 r8 r7",  # clear, whatever the others are
        "r5 r8.98:r6=.02 r7",
        "r5 r8.9:r6=.05 r7",  # too sure for three tiles
        "r5 r8.6:b9=.35 r7",  # the reader does not see a red 6 in it
        "r5 # r7",
        "r5 #.5:r6=.45 r7",  # face down is never a face
        "r5 y9.6:r9=.3 k2",  # no meld
        "r5 r8.6:r6=.35",  # too short for one
        "r5 r6 r7 r8.6:b8=.35",  # right as it is
        "r5 r9.6:r6=.3 b7.9:k7=.05",
        "r2 k9 y4 r5 r8.6:r6=.35 r7 b1 k13 y8",  # a discard row: melds lie there by chance
        "QH.6:r6=.35 r7 r8 r9 r10",  # foreign
        "r5 ?:b2=.5,k2=.4 r7",
        "?:r6=.9",  # the reader did not dare to, and nothing else speaks for it
    ],
)
def test_what_is_left_as_it_was_read(row: str) -> None:
    words = row.split()
    repaired = mend(row)
    assert repaired.tiles == tuple(tile(word) for word in words)
    assert repaired.repairs == ()
    assert repaired.proven


def test_a_longer_meld_speaks_louder() -> None:
    assert shown(mend("r5 r8.9:r6=.05 r7 r8 r9 r10")) == "r5 r6 r7 r8 r9 r10"


def test_two_faces_that_fit_are_asked() -> None:
    repaired = mend("r5 ?:r6=.4,*=.35 r7")
    assert shown(repaired) == "r5 ? r7"
    (conflict,) = repaired.conflicts
    assert (conflict.code, conflict.clause, conflict.tiles) == ("may_be_another", "run", (1,))
    assert [str(face) for face in conflict.faces] == ["r6", "*"]
    assert conflict.hint_en == "Between red 5 and red 7: may be red 6 or joker"
    assert conflict.hint_ro == "Între 5 roșu și 7 roșu: poate fi 6 roșu sau joly"
    assert repaired.doubts == (1,)
    # Where both jokers lie elsewhere it can only be the red 6.
    assert shown(mend("r5 ?:r6=.4,*=.35 r7", "*", "*")) == "r5 r6 r7 * *"
    # And where both red 6s do, only the joker.
    assert shown(mend("r5 ?:r6=.4,*=.35 r7", "r6", "r6")) == "r5 * r7 r6 r6"


def test_a_group_leaves_two_colours() -> None:
    assert shown(mend("r7 ?:y7=.3,b7=.28 k7")) == "r7 ? k7"
    assert shown(mend("r7 ?:y7=.3,b7=.28 k7", "b7", "b7")) == "r7 y7 k7 b7 b7"
    assert shown(mend("r7 ?:y7=.3,b7=.28 k7 b7")) == "r7 y7 k7 b7"
    # No colour twice in a group.
    assert shown(mend("r7 ?:r7=.5,y7=.3 k7 b7")) == "r7 y7 k7 b7"


def test_an_unread_tile_without_candidates() -> None:
    # A red 6 or a joker fits, and the reader prefers neither.
    assert shown(mend("r5 ? r7")) == "r5 ? r7"
    # With both jokers in sight knowledge leaves one face.
    assert shown(mend("r5 ? r7", "*", "*")) == "r5 r6 r7 * *"
    assert shown(mend("? ? ?")) == "? ? ?"


def test_more_than_the_set_has() -> None:
    repaired = mend("r7", "r7", "r7.6:r1=.35")
    assert shown(repaired) == "r7 r7 r1"
    (one,) = repaired.repairs
    assert (one.code, one.clause, one.meld) == ("more_than_the_set", "set", ())
    assert one.hint_en == "Red 1 read as red 7: all 2 red 7 of the set lie elsewhere"
    assert repaired.tiles[2].alternatives == (Candidate(Face("r", 7), 0.6),)
    # The least sure of them is the wrong one, if it is clearly the least.
    assert shown(mend("r7.97:r1=.001", "r7.96:r1=.001", "r7.6:r1=.35")) == "r7 r7 r1"
    unsure = mend("r7.6:r1=.3", "r7.6:r1=.3", "r7.6:r1=.3")
    assert shown(unsure) == "r7 r7 r7"
    assert unsure.doubts == (0, 1, 2)


def test_clear_readings_that_contradict_are_asked_and_not_changed() -> None:
    repaired = mend("r7 r8 r9", "r7", "r7 b7 k7")
    assert repaired.repairs == ()
    (conflict,) = repaired.conflicts
    assert (conflict.code, conflict.clause, conflict.tiles) == ("more_than_the_set", "set", (0, 3, 4))
    assert repaired.doubts == (0, 3, 4)
    assert "red 7 was read 3 times" in conflict.hint_en.lower()
    assert "7 roșu apare de 3 ori" in conflict.hint_ro
    assert mend("*", "*", "*").doubts == (0, 1, 2)


def test_numbers_settle_nothing_where_two_sets_lie() -> None:
    third = "r7.6:r1=.35"
    assert shown(mend("r7", "r7", third, "b2", "b2", "b2")).split()[2] == "r1"
    two_sets = mend("r7", "r7", third, "b2", "b2", "b2", "k9", "k9", "k9")
    assert two_sets.repairs == ()
    assert two_sets.doubts == (0, 1, 2, 3, 4, 5, 6, 7, 8)
    # A meld still does.
    assert shown(mend("b2", "b2", "b2", "k9", "k9", "k9", "r5 r8.6:r6=.35 r7")).endswith("r5 r6 r7")


def test_no_repair_makes_too_many() -> None:
    # A third red 6 cannot be, so the third place can only be the joker, which the reader does not see.
    repaired = mend("r5 r8.6:r6=.35 r7", "r6", "r6")
    assert shown(repaired) == "r5 r8 r7 r6 r6"
    assert repaired.repairs == ()


def test_words() -> None:
    run, ends, group = mend("r5 r8.6:r6=.35 r7"), mend("r5 r6 b7.6:r7=.35"), mend("r7 k7 y1.6:y7=.3 b7")
    assert run.repairs[0].hint_en == (
        "Red 6 read as red 8: between red 5 and red 7 only red 6 or a joker fits"
    )
    assert run.repairs[0].hint_ro == (
        "6 roșu citit ca 8 roșu: între 5 roșu și 7 roșu se potrivește doar 6 roșu sau joly"
    )
    assert ends.repairs[0].hint_en == "Red 7 read as blue 7: after red 5 and red 6 only red 7 or a joker fits"
    assert group.repairs[0].hint_en == (
        "Yellow 7 read as yellow 1: in a group with red 7, black 7 and blue 7 only yellow 7 or a joker fits"
    )
    assert group.repairs[0].hint_ro == (
        "7 galben citit ca 1 galben: în terța cu 7 roșu, 7 negru și 7 albastru se potrivește doar 7 galben "
        "sau joly"
    )
    assert group.repairs[0].meld == (0, 1, 2, 3)
    unread = mend(f"r5 {DOUBTFUL} r7").repairs[0]
    assert unread.hint_en.startswith("Red 6, not read: between")
    assert unread.hint_ro.startswith("6 roșu, necitit: între")


def test_jokers_as_the_rules_allow() -> None:
    row = "r5 * y7.6:*=.3 r8"
    assert shown(mend(row)) == "r5 * * r8"
    assert shown(mend(row, rules=rule_set("doizece"))) == "r5 * y7 r8"
    assert (
        "joker" not in mend("r5 * y7.6:r7=.3", rules=rule_set("doizece")).repairs[0].hint_en.split("only")[1]
    )


def test_rules_as_data() -> None:
    row = "r12 r13 k1.5:r1=.4"
    assert shown(mend(row, rules=house("etalat", one_after_13=False))) == "r12 r13 k1"
    cards = mend("QH KS.6:KH=.35 AH", rules=rule_set("classic"))
    assert shown(cards) == "QH KH AH"
    assert cards.repairs[0].hint_en.startswith(
        "K of hearts read as K of spades: between Q of hearts and A of"
    )
    # Tiles are foreign among cards.
    assert mend("r5 r8.6:r6=.35 r7", rules=rule_set("classic")).repairs == ()


def test_rows_must_hold_every_tile_once() -> None:
    for rows in ([[0, 1]], [[0, 1, 1, 2]], [[0, 1], [2], [3]]):
        with pytest.raises(ValueError, match="exactly once"):
            repair([tile("r1"), tile("r2"), tile("r3")], rows, ETALAT)
    assert repair([], [], ETALAT) == Repaired((), (), ())


@pytest.mark.parametrize(
    "wrong", [{"floor": 0}, {"floor": 0.5}, {"clear": 0.5}, {"clear": 1.1}, {"odds": 1}, {"most_steps": 0}]
)
def test_settings_that_make_no_sense(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        RepairSettings(**wrong)  # type: ignore[arg-type]


def test_a_search_cut_short_says_so_and_changes_nothing() -> None:
    rows = ["r7", "r7", "r7.6:r1=.35", "r1", "r1.7:r2=.2", "r2.5:r3=.4", "r2", "r2"]
    assert mend(*rows).proven
    cut = mend(*rows, settings=RepairSettings(most_steps=1))
    assert not cut.proven
    assert cut.repairs == ()
    assert 2 in cut.doubts


faces = st.sampled_from([parse_seen(word) for word in ["r5", "r6", "r7", "r8", "b7", "k7", "y7", "*", "r1"]])


@st.composite
def pictures(draw: st.DrawFn) -> tuple[list[SeenTile], list[list[int]]]:
    rows: list[list[int]] = []
    tiles: list[SeenTile] = []
    for _ in range(draw(st.integers(1, 3))):
        row = []
        for _ in range(draw(st.integers(1, 6))):
            face = draw(st.one_of(faces, faces, faces, st.sampled_from(Mark)))
            others = draw(st.lists(faces, max_size=2, unique=True))
            sure = draw(st.sampled_from([0.3, 0.5, 0.7, 0.9, 0.99]))
            share = draw(st.floats(0.2, 0.99)) * (1 - sure)
            row.append(len(tiles))
            listed = tuple(Candidate(other, share / (1 + at)) for at, other in enumerate(others))
            tiles.append(SeenTile(face, (), sure, listed))
        rows.append(row)
    return tiles, rows


@settings(max_examples=150, deadline=None)
@given(pictures())
def test_what_holds_for_every_picture(picture: tuple[Sequence[SeenTile], Sequence[Sequence[int]]]) -> None:
    tiles, rows = picture
    repaired = repair(tiles, rows, ETALAT)
    named = {one.index: one for one in repaired.repairs}
    assert len(named) == len(repaired.repairs)
    for index, (before, after) in enumerate(zip(tiles, repaired.tiles, strict=True)):
        if index not in named:
            assert after is before
            continue
        one = named[index]
        assert (before.face, after.face) == (one.was, one.now)
        assert one.was != one.now
        assert before.face is not Mark.FACE_DOWN
        assert before.face is Mark.UNREAD or before.confidence < 0.98
        assert one.code in REPAIR_CODES
        assert one.hint_en
        assert one.hint_ro
    assert all(one.code in CONFLICT_CODES for one in repaired.conflicts)
    assert set(repaired.doubts) == {index for one in repaired.conflicts for index in one.tiles}
    # No repair brings a face over what the set has.
    was = Bag(one.face for one in tiles if isinstance(one.face, Face)).beyond(full_set(ETALAT))
    now = Bag(one.face for one in repaired.tiles if isinstance(one.face, Face)).beyond(full_set(ETALAT))
    assert now <= was
    # What was mended stays.
    assert repair(repaired.tiles, rows, ETALAT).repairs == ()


def test_every_clause_is_a_heading_of_the_rules() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "RULES.md").read_text(encoding="utf-8")
    for clause in ("run", "group", "set"):
        assert f"\n## {clause}\n" in page


@pytest.mark.parametrize(
    ("now", "was", "mended"),
    [
        ("r8.6:r6=.35", ("r6", 0.995), "r6"),
        ("?:r6=.4,r8=.35", ("r6", 0.995), "r6"),
        ("r8.6:r6=.35", ("r6", 0.9), "r8"),  # not 50 times likelier
        ("r8.6:b8=.35", ("r6", 0.995), "r8"),  # the reader does not name it
        ("?", ("r6", 0.999), "?"),
        ("r8", ("r6", 0.999), "r8"),  # read clearly
    ],
)
def test_what_lay_there_before_weighs_but_never_overrules(
    now: str, was: tuple[str, float], mended: str
) -> None:
    prior = Candidate(parse_seen(was[0]), was[1])
    repaired = repair([tile(now)], [[0]], ETALAT, priors={0: prior})
    assert shown(repaired) == mended
    codes = [one.code for one in repaired.repairs]
    assert codes == (["as_before"] if mended == "r6" else [])


@pytest.mark.parametrize(("sure", "mended", "doubts"), [(0.6, "r5 r6 r7", ()), (0.9, "r5 r8 r7", (1,))])
def test_what_lay_there_before_and_a_meld_are_weighed(
    sure: float, mended: str, doubts: tuple[int, ...]
) -> None:
    read = [tile("r5"), tile("r8.6:r6=.35"), tile("r7")]
    repaired = repair(read, [[0, 1, 2]], ETALAT, priors={1: Candidate(parse_seen("r8"), sure)})
    assert (shown(repaired), repaired.doubts) == (mended, doubts)
