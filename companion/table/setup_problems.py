"""What is wrong with the settings of a table, each thing at its field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.table.config import parse_config, said, without_none
from companion.table.errors import ConfigError
from companion.table.writing import document_of
from web_ui.services import BothLanguages
from web_ui.setup_needs import Wrong

if TYPE_CHECKING:
    from companion.table.config import TableConfig


def problems(values: Mapping[str, Any], config: TableConfig) -> tuple[Wrong, ...]:
    """What is wrong with values by dotted name; empty where they make a sound table file."""
    from pydantic import ValidationError

    from companion.table.config_schema import TableFile
    from engine.rules import RuleError, rule_set, with_changes

    document = without_none(document_of(values))
    found: list[Wrong] = []
    try:
        TableFile.model_validate(document)
    except ValidationError as error:
        found += [_at_field(one) for one in error.errors(include_url=False)]
    rules = document.get("rules", {})
    try:
        base = rule_set(str(rules.get("base", "etalat")))
        with_changes(base, rules.get("changes", {}))
    except RuleError as error:
        found += [
            Wrong(f"rules.changes.{one.field}", BothLanguages(one.hint_ro, one.hint_en))
            for one in error.problems
        ]
    if not found:
        try:
            config_of(values, config)
        except ConfigError as error:
            en, ro = (text.partition(": ")[2] for text in (error.hint_en, error.hint_ro))
            found.append(Wrong("players.names", BothLanguages(_plain(ro), _plain(en))))
    return tuple(dict.fromkeys(found))


def config_of(values: Mapping[str, Any], like: TableConfig) -> TableConfig:
    """The table of these values, in the place of another; ConfigError where they are not sound."""
    from companion.table.writing import table_text

    text = table_text(values, name="table.toml", romanian=False)
    return parse_config(text, folder=like.folder, path=like.path)


def _at_field(error: Mapping[str, Any]) -> Wrong:
    place = [str(part) for part in error["loc"]]
    field = ".".join(place[:2])
    en, ro = said(error)
    if str(error["type"]) == "value_error":
        # Of a whole section: the words begin with the option that they are about.
        named = en.rpartition("]")[2].partition(":")[0].strip()
        if named.replace(".", "_").isidentifier():
            field = named if "." in named else ".".join([*place[:1], named])
        if "board.places" in en:
            field = "board.places"
        if "turn.commit" in en:
            field = "turn.commit"
    return Wrong(field, BothLanguages(_plain(ro), _plain(en)))


def _plain(words: str) -> str:
    """The words without the place, which the page shows."""
    if words.startswith("["):
        words = words.partition("]")[2].strip()
    first, colon, rest = words.partition(": ")
    return rest if colon and first.replace(".", "_").isidentifier() else words
