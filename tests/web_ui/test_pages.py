"""The pages, as a browser without JavaScript uses them and as htmx does."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.rules import RULE_KEYS
from web_ui.app import Settings

OpenPhoto = Callable[..., str]
Total = Callable[..., str]
HTMX = {"HX-Request": "true"}


def number_of(client: FlaskClient, path: str, face: str) -> int:
    """The number of the first tile that shows this face, from the JSON of the photo."""
    answer = client.get("/api/v1/photos/" + path.rsplit("/", 1)[1]).get_json()
    return next(int(tile["number"]) for tile in answer["tiles"] if tile["face"] == face)


def correct(client: FlaskClient, path: str, shown: str, **form: str) -> None:
    number = number_of(client, path, shown)
    answer = client.post(f"{path}/tiles/{number}", data={"rules": "etalat", **form})
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{path}?rules=etalat"


def test_the_start_page_takes_a_picture_and_offers_the_sample(client: FlaskClient) -> None:
    page = client.get("/photo").text
    assert 'type="file" name="picture" accept="image/*"' in page
    assert 'accept="image/*" capture="environment"' in page
    assert 'action="/photo/sample"' in page
    assert [key for key in RULE_KEYS if f'value="{key}"' in page] == list(RULE_KEYS)


def test_without_a_sample_none_is_offered(make_app: Callable[..., Flask]) -> None:
    client = make_app(sample=False).test_client()
    assert "/photo/sample" not in client.get("/photo").text
    assert client.post("/photo/sample").status_code == 404
    assert client.get("/sample.jpg").status_code == 404


def test_the_sample_is_counted_under_the_chosen_rules(client: FlaskClient) -> None:
    assert client.get("/sample.jpg").mimetype == "image/jpeg"
    answer = client.post("/photo/sample", data={"rules": "doizece"})
    assert answer.status_code == 303
    page = client.get(answer.headers["Location"]).text
    assert "Total under Rummy as on Doizece" in page


@pytest.mark.parametrize("field", ["picture", "camera"])
def test_a_picture_from_either_field_is_counted(client: FlaskClient, field: str) -> None:
    empty = "camera" if field == "picture" else "picture"
    data = {field: (BytesIO(b"\xff\xd8\xff\xe0 a picture"), "a.jpg"), empty: (BytesIO(b""), "")}
    answer = client.post("/photo", data=data)
    assert answer.status_code == 303
    assert client.get(answer.headers["Location"]).status_code == 200


def test_the_page_shows_melds_loose_tiles_and_total(
    client: FlaskClient, open_photo: OpenPhoto, total: Total
) -> None:
    path = open_photo()
    page = client.get(path, query_string={"rules": "etalat"}).text
    assert total(path) == "70"
    assert re.findall(r'id="total-(\w+)">([^<]*)<', page) == [("melds", "125"), ("loose", "−55")]
    assert re.findall(r"<span class=\"points\">(\d+) points</span>", page) == ["15", "75", "35"]
    assert page.count('<polygon class="hull"') == 3
    assert page.count('<polygon class="edge"') == 12
    assert "When opening: 15 points." in page


def test_the_total_follows_the_rules(open_photo: OpenPhoto, total: Total) -> None:
    path = open_photo()
    assert {key: total(path, key) for key in RULE_KEYS} == {
        "doizece": "50",
        "etalat": "70",
        "regulament": "50",
        "classic": "−20",
    }


def test_tiles_under_card_rules_are_said_not_to_count(client: FlaskClient, open_photo: OpenPhoto) -> None:
    page = client.get(open_photo(), query_string={"rules": "classic"}).text
    assert "Classic Rummy (cards) is played with cards: the tiles in this picture do not count." in page


def test_a_face_seen_too_often_is_said(client: FlaskClient, open_photo: OpenPhoto) -> None:
    page = client.get(open_photo("r7 k2 r7 k3 r7"), query_string={"rules": "etalat"}).text
    assert "7 red is there 3 times, more often than in a set." in page


def test_a_joker_says_what_it_stands_for(client: FlaskClient, open_photo: OpenPhoto) -> None:
    page = client.get(open_photo("y3 * y5"), query_string={"rules": "etalat"}).text
    assert "The joker stands for 4 yellow." in page


def test_doubtful_tiles_come_first_with_their_crop(client: FlaskClient, open_photo: OpenPhoto) -> None:
    page = client.get(open_photo(), query_string={"rules": "etalat"}).text
    questions = page[page.index('class="question-list"') : page.index('id="melds-title"')]
    assert re.findall(r'id="question-(\d+)"', questions) == ["12", "10"]
    assert questions.count('<svg class="crop"') == 2
    assert "This tile could not be read. Which is it?" in questions
    assert "Is this 9 black? (50% sure)" in questions
    assert "2 tiles are doubtful" in page
    # Pattern and sign, not colour alone.
    assert page.count('<a class="spot loose doubtful"') == 1
    assert page.count('<a class="spot unread doubtful"') == 1
    assert page.count('<g class="sign"') >= 3


def test_an_unread_tile_stays_out_of_the_total_until_it_is_named(
    client: FlaskClient, open_photo: OpenPhoto, total: Total
) -> None:
    path = open_photo("r5 ? r7")
    assert total(path) == "−10"
    correct(client, path, "?", face="r6")
    assert total(path) == "15"


def test_a_wrong_face_is_corrected_by_number_and_colour(
    client: FlaskClient, open_photo: OpenPhoto, total: Total
) -> None:
    path = open_photo()
    correct(client, path, "r6", number="10", colour="y")
    assert total(path) == str(70 - 15 - 20)


def test_alternatives_of_the_reader_are_offered_first(client: FlaskClient, open_photo: OpenPhoto) -> None:
    path = open_photo()
    number = number_of(client, path, "k9")
    form = client.get(f"{path}/tiles/{number}", headers=HTMX).text
    faces = [unescape(face) for face in re.findall(r'name="face" value="([^"]+)"', form)]
    assert faces == ["k9", "k6", "*", "#"]
    assert re.findall(r'name="number" value="(\d+)"', form) == [str(n) for n in range(1, 14)]
    assert re.findall(r'name="colour" value="(\w)"', form) == ["r", "y", "b", "k"]
    assert (
        form.index('class="choices alternatives"')
        < form.index('class="numbers"')
        < form.index('class="colours')
    )
    assert re.search(r'value="9" required checked', form)
    assert 'name="remove"' in form


def test_the_form_is_a_whole_page_without_htmx(client: FlaskClient, open_photo: OpenPhoto) -> None:
    path = open_photo()
    assert "<html" in client.get(f"{path}/tiles/1").text
    assert "<html" not in client.get(f"{path}/tiles/1", headers=HTMX).text
    assert "<html" in client.get(f"{path}/add").text


def test_confirming_settles_a_doubt(client: FlaskClient, open_photo: OpenPhoto, total: Total) -> None:
    path = open_photo()
    before = total(path)
    correct(client, path, "k9", face="k9")
    page = client.get(path, query_string={"rules": "etalat"}).text
    assert re.findall(r'id="question-(\d+)"', page) == ["12"]
    assert total(path) == before


@pytest.mark.parametrize(("form", "expected"), [({"remove": "1"}, "120"), ({"face": "#"}, "120")])
def test_what_is_no_tile_or_lies_face_down_does_not_count(
    client: FlaskClient, open_photo: OpenPhoto, total: Total, form: dict[str, str], expected: str
) -> None:
    path = open_photo()
    correct(client, path, "*", **form)
    assert total(path) == expected


def test_a_missed_tile_is_added_where_it_lies(
    client: FlaskClient, open_photo: OpenPhoto, total: Total
) -> None:
    path = open_photo("r5 r6")
    form = client.get(f"{path}/add", query_string={"x": "224", "y": "134"}, headers=HTMX).text
    assert 'name="x" value="224.0"' in form
    answer = client.post(
        f"{path}/tiles", data={"x": "224", "y": "134", "number": "7", "colour": "r", "rules": "etalat"}
    )
    assert answer.status_code == 303
    assert total(path) == "15"


def test_a_missed_tile_is_added_to_a_row_without_a_pointer(
    client: FlaskClient, open_photo: OpenPhoto, total: Total
) -> None:
    path = open_photo("r5 r6\nk1")
    client.post(f"{path}/tiles", data={"face": "r4", "row": "1"})
    assert total(path) == "−10"
    client.post(f"{path}/tiles", data={"face": "r7", "row": "alone"})
    assert total(path) == "−15"


def test_a_tile_is_moved_to_another_row_and_back(
    client: FlaskClient, open_photo: OpenPhoto, total: Total
) -> None:
    path = open_photo("r5 r6\nr7 k1 k2 k3")
    assert total(path) == str(35 - 15)
    client.post(f"{path}/tiles/3/row", data={"row": "1"})
    assert total(path) == str(15 + 35)
    form = client.get(f"{path}/tiles/3").text
    assert '<option value="1" selected>' in form
    client.post(f"{path}/tiles/1/row", data={"row": "alone"})
    assert total(path) == str(35 - 15)
    client.post(f"{path}/tiles/1/row", data={"row": ""})
    client.post(f"{path}/tiles/3/row", data={"row": ""})
    assert total(path) == str(35 - 15)


def test_undo_takes_back_the_last_correction(
    client: FlaskClient, open_photo: OpenPhoto, total: Total
) -> None:
    path = open_photo()
    assert "/undo" not in client.get(path).text
    correct(client, path, "*", face="k9")
    assert total(path) == "115"
    assert f'action="{path}/undo"' in client.get(path).text
    assert client.post(f"{path}/undo", data={"rules": "etalat"}).status_code == 303
    assert total(path) == "70"


def test_htmx_gets_only_what_changes(client: FlaskClient, open_photo: OpenPhoto) -> None:
    path = open_photo()
    part = client.post(f"{path}/tiles/1", data={"face": "r4", "rules": "doizece"}, headers=HTMX)
    assert part.status_code == 200
    assert part.text.lstrip().startswith('<div id="count"')
    assert "Total under Rummy as on Doizece" in part.text
    assert client.get(path, headers=HTMX).text.lstrip().startswith('<div id="count"')


def test_every_htmx_link_and_form_works_without_htmx(client: FlaskClient, open_photo: OpenPhoto) -> None:
    path = open_photo()
    for page in (client.get(path).text, client.get(f"{path}/tiles/10").text, client.get(f"{path}/add").text):
        tags = re.findall(r"<(?:a|form|button)\b[^>]*\bhx-(?:get|post)=[^>]*>", page)
        assert tags or "add" in page
        for tag in tags:
            found = re.search(r'hx-(?:get|post)="([^"]+)"', tag)
            plain = re.search(r'(?:href|action)="([^"]+)"', tag)
            assert found is not None
            assert plain is not None
            assert found[1] == plain[1]


def test_a_picture_that_is_refused_says_why_in_the_visitors_language(client: FlaskClient) -> None:
    for language, words in (("en", "This is not a picture."), ("ro", "Fișierul nu este o imagine.")):
        answer = client.post(
            "/photo",
            data={"picture": (BytesIO(b"no picture"), "a.txt"), "rules": "doizece"},
            headers={"Accept-Language": language},
        )
        assert answer.status_code == 422
        assert words in answer.text
        assert 'value="doizece" checked' in answer.text


def test_no_picture_is_said(client: FlaskClient) -> None:
    for data in ({}, {"picture": (BytesIO(b""), "")}):
        answer = client.post("/photo", data=data)
        assert answer.status_code == 400
        assert "No picture was chosen." in answer.text


def test_a_picture_that_is_too_big_is_said(
    make_app: Callable[..., Flask], multipart: Callable[..., tuple[bytes, str]]
) -> None:
    client = make_app(Settings(max_upload_bytes=2 * 2**20)).test_client()
    body, kind = multipart(b"x" * 3 * 2**20)
    answer = client.post("/photo", data=body, content_type=kind)
    assert answer.status_code == 413
    assert "mai mare de 2 MB" in answer.text
    assert 'class="upload card"' in answer.text


def test_a_fault_of_the_reader_is_a_page_that_says_so(client: FlaskClient) -> None:
    answer = client.post("/photo", data={"picture": (BytesIO(b"fault"), "a.jpg")})
    assert answer.status_code == 500
    assert "because of a fault in the program" in answer.text
    assert 'class="upload card"' in answer.text


def test_a_lost_photo_is_a_clear_message(client: FlaskClient, open_photo: OpenPhoto) -> None:
    path = open_photo()
    assert (
        client.post(f"{path}/forget", data={"rules": "etalat"}).headers["Location"] == "/photo?rules=etalat"
    )
    for url in (path, f"{path}/picture.jpg", f"{path}/tiles/1", f"{path}/add"):
        answer = client.get(url)
        assert answer.status_code == 404
        assert "This picture is gone" in answer.text
    answer = client.post(f"{path}/tiles/1", data={"face": "r1"}, headers=HTMX)
    assert (answer.status_code, answer.headers["HX-Refresh"]) == (404, "true")


def test_a_photo_is_evicted_by_newer_ones(make_app: Callable[..., Flask]) -> None:
    client = make_app(Settings(max_photos=1)).test_client()
    first = client.post("/photo/sample").headers["Location"]
    second = client.post("/photo/sample").headers["Location"]
    assert client.get(first).status_code == 404
    assert client.get(second).status_code == 200
    assert client.get("/healthz").get_json() == {"status": "ok", "version": "9.9", "photos": 1}


@pytest.mark.parametrize(
    ("url", "form"),
    [
        ("/tiles/1", {"face": "r14"}),
        ("/tiles/1", {"colour": "r"}),
        ("/tiles/1", {}),
        ("/tiles", {"face": "r1", "x": "here", "y": "1"}),
        ("/tiles", {"face": "r1", "x": "nan", "y": "1"}),
        ("/tiles", {"face": "r1", "row": "²"}),
        ("/tiles/1/row", {"row": "first"}),
    ],
)
def test_nonsense_changes_nothing(
    client: FlaskClient, open_photo: OpenPhoto, total: Total, url: str, form: dict[str, str]
) -> None:
    path = open_photo()
    before = client.get(path).text
    assert client.post(path + url, data=form).status_code == 400
    fragment = client.post(path + url, data=form, headers=HTMX)
    assert (fragment.status_code, fragment.text, fragment.headers["HX-Reswap"]) == (400, "", "none")
    assert client.get(path).text == before


def test_a_tile_that_is_gone_is_said(client: FlaskClient, open_photo: OpenPhoto) -> None:
    path = open_photo()
    for url in (f"{path}/tiles/99", f"{path}/tiles/0"):
        assert "This tile is gone" in client.get(url).text
        assert client.post(url, data={"face": "r1"}).status_code == 404
    assert client.post(f"{path}/tiles/1/row", data={"row": "99"}).status_code == 404


def test_a_point_outside_the_picture_is_brought_inside(client: FlaskClient, open_photo: OpenPhoto) -> None:
    path = open_photo("r5")
    client.post(f"{path}/tiles", data={"face": "k1", "x": "-5000", "y": "99999"})
    tiles = client.get("/api/v1/photos/" + path.rsplit("/", 1)[1]).get_json()["tiles"]
    xs, ys = zip(*tiles[1]["quad"], strict=True)
    assert (sum(xs) / 4, sum(ys) / 4) == pytest.approx((0.0, 1000.0))


def test_unknown_pages_and_rules_are_said(client: FlaskClient, open_photo: OpenPhoto) -> None:
    assert "There is no such page." in client.get("/nowhere").text
    answer = client.get(open_photo(), query_string={"rules": "poker"})
    assert answer.status_code == 400
    assert "doizece, etalat, regulament, classic" in answer.text
    assert client.get("/photo", query_string={"rules": "poker"}).status_code == 200
    assert client.get("/photo/sample/picture.jpg").status_code == 404


def test_an_empty_table_is_no_error(client: FlaskClient, open_photo: OpenPhoto, total: Total) -> None:
    path = open_photo(" ")
    assert total(path) == "0"
    page = client.get(path).text
    assert "No melds in the picture." in page
    client.post(f"{path}/tiles", data={"face": "k1", "x": "10", "y": "10"})
    assert total(path) == "−25"


def test_a_tile_is_described_for_those_who_do_not_see_it(client: FlaskClient, open_photo: OpenPhoto) -> None:
    page = client.get(open_photo("y3 * y5\nk9=0.5,k6,0.3"), query_string={"rules": "etalat"}).text
    labels = re.findall(r'class="tile-link"[^>]*aria-label="([^"]*)"', page)
    assert labels == [
        "3 yellow, meld 1. Change",
        "joker = 4 yellow, meld 1. Change",
        "5 yellow, meld 1. Change",
        "9 black, doubtful, loose. Change",
    ]


@pytest.mark.parametrize(
    ("rules", "notes"),
    [
        (
            "doizece",
            [
                "2 to 9: 5; 10 to 13: 10.",
                "1: 5 in 1-2-3, 10 after 13, 25 in a group, 25 when loose.",
                "Joker: 50 in a meld, 50 when loose.",
                "At most 1 joker in a meld.",
            ],
        ),
        ("etalat", ["1: 25 in any meld, 25 when loose.", "At most 2 jokers in a meld."]),
        ("regulament", ["Joker: in a meld as the tile it stands for, 50 when loose."]),
        (
            "classic",
            [
                "Melds score nothing at the end: only what is left over counts, against you.",
                "2 to 10: its number; J to K: 10.",
                "A: 11 when loose.",
                "Joker: 20 when loose.",
            ],
        ),
    ],
)
def test_the_page_says_in_words_what_the_rules_count(
    client: FlaskClient, open_photo: OpenPhoto, rules: str, notes: list[str]
) -> None:
    page = client.get(open_photo(), query_string={"rules": rules}).text
    assert [note for note in notes if f"<li>{note}</li>" not in page] == []


MISREAD = "r5 r8=0.6,r6,0.35 r7\nb1"


def test_what_the_rules_repair_is_shown_and_can_be_taken_back(
    client: FlaskClient, open_photo: OpenPhoto, total: Total
) -> None:
    path = open_photo(MISREAD)
    page = client.get(path, query_string={"rules": "etalat"}).text
    assert "Repaired by the rules" in page
    assert "Red 6 read as red 8: between red 5 and red 7 only red 6 or a joker fits." in page
    assert "No, it is 8 red" in page
    assert "Please check" not in page
    assert total(path) == "−10"
    assert "Red 6 read as red 8" in client.get(f"{path}/tiles/2", query_string={"rules": "etalat"}).text
    correct(client, path, "r6", face="r8")
    back = client.get(path, query_string={"rules": "etalat"}).text
    assert "Repaired by the rules" not in back
    assert total(path) == "−40"


def test_a_repair_that_is_right_is_settled(client: FlaskClient, open_photo: OpenPhoto) -> None:
    path = open_photo(MISREAD)
    correct(client, path, "r6", face="r6")
    assert "Repaired by the rules" not in client.get(path, query_string={"rules": "etalat"}).text


def test_contradictions_are_asked_in_the_language_of_the_visitor(
    client: FlaskClient, open_photo: OpenPhoto
) -> None:
    page = client.get(
        open_photo("r7 r8 r9\nr7\nr7"),
        query_string={"rules": "etalat"},
        headers={"Accept-Language": "ro"},
    ).text
    assert page.count("7 roșu apare de 3 ori, setul are 2: vedeți care e citită greșit.") == 3
