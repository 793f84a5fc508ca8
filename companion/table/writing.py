"""A table file written anew with every option explained, whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.table.options import INTRO, OPTIONS, SECTIONS, UNSET

if TYPE_CHECKING:
    from companion.table.config_schema import TableFile


def values_of(file: TableFile) -> dict[str, Any]:
    """The options of a table file by dotted name, as JSON has them."""
    document = file.model_dump(mode="json")
    values = {}
    for key in OPTIONS:
        head, _, option = key.rpartition(".")
        values[key] = (document[head] if head else document)[option]
    return values


def document_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """The document of dotted names, without what is None: as the file would be read."""
    document: dict[str, Any] = {}
    for key, value in values.items():
        head, _, option = key.rpartition(".")
        if value is not None:
            (document.setdefault(head, {}) if head else document)[option] = value
    return document


def table_text(values: Mapping[str, Any], *, name: str, romanian: bool) -> str:
    """The text of a table file with these values by dotted name, its own words at each option."""
    lines = [f"# {line}" for line in INTRO[romanian].format(name=name).splitlines()]
    section = ""
    for key, words in OPTIONS.items():
        head, _, option = key.rpartition(".")
        if head != section:
            section = head
            lines += ["", f"# {SECTIONS[head][romanian]}", f"[{head}]"]
        elif not head:
            lines.append("")
        lines.append(f"# {words[romanian]}")
        value = values[key]
        if value is None or (key == "rules.changes" and not value):
            lines.append(f"# {option} = {UNSET[key]}")
        elif isinstance(value, Mapping):
            written = ", ".join(_assigned(one, of) for one, of in value.items())
            lines.append(f"{option} = {{ {written} }}")
        else:
            lines.append(f"{option} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _assigned(name: str, value: object) -> str:
    """One house rule of an inline table; nothing is the word none, which TOML has not."""
    import tomli_w

    key = tomli_w.dumps({name: 0}).partition(" = 0")[0]
    return f"{key} = {_toml('none' if value is None else value)}"


def _toml(value: object) -> str:
    """A value on one line."""
    import tomli_w

    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, float):
        return f"{value:g}"
    return tomli_w.dumps({"_": value}).removeprefix("_ = ").strip()


def write_whole(path: Path, text: str) -> None:
    """Replaces a file by a text, which is on the disk when this returns; OSError leaves it as it was."""
    new = path.with_name(f".{path.name}.new")
    try:
        with new.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, new)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    if os.name == "posix":  # the name too must outlast a power cut
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
