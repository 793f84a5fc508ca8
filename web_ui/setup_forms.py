"""Form fields of the set-up pages: generated from the rules, filled with what was typed, read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.rules import resolved, rule_set
from engine.rules.changes import changeable_fields
from web_ui.languages import gettext, in_language
from web_ui.setup_words import CHOICES, FIELDS, GROUPS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.rules.ruleset import Limits
    from web_ui.setup_needs import Wrong


@dataclass(frozen=True)
class Option:
    """A value to choose."""

    value: str
    words: str


@dataclass(frozen=True)
class Entry:
    """A rule as the form shows it: `kind` is switch, choice, number or list; `text` what stands in it.

    `base` is what the base has, in words; `changed` says that it is another.
    """

    name: str
    label: str
    help: str
    kind: str
    text: str
    base: str
    changed: bool
    options: tuple[Option, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """Rules that belong together."""

    name: str
    entries: tuple[Entry, ...]

    @property
    def changed(self) -> int:
        """How many differ from the base."""
        return sum(entry.changed for entry in self.entries)

    @property
    def wrong(self) -> bool:
        """Whether something in it is wrong."""
        return any(entry.problems for entry in self.entries)


def rule_texts(base: str, changes: Mapping[str, Any]) -> dict[str, str]:
    """Every rule as it stands in the form: those of the base, with the changes."""
    values = {**resolved(rule_set(base)), **changes}
    return {name: text_of(value) for name, value in values.items()}


def text_of(value: object) -> str:
    """A value as it stands in a form's field."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def changes_of(base: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """The rules that differ from the base, as the table file has them; what is no number stays as typed."""
    before = resolved(rule_set(base))
    known = {name: limits for name, limits in _limits().items() if name in texts}
    found = {name: _value(texts[name], limits, before[name]) for name, limits in known.items()}
    return {name: value for name, value in found.items() if value != before[name]}


def rule_groups(base: str, texts: Mapping[str, str], wrong: Sequence[Wrong] = ()) -> list[Group]:
    """The form of the rules, group by group."""
    before, limits = resolved(rule_set(base)), _limits()
    said: dict[str, list[str]] = {}
    for one in wrong:
        said.setdefault(one.field.removeprefix("rules.changes."), []).append(
            in_language(ro=one.words.ro, en=one.words.en)
        )
    return [
        Group(
            _in_language(name),
            tuple(
                _entry(field, limits[field], before[field], texts.get(field, ""), tuple(said.get(field, ())))
                for field in fields
            ),
        )
        for name, fields in GROUPS
    ]


def _limits() -> dict[str, Limits]:
    return changeable_fields()


def _entry(name: str, limits: Limits, base: object, text: str, problems: tuple[str, ...]) -> Entry:
    label, explained = (_in_language(said) for said in FIELDS[name])
    options: tuple[Option, ...] = ()
    if isinstance(base, bool):
        kind = "switch"
    elif limits.choices:
        kind = "choice"
        options = tuple(Option(one, _choice(name, one)) for one in limits.choices)
    else:
        kind = "list" if limits.length is not None else "number"
    changed = _value(text, limits, base) != base
    return Entry(name, label, explained, kind, text, _shown(name, base), changed, options, problems)


def _value(text: str, limits: Limits, base: object) -> Any:
    text = text.strip()
    if isinstance(base, bool):
        return {"yes": True, "no": False}.get(text, text)
    if limits.choices:
        return text
    if limits.length is not None:
        return [_number(word) for word in text.replace(",", " ").split()]
    return None if not text and limits.optional else _number(text)


def _number(text: str) -> int | str:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else text


def _choice(name: str, word: str) -> str:
    return _in_language(CHOICES[f"{name}.{word}"] if f"{name}.{word}" in CHOICES else CHOICES[word])


def _shown(name: str, value: object) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if value is None:
        return gettext("nothing")
    return _choice(name, value) if isinstance(value, str) else text_of(value)


def _in_language(said: tuple[str, str]) -> str:
    return in_language(en=said[0], ro=said[1])
