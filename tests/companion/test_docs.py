"""The documents are complete and true: verbs, options, decisions, links, examples."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.cli import main
from engine.rules import RULE_KEYS

ROOT = Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text()
CLI = (ROOT / "docs" / "cli.md").read_text()
FORMATS = (ROOT / "docs" / "formats.md").read_text()
DECISIONS = ROOT / "docs" / "decisions"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("verb", sorted(main.commands))
def test_every_verb_is_in_the_readme_and_on_the_page_of_the_command_line(verb: str) -> None:
    assert f"remi {verb}" in README
    assert f"`remi {verb}" in CLI


@pytest.mark.parametrize("verb", sorted(main.commands))
def test_every_option_has_help_and_every_verb_says_what_it_does(verb: str) -> None:
    command = main.commands[verb]
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


@pytest.mark.parametrize("key", RULE_KEYS)
def test_every_rule_set_is_named(key: str) -> None:
    assert f"`{key}`" in CLI


def test_documents_name_no_verb_that_is_not_there() -> None:
    for page in PAGES:
        named = set(re.findall(r"\bremi ([a-z]+)\b", page.read_text()))
        assert named <= set(main.commands), page.name


def test_every_decision_is_listed() -> None:
    listed = (DECISIONS / "README.md").read_text()
    records = sorted(path.name for path in DECISIONS.glob("[0-9]*.md"))
    assert records
    for number, record in enumerate(records, start=1):
        assert record.startswith(f"{number:04}-")
        assert f"({record})" in listed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_romanian_letters_have_commas_not_cedillas(page: Path) -> None:
    assert not set("şţŞŢ") & set(page.read_text())


def readme_examples() -> list[tuple[str, str]]:
    """Each `$ remi check …` of the README with the output shown under it."""
    blocks = "\n".join(re.findall(r"```\n(\$ remi .*?)```", README, flags=re.DOTALL))
    return re.findall(r"\$ remi (check [^\n]*)\n(.*?)(?=\n\n|\n?\Z|\n\$)", blocks, flags=re.DOTALL)


def test_examples_in_the_readme_are_what_the_command_prints() -> None:
    examples = readme_examples()
    assert len(examples) >= 2
    for command, shown in examples:
        printed = CliRunner().invoke(main, shlex.split(command)).stdout
        assert printed.strip() == shown.strip()


def test_the_json_fields_are_on_the_page_of_formats() -> None:
    from companion.documents import uncounted_document
    from engine.melds import MeldVerdict
    from engine.readings import Candidate, SeenTile

    fields = {*MeldVerdict.__slots__, *uncounted_document(), *uncounted_document()["totals"]}
    fields |= {
        *SeenTile.__slots__,
        *Candidate.__slots__,
        "path",
        "size",
        "milliseconds",
        "error",
        "opening_points",
    }
    for field in sorted(fields):
        assert re.search(rf"\b{field}\b", FORMATS), field
