"""Corrections of a photo, and the bounded store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.readings import Candidate, PictureReading, SeenTile
from engine.tiles import JOKER, Face, Mark
from web_ui import photos
from web_ui.photos import Photo, PhotoLostError, PhotoStore, TileLostError
from web_ui.services import ReadPicture

SQUARE = ((0.0, 0.0), (40.0, 0.0), (40.0, 60.0), (0.0, 60.0))
LEANING = ((200.0, 100.0), (230.0, 130.0), (190.0, 170.0), (160.0, 140.0))
RED_7, RED_1 = Face("r", 7), Face("r", 1)


def photo_of(*tiles: SeenTile, jpeg: bytes = b"jpeg") -> Photo:
    return photos.new_photo(ReadPicture(PictureReading(800, 600, tiles, {}), jpeg))


def tile(face: Face | Mark = RED_7, confidence: float = 0.6) -> SeenTile:
    return SeenTile(face, SQUARE, confidence, (Candidate(RED_1, 0.3),))


def test_a_correction_is_sure_and_keeps_what_was_read_as_a_candidate() -> None:
    photo = photos.with_face(photo_of(tile()), 1, RED_1)
    seen = photo.tile(1).seen
    assert (seen.face, seen.confidence, photo.tile(1).checked) == (RED_1, 1.0, True)
    assert seen.alternatives == (Candidate(RED_7, 0.6),)


def test_tokens_differ_and_cannot_be_guessed() -> None:
    tokens = {photo_of().token for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 32


def test_undo_walks_back_through_every_change() -> None:
    first = photo_of(tile(), tile())
    changed = photos.without_tile(photos.with_row(photos.with_face(first, 1, JOKER), 2, 1), 1)
    versions = [changed.version]
    while changed.history:
        changed = photos.undone(changed)
        versions.append(changed.version)
    assert changed.tiles == first.tiles
    assert versions == [4, 5, 6, 7]
    assert photos.undone(first) is first


def test_history_is_bounded() -> None:
    photo = photo_of(tile())
    for _ in range(photos.UNDO_STEPS + 5):
        photo = photos.with_face(photo, 1, JOKER)
    assert len(photo.history) == photos.UNDO_STEPS


def test_an_added_tile_is_shaped_like_its_nearest_neighbour() -> None:
    photo = photo_of(tile(), replace(tile(), quad=LEANING))
    added = photos.with_new_tile(photo, JOKER, at=(300.0, 200.0), row_of=None)
    quad = added.tile(3).seen.quad
    assert [(round(x - 105, 6), round(y - 65, 6)) for x, y in quad] == [
        (round(x, 6), round(y, 6)) for x, y in LEANING
    ]
    assert (added.tile(3).added, added.tile(3).checked) == (True, True)


def test_an_added_tile_without_neighbours_is_an_upright_tile() -> None:
    quad = photos.with_new_tile(photo_of(), JOKER, at=(300.0, 200.0), row_of=None).tile(1).seen.quad
    (left, top), (right, _), (_, bottom), _ = quad
    assert (left + right) / 2 == pytest.approx(300)
    assert (top + bottom) / 2 == pytest.approx(200)
    assert right - left < bottom - top


def test_an_added_tile_without_a_place_lies_beside_the_one_it_joins() -> None:
    added = photos.with_new_tile(photo_of(tile()), RED_1, at=None, row_of=1)
    assert added.tile(2).seen.quad[0] == pytest.approx((40.0, 0.0))
    alone = photos.with_new_tile(photo_of(tile()), RED_1, at=None, row_of=2)
    assert alone.tile(2).row_of == 2


def test_numbers_are_never_used_twice() -> None:
    photo = photos.with_new_tile(
        photos.without_tile(photo_of(tile(), tile()), 2), JOKER, at=None, row_of=None
    )
    assert [tile.number for tile in photo.tiles] == [1, 3]


@pytest.mark.parametrize(
    "change",
    [
        lambda photo: photos.with_face(photo, 9, JOKER),
        lambda photo: photos.with_row(photo, 9, None),
        lambda photo: photos.with_row(photo, 1, 9),
        lambda photo: photos.without_tile(photo, 9),
        lambda photo: photos.with_new_tile(photo, JOKER, at=None, row_of=9),
    ],
)
def test_a_tile_that_is_not_there_is_said(change: object) -> None:
    assert callable(change)
    with pytest.raises(TileLostError):
        change(photo_of(tile()))


def test_the_store_keeps_so_many_and_drops_the_one_used_longest_ago() -> None:
    store = PhotoStore(max_photos=2)
    first, second, third = photo_of(), photo_of(), photo_of()
    store.add(first)
    store.add(second)
    store.get(first.token)
    store.add(third)
    with pytest.raises(PhotoLostError):
        store.get(second.token)
    assert (store.get(first.token), store.get(third.token), len(store)) == (first, third, 2)


def test_the_store_keeps_so_many_bytes_but_always_the_newest() -> None:
    store = PhotoStore(max_bytes=100)
    small, large, huge = photo_of(jpeg=b"x" * 40), photo_of(jpeg=b"x" * 60), photo_of(jpeg=b"x" * 200)
    store.add(small)
    store.add(large)
    assert len(store) == 2
    store.add(huge)
    assert len(store) == 1
    assert store.get(huge.token) == huge


def test_the_store_forgets_after_a_while_without_use() -> None:
    clock = [0.0]
    store = PhotoStore(max_idle_s=10, now=lambda: clock[0])
    photo = photo_of()
    store.add(photo)
    clock[0] = 9
    assert store.get(photo.token) == photo
    clock[0] = 18
    assert store.get(photo.token) == photo
    clock[0] = 29
    with pytest.raises(PhotoLostError):
        store.get(photo.token)
    assert len(store) == 0


def test_forgetting_is_at_once_and_may_be_repeated() -> None:
    store = PhotoStore()
    photo = photo_of()
    store.add(photo)
    store.forget(photo.token)
    store.forget(photo.token)
    with pytest.raises(PhotoLostError):
        store.update(photo.token, photos.undone)
