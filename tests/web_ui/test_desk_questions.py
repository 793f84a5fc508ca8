"""What a table asks of its arbiter, on the desk: questions, announcements, calls, places that differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from companion.table.following import Told
from companion.table.inputs import Pressed
from engine import commands as c
from engine.infer.follower import Lost, Outcome
from engine.infer.outcomes import Ambiguity
from engine.lamps import Button, ButtonPressed
from engine.state import State
from engine.table_reading import TableReading
from tests.companion.table.scripted import Scripted, ask, candidate, differing, look, played_script
from tests.companion.table.test_running import running, until
from tests.web_ui.conftest import services
from tests.web_ui.test_desk import PIN, Camera, Desk, client_of, reading_of
from tests.web_ui.test_table import NOW, lying

SCRIPT = played_script("etalat", 3)
ASKED_AT = 41

QUESTION = Ambiguity(
    "turn",
    (
        candidate("seat 2: draws, discards r8", "locul 2: trage, aruncă r8", 0.791, (11,)),
        candidate("seat 2: puts down b8 r8 y8", "locul 2: etalează b8 r8 y8", 0.2, (8, 9, 10)),
        candidate("seat 2: does both", "locul 2: face amândouă", 0.004, (8, 9)),
    ),
    (8, 9),
    "What did seat 2 do?",
    "Ce a jucat locul 2?",
)


@dataclass(frozen=True)
class Asking(Scripted):
    """A follower that says more, at the looks of these numbers, and notes what it is told."""

    says: Mapping[int, tuple[Outcome, ...]] = field(default_factory=dict)
    heard: list[Any] = field(default_factory=list)

    def observe(self, reading: TableReading) -> Told:
        after, outcomes = super().observe(reading)
        return after, (*outcomes, *self.says.get(reading.number, ()))

    def answer(self, number: int, choice: int | None) -> Told:
        self.heard.append((number, choice))
        return super().answer(number, choice)

    def ignore(self, keys: Sequence[int]) -> Scripted:
        self.heard.append(tuple(keys))
        return self


class AskingDesk(Desk):
    """A desk whose table asks after forty looks."""

    def __init__(
        self, stack: ExitStack, folder: Path, *says: Outcome, camera: bool = True, looks: int = 40
    ) -> None:
        self.heard: list[Any] = []

        def new_follower(state: State, log: Sequence[c.Command], *, commit: str) -> Asking:
            return Asking(SCRIPT, state, tuple(log), commit, says={ASKED_AT: says}, heard=self.heard)

        more = f"[page]\npin = '{PIN}'\n"
        self.table, self.sight = stack.enter_context(running(folder, more, new_follower=new_follower))
        self.sight.see(look(looks))
        until(self.table, lambda shown: len(shown.public["entries"]) == looks)
        self.camera = Camera(replace(NOW, reading=reading_of(dict(self.table.document()))))
        given = replace(services(), game=self.table, table=self.camera if camera else None)
        self.client = client_of(given)

    def ask(self, reading: TableReading | None = None) -> None:
        self.sight.see(reading or look(ASKED_AT))
        until(self.table, lambda shown: bool(shown.public["question"] or shown.public["differences"]))

    def press(self, seat: int, button: Button) -> None:
        before = self.table.document()["number"]
        self.table.table.pressed(Pressed(ButtonPressed(seat, button, 1)))
        until(self.table, lambda shown: shown.number > before)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Callable[..., AskingDesk]]:
    with ExitStack() as stack:
        yield lambda *says, **more: AskingDesk(stack, tmp_path, *says, **more)


def questions(page: str) -> str:
    """The part of the desk that asks."""
    begin = page.index('id="desk-questions"')
    return page[begin : page.index('id="desk-tiles"', begin)]


def crops(html: str) -> list[int]:
    return [int(key) for key in re.findall(r"/arbiter/crop/(\d+)\.jpg", html)]


def test_a_question_shows_its_tiles_and_those_of_each_answer(desk: Callable[..., AskingDesk]) -> None:
    found = desk(ask(7, QUESTION))
    assert "What did seat 2 do?" not in found.log_in()
    found.ask()
    part = questions(found.page())
    assert "What did seat 2 do?" in part
    above, *options = part[: part.index("None of these")].split("<button")
    assert crops(above) == [8, 9]
    # An answer about the same tiles as the question does not show them again.
    assert [crops(option) for option in options[:3]] == [[11], [8, 9, 10], []]
    for option, words, share in zip(options, QUESTION.candidates, ("79 %", "20 %", "0 %"), strict=False):
        assert words.text_en in option
        assert share in option
    for key in (8, 9, 10, 11):
        assert found.client.get(f"/arbiter/crop/{key}.jpg").status_code == 200
    romanian = found.client.get("/arbiter", headers={"Accept-Language": "ro"}).text
    assert "Ce a jucat locul 2?" in romanian
    assert "locul 2: etalează b8 r8 y8" in romanian
    assert "Niciuna dintre ele" in romanian


@pytest.mark.parametrize(("choice", "heard"), [("1", 1), ("0", 0), ("", None)])
def test_an_answer_is_given_at_once_whatever_has_been_played_since(
    desk: Callable[..., AskingDesk], choice: str, heard: int | None
) -> None:
    found = desk(ask(7, QUESTION))
    found.log_in()
    found.ask()
    page = found.page()
    found.table.post("rename", {"seat": 0, "name": "Ștefan"}, None, anyway=False)
    status, _ = found.post("/arbiter/check", page, what="answer", number="7", choice=choice)
    assert status == 303
    assert found.heard == [(7, heard)]
    assert found.table.document()["question"] is None
    assert "What did seat 2 do?" not in found.page()


def test_the_page_that_stays_is_answered_with_nothing_to_load(desk: Callable[..., AskingDesk]) -> None:
    found = desk(ask(7, QUESTION))
    found.log_in()
    found.ask()
    page = found.page()
    found.client.environ_base["HTTP_HX_REQUEST"] = "true"
    assert found.post("/arbiter/check", page, what="answer", number="7", choice="0") == (204, "")
    now = found.client.get("/arbiter/now").text
    assert "What did seat 2 do?" not in now
    # Another arbiter was faster: it is said, and nothing is answered twice.
    status, _ = found.post("/arbiter/check", page, what="answer", number="7", choice="1")
    assert status == 204
    assert found.heard == [(7, 0)]
    del found.client.environ_base["HTTP_HX_REQUEST"]
    assert "desk-said" in found.page()
    assert found.heard == [(7, 0)]


def test_an_answer_needs_session_and_token(desk: Callable[..., AskingDesk]) -> None:
    found = desk(ask(7, QUESTION))
    found.ask()
    data = {"what": "answer", "number": "7", "choice": "0", "version": "1"}
    assert found.client.post("/arbiter/check", data=data).status_code == 401
    found.log_in()
    assert found.client.post("/arbiter/check", data=data).status_code == 403
    assert found.heard == []
    assert found.table.document()["question"] is not None


def test_a_question_about_a_rack_tells_nothing_of_it(desk: Callable[..., AskingDesk]) -> None:
    secret = candidate("seat 2 holds k13", "locul 2 are k13", 0.9, (99,))
    asked = replace(QUESTION, candidates=(secret,), keys=(8, 99))
    found = desk(ask(7, asked))
    found.log_in()
    held = lying(99, "k13")
    found.ask(TableReading(ASKED_AT, 41.0, racks={2: ((held,),)}))
    part = questions(found.page())
    assert "A tile on a rack is in doubt" in part
    assert "k13" not in part
    assert 99 not in crops(part)
    assert "None of these" in part


def test_without_a_camera_a_question_is_asked_without_pictures(desk: Callable[..., AskingDesk]) -> None:
    found = desk(ask(7, QUESTION), camera=False)
    found.log_in()
    found.ask()
    page = found.page()
    assert "What did seat 2 do?" in page
    assert "seat 2: puts down b8 r8 y8" in page
    assert crops(page) == []


def odd_things(count: int) -> Lost:
    return differing(
        *(
            ("extra", "row", f"r{key} lies there", f"r{key} este acolo", key if key % 2 else None)
            for key in range(1, count + 1)
        )
    )


def test_what_lies_otherwise_is_shown_and_may_be_no_tile(desk: Callable[..., AskingDesk]) -> None:
    found = desk(odd_things(3))
    found.log_in()
    found.ask()
    page = found.page()
    part = page[page.index('id="desk-differences-title"') :]
    part = part[: part.index("</section>")]
    assert ">3<" in part
    assert crops(part) == [1, 3]
    assert part.count("Not a tile") == 2
    status, shown = found.post("/arbiter/check", page, what="ignore", key="3")
    assert status == 200
    assert len(found.table.document()["differences"]) == 3, "it is only shown yet"
    assert found.confirm(shown)[0] == 303
    assert found.heard[-1] == (3,)
    # It is gone at once, not only after the next look.
    assert [one["key"] for one in found.table.document()["differences"]] == [1, None]
    assert "r3 lies there" not in questions(found.page())


def test_of_many_that_differ_the_first_are_shown(desk: Callable[..., AskingDesk]) -> None:
    found = desk(odd_things(11))
    found.log_in()
    found.ask()
    part = questions(found.page())
    assert "r6 lies there" in part
    assert "r7 lies there" not in part
    assert "And 5 more." in part
    board = found.client.get("/").text
    assert "r3 lies there" in board
    assert "r4 lies there" not in board
    assert "8 more places differ" in board


def test_who_calls_is_named_until_it_was_answered(desk: Callable[..., AskingDesk]) -> None:
    found = desk()
    assert "is called by" not in found.log_in()
    found.press(2, Button.CALL)
    found.press(0, Button.CALL)
    page = found.page()
    assert re.search(r"The arbiter is called by:\s+Ana,\s+Ioana", questions(page))
    assert found.post("/arbiter/check", page, what="calls_done")[0] == 303
    assert not any(one["called"] for one in found.table.document()["seats"])
    assert "is called by" not in found.page()


@pytest.mark.parametrize("what", ["few", None])
def test_what_a_button_announces_is_asked_for(desk: Callable[..., AskingDesk], what: str | None) -> None:
    found = desk(looks=5)
    found.log_in()
    found.press(0, Button.ANNOUNCE)
    page = found.page()
    part = questions(page)
    assert "Ana announces. What?" in part
    assert re.findall(r'name="e-what" value="([^"]+)"', part) == ["few", "table_game"]
    assert "few tiles" in part
    if what is None:
        assert found.post("/arbiter/check", page, what="calls_done")[0] == 303
    else:
        said = {"what": "command", "kind_of_entry": "announce", "e-seat": "0", "e-what": what}
        status, shown = found.post("/arbiter/check", page, **said)
        assert status == 200
        assert found.table.document()["announcing"] is not None, "it is only shown yet"
        assert found.confirm(shown)[0] == 303
    after = found.table.document()
    assert after["announcing"] is None
    said_now = [one for one in after["entries"] if one["event"] == "announce" and one["actor"] == "arbiter"]
    assert [(one["seat"], one["what"]) for one in said_now] == ([] if what is None else [(0, "few")])
    assert "announces. What?" not in found.page()
