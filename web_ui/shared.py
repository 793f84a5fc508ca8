"""What pages and JSON interface share: services, store, the rules of a request, reading a picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flask import abort, current_app, request
from werkzeug.exceptions import RequestEntityTooLarge

from engine.rules import RULE_KEYS, RuleError, RuleSet, rule_set
from web_ui.languages import in_language
from web_ui.photos import new_photo
from web_ui.pin import Gate
from web_ui.rule_notes import rules_name
from web_ui.sheet_drafts import Drafts
from web_ui.streams import Streams

if TYPE_CHECKING:
    from web_ui.arbiters import Arbiters
    from web_ui.photos import Photo, PhotoStore
    from web_ui.services import PictureRefusedError, Services

EXTENSION = "remi"


def _arbiters() -> Arbiters:
    from web_ui.arbiters import Arbiters

    return Arbiters()


@dataclass(frozen=True)
class AppState:
    """What one app holds: its services, its photos, the rules that a visitor starts with, and who may do what
    at a running table.
    """

    services: Services
    store: PhotoStore
    default_rules: str
    gate: Gate = field(default_factory=Gate)
    drafts: Drafts = field(default_factory=Drafts)
    arbiters: Arbiters = field(default_factory=_arbiters)
    streams: Streams = field(default_factory=Streams)


@dataclass(frozen=True)
class RuleChoice:
    """A rule set to choose."""

    key: str
    name: str


def app_state() -> AppState:
    """Return what the running app holds."""
    state: AppState = current_app.extensions[EXTENSION]
    return state


def services() -> Services:
    """Return the functions that companion handed in."""
    return app_state().services


def store() -> PhotoStore:
    """Return the photos in memory."""
    return app_state().store


def chosen_rules() -> RuleSet:
    """Return the rule set of this request; 400 for one that does not exist."""
    try:
        return rule_set(request.values.get("rules") or app_state().default_rules)
    except RuleError as error:
        abort(400, description=str(error))


def shown_rules_key() -> str:
    """Return the key of the rules for the links of a page, whatever is wrong with the request."""
    try:
        key = request.values.get("rules")
    except RequestEntityTooLarge:
        key = request.args.get("rules")
    return key if key in RULE_KEYS else app_state().default_rules


def rule_choices() -> list[RuleChoice]:
    """Return the rule sets in the visitor's language."""
    return [RuleChoice(key, rules_name(rule_set(key))) for key in RULE_KEYS]


def read_photo(data: bytes) -> Photo:
    """Read a picture, keep it in memory and return it; raises `PictureRefusedError`."""
    photo = new_photo(services().read_picture(data))
    store().add(photo)
    return photo


def problem_text(refused: PictureRefusedError) -> str:
    """Return why a picture was refused, in the visitor's language."""
    return in_language(ro=refused.message_ro, en=refused.message_en)


def is_fragment() -> bool:
    """Return whether htmx asks for the part of a page that it swaps in."""
    return request.headers.get("HX-Request") == "true"


def back(target: str) -> str:
    """Return where a small form of every page leads back to: a path of this page, else the start."""
    # "//elsewhere" and "/\\elsewhere" would leave it.
    return target if target.startswith("/") and target[1:2] not in {"/", "\\"} else "/"
