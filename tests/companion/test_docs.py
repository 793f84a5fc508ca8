"""The documents are complete and true: verbs, options, decisions, links, examples."""

from __future__ import annotations

import dataclasses
import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.cli import main
from engine.rules import RULE_KEYS, RuleSet, rule_set

ROOT = Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text()
CLI = (ROOT / "docs" / "cli.md").read_text()
FORMATS = (ROOT / "docs" / "formats.md").read_text()
RULES = (ROOT / "docs" / "RULES.md").read_text()
READING = (ROOT / "docs" / "reading.md").read_text()
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
    assert [int(record[:4]) for record in records] == list(range(1, len(records) + 1))
    for record in records:
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


# ---- the rules


def sections(text: str) -> dict[str, str]:
    """Each heading of the second level with what stands under it."""
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


ALSO_CITED_AS = {
    "after opening, last discard": "after opening: last discard",
    "break the row further back": "break the row",
    "first meld": "first meld, points",
    "from a group": "reclaim a joker from a group",
    "reclaim a joker from a group of 2 tiles + joker": "reclaim a joker from a group",
    "reclaim a joker from a run": "reclaim a joker",
    "taking the last discard": "taking the last discard before having opened",
    "tiles left": "tiles left restrict taking",
}
"""Clauses that the engine's texts call by other words than the heading."""


def cited(text: str) -> list[str]:
    """The clauses named at the start of a text, in its own words; it fails at one that is no clause.

    They are joined by commas or `and`, and end with the sentence, a colon or a bracket.
    """
    names = sorted({*sections(RULES), *ALSO_CITED_AS}, key=len, reverse=True)
    found: list[str] = []
    while True:
        name = next((name for name in names if re.match(re.escape(name) + r"(?=[.,:;)]| and )", text)), None)
        assert name is not None, f"no clause: {text[:60]}"
        found.append(name)
        more = re.match(r"(?!, and what a turn still owes)(?:, and |, | and )", text[len(name) :])
        if more is None:
            return found
        text = text[len(name) + more.end() :]


def citations() -> list[str]:
    """What follows each `RULES.md, ` in the engine."""
    texts = (" ".join(path.read_text().split()) for path in (ROOT / "engine").rglob("*.py"))
    return [text for page in texts for text in re.split(r"RULES\.md, (?!as data)", page)[1:]]


def clauses_of_refusals() -> dict[str, tuple[str, ...]]:
    """By code the clauses that a refusal of a game names; a few codes are refused by several."""
    from engine import refusals
    from engine.breaches import BREACHES

    by_code = {code: (texts[0],) for code, texts in {**BREACHES, **refusals._IMPOSSIBLE}.items()}
    assert set(by_code) == refusals.GAME_CODES
    start = (ROOT / "engine" / "judge_start.py").read_text()
    filled = sorted(set(re.findall(r'_before_play\(state, "([^"]+)"\)', start)))
    return {code: tuple(filled) if names == ("{clause}",) else names for code, names in by_code.items()}


def test_every_clause_of_the_engine_is_a_heading_of_the_rules() -> None:
    """Those that reasons name, and those that comments cite."""
    from engine import meld_reasons

    named = {name for text in citations() for name in cited(text)}
    assert {"players", "joker, final value", "may open in the first round"} <= named
    assert set(ALSO_CITED_AS) <= named, "no longer cited so"
    clauses = {ALSO_CITED_AS.get(name, name) for name in named}
    clauses |= {
        meld_reasons.SET,
        meld_reasons.RUN,
        meld_reasons.GROUP,
        meld_reasons.JOKERS,
        meld_reasons.JOKER_PLACE,
    }
    clauses |= {clause for names in clauses_of_refusals().values() for clause in names}
    assert {"record", "after opening: last discard"} <= clauses
    assert clauses == set(sections(RULES))


def test_every_refusal_is_under_its_clause_and_among_the_codes() -> None:
    headings = sections(RULES)
    listed = (ROOT / "docs" / "rule-fields.md").read_text()
    for code, clauses in clauses_of_refusals().items():
        assert clauses, code
        for clause in clauses:
            assert f"`{code}`" in headings[clause], (code, clause)
        assert f"| `{code}` | {', '.join(clauses)} | " in listed, code


def test_every_code_on_the_page_of_rules_is_one() -> None:
    from engine.meld_reasons import MELD_CODES
    from engine.refusals import GAME_CODES

    for clause, text in sections(RULES).items():
        for paragraph in re.findall(r"^Codes?: .+?(?=\n\n|\Z)", text, flags=re.MULTILINE | re.DOTALL):
            codes = set(re.findall(r"`([a-z_0-9]+)`", paragraph))
            assert codes, clause
            assert codes <= MELD_CODES | GAME_CODES, clause


def test_every_code_of_a_reason_is_explained_under_a_clause() -> None:
    from engine.meld_reasons import MELD_CODES

    explained = {code for text in sections(RULES).values() for code in re.findall(r"`([a-z_]+)`", text)}
    assert explained >= MELD_CODES


NONE_MEANS = {
    "one_final_points": "as when opening",
    "joker_final_points": "as its tile",
    "rack_max": "no limit",
    "reclaims_max": "no limit",
    "never_opened_points": "rack counts",
    **{f"table_{kind}_points": "not played" for kind in ("simple", "mozaic", "bicolor", "monocolor")},
}


def shown_value(field: str, rules: RuleSet) -> str:
    value = getattr(rules, field)
    if field == "number_points":
        spans = {
            (5,) * 8 + (10,) * 4: "5 to the 9, then 10",
            (*range(2, 11), 10, 10, 10): "its number to the 10, then 10",
        }
        return spans[value]
    if value is None:
        return NONE_MEANS[field]
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def test_the_tables_of_the_rules_are_those_of_the_rule_sets() -> None:
    tables = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in RULES.splitlines()]
    assert ("field", "means", *RULE_KEYS) in tables
    rows = {cells[0].strip("`"): cells[2:] for cells in tables if len(cells) == 2 + len(RULE_KEYS)}
    fields = [field.name for field in dataclasses.fields(RuleSet) if "limits" in field.metadata]
    assert fields
    for field in fields:
        assert rows[field] == tuple(shown_value(field, rule_set(key)) for key in RULE_KEYS), field


def test_every_field_is_under_the_clause_that_it_cites() -> None:
    source = (ROOT / "engine" / "rules" / "ruleset.py").read_text()
    documented = dict(
        re.findall(r'^    (\w+): [^\n]+\n    """RULES\.md, ([^\n]+)', source, flags=re.MULTILINE)
    )
    fields = [field.name for field in dataclasses.fields(RuleSet) if "limits" in field.metadata]
    assert set(fields) == set(documented)
    for field in fields:
        (name,) = cited(documented[field])
        text = sections(RULES)[ALSO_CITED_AS.get(name, name)]
        assert f"| `{field}` |" in text, (field, name)
        assert RULES.count(f"| `{field}` |") == 1, field


# ---- the model's life


def test_the_packages_of_fonts_are_those_that_the_renderer_looks_for() -> None:
    from vision.synth.fonts import packages

    line = re.search(r"apt-get install --no-install-recommends ([^`]+)```", CLI)
    assert line is not None
    assert line[1].replace("\\", "").split() == list(packages()), " ".join(packages())


def test_no_other_list_of_fonts_is_kept() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert "vision.synth.fonts" in script
    assert "fonts-" not in script


def test_the_minutes_of_the_parts_are_those_of_the_training() -> None:
    from vision.training.run import MINUTES

    shown = re.findall(r"^\| `([a-z]+)` \| ([0-9]+) \|", CLI, flags=re.MULTILINE)
    assert {part: float(minutes) for part, minutes in shown} == MINUTES


@pytest.mark.parametrize("verb", ["evaluate", "synth", "train", "export", "restore"])
def test_every_option_of_the_models_life_is_explained(verb: str) -> None:
    for parameter in main.commands[verb].params:
        for option in parameter.opts:
            if option.startswith("--") and option not in {"--json", "--workers"}:
                assert option in CLI, option


def test_the_commands_of_the_models_life_are_understood() -> None:
    commands = re.findall(r"^remi ((?:synth|train|export|evaluate|restore) [^\n&]+)", CLI, flags=re.MULTILINE)
    assert len(commands) >= 8
    for line in commands:
        verb, *arguments = shlex.split(line)
        # Folders need not be there: the options are what is checked.
        command = main.commands[verb]
        context = click.Context(command, resilient_parsing=True)
        parameters = command.make_parser(context).parse_args(list(arguments))
        assert parameters[1] == [], line


def test_the_scenes_held_back_are_as_many_as_is_said() -> None:
    from vision.synth.dataset import HELD_BACK

    assert f"the last {HELD_BACK} scenes" in CLI


def test_reading_names_the_sizes_and_thresholds_of_the_code() -> None:
    from vision.crops import CORNER_SIDE, FACE_SIZE
    from vision.finding import WINDOW
    from vision.judging import Thresholds

    text = " ".join(READING.split())
    assert f"over {WINDOW} pixels" in text
    assert f"{CORNER_SIDE}x{CORNER_SIDE} pixels" in text
    assert f"{FACE_SIZE[0]}x{FACE_SIZE[1]} pixels" in text
    for field in dataclasses.fields(Thresholds):
        assert f"| `{field.name}` |" in READING


def test_the_card_of_the_models_is_complete() -> None:
    """It belongs to the weights beside it, and says where they come from and how well they read."""
    import hashlib

    from vision.onnx_nets import CARD, NETS, default_models

    folder = default_models()
    card = tomllib.loads((folder / CARD).read_text(encoding="utf-8"))
    assert set(card["nets"]) == set(NETS)
    for net in card["nets"].values():
        data = (folder / net["file"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (net["bytes"], net["sha256"])
    for key in ("licence", "data", "limits", "thresholds", "chance", "training", "measured", "fonts"):
        assert card[key], key
