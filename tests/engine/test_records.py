"""Records: what cannot be read is named by line and field, what breaks a rule is kept, corrections answered."""

# ruff: noqa: E501  a broken line reads best whole

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.corrections import effective
from engine.records import Record, RecordError, format_record, new_record, parse_record
from engine.replay import Conflict, conflicts, correct, replay
from engine.rules import RuleError
from tests.engine.games import codes, entry, play, record, totals

GAME = """
    deal 15 14 atu b13
    0 - k2
    1 + ?
    1 - k9
    0 + ?
    0 m r5 r6 r7 | y10 b10 k10
    0 - k13
    1 + ?
    1 m b2 b3 b4 b5 b6 | k11 k12 k13
    1 - y13
    0 + ?
    0 m k3 k4 k5 k6 | y7 b7 k7
    0 l m1 r8
    0 -! y2
    racks 1: r12 r13 b8 b9 k2 y4
"""
TEXT = format_record(record("etalat", GAME))
LINES = TEXT.splitlines()


def with_line(number: int, change: Callable[[dict[str, object]], object]) -> str:
    """The record with one line (from 1) changed."""
    value = json.loads(LINES[number - 1])
    change(value)
    return "\n".join([*LINES[: number - 1], json.dumps(value), *LINES[number:]])


BROKEN: dict[str, tuple[str, int, str]] = {
    "empty": ("", 1, "format"),
    "cut": (TEXT[: len(TEXT) // 2], len(TEXT[: len(TEXT) // 2].splitlines()), "JSON"),
    "no JSON": (LINES[0] + "\nhello", 2, "JSON"),
    "no object": (LINES[0] + "\n[1]", 2, "JSON"),
    "deeply nested": (LINES[0] + "\n" + "[" * 100_000, 2, "JSON"),
    "other format": (with_line(1, lambda h: h.update(format="remi-record/2")), 1, "format"),
    "rules are a text": (with_line(1, lambda h: h.update(rules="etalat")), 1, "rules"),
    "changes are a list": (with_line(1, lambda h: h.update(rules={"base": "etalat", "changes": [1]})), 1, "rules"),
    "unknown base": (with_line(1, lambda h: h.update(rules={"base": "okey"})), 1, "rules"),
    "unknown rule": (with_line(1, lambda h: h.update(rules={"base": "etalat", "changes": {"x": 1}})), 1, "rules"),
    "seats are a number": (with_line(1, lambda h: h.update(seats=2)), 1, "seats"),
    "too many seats": (with_line(1, lambda h: h.update(seats=list("abcdefg"))), 1, "seats"),
    "no such pack": (with_line(1, lambda h: h.update(pack="52")), 1, "seats"),
    "dealer": (with_line(1, lambda h: h.update(dealer=2)), 1, "dealer"),
    "pack is a number": (with_line(1, lambda h: h.update(pack=52)), 1, "pack"),
    "gap": ("\n".join(LINES[:3] + LINES[4:]), 4, "seq"),
    "no seq": (with_line(3, lambda e: e.pop("seq")), 3, "seq"),
    "seq is true": (with_line(2, lambda e: e.update(seq=True)), 2, "seq"),
    "unknown event": (with_line(3, lambda e: e.update(event="dance")), 3, "event"),
    "unknown actor": (with_line(3, lambda e: e.update(actor="cat")), 3, "actor"),
    "time": (with_line(3, lambda e: e.update(at=5)), 3, "at"),
    "unknown face": (with_line(3, lambda e: e.update(tile="r14")), 3, "tile"),
    "a card among tiles": (with_line(3, lambda e: e.update(tile="KH")), 3, "tile"),
    "two tiles discarded": (with_line(3, lambda e: e.update(tile="k2 k3")), 3, "tile"),
    "no tile discarded": (with_line(3, lambda e: e.update(tile=None)), 3, "tile"),
    "seat": (with_line(3, lambda e: e.update(seat=2)), 3, "seat"),
    "seat is a text": (with_line(3, lambda e: e.update(seat="0")), 3, "seat"),
    "closes": (with_line(3, lambda e: e.update(closes="yes")), 3, "closes"),
    "hands are missing": (with_line(2, lambda e: e.pop("hands")), 2, "hands"),
    "a hand is null": (with_line(2, lambda e: e.update(hands=[None, 14])), 2, "hands"),
    "counted from": (with_line(2, lambda e: e.update(counted_from="top")), 2, "counted_from"),
    "melds are a text": (with_line(7, lambda e: e.update(melds="r5 r6 r7")), 7, "melds"),
    "a meld not read": (with_line(7, lambda e: e.update(melds=["r5 ? r7"])), 7, "melds"),
    "meld of a lay-off": (with_line(14, lambda e: e.pop("meld")), 14, "meld"),
    "end": (with_line(14, lambda e: e.update(end="left")), 14, "end"),
    "racks are a list": (with_line(16, lambda e: e.update(racks=["r1"])), 16, "racks"),
    "racks of no seat": (with_line(16, lambda e: e.update(racks={"5": "r1"})), 16, "racks"),
    "racks of a name": (with_line(16, lambda e: e.update(racks={"Ana": "r1"})), 16, "racks"),
    "source": (with_line(4, lambda e: e.update(source="floor")), 4, "source"),
    "void without target": (TEXT + '{"seq": 16, "event": "void"}', 17, "target"),
    "amend without entry": (TEXT + '{"seq": 16, "event": "amend", "target": 3}', 17, "entry"),
    "amend to a void": (TEXT + '{"seq": 16, "event": "amend", "target": 3, "entry": {"event": "void", "target": 2}}', 17, "entry"),
    "amend to a wrong seat": (TEXT + '{"seq": 16, "event": "amend", "target": 2, "entry": {"event": "discard", "seat": 9, "tile": "k2"}}', 17, "seat"),
    "announcement": (TEXT + '{"seq": 16, "event": "announce", "seat": 0, "what": "rain"}', 17, "what"),
    "points": (TEXT + '{"seq": 16, "event": "rule", "seat": 0, "points": 1.5}', 17, "points"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_record_is_named_by_line_and_field(name: str) -> None:
    text, line, field = BROKEN[name]
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert (caught.value.line, caught.value.field) == (line, field)
    assert f"line {line}, {field}" in str(caught.value)
    assert f"linia {line}, {field}" in caught.value.hint_ro
    assert not set("şţŞŢ") & set(caught.value.hint_ro)


def test_a_record_reads_what_it_writes_and_keeps_what_it_does_not_know() -> None:
    header = json.loads(LINES[0]) | {"table": "by the window", "match": 3}
    entry_2 = json.loads(LINES[1]) | {"frames": [1, 2], "at": "2026-11-29T18:00:00Z"}
    text = "\n".join([json.dumps(header), json.dumps(entry_2), *LINES[2:]]) + "\n"
    read = parse_record(text)
    again = format_record(read).splitlines()
    assert json.loads(again[0]) == header
    assert json.loads(again[1]) == entry_2
    assert parse_record(format_record(read)) == read


def test_a_name_may_hold_any_sign() -> None:
    names = ["Ana\u2028", 'Dan "\u0085"']
    read = parse_record(format_record(new_record("etalat", names)).replace("\n", "\r\n"))
    assert list(read.header.seats) == names


def test_resolved_rules_stand_before_the_built_in_ones() -> None:
    header = json.loads(format_record(parse_record(TEXT), with_resolved=True).splitlines()[0])
    header["rules"]["resolved"]["first_meld_points"] = 60
    read = parse_record("\n".join([json.dumps(header), *LINES[1:]]))
    assert read.header.rules.first_meld_points == 60
    assert json.loads(format_record(read).splitlines()[0]) == header


def test_a_new_record_needs_rules_and_seats_that_fit() -> None:
    with pytest.raises(ValueError, match="2 to 4"):
        new_record("etalat", ["Ana"])
    with pytest.raises(ValueError, match="seats are 0 to 1"):
        new_record("etalat", ["Ana", "Dan"], dealer=2)
    with pytest.raises(RuleError):
        new_record("etalat", ["Ana", "Dan"], changes={"foo": 1})
    with pytest.raises(RecordError, match="line 2, seat"):
        new_record("etalat", ["Ana", "Dan"]).plus("draw", {"seat": 4})


def test_a_third_red_seven_has_no_effect() -> None:
    played = play(
        "etalat", "deal [r7 r2 r3 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12] 14 atu r7\n0 - r2\n1 + r7"
    )
    assert codes(played) == [(3, "more_than_the_set")]
    assert played.state.turn.seat == 1
    assert not played.state.turn.drew
    assert not played.sound


def test_a_tile_that_is_not_there_has_no_effect() -> None:
    hands = "deal [r7 r2 r3 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12] 14 atu k1"
    played = play("doizece", hands + "\n0 m r7 r8 r9")
    assert codes(played) == [(2, "tile_not_there")]
    assert str(played.refusals[0].reason.hint_en) == "r8 r9 cannot be on this rack"
    assert not played.state.melds
    assert played.sound


def test_melds_keep_their_names_whatever_is_corrected() -> None:
    # m1 m2 are of entry 6, m3 m4 of 9, m5 m6 of 12.
    log = effective(record("etalat", GAME + "void 6"))
    assert [one.ids for one in log.entries if one.event == "meld"] == [("m3", "m4"), ("m5", "m6")]
    more = effective(record("etalat", GAME + "amend 6 := 0 m r5 r6 r7 | y10 b10 k10 | b5 b6 b7"))
    assert next(one.ids for one in more.entries if one.event == "meld") == ("m1", "m2", "m7")
    fewer = effective(record("etalat", GAME + "amend 6 := 0 m r5 r6 r7"))
    assert next(one.ids for one in fewer.entries if one.event == "meld") == ("m1",)


def test_a_correction_that_upsets_later_entries_is_answered() -> None:
    game = record("etalat", GAME)
    answer = correct(game, "void", {"target": 6, "reason": "not legal"})
    assert isinstance(answer, Conflict)
    assert answer.correction == 16
    assert {refused.seq for refused in answer.refused} == {12, 13, 14}
    insisted = game.plus("void", {"target": 6})
    assert [found.correction for found in conflicts(insisted)] == [16]
    assert conflicts(game) == ()
    fits = correct(game, *entry("amend 7 := 0 - y8"))
    assert isinstance(fits, Record)
    assert totals(replay(fits)) == totals(replay(game))


def test_corrections_of_corrections() -> None:
    plain = play("etalat", GAME)
    assert play("etalat", GAME + "void 6\nvoid 16").state == plain.state
    twice = play("etalat", GAME + "amend 7 := 0 - y8\namend 7 := 0 - y9")
    assert [str(face) for face in twice.state.row[2:3]] == ["y9"]
    amended = play("etalat", GAME + "amend 7 := 0 - y8\namend 16 := 0 - y9")
    assert amended.state == twice.state
    back = play("etalat", GAME + "amend 7 := 0 - y8\namend 7 := 0 - y9\nvoid 17")
    assert [str(face) for face in back.state.row[2:3]] == ["y8"]
    assert not back.refusals


@pytest.mark.parametrize(
    "lines",
    ["void 99", "void 16", "void 0", "amend 99 := 0 - y8", "void 7\nvoid 7", "void 7\namend 7 := 0 - y8",
     "void 7\namend 16 := 0 - y8"],
)  # fmt: skip
def test_a_correction_of_nothing_is_reported(lines: str) -> None:
    played = play("etalat", GAME + lines)
    assert (15 + len(lines.splitlines()), "no_such_entry") in codes(played)


def test_an_arbiter_decides_over_several_lines() -> None:
    played = play("etalat", GAME + "rule 0 -500!\nrule 0 10\nrule 1 -7\nrule 1 2")
    assert totals(played) == [-490, 10]
    assert [line.what for line in played.scores[0].lines] == ["fine", "ruling"]


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.sampled_from(["r7", "*", "m1", "r5 r6 r7", "", "?", "k2 #"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["0", "1", "event", "seat"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def read_or_line(text: str) -> Record | int:
    """The record, or the line that cannot be read."""
    try:
        return parse_record(text)
    except RecordError as wrong:
        return wrong.line


@settings(max_examples=300)
@given(st.data())
def test_any_value_in_any_field_is_read_or_named(data: st.DataObject) -> None:
    """A field changed, dropped or added never ends in anything but a record or a RecordError."""
    lines = [json.loads(line) for line in LINES]
    lines.append(
        {"seq": 16, "event": "amend", "target": 6, "entry": {"event": "discard", "seat": 0, "tile": "k2"}}
    )
    lines.append({"seq": 17, "event": "rule", "seat": 0, "points": 5, "reason": ""})
    for _ in range(data.draw(st.integers(1, 3))):
        line = data.draw(st.sampled_from(lines))
        name = data.draw(
            st.sampled_from([*line, "end", "splits", "new_meld", "joker", "target", "kind", "into"])
        )
        line[name] = data.draw(anything)
    text = "\n".join(json.dumps(line) for line in lines)
    read = read_or_line(text)
    if isinstance(read, int):
        assert 1 <= read <= len(lines)
        return
    played = replay(read)
    assert len(played.scores) == len(read.header.seats)
    assert parse_record(format_record(read)) == read


@settings(max_examples=100)
@given(st.integers(0, len(TEXT)))
def test_a_record_cut_anywhere(length: int) -> None:
    read = read_or_line(TEXT[:length])
    if isinstance(read, int):
        assert 1 <= read <= len(LINES)
    else:
        assert TEXT.startswith(format_record(read).rstrip())
