"""A table file read, with every mistake named at once, and what was probably meant."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.table.clock import ClockSettings
from companion.table.errors import ConfigError
from companion.table.options import OPTIONS, SECTIONS

if TYPE_CHECKING:
    from companion.table.config_schema import TableFile
    from companion.table.core import Setup
    from companion.table.following import NewFollower
    from engine.rules import RuleSet


@dataclass(frozen=True)
class TableConfig:
    """A table file that is sound; paths in it count from its folder."""

    file: TableFile
    rules: RuleSet
    folder: Path
    path: Path | None = None

    def at(self, path: str) -> Path:
        """A path of the file, from the file's folder."""
        return self.folder / Path(path).expanduser()

    @property
    def journal(self) -> Path:
        """The journal's file."""
        return self.at(self.file.journal.path)

    def setup(self, new_follower: NewFollower) -> Setup:
        """What the table thread is told."""
        from companion.table.core import Setup

        file = self.file
        more: dict[str, object] = {"table": file.table}
        if file.camera.tileset is not None:
            more["tileset"] = file.camera.tileset
        names = file.players.names
        return Setup(
            self.rules,
            file.rules.base,
            file.rules.changes,
            names,
            new_follower,
            None if file.players.dealer == "random" else names.index(file.players.dealer),
            file.match.games,
            file.match.target,
            file.turn.commit,
            ClockSettings(file.turn.clock, file.turn.limit_s, file.turn.warn_s),
            more,
        )


def load_config(path: Path) -> TableConfig:
    """The table file at a path; ConfigError says everything that is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ConfigError(
            "no_file",
            hint_en=f"There is no {path}. Write one with: remi setup --write {path.name}",
            hint_ro=f"Nu există {path}. Creați unul cu: remi setup --write {path.name}",
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(str(path), [(f"it cannot be read: {error}", f"nu poate fi citit: {error}")]) from error
    return parse_config(text, name=str(path), folder=path.parent, path=path)


def parse_config(
    text: str, *, name: str = "table.toml", folder: Path | None = None, path: Path | None = None
) -> TableConfig:
    """The table file in a text; `name` is what messages call it, `folder` where its paths begin."""
    from pydantic import ValidationError

    from companion.table.config_schema import TableFile
    from engine.rules import RuleError, rule_set, with_changes

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _wrong(name, [(f"it is no TOML: {error}", f"nu este TOML: {error}")]) from error
    document = without_none(document)
    try:
        file = TableFile.model_validate(document)
    except ValidationError as error:
        found = [said(one) for one in error.errors(include_url=False)]
        raise _wrong(name, list(dict.fromkeys(found))) from error
    try:
        rules = with_changes(rule_set(file.rules.base), file.rules.changes)
    except RuleError as error:
        raise _wrong(
            name, [(f"[rules.changes] {error.hint_en}", f"[rules.changes] {error.hint_ro}")]
        ) from error
    least, most = rules.players
    if not least <= len(file.players.names) <= most:
        count = len(file.players.names)
        raise _wrong(
            name,
            [
                (
                    f"[players] names: {rules.name_en} is for {least} to {most} players, not {count}",
                    f"[players] names: {rules.name_ro} este pentru {least}-{most} jucători, nu {count}",
                )
            ],
        )
    return TableConfig(file, rules, folder or Path(), path)


def without_none(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document with nothing where a house rule says "none": TOML has no word for it."""
    from engine.rules.changes import changeable_fields

    rules = document.get("rules")
    changes = rules.get("changes") if isinstance(rules, dict) else None
    if not isinstance(rules, dict) or not isinstance(changes, dict):
        return dict(document)
    limits = changeable_fields()
    said_none = {
        name: None if value == "none" and name in limits and limits[name].optional else value
        for name, value in changes.items()
    }
    return {**document, "rules": {**rules, "changes": said_none}}


def _wrong(name: str, problems: list[tuple[str, str]]) -> ConfigError:
    english = "\n".join(f"{name}: {problem}" for problem, _ in problems)
    romanian = "\n".join(f"{name}: {problem}" for _, problem in problems)
    return ConfigError("table_file", hint_en=english, hint_ro=romanian)


def said(error: Mapping[str, Any]) -> tuple[str, str]:
    """One of pydantic's errors in both languages, with section and option."""
    place = [str(part) for part in error["loc"]]
    where = _where(place)
    given = error.get("input")
    context = error.get("ctx") or {}
    kind = str(error["type"])
    if kind == "extra_forbidden":
        return _unknown(place)
    if kind == "value_error":
        english, _, romanian = str(context.get("error", error["msg"])).partition("|")
        return f"{where}{english}", f"{where}{romanian or english}"
    shown = f"{given!r}" if not isinstance(given, dict) else "a table"
    template = next((words for begins, words in _TEXTS.items() if kind.startswith(begins)), None)
    if template is None:
        return f"{where}{error['msg']} ({shown})", f"{where}{error['msg']} ({shown})"
    facts = {"shown": shown, **{key: str(value) for key, value in context.items()}}
    for key in ("expected", "ge", "gt", "le", "lt", "min_length", "max_length", "pattern"):
        facts.setdefault(key, "?")
    return where + template[0].format(**facts), where + template[1].format(**facts)


_TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "literal": ("must be {expected}, not {shown}", "trebuie să fie {expected}, nu {shown}"),
    "greater_than_equal": ("must be at least {ge}, not {shown}", "trebuie să fie cel puțin {ge}, nu {shown}"),
    "greater_than": ("must be over {gt}, not {shown}", "trebuie să fie peste {gt}, nu {shown}"),
    "less_than_equal": ("must be at most {le}, not {shown}", "trebuie să fie cel mult {le}, nu {shown}"),
    "int": ("must be a whole number, not {shown}", "trebuie să fie un număr întreg, nu {shown}"),
    "float": ("must be a number, not {shown}", "trebuie să fie un număr, nu {shown}"),
    "finite": ("must be a number, not {shown}", "trebuie să fie un număr, nu {shown}"),
    "bool": ("must be true or false, not {shown}", "trebuie să fie true sau false, nu {shown}"),
    "string_pattern": (
        "must be 4 to 12 digits in quotes",
        "trebuie să fie 4 până la 12 cifre între ghilimele",
    ),
    "string_too_long": (
        "must have at most {max_length} signs",
        "trebuie să aibă cel mult {max_length} semne",
    ),
    "string_too_short": ("must not be empty", "nu poate fi gol"),
    "string": ("must be a text in quotes, not {shown}", "trebuie să fie un text între ghilimele, nu {shown}"),
    "too_short": (
        "must have at least {min_length} entries",
        "trebuie să aibă cel puțin {min_length} elemente",
    ),
    "too_long": ("must have at most {max_length} entries", "trebuie să aibă cel mult {max_length} elemente"),
    "tuple": (
        "must be a list in brackets, not {shown}",
        "trebuie să fie o listă între paranteze, nu {shown}",
    ),
    "time": ('must be a time such as "22:00", not {shown}', 'trebuie să fie o oră ca "22:00", nu {shown}'),
    "model_": ("must be a section of its own", "trebuie să fie o secțiune separată"),
    "dict": ("must be a table of rules", "trebuie să fie un tabel de reguli"),
    "missing": ("is missing", "lipsește"),
}
"""By the beginning of pydantic's name for an error: the words, where `missing` etc. are never guessed."""


def _where(place: list[str]) -> str:
    if not place:
        return ""
    if place[0] in SECTIONS:
        return f"[{place[0]}] {'.'.join(place[1:])}: " if len(place) > 1 else f"[{place[0]}] "
    return f"{'.'.join(place)}: "


def _unknown(place: list[str]) -> tuple[str, str]:
    """An option or section that is not there: what was meant, by its letters or by its section."""
    section, option = (place[0], place[-1]) if len(place) > 1 else ("", place[-1])
    here = list(_options(section))
    near = get_close_matches(option, here, n=1)
    elsewhere = [head for head in ("", *SECTIONS) if head != section and option in _options(head)]
    where = f"[{section}] {option}" if section else option
    if elsewhere and option not in here:
        home = f"[{elsewhere[0]}]" if elsewhere[0] else "the beginning of the file"
        home_ro = f"[{elsewhere[0]}]" if elsewhere[0] else "începutul fișierului"
        return (
            f"{where} is not known here; it belongs to {home}",
            f"{where} nu aparține aici, ci la {home_ro}",
        )
    if near:
        return (
            f"{where} is not known; did you mean {near[0]}?",
            f"{where} nu este cunoscut; ați vrut {near[0]}?",
        )
    known = ", ".join(here)
    return f"{where} is not known; there are: {known}", f"{where} nu este cunoscut; există: {known}"


def _options(section: str) -> Iterator[str]:
    """The options of a section; of the file's beginning the sections too."""
    for key in OPTIONS:
        head, _, option = key.rpartition(".")
        if head == section:
            yield option
    if not section:
        yield from SECTIONS
