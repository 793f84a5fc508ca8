"""/metrics for Prometheus and /healthz: how game, table and page are, without a name or a rack tile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, jsonify, request

from web_ui.shared import services, store

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flask import Flask
    from prometheus_client import CollectorRegistry
    from prometheus_client.metrics_core import Metric

metrics = Blueprint("metrics", __name__)

_REGISTRY = "remi_metrics"


@metrics.get("/healthz")
def health() -> Response:
    """Return whether the page answers, and how the table and its parts are.

    200 as long as the page answers: a camera that is unplugged is no reason to start the companion anew.
    """
    found = services()
    answer: dict[str, Any] = {"status": "ok", "version": found.version, "photos": len(store())}
    if found.game is not None:
        document = found.game.document()
        parts = _parts(document)
        well = not found.game.closed and all(part["well"] for part in parts) and not document.get("trouble")
        answer["table"] = {
            "state": "ended" if found.game.closed else "well" if well else "impaired",
            "phase": document.get("phase"),
            "game": document.get("game"),
            "parts": {part["name"]: {"state": part["state"], "well": part["well"]} for part in parts},
        }
    return jsonify(answer)


@metrics.get("/metrics")
def show() -> Response:
    """Return the figures in Prometheus' text format."""
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

    registry: CollectorRegistry = current_app.extensions[_REGISTRY]
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def install(app: Flask) -> None:
    """Count this app's answers, in a registry of its own."""
    from prometheus_client import CollectorRegistry, Counter

    registry = CollectorRegistry(auto_describe=True)
    app.extensions[_REGISTRY] = registry
    answered = Counter(
        "remi_requests", "Requests that were answered.", ("endpoint", "method", "status"), registry=registry
    )
    registry.register(_Table(app))

    @app.after_request
    def count(response: Response) -> Response:
        # Unknown addresses count as one: they must not make figures without end.
        method = request.method if request.method in {"GET", "HEAD", "POST", "PATCH", "DELETE"} else "other"
        answered.labels(request.endpoint or "none", method, str(response.status_code)).inc()
        return response


class _Table:
    """What is asked of game, live table and page at the moment of the question."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterable[Metric]:
        from prometheus_client.metrics_core import GaugeMetricFamily as Gauge
        from prometheus_client.metrics_core import InfoMetricFamily as Info

        state = self._app.extensions["remi"]
        found = state.services
        yield Info("remi", "The companion.", value={"version": found.version})
        yield Gauge("remi_photos", "Photos in memory.", value=len(state.store))
        yield Gauge("remi_streams", "Readers of the table's events now.", value=state.streams.open)
        if found.game is not None:
            yield from _of_game(found.game.document())
            yield Gauge("remi_table_up", "1 while the table runs.", value=float(not found.game.closed))
        if found.table is not None:
            now = found.table.now()
            reading = 0 if now.reading is None else now.reading.number
            yield Gauge("remi_reading", "The number of the newest reading.", value=reading)
            if now.read_ms is not None:
                yield Gauge(
                    "remi_settled_to_reading_milliseconds",
                    "From the table at rest to its newest reading.",
                    value=float(now.read_ms),
                )


def _of_game(document: Mapping[str, Any]) -> Iterable[Metric]:
    from prometheus_client.metrics_core import GaugeMetricFamily as Gauge

    entries = document.get("entries") or ()
    figures = {
        "game": ("The number of the game in its match.", document.get("game")),
        "version": ("The table's version; goes up with every change.", document.get("version")),
        "publication": ("How often the table was published in this run.", document.get("number")),
        "wall": ("Tiles left in the wall.", document.get("wall")),
        "entries": ("Entries of the game's record.", entries[-1]["seq"] if entries else 0),
        "refusals": ("Entries that the rules are against.", len(document.get("refusals") or ())),
        "questions": ("Questions that are open.", int(document.get("question") is not None)),
        "differences": ("Places where table and game differ.", len(document.get("differences") or ())),
        "journal_waits": (
            "1 while something could not be written to the journal.",
            int(document.get("trouble") is not None),
        ),
    }
    for name, (meaning, value) in figures.items():
        if value is not None:
            yield Gauge(f"remi_{name}", meaning, value=float(value))
    parts = Gauge("remi_part_well", "1 where a part of the companion is well.", labels=("part",))
    for part in _parts(document):
        parts.add_metric([part["name"]], float(part["well"]))
    yield parts


def _parts(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list(document.get("parts") or ())
