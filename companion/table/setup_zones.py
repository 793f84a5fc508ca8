"""The zones of a table for the set-up page: the picture from above, legibility, and their file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from web_ui.services import BothLanguages
from web_ui.setup_needs import Outline, SetupZone, Wrong

if TYPE_CHECKING:
    from calibration.rig import Rig
    from calibration.zones import Zones
    from vision.pictures import Pixels

MARGIN_MM: Final = 80.0
"""What the picture shows beyond the table's edges: racks seem to lie over them."""

_PX_PER_MM: Final = 0.9
_OUT_MM: Final = 200.0


def from_above(pixels: Pixels, rig: Rig) -> Pixels:
    """A picture (h, w, 3) as if taken from straight above, far side up, with the margin around the table."""
    import cv2
    import numpy as np

    wide, high = (side + 2 * MARGIN_MM for side in rig.layout.table_mm)
    across = (np.arange(round(wide * _PX_PER_MM)) + 0.5) / _PX_PER_MM - wide / 2
    down = high / 2 - (np.arange(round(high * _PX_PER_MM)) + 0.5) / _PX_PER_MM
    places = np.stack(np.meshgrid(across, down), axis=-1)
    seen = rig.to_px(places.reshape(-1, 2)).reshape(*places.shape[:2], 2).astype(np.float32)
    return np.asarray(cv2.remap(pixels, seen[..., 0], seen[..., 1], cv2.INTER_LINEAR), np.uint8)


def with_legibility(rig: Rig, zones: Zones, lean_deg: float) -> tuple[SetupZone, ...]:
    """The zones with how well the camera can read each."""
    from calibration.legibility import Tiles, legibility_map

    legible = legibility_map(rig, zones, tiles=Tiles(lean_deg=lean_deg))
    return tuple(
        SetupZone(
            zone.kind,
            zone.seat,
            zone.corners,
            one.verdict,
            one.digit_px,
            one.angle_deg,
            BothLanguages(one.remedy[1], one.remedy[0]) if one.remedy[0] else None,
        )
        for zone, one in zip(zones.zones, legible, strict=True)
    )


def zones_of(before: Zones, outlines: Sequence[Outline]) -> Zones | tuple[Wrong, ...]:
    """The zones with other outlines, or what is wrong with them, each at `zones.NUMBER`."""
    from pydantic import ValidationError

    from calibration.zones_schema import ZonesDocument

    if len(outlines) != len(before.zones):
        words = BothLanguages("Zonele nu mai sunt aceleași; reîncărcați pagina.", "Reload: other zones.")
        return (Wrong("zones", words),)
    named = tuple(
        replace(zone, corners=tuple((float(x), float(y)) for x, y in outline))
        for zone, outline in zip(before.zones, outlines, strict=True)
    )
    wrong = [Wrong(f"zones.{at}", _OUTSIDE) for at, zone in enumerate(named) if _is_far(before, zone.corners)]
    document: dict[str, Any] = {
        "format": "remi-zones/1",
        "table_mm": list(before.table_mm),
        "seats": before.seats,
        "zones": [
            {"kind": zone.kind, "seat": zone.seat, "corners_mm": [list(at) for at in zone.corners]}
            for zone in named
        ],
    }
    try:
        ZonesDocument.model_validate(document)
    except ValidationError as error:
        for one in error.errors(include_url=False):
            place = [str(part) for part in one["loc"]]
            wrong.append(Wrong(".".join(place[:2]), _CONVEX))
    return tuple(dict.fromkeys(wrong)) or replace(before, zones=named)


def _is_far(zones: Zones, corners: Outline) -> bool:
    wide, high = zones.table_mm
    return any(abs(x) > wide / 2 + _OUT_MM or abs(y) > high / 2 + _OUT_MM for x, y in corners)


def keep_zones(zones: Zones, path: Path) -> None:
    """Writes the file of the zones; OSError leaves an earlier one as it was."""
    from calibration.zones_file import save_zones

    save_zones(zones, path)


_OUTSIDE: Final = BothLanguages(
    "Un colț este departe de masă; coordonatele se măsoară în milimetri de la mijlocul mesei.",
    "A corner lies far off the table; places are millimetres from its middle.",
)
_CONVEX: Final = BothLanguages(
    "Conturul trebuie să fie convex, cu colțurile luate la rând; mutați colțul care intră spre interior.",
    "The outline must be convex, its corners in turn; move the corner that points inwards.",
)
