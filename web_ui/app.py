"""Builds the Flask application of the page from the functions that companion hands in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Flask, request

from web_ui import arbiters, guard, languages, metrics, openapi, places, problems, setup_guard
from web_ui.api import api
from web_ui.board import board
from web_ui.board_words import plain
from web_ui.desk import desk
from web_ui.game_api import game_api
from web_ui.history import history
from web_ui.pages import pages
from web_ui.photos import PhotoStore
from web_ui.setup import setup
from web_ui.shared import EXTENSION, AppState, shown_rules_key
from web_ui.sheets import sheets
from web_ui.table import table
from web_ui.tilesets import tilesets

if TYPE_CHECKING:
    from web_ui.services import Services


@dataclass(frozen=True)
class Settings:
    """What an operator may set: the rules a visitor starts with, the limits of memory, and the secret that
    session cookies are signed with (None: one is made at the start).
    """

    default_rules: str = "etalat"
    max_upload_bytes: int = 40 * 2**20
    max_photos: int = 24
    max_photo_bytes: int = 64 * 2**20
    max_idle_s: float = 6 * 3600
    secret: bytes | None = None


def create_app(services: Services, settings: Settings | None = None) -> Flask:
    """Return the application; it starts no thread, opens no file and keeps photos in memory only."""
    settings = settings or Settings()
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_upload_bytes
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["minus"] = plain
    photos = PhotoStore(
        max_photos=settings.max_photos, max_bytes=settings.max_photo_bytes, max_idle_s=settings.max_idle_s
    )
    app.extensions[EXTENSION] = AppState(services, photos, settings.default_rules)
    arbiters.install(app, settings.secret)
    guard.install(app)
    languages.install(app)
    problems.install(app, max_bytes=settings.max_upload_bytes)
    app.register_blueprint(board)
    metrics.install(app)
    app.register_blueprint(metrics.metrics)
    app.register_blueprint(openapi.openapi)
    app.register_blueprint(pages)
    app.register_blueprint(api)
    app.register_blueprint(tilesets)
    app.register_blueprint(game_api)
    app.register_blueprint(table)
    app.register_blueprint(desk)
    app.register_blueprint(history)
    app.register_blueprint(setup)
    app.register_blueprint(sheets)

    @app.context_processor
    def page_values() -> dict[str, Any]:
        return {
            "language": languages.language,
            "languages": languages.LANGUAGES,
            "rules_key": shown_rules_key(),
            "back_here": _back_here(),
            "version": services.version,
            "can_teach": services.tile_sets is not None,
            "has_game": services.game is not None,
            "places": places.places,
            "look": places.look(),
            "setup_form_token": setup_guard.form_token,
            "has_history": services.history is not None,
            "has_sheets": services.sheets is not None,
            "has_table": services.table is not None or services.no_table is not None,
            "max_bytes": settings.max_upload_bytes,
            "too_big": problems.too_big_text(settings.max_upload_bytes),
        }

    return app


def _back_here() -> str:
    """Return where a change of language leads back to: this page, or the start for the answer to a form."""
    return request.full_path.rstrip("?") if request.method == "GET" else "/"
