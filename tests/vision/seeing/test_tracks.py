"""Tiles are followed and their faces voted: keys stay, one wrong look never flips, a changed tile does."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.readings import Candidate, SeenTile
from engine.tiles import Face, Mark, Seen
from vision.seeing.evidence import Evidence, verdict, with_look
from vision.seeing.tracks import MISSES, Sight, Tracks, followed

R7, R6, B1 = Face("r", 7), Face("r", 6), Face("b", 1)
FACES = [Face(colour, number) for colour in "rybk" for number in range(1, 14)]

faces = st.sampled_from(FACES)
clear = st.floats(0.98, 1.0)
unsure = st.floats(0.05, 1.0)


def tile(face: Seen, sure: float = 0.99, *others: tuple[Seen, float]) -> SeenTile:
    candidates = tuple(Candidate(other, chance) for other, chance in others)
    return SeenTile(face, ((0.0, 0.0), (20.0, 0.0), (20.0, 28.0), (0.0, 28.0)), sure, candidates)


def at(x: float, seen: SeenTile, y: float = 0.0, *, fresh: bool = True) -> Sight:
    quad = tuple((x + dx, y + dy) for dx, dy in seen.quad)
    return Sight(SeenTile(seen.face, quad, seen.confidence, seen.alternatives), (x, y), (26.0, 36.0), fresh)


def after(*looks: SeenTile, changed_before: int = -1) -> Tracks:
    """The tracks after looks at one tile; before one of them a change was seen there."""
    tracks = Tracks()
    for number, seen in enumerate(looks):
        changes = number == changed_before
        tracks = followed(tracks, [at(0, seen)], changed=lambda *_: changes)  # noqa: B023
    return tracks


def read(tracks: Tracks) -> list[str]:
    return [str(track.tile.face) for track in tracks.shown]


# ---- voting


def test_a_single_look_says_what_it_says() -> None:
    face, confidence, others = verdict(with_look(Evidence(), tile(R7, 0.9, (R6, 0.08))))
    assert face == R7
    assert confidence == pytest.approx(0.9, abs=0.01)
    assert others[0].face == R6
    assert others[0].confidence == pytest.approx(0.08, abs=0.01)


@given(faces, faces, clear, clear, clear, unsure)
def test_one_wrong_look_never_flips_a_tile_read_clearly_three_times(
    right: Face, wrong: Face, one: float, two: float, three: float, sure: float
) -> None:
    tracks = after(tile(right, one), tile(right, two), tile(right, three), tile(wrong, sure))
    assert tracks.tracks[0].tile.face == right


@given(faces, faces, clear, st.floats(0.9, 1.0), st.integers(1, 40))
def test_a_changed_tile_flips_within_two_looks(
    before: Face, now: Face, clearly: float, sure: float, count: int
) -> None:
    looks = [tile(before, clearly)] * count + [tile(now, sure)] * 2
    assert after(*looks, changed_before=count).tracks[0].tile.face == now


@given(st.floats(0.5, 0.95))
def test_thirty_equal_wrong_looks_are_no_certainty(sure: float) -> None:
    look = tile(R7, sure, (R6, 1 - sure))
    assert after(*[look] * 30).tracks[0].tile.confidence == pytest.approx(sure, abs=0.01)


def test_what_was_misread_at_first_is_put_right_by_later_looks() -> None:
    assert read(after(tile(R6, 0.97), *[tile(R7, 0.97)] * 3)) == ["r7"]


def test_two_unread_looks_may_read_together() -> None:
    blurred = tile(Mark.UNREAD, 0.48, (R7, 0.48), (R6, 0.3), (B1, 0.15))
    assert verdict(with_look(Evidence(), blurred))[0] is Mark.UNREAD
    other = tile(Mark.UNREAD, 0.48, (R7, 0.48), (B1, 0.3))
    assert read(after(blurred, other)) == ["r7"]


@given(st.permutations(range(6)), st.integers(0, 1000))
def test_the_order_within_a_look_does_not_matter(order: list[int], seed: int) -> None:
    chance = random.Random(seed)
    first = [at(27.0 * place, tile(chance.choice(FACES), chance.random())) for place in range(6)]
    second = [at(27.0 * place + 1, tile(chance.choice(FACES), chance.random())) for place in range(1, 7)]
    straight = followed(followed(Tracks(), first), second)
    mixed = followed(
        followed(Tracks(), [first[place] for place in order]), [second[place] for place in order]
    )
    assert mixed == straight


# ---- hits and misses


def test_keys_stay_while_tiles_lie_there() -> None:
    tracks = followed(Tracks(), [at(0, tile(R7)), at(27, tile(R6))])
    keys = [track.key for track in tracks.tracks]
    tracks = followed(tracks, [at(28.5, tile(R6)), at(1.5, tile(R7))])
    assert [track.key for track in tracks.tracks] == keys
    moved = followed(tracks, [at(1.5, tile(R7)), at(60, tile(R6))], changed=lambda place, _: place[0] > 10)
    assert [track.key for track in moved.tracks] == [keys[0], max(keys) + 1]


def test_a_tile_missed_where_nothing_moved_is_not_gone_at_once() -> None:
    tracks = after(tile(R7), tile(R7))
    for _ in range(MISSES - 1):
        tracks = followed(tracks, [])
        assert read(tracks) == ["r7"]
        assert tracks.tracks[0].doubtful
    assert followed(tracks, []).tracks == ()
    again = followed(tracks, [at(0, tile(R7))])
    assert again.tracks[0].misses == 0


def test_a_tile_missed_where_something_moved_is_gone() -> None:
    assert followed(after(tile(R7)), [], changed=lambda *_: True).tracks == ()


def test_a_new_tile_is_shown_after_two_looks_or_a_clear_one() -> None:
    assert read(after(tile(R7, 0.99))) == ["r7"]
    assert read(after(tile(R7, 0.7))) == []
    assert read(after(tile(R7, 0.7), tile(R7, 0.7))) == ["r7"]
    assert followed(after(tile(R7, 0.7)), []).shown == ()


def test_where_a_hand_is_nothing_comes_or_goes() -> None:
    tracks = followed(after(tile(R7)), [at(50, tile(B1))], hidden=lambda *_: True)
    assert read(tracks) == ["r7"]


def test_a_tile_carried_over_is_no_further_look() -> None:
    once = after(tile(R7, 0.8))
    tracks = followed(once, [at(0, tile(R7, 0.8), fresh=False)])
    assert tracks.tracks == once.tracks


def test_a_tile_in_doubt_is_judged_by_the_inks_that_are_known_by_now() -> None:
    k8, b8 = Face("k", 8), Face("b", 8)
    doubt, now = tile(b8, 0.75, (k8, 0.2)), tile(k8, 0.97, (b8, 0.03))
    carried = at(0, doubt, fresh=False)
    by_now = Sight(carried.tile, carried.place, carried.size, fresh=False, rejudged=now)
    assert read(followed(after(doubt, doubt), [by_now])) == ["k8"]
    assert read(followed(after(tile(b8, 0.99)), [by_now])) == ["b8"], "what was sure stays"


def test_doubts_are_looked_at_again_and_rest() -> None:
    doubt = tile(R7, 0.6, (R6, 0.4))
    assert after(doubt, doubt).tracks[0].doubtful
    assert not after(*[doubt] * 4).tracks[0].doubtful
    assert not after(tile(R7)).tracks[0].doubtful
    assert after(tile(R7), tile(R6)).tracks[0].contested


def test_what_was_read_while_it_was_hidden_counts_once_it_is_seen() -> None:
    """A tile at the edge of a hand is read with its neighbours; later it is carried over as known."""
    six, seven = at(0, tile(Face("b", 6))), at(0, tile(Face("b", 7)))
    tracks = followed(followed(Tracks(), [six]), [six])
    tracks = followed(tracks, [seven], hidden=lambda _place, _quad: True)
    assert read(tracks) == ["b6"]
    carried = Sight(seven.tile, seven.place, seven.size, fresh=False)
    assert read(followed(tracks, [carried])) == ["b7"]


def test_another_tile_in_the_same_place_has_a_key_of_its_own() -> None:
    """A meld that is pushed on by a tile's width: other tiles lie in all its places."""
    tracks = followed(Tracks(), [at(0, tile(Face("b", 6)))])
    after_push = followed(tracks, [at(0, tile(Face("b", 7)))], changed=lambda _place, _quad: True)
    assert [(str(one.tile.face), one.key) for one in after_push.shown] == [("b7", 2)]
    unsure = followed(tracks, [at(0, tile(Face("b", 7), 0.6))], changed=lambda _place, _quad: True)
    assert [one.key for one in unsure.tracks] == [1], "a misread look is no other tile"
