"""Romanian and English: both complete, compiled, chosen by the browser or by the visitor."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

import web_ui

FOLDER = Path(web_ui.__file__).parent
CATALOGUE = FOLDER / "translations" / "ro" / "LC_MESSAGES" / "messages"
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2")]
OPTIONS = {"templates/**.html": {"encoding": "utf-8", "trimmed": "true"}}

Key = tuple[str | None, str]


def first_form(message: str | tuple[str, ...] | list[str]) -> str:
    return message if isinstance(message, str) else message[0]


def forms(message: Message) -> tuple[str, ...]:
    """The translation in each plural form (one where there is no plural)."""
    strings = message.string
    return (strings,) if isinstance(strings, str) else tuple(strings or ())


def texts_in_code() -> set[Key]:
    found = extract_from_dir(FOLDER, method_map=METHODS, options_map=OPTIONS)
    return {(context, first_form(text)) for _, _, text, _, context in found}


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    return read_po(BytesIO(CATALOGUE.with_suffix(".po").read_bytes()))


def test_every_text_is_translated_and_none_is_left_over(catalogue: Catalog) -> None:
    # The texts in the code are the English ones: complete by construction.
    translated = {
        (message.context, first_form(message.id))
        for message in catalogue
        if message.id and not message.fuzzy and all(forms(message))
    }
    assert translated == texts_in_code()
    assert len(translated) > 90


def test_the_compiled_catalogue_agrees(catalogue: Catalog) -> None:
    compiled = read_mo(BytesIO(CATALOGUE.with_suffix(".mo").read_bytes()))

    def content(of: Catalog) -> dict[Key, tuple[str, ...]]:
        return {(m.context, first_form(m.id)): forms(m) for m in of if m.id}

    assert content(compiled) == content(catalogue)
    assert compiled.plural_expr == catalogue.plural_expr


def test_placeholders_survive_translation(catalogue: Catalog) -> None:
    for message in catalogue:
        if message.id:
            expected = set(re.findall(r"%\(\w+\)[ds]|%%", first_form(message.id)))
            for text in forms(message):
                assert set(re.findall(r"%\(\w+\)[ds]|%%", text)) == expected, message.id


def test_romanian_letters_have_a_comma_below() -> None:
    text = CATALOGUE.with_suffix(".po").read_text("utf-8")
    assert not re.search("[şţŞŢ]", text)  # with a cedilla they are Turkish
    assert "ș" in text
    assert "ț" in text


@pytest.mark.parametrize(
    ("accepts", "language"),
    [
        ("ro-RO,ro;q=0.9,en;q=0.8", "ro"),
        ("en-GB,en;q=0.9,ro;q=0.1", "en"),
        ("de-DE,en;q=0.5", "en"),
        ("hu", "ro"),
        ("", "ro"),
    ],
)
def test_the_browser_chooses_the_language(client: FlaskClient, accepts: str, language: str) -> None:
    page = client.get("/photo", headers={"Accept-Language": accepts}).text
    assert f'<html lang="{language}">' in page
    assert ("Fotografiați masa, vedeți punctele" in page) == (language == "ro")


def test_the_visitor_switches_and_it_stays(client: FlaskClient, open_photo: Callable[..., str]) -> None:
    path = open_photo()
    answer = client.post("/language", data={"lang": "ro", "next": f"{path}?rules=etalat"})
    assert answer.headers["Location"] == f"{path}?rules=etalat"
    page = client.get(answer.headers["Location"]).text
    assert "Total după Remi etalat" in page
    assert "de puncte" in page  # 70 takes the third plural form
    assert 'name="next" value="' + f"{path}?rules=etalat" in page
    client.post("/language", data={"lang": "en"})
    assert "Total under Remi etalat" in client.get(path).text


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "/\\evil.example", "", "x"])
def test_the_switch_leads_nowhere_else(client: FlaskClient, target: str) -> None:
    assert client.post("/language", data={"lang": "ro", "next": target}).headers["Location"] == "/"


def test_a_language_that_is_not_there_is_refused(client: FlaskClient) -> None:
    assert client.post("/language", data={"lang": "de"}).status_code == 400
    client.set_cookie("lang", "xx")
    assert client.get("/photo").status_code == 200


def test_no_english_is_left_on_romanian_pages(
    client: FlaskClient, open_photo: Callable[..., str], catalogue: Catalog
) -> None:
    path = open_photo()
    client.post("/language", data={"lang": "ro"})
    pages = [client.get(url).text for url in ("/photo", path, f"{path}/tiles/10", f"{path}/add", "/nowhere")]
    visible = " ".join(re.sub(r"<[^>]*>", " ", page) for page in pages)
    for message in catalogue:
        english = first_form(message.id) if message.id else ""
        if len(english) > 12 and "%" not in english and message.string != english:
            assert english not in visible
