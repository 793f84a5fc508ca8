"""The JSON interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.rules import RULE_KEYS
from web_ui.app import Settings

JPEG = b"\xff\xd8\xff\xe0 a picture"
PHOTOS = "/api/v1/photos"


@pytest.fixture
def photo(client: FlaskClient) -> dict[str, Any]:
    answer = client.post(PHOTOS, data=JPEG, query_string={"rules": "etalat"})
    assert answer.status_code == 201
    body: dict[str, Any] = answer.get_json()
    return body


def error_of(answer: TestResponse) -> tuple[int, str]:
    error = answer.get_json()["error"]
    assert set(error) == {"code", "message"}
    assert set(error["message"]) == {"ro", "en"}
    assert all(error["message"].values())
    return answer.status_code, str(error["code"])


def test_a_picture_is_read_and_counted(photo: dict[str, Any]) -> None:
    assert (photo["rules"], photo["size"]) == ("etalat", [1200, 1000])
    assert [meld["faces"] for meld in photo["melds"]] == ["r5 r6 r7", "r1 y1 b1", "b1 b2 b3"]
    assert [(meld["shape"], meld["points"], meld["opening_points"]) for meld in photo["melds"]] == [
        ("run", 15, 15),
        ("group", 75, 75),
        ("run", 35, 15),
    ]
    assert [(tile["face"], tile["points"]) for tile in photo["loose"]] == [("k9", 5), ("*", 50), ("?", None)]
    assert (photo["total_melds"], photo["total_loose"], photo["total"]) == (125, 55, 70)
    assert photo["doubts"] == [10, 12]
    tile = photo["tiles"][9]
    assert (tile["number"], tile["face"], tile["confidence"]) == (10, "k9", 0.5)
    assert tile["alternatives"] == [{"face": "k6", "confidence": 0.3}]
    assert tile["quad"] == [[100.0, 550.0], [148.0, 550.0], [148.0, 618.0], [100.0, 618.0]]


def test_a_form_is_taken_too(client: FlaskClient, multipart: Callable[..., tuple[bytes, str]]) -> None:
    body, kind = multipart(JPEG + b"r5 r6 r7")
    answer = client.post(PHOTOS, data=body, content_type=kind)
    assert answer.get_json()["total"] == 15
    assert client.get(answer.headers["Location"]).get_json() == answer.get_json()


def test_the_same_photo_under_every_rule_set(client: FlaskClient, photo: dict[str, Any]) -> None:
    url = f"{PHOTOS}/{photo['id']}"
    assert {key: client.get(url, query_string={"rules": key}).get_json()["total"] for key in RULE_KEYS} == {
        "doizece": 50,
        "etalat": 70,
        "regulament": 50,
        "classic": -20,
    }


def test_a_correction_changes_the_total(client: FlaskClient, photo: dict[str, Any]) -> None:
    url = f"{PHOTOS}/{photo['id']}/tiles/11"
    changed = client.patch(url, json={"face": "k10"}).get_json()
    assert changed["total"] == 70 + 50 - 10
    assert changed["version"] == photo["version"] + 1
    assert changed["tiles"][10]["checked"] is True
    assert client.post(f"{PHOTOS}/{photo['id']}/undo").get_json()["total"] == 70


def test_a_tile_is_moved_added_and_removed(client: FlaskClient, photo: dict[str, Any]) -> None:
    url = f"{PHOTOS}/{photo['id']}/tiles"
    assert client.patch(f"{url}/3", json={"row_of": "alone"}).get_json()["total"] == 70 - 15 - 15
    assert client.patch(f"{url}/3", json={"row_of": 1}).get_json()["total"] == 70
    assert client.patch(f"{url}/3", json={"row_of": None}).get_json()["total"] == 70
    added = client.post(url, json={"face": "R8", "row_of": 1})
    assert (added.status_code, added.get_json()["total"]) == (201, 75)
    placed = client.post(url, json={"face": "k13", "x": 900, "y": 900.5}).get_json()
    assert placed["total"] == 65
    assert client.delete(f"{url}/{placed['tiles'][-1]['number']}").get_json()["total"] == 75


def test_a_photo_is_forgotten(client: FlaskClient, photo: dict[str, Any]) -> None:
    url = f"{PHOTOS}/{photo['id']}"
    assert client.delete(url).status_code == 204
    assert error_of(client.get(url)) == (404, "photo_lost")
    assert error_of(client.delete(url)) == (404, "photo_lost")


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"face": 7},
        {"face": "r14"},
        {"face": "r1", "colour": "r"},
        {"row_of": True},
        {"row_of": "first"},
    ],
)
def test_nonsense_is_refused(client: FlaskClient, photo: dict[str, Any], body: object) -> None:
    url = f"{PHOTOS}/{photo['id']}"
    assert error_of(client.patch(f"{url}/tiles/1", json=body)) == (400, "bad_request")
    assert client.get(url).get_json() == photo


@pytest.mark.parametrize(
    "body",
    [{"face": "r1", "x": 1}, {"face": "r1", "x": "1", "y": 1}, {"x": 1, "y": 1}, {"face": "r1", "y": True}],
)
def test_a_tile_needs_a_face_and_a_whole_place(
    client: FlaskClient, photo: dict[str, Any], body: object
) -> None:
    assert error_of(client.post(f"{PHOTOS}/{photo['id']}/tiles", json=body)) == (400, "bad_request")


def test_errors_have_one_shape(client: FlaskClient, make_app: Callable[..., Flask]) -> None:
    assert error_of(client.post(PHOTOS, data=b"")) == (400, "bad_request")
    assert error_of(client.post(PHOTOS, data=b"no picture")) == (422, "not_a_picture")
    assert error_of(client.post(PHOTOS, data=b"fault")) == (500, "failed")
    assert error_of(client.post(PHOTOS, data=JPEG, query_string={"rules": "poker"})) == (400, "bad_request")
    assert error_of(client.get("/api/v1/nothing")) == (404, "not_found")
    assert error_of(client.get(f"{PHOTOS}/abc")) == (404, "photo_lost")
    assert error_of(client.put(f"{PHOTOS}/abc")) == (405, "bad_request")
    small = make_app(Settings(max_upload_bytes=100)).test_client()
    assert error_of(small.post(PHOTOS, data=b"x" * 101)) == (413, "too_big")


def test_rule_sets_and_health(client: FlaskClient) -> None:
    rules = client.get("/api/v1/rules").get_json()["rules"]
    assert [entry["key"] for entry in rules] == list(RULE_KEYS)
    assert client.get("/healthz").get_json() == {"status": "ok", "version": "9.9", "photos": 0}


def test_repairs_and_conflicts_are_named(client: FlaskClient) -> None:
    body = client.post(
        PHOTOS, data=JPEG + b"r5 r8=0.6,r6,0.35 r7\nk1\nk1\nk1", query_string={"rules": "etalat"}
    ).get_json()
    (repair,) = body["repairs"]
    assert [repair[key] for key in ("tile", "was", "now", "code", "clause")] == [
        2,
        "r8",
        "r6",
        "run_needs",
        "run",
    ]
    assert repair["odds"] >= 50
    assert repair["why"]["ro"].startswith("6 roșu citit ca 8 roșu")
    assert body["tiles"][1]["face"] == "r6"
    assert body["tiles"][1]["alternatives"] == [{"face": "r8", "confidence": 0.6}]
    (conflict,) = body["conflicts"]
    assert (conflict["tiles"], conflict["faces"], conflict["clause"]) == ([4, 5, 6], ["k1"], "set")
    assert body["doubts"] == [4, 5, 6]
