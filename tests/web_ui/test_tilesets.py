"""The pages that teach a tile set, as a browser without JavaScript uses them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import unescape

import pytest
from flask.testing import FlaskClient

from engine.notation import parse_face
from engine.tiles import JOKER, Mark, Seen
from tests.web_ui.conftest import services
from web_ui.app import create_app
from web_ui.services import AskedTile, CensusLostError, CensusView, PictureRefusedError

VIEW = CensusView(
    token="abc",  # noqa: S106 (the address of a census)
    name="Bunica",
    tiles=105,
    misread=8,
    missing=(parse_face("k7"), JOKER),
    extra=(parse_face("r6"), parse_face("r6")),
    asked=(
        AskedTile(
            17, b"\x89PNG 17", parse_face("r6"), parse_face("r8"), (parse_face("r8"), parse_face("r5"))
        ),
    ),
)


class FakeSets:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.view = VIEW
        self.known = ["Bunica", "Zar"]
        self.now: str | None = None
        self.told: list[object] = []

    def names(self) -> Sequence[str]:
        return self.known

    def used(self) -> str | None:
        return self.now

    def use(self, name: str | None) -> None:
        if name is not None and name not in self.known:
            raise PictureRefusedError("unknown_set", message_ro="Niciun set.", message_en="No such set.")
        self.now = name

    def forget(self, name: str) -> None:
        self.told.append(("forget", name))

    def begin(self, name: str, pictures: Sequence[bytes]) -> CensusView:
        self.told.append((name, list(pictures)))
        if pictures[0] == b"few":
            raise PictureRefusedError("too_few", message_ro="Doar 20 de piese.", message_en="Only 20 tiles.")
        return self.view

    def census(self, token: str) -> CensusView:
        if token != self.view.token:
            raise CensusLostError(token)
        return self.view

    def settle(self, token: str, index: int, answer: Seen | None) -> CensusView:
        self.census(token)
        if index > 200:
            raise IndexError(index)
        self.told.append((index, answer))
        return self.view

    def keep(self, token: str) -> None:
        self.census(token)
        self.told.append(("keep", token))


@pytest.fixture
def sets() -> FakeSets:
    return FakeSets()


@pytest.fixture
def teaching(sets: FakeSets) -> FlaskClient:
    app = create_app(replace(services(), tile_sets=sets))
    app.config["PROPAGATE_EXCEPTIONS"] = False
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


def form(name: str, *pictures: bytes) -> tuple[bytes, str]:
    parts = [b'--line\r\nContent-Disposition: form-data; name="name"\r\n\r\n' + name.encode() + b"\r\n"]
    parts += [
        b'--line\r\nContent-Disposition: form-data; name="pictures"; filename="a.jpg"\r\n\r\n'
        + data
        + b"\r\n"
        for data in pictures
    ]
    return b"".join(parts) + b"--line--\r\n", "multipart/form-data; boundary=line"


def test_the_start_page_leads_to_teaching_where_the_reader_can_be_taught(
    client: FlaskClient, teaching: FlaskClient
) -> None:
    assert 'href="/tilesets?rules=etalat"' in teaching.get("/photo").text
    assert "/tilesets" not in client.get("/photo").text
    for path in ("/tilesets", "/tilesets/census/abc"):
        assert client.get(path).status_code == 404


def test_pictures_of_a_set_become_a_census(teaching: FlaskClient, sets: FakeSets) -> None:
    body, kind = form("Bunica", b"one", b"two")
    answer = teaching.post("/tilesets", data=body, content_type=kind)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/tilesets/census/abc")
    assert sets.told == [("Bunica", [b"one", b"two"])]


@pytest.mark.parametrize(
    ("pictures", "status", "said"), [((), 400, "No picture was chosen"), ((b"few",), 422, "Only 20 tiles.")]
)
def test_what_is_no_census_is_said_and_the_name_stays(
    teaching: FlaskClient, pictures: tuple[bytes, ...], status: int, said: str
) -> None:
    body, kind = form("Bunica", *pictures)
    answer = teaching.post("/tilesets", data=body, content_type=kind)
    assert answer.status_code == status
    assert said in answer.text
    assert 'value="Bunica"' in answer.text


def test_a_census_names_what_is_missing_and_asks_what_is_doubtful(teaching: FlaskClient) -> None:
    page = unescape(teaching.get("/tilesets/census/abc").text)
    for text in (
        "105 tiles found.",
        "The set lacks one black 7.",
        "The set lacks one joker.",
        "The set has 2 of red 6 too many.",
        "Read as 8 red; its place says otherwise.",
    ):
        assert text in page
    assert "The set is complete." not in page
    for face in ("r6", "r8", "r5", "*", "#", "-"):
        assert f'name="face" value="{face}"' in page
    crop = teaching.get("/tilesets/census/abc/crops/17.png")
    assert (crop.mimetype, crop.data) == ("image/png", b"\x89PNG 17")
    assert teaching.get("/tilesets/census/abc/crops/18.png").status_code == 404


def test_a_whole_set_is_said_to_be_whole(teaching: FlaskClient, sets: FakeSets) -> None:
    sets.view = replace(VIEW, missing=(), extra=(), asked=(), misread=0)
    page = teaching.get("/tilesets/census/abc").text
    assert "The set is complete." in page
    assert "Please check" not in page


def test_a_print_that_hardly_stands_out_is_told(teaching: FlaskClient, sets: FakeSets) -> None:
    assert "hardly stands out" not in teaching.get("/tilesets/census/abc").text
    sets.view = replace(VIEW, faint=True)
    assert "The print hardly stands out from the tiles" in teaching.get("/tilesets/census/abc").text
    romanian = teaching.get("/tilesets/census/abc", headers={"Accept-Language": "ro"}).text
    assert "se disting greu" in unescape(romanian)


def test_the_census_speaks_romanian(teaching: FlaskClient) -> None:
    page = unescape(teaching.get("/tilesets/census/abc", headers={"Accept-Language": "ro"}).text)
    assert "Din set lipsește un 7 negru." in page
    assert "Din set lipsește un joly." in page
    start = unescape(teaching.get("/tilesets", headers={"Accept-Language": "ro"}).text)
    assert "Toate cele 106 piese" in start


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"face": "r8"}, parse_face("r8")),
        ({"number": "11", "colour": "b"}, parse_face("b11")),
        ({"face": "*"}, JOKER),
        ({"face": "#"}, Mark.FACE_DOWN),
        ({"face": "-"}, None),
    ],
)
def test_a_tap_settles_a_tile(
    teaching: FlaskClient, sets: FakeSets, answer: dict[str, str], told: Seen | None
) -> None:
    done = teaching.post("/tilesets/census/abc/tiles/17", data=answer)
    assert (done.status_code, done.headers["Location"]) == (303, "/tilesets/census/abc")
    assert sets.told == [(17, told)]


def test_what_is_not_there_is_said(teaching: FlaskClient) -> None:
    assert teaching.post("/tilesets/census/abc/tiles/17", data={"face": "z1"}).status_code == 400
    assert teaching.post("/tilesets/census/abc/tiles/999", data={"face": "r1"}).status_code == 404
    for path in ("/tilesets/census/gone/tiles/17", "/tilesets/census/gone/keep"):
        assert teaching.post(path, data={"face": "r1"}).status_code == 404
    assert teaching.get("/tilesets/census/gone").status_code == 404


def test_a_set_is_learnt_used_and_forgotten(teaching: FlaskClient, sets: FakeSets) -> None:
    done = teaching.post("/tilesets/census/abc/keep")
    assert (done.status_code, done.headers["Location"]) == (303, "/tilesets")
    teaching.post("/tilesets/use", data={"name": "Zar"})
    assert sets.used() == "Zar"
    page = teaching.get("/tilesets").text
    assert page.count("pictures are read with it") == 1
    teaching.post("/tilesets/use", data={"name": ""})
    assert sets.used() is None
    teaching.post("/tilesets/forget", data={"name": "Zar"})
    assert sets.told == [("keep", "abc"), ("forget", "Zar")]
    refused = teaching.post("/tilesets/use", data={"name": "Nimic"})
    assert refused.status_code == 422
    assert "No such set." in refused.text


def test_no_other_site_teaches(teaching: FlaskClient, sets: FakeSets) -> None:
    for path in ("/tilesets", "/tilesets/use", "/tilesets/forget", "/tilesets/census/abc/keep"):
        answer = teaching.post(path, data={"name": "Zar"}, headers={"Origin": "https://evil.example"})
        assert answer.status_code == 403
    assert sets.told == []
