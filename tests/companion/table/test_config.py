"""The table file: every option documented, every typo refused with what was meant, in both languages."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import get_args

import pytest

from companion.table.config import load_config, parse_config
from companion.table.config_schema import TableFile
from companion.table.errors import ConfigError
from companion.table.following import by_hand
from companion.table.options import OPTIONS, SECTIONS, UNSET, example

DOC = (Path(__file__).resolve().parents[3] / "docs" / "table.md").read_text(encoding="utf-8")


def options_of_the_schema() -> list[str]:
    found = []
    for name, field in TableFile.model_fields.items():
        parts = getattr(field.annotation, "model_fields", None)
        found += [name] if parts is None else [f"{name}.{option}" for option in parts]
    return found


def test_every_option_has_words_and_stands_in_the_example_and_in_the_documentation() -> None:
    assert list(OPTIONS) == options_of_the_schema()
    assert {key.partition(".")[0] for key in OPTIONS if "." in key} == set(SECTIONS)
    for english, romanian in (*OPTIONS.values(), *SECTIONS.values()):
        assert english
        assert romanian
        assert english != romanian or english.startswith("doizece")
        assert not set("şţŞŢ") & set(romanian)
    assert f"```toml\n{example()}```" in DOC
    for key in OPTIONS:
        assert f"`{key.rpartition('.')[2]}`" in DOC


@pytest.mark.parametrize("romanian", [False, True])
def test_the_example_is_a_table_with_the_defaults(romanian: bool) -> None:
    text = example(romanian=romanian)
    assert parse_config(text).file == TableFile()


def test_what_the_example_has_commented_out_can_be_used() -> None:
    lines = example().splitlines()
    for key, value in UNSET.items():
        option = key.rpartition(".")[2]
        lines[lines.index(f"# {option} = {value}")] = f"{option} = {value}"
    text = "\n".join(line for line in lines if not line.startswith("target"))
    file = parse_config(text).file
    for key in UNSET:
        if key != "match.target":
            head, _, option = key.partition(".")
            assert getattr(getattr(file, head), option), key


@pytest.mark.parametrize(
    ("text", "english", "romanian"),
    [
        ("[page]\nprot = 8000", "[page] prot is not known; did you mean port?", "ați vrut port?"),
        ("[pagge]\nport = 8000", "pagge is not known; did you mean page?", "ați vrut page?"),
        ("[journal]\nport = 1", "[journal] port is not known here; it belongs to [board]", "[board]"),
        ("names = ['A', 'B']", "names is not known here; it belongs to [players]", "[players]"),
        ("[board]\nqwerty = 1", "there are: port, places, brightness, sound, quiet", "există: port"),
        ("[rules]\nbase = 'etallat'", "[rules] base: must be 'doizece', 'etalat' or 'regulament'", "trebuie"),
        ("[rules]\nbase = 'classic'", "[rules] base: must be", "[rules] base: trebuie"),
        ("[rules.changes]\nfirst_meld_point = 50", "did you mean: first_meld_points", "poate: first_meld"),
        ("[page]\nport = 70000", "[page] port: must be at most 65535, not 70000", "cel mult 65535"),
        ("[page]\nport = 'web'", "[page] port: must be a whole number, not 'web'", "un număr întreg"),
        ("[page]\npin = '12'", "[page] pin: must be 4 to 12 digits", "cifre"),
        ("[players]\nnames = ['Ana']", "[players] names: must have at least 2 entries", "cel puțin 2"),
        ("[players]\nnames = ['Ana', 'Ana']", "two players have the same name", "același nume"),
        ("[players]\ndealer = 'Vlad'", "'Vlad' is none of the names", "nu este dintre nume"),
        ("[match]\ngames = 3\ntarget = 100", "[match] name games or target", "nu amândouă"),
        ("[camera]\nsource = '0'", "[camera] a source needs a rig", "are nevoie de rig"),
        ("[turn]\ncommit = 'button'", '"button" needs a board', "are nevoie de placă"),
        (
            "[turn]\nclock = 'limit'\nlimit_s = 10",
            "[turn] warn_s: a warning comes before",
            "[turn] warn_s: un",
        ),
        ("[board]\nsound = 'loud'", "[board] sound: must be true or false", "true sau false"),
        ("[board]\nquiet = ['late', '8:00']", 'must be a time such as "22:00"', 'o oră ca "22:00"'),
        ("[board]\nplaces = [0, 1]", "name a place for each player", "un loc pentru fiecare jucător"),
        ("page = 3", "[page] must be a section of its own", "[page] trebuie să fie o secțiune"),
        ("[page", "it is no TOML", "nu este TOML"),
    ],
)
def test_what_is_wrong_is_said_with_what_was_meant(text: str, english: str, romanian: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, name="masa.toml")
    assert english in caught.value.hint_en
    assert romanian in caught.value.hint_ro
    assert all(line.startswith("masa.toml: ") for line in caught.value.hint_ro.splitlines())


def test_all_mistakes_are_named_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config("[page]\nprot = 1\n[board]\nbrightness = 999\n[turn]\nclock = 'egg'")
    assert len(caught.value.hint_en.splitlines()) == 3


def test_a_file_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"remi setup --write masa\.toml"):
        load_config(tmp_path / "masa.toml")


def test_paths_begin_at_the_file_and_rules_are_those_of_the_house(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        "table = 'Masa 1'\n[rules]\nbase = 'etalat'\nchanges = { first_meld_points = 50 }\n"
        "[players]\ndealer = 'Dan'\n[match]\ngames = 3\n[camera]\ntileset = 'Bunica'\n"
        "[board]\nport = 'sim'\nquiet = [21:30:00, 07:00:00]\n[turn]\ncommit = 'button'\nclock = 'limit'\n"
    )
    config = load_config(path)
    assert config.journal == tmp_path / "remi-journal.sqlite"
    setup = config.setup(by_hand)
    assert setup.rules.first_meld_points == 50
    assert (setup.dealer, setup.games, setup.commit, setup.clock.mode) == (1, 3, "button", "limit")
    assert setup.more == {"table": "Masa 1", "tileset": "Bunica"}
    assert config.file.board.quiet[0].hour == 21


def test_the_schema_knows_the_rule_sets_that_tiles_are_played_with() -> None:
    from engine.rules import RULE_KEYS, rule_set

    field = TableFile.model_fields["rules"].annotation.model_fields["base"]  # type: ignore[union-attr]
    assert set(get_args(field.annotation)) == {key for key in RULE_KEYS if not rule_set(key).with_cards}


def test_the_example_is_whole_toml() -> None:
    assert set(tomllib.loads(example())) == {"table", *SECTIONS}
