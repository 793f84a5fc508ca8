"""The zones of a table as the set-up page draws them: in millimetres, far side up."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from web_ui.geometry import centre, svg_points
from web_ui.languages import gettext, in_language
from web_ui.services import BothLanguages
from web_ui.setup_needs import Wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from web_ui.setup_needs import Outline, SetupZone, SetupZones


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
        said = tuple(
            words
            for field, all_words in (problems or {}).items()
            if field == f"zones.{at}" or field.startswith(f"z{at}-")
            for words in all_words
        )
        views.append(_view(zone, given, said))
    return views


def outlines_of(texts: Sequence[Sequence[tuple[str, str]]]) -> list[Outline] | tuple[Wrong, ...]:
    """Return the outlines that were typed, or each number that is none, by the name of its field."""
    wrong: list[Wrong] = []
    outlines: list[Outline] = []
    for zone, corners in enumerate(texts):
        outline: list[tuple[float, float]] = []
        for corner, typed in enumerate(corners):
            x, y = (_millimetres(text) for text in typed)
            for axis, value in (("x", x), ("y", y)):
                if value is None:
                    wrong.append(Wrong(f"z{zone}-{corner}-{axis}", _no_number(corner + 1, axis)))
            outline.append((x or 0.0, y or 0.0))
        outlines.append(tuple(outline))
    return tuple(wrong) or outlines


def _millimetres(text: str) -> float | None:
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if isfinite(value) else None


def _no_number(corner: int, axis: str) -> BothLanguages:
    return BothLanguages(
        ro=f"colțul {corner}, {axis}: scrieți un număr de milimetri, de exemplu -120.5",
        en=f"corner {corner}, {axis}: enter a number of millimetres, such as -120.5",
    )


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
