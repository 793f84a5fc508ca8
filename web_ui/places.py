"""What every page shows around its content: the places to go to, and the look that the visitor chose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import current_app, request

from web_ui.languages import gettext
from web_ui.shared import services, shown_rules_key

THEMES: Final = ("auto", "light", "dark")
THEME_COOKIE: Final = "theme"
TYPE_COOKIE: Final = "type"


@dataclass(frozen=True)
class Place:
    """A page to go to; `here` says that it is the one shown."""

    url: str
    name: str
    here: bool


@dataclass(frozen=True)
class Look:
    """How a visitor wants the page: `theme` is one of THEMES, `large` for large type."""

    theme: str = "auto"
    large: bool = False


def look() -> Look:
    """Return the look chosen before; the server writes it into the page, so nothing flickers."""
    theme = request.cookies.get(THEME_COOKIE, "auto")
    return Look(theme if theme in THEMES else "auto", request.cookies.get(TYPE_COOKIE) == "large")


def places() -> list[Place]:
    """Return the pages that there are and that are of use now, in the visitor's language."""
    given = services()
    followed = given.game is not None
    found = (
        ("/", gettext("Scoreboard"), followed),
        ("/table", gettext("Live table"), given.table is not None or given.no_table is not None),
        ("/photo", gettext("Photo"), True),
        ("/sheets", gettext("Score sheets"), given.sheets is not None),
        ("/history", gettext("History"), given.history is not None),
        ("/arbiter", gettext("Arbiter"), followed),
        ("/setup", gettext("Set-up"), True),
    )
    rules = current_app.url_map.iter_rules()
    served = {rule.rule.rstrip("/") or "/" for rule in rules if "GET" in (rule.methods or ())}
    return [
        Place(_address(path), name, _is_here(path))
        for path, name, useful in found
        if useful and path in served
    ]


def _address(path: str) -> str:
    return f"{path}?rules={shown_rules_key()}" if path == "/photo" else path


def _is_here(path: str) -> bool:
    return request.path == path or (path != "/" and request.path.startswith(f"{path}/"))
