"""The profiles of taught tile sets: a TOML file each in the user's folder, the reader's lesson beside it."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from calibration.errors import HintedError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[np.generic]]

HOME: Final = "REMI_HOME"
"""The environment variable that names another folder for all that the program keeps of its user."""
FORMAT: Final = "remi-tileset/1"
NAME: Final = r"[^\W_][\w .-]{0,39}"
"""A name is the stem of a file: a letter or digit, then up to 39 letters, digits, spaces, dots or dashes."""

_RESERVED: Final = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}

Rgb = tuple[int, int, int]

FAINT: Final = 30
"""Levels of 255: an ink that differs by less from its tile in each of red, green and blue is hardly seen."""


class TileSetError(HintedError):
    """A profile that isn't there, can't be read or may not be called so; says why in both languages."""


@dataclass(frozen=True)
class TileSet:
    """What was learnt of one physical set of tiles.

    Colours are RGB as the census picture shows them, `inks` by slot (r y b k). `aspect` is height over width;
    `digit_centre` (from the top) and `digit_height` are shares of the face's height. `width_mm` is None where
    nobody measured it. `missing` and `extra` name faces as in `k7`, each as often as it is so. `weights` is
    the SHA-256 of the face net that the lesson belongs to. `table_px` is the size of the picture where it
    shows the set on a table with its markers, as the table's camera sees it; else None.
    """

    name: str
    taught: str  # ISO date
    tiles: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    misread: int  # tiles that the reader took for another face before it was taught
    width_px: float
    width_mm: float | None
    aspect: float
    body: Rgb
    inks: Mapping[str, Rgb]
    digit_centre: float
    digit_height: float
    weights: str
    table_px: tuple[int, int] | None = None
    format: str = field(default=FORMAT)

    @property
    def faint(self) -> Mapping[str, int]:
        """The inks that hardly stand out, by slot, with the levels by which they do."""
        return faint(self.body, self.inks)


def faint(body: Rgb, inks: Mapping[str, Rgb]) -> dict[str, int]:
    """Which inks, by slot, hardly stand out from a body of that colour, and by how many levels they do."""
    levels = {
        slot: max(abs(one - other) for one, other in zip(ink, body, strict=True))
        for slot, ink in inks.items()
    }
    return {slot: level for slot, level in levels.items() if level < FAINT}


def user_folder() -> Path:
    """Where the program keeps what belongs to its user: `REMI_HOME`, else the platform's place for data."""
    named = os.environ.get(HOME)
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "remi"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "remi"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "remi"


def tile_set_folder() -> Path:
    """Where the profiles lie."""
    return user_folder() / "tilesets"


def checked_name(name: str) -> str:
    """The name without spaces around it; TileSetError where no file may be called so.

    >>> checked_name(" Bunica 2 ")
    'Bunica 2'
    """
    name = name.strip()
    plain = name.rstrip(".") == name and name.partition(".")[0].strip().lower() not in _RESERVED
    if plain and re.fullmatch(NAME, name):
        return name
    raise TileSetError(
        "bad_name",
        hint_en=f"A tile set can't be called {name!r}: use up to 40 letters, digits, spaces, dots or dashes, "
        "a letter or digit first.",
        hint_ro=f"Un set nu se poate numi {name!r}: folosiți cel mult 40 de litere, cifre, spații, puncte "
        "sau liniuțe, la început o literă sau o cifră.",
    )


def names(folder: Path | None = None) -> list[str]:
    """The names of the sets that were taught, in the order of the alphabet."""
    folder = folder or tile_set_folder()
    return sorted((path.stem for path in folder.glob("*.toml")), key=str.casefold)


def save(profile: TileSet, lesson: Arrays, folder: Path | None = None) -> Path:
    """Writes profile and lesson in the place of older ones; returns the profile's path."""
    import numpy as np

    folder = folder or tile_set_folder()
    name = checked_name(profile.name)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{name}.toml"
    # The lesson first: a profile without one would be refused, a lesson without a profile is nothing.
    part = folder / f"{name}.part.npz"
    arrays: dict[str, Any] = dict(lesson)
    np.savez_compressed(part, **arrays)
    part.replace(target.with_suffix(".npz"))
    written = folder / f"{name}.toml.part"
    written.write_text(_to_toml(profile), encoding="utf-8")
    written.replace(target)
    return target


def load(name: str, folder: Path | None = None) -> TileSet:
    """The profile of that name; raises TileSetError."""
    folder = folder or tile_set_folder()
    name = checked_name(name)
    path = folder / f"{name}.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise _unknown(name, folder) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _broken(path, str(error)) from error
    return _from_toml(data, path)


def load_lesson(name: str, folder: Path | None = None) -> dict[str, NDArray[np.generic]]:
    """What the reader learnt of the set of that name; raises TileSetError."""
    import zipfile

    import numpy as np

    folder = folder or tile_set_folder()
    path = folder / f"{checked_name(name)}.npz"
    try:
        with np.load(path, allow_pickle=False) as stored:
            return {key: stored[key] for key in stored.files}
    except (OSError, ValueError, zipfile.BadZipFile, EOFError) as error:
        raise _broken(path, str(error)) from error


def forget(name: str, folder: Path | None = None) -> None:
    """Deletes a profile and what was learnt with it; raises TileSetError where there is none."""
    folder = folder or tile_set_folder()
    name = checked_name(name)
    path = folder / f"{name}.toml"
    if not path.is_file():
        raise _unknown(name, folder)
    path.unlink()
    path.with_suffix(".npz").unlink(missing_ok=True)


def _unknown(name: str, folder: Path) -> TileSetError:
    known = ", ".join(names(folder))
    return TileSetError(
        "unknown_set",
        hint_en=f"No tile set {name!r} was taught; "
        + (f"there are: {known}." if known else "teach it with `remi tileset learn`."),
        hint_ro=f"Niciun set {name!r} nu a fost învățat; "
        + (f"există: {known}." if known else "învățați-l cu `remi tileset learn`."),
    )


def _broken(path: Path, why: str) -> TileSetError:
    return TileSetError(
        "broken_set",
        hint_en=f"{path} can't be read ({why}). Teach the set anew.",
        hint_ro=f"{path} nu poate fi citit ({why}). Învățați setul din nou.",
    )


def _to_toml(profile: TileSet) -> str:
    lines = ["# A tile set that Remi Companion was taught; docs/tilesets.md says what each line means."]
    order = ("format", *(item.name for item in fields(profile) if item.name not in ("format", "inks")))
    for key in order:
        value = getattr(profile, key)
        if value is not None:
            lines.append(f"{key} = {_value(value)}")
    lines += ["", "[inks]", *(f"{slot} = {_value(rgb)}" for slot, rgb in profile.inks.items())]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return repr(value)


def _from_toml(data: Mapping[str, Any], path: Path) -> TileSet:
    known = {item.name for item in fields(TileSet)}
    strange = sorted(set(data) - known)
    if strange:
        raise _broken(path, f"unknown key {strange[0]}")
    if data.get("format") != FORMAT:
        raise _broken(path, f"format is not {FORMAT}")
    try:
        width_mm, table_px = data.get("width_mm"), data.get("table_px")
        return TileSet(
            name=path.stem,
            taught=str(data["taught"]),
            tiles=int(data["tiles"]),
            missing=tuple(map(str, data["missing"])),
            extra=tuple(map(str, data["extra"])),
            misread=int(data["misread"]),
            width_px=float(data["width_px"]),
            width_mm=None if width_mm is None else float(width_mm),
            aspect=float(data["aspect"]),
            body=_rgb(data["body"]),
            inks={str(slot): _rgb(rgb) for slot, rgb in data["inks"].items()},
            digit_centre=float(data["digit_centre"]),
            digit_height=float(data["digit_height"]),
            weights=str(data["weights"]),
            table_px=None if table_px is None else _size(table_px),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _broken(path, f"lacks or misspells {error}") from error


def _rgb(value: Any) -> Rgb:
    red, green, blue = (int(part) for part in value)
    return red, green, blue


def _size(value: Any) -> tuple[int, int]:
    width, height = (int(part) for part in value)
    return width, height
