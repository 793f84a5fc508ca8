"""The languages of the page: which one a visitor gets, and the typed way to its texts."""

from __future__ import annotations

from contextlib import AbstractContextManager

import flask_babel  # type: ignore[import-untyped]
from flask import Flask, request

LANGUAGES = {"ro": "Română", "en": "English"}
COOKIE = "lang"
COOKIE_AGE_S = 365 * 24 * 3600


def chosen_language() -> str:
    """Return the language of this request: the one chosen before, else the browser's, else Romanian."""
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(list(LANGUAGES), default="ro") or "ro"


def language() -> str:
    """Return the language now spoken, `ro` or `en`."""
    locale = flask_babel.get_locale()
    return str(locale.language) if locale is not None else "ro"


def in_language(*, ro: str, en: str) -> str:
    """Return the one of two texts that the visitor reads."""
    return ro if language() == "ro" else en


def gettext(text: str, **values: object) -> str:
    """Return the text in the visitor's language, with the values filled in."""
    return str(flask_babel.gettext(text, **values))


def pgettext(context: str, text: str) -> str:
    """Return a word that needs its context to be translated."""
    return str(flask_babel.pgettext(context, text))


def ngettext(one: str, many: str, num: int) -> str:
    """Return the text that goes with a number (`%(num)d` in it)."""
    return str(flask_babel.ngettext(one, many, num))


def speaking(language: str) -> AbstractContextManager[None]:
    """Return a context in which texts come in that language."""
    context: AbstractContextManager[None] = flask_babel.force_locale(language)
    return context


def install(app: Flask) -> None:
    """Make the app speak the visitor's language."""
    app.config.setdefault("BABEL_DEFAULT_LOCALE", "en")  # the language of the texts in the code
    flask_babel.Babel(app, locale_selector=chosen_language)
