"""The zones of a table as the set-up page draws them: in millimetres, far side up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from web_ui.geometry import centre, svg_points
from web_ui.languages import gettext, in_language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from web_ui.setup_needs import SetupZone, SetupZones


@dataclass(frozen=True)
class ZoneView:
    """A zone as the templates have it: `corners` as texts in mm, `points` for SVG (y downwards)."""

    name: str
    kind: str
    points: str
    x: float
    y: float
    corners: tuple[tuple[str, str], ...]
    verdict: str
    verdict_words: str
    digit_px: str
    angle_deg: str
    remedy: str
    problems: tuple[str, ...]
    is_rack: bool


def zone_views(
    zones: SetupZones,
    typed: Sequence[Sequence[tuple[str, str]]] | None = None,
    problems: Mapping[str, Sequence[str]] | None = None,
) -> list[ZoneView]:
    """Return the zones to draw, with the corners that were typed where there are any."""
    views = []
    for at, zone in enumerate(zones.zones):
        given = typed[at] if typed is not None and at < len(typed) else None
        said = tuple((problems or {}).get(f"zones.{at}", ()))
        views.append(_view(zone, given, said))
    return views


def zone_name(kind: str, seat: int | None) -> str:
    """Return a zone's name in the visitor's language."""
    names = {
        "rack": gettext("rack"),
        "meld": gettext("melds"),
        "discard": gettext("row"),
        "wall": gettext("wall"),
        "atu": gettext("atu"),
    }
    name = names.get(kind, kind)
    return name if seat is None else f"{name} {seat}"


def _view(zone: SetupZone, typed: Sequence[tuple[str, str]] | None, problems: tuple[str, ...]) -> ZoneView:
    drawn = [(x, -y) for x, y in zone.outline]
    middle = centre(drawn)
    words = {
        "good": gettext("readable"),
        "doubtful": gettext("doubtful"),
        "no": gettext("not readable"),
    }
    corners = typed or [(f"{x:.1f}", f"{y:.1f}") for x, y in zone.outline]
    return ZoneView(
        zone_name(zone.kind, zone.seat),
        zone.kind,
        svg_points(drawn),
        round(middle[0], 1),
        round(middle[1], 1),
        tuple(corners),
        zone.verdict or "",
        words.get(zone.verdict or "", ""),
        f"{zone.digit_px:.1f}",
        f"{zone.angle_deg:.0f}",
        "" if zone.remedy is None else in_language(ro=zone.remedy.ro, en=zone.remedy.en),
        problems,
        zone.kind == "rack",
    )
