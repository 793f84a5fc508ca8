"""Zones as a TOML file: only what differs from the default needs to stand in it.

format = "remi-zones/1"
table_mm = [1000, 900]
seats = 4
racks = { 1 = "read", 2 = "at_end", 3 = "read", 4 = "never" }    # or one word for all seats

[[zones]]
kind = "wall"
corners_mm = [[-480, -100], [-400, -100], [-400, 100], [-480, 100]]
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import replace
from pathlib import Path

from calibration.errors import CalibrationError
from calibration.zones import Zone, Zones, default_zones


def save_zones(zones: Zones, path: Path) -> None:
    """Writes all zones; an existing file is replaced whole or not at all."""
    import tomli_w

    document = {
        "format": "remi-zones/1",
        "table_mm": list(zones.table_mm),
        "seats": zones.seats,
        "racks": {str(seat): mode for seat, mode in zones.racks.items()},
        "zones": [
            {"kind": zone.kind}
            | ({} if zone.seat is None else {"seat": zone.seat})
            | {"corners_mm": [[round(x, 2), round(y, 2)] for x, y in zone.corners]}
            for zone in zones.zones
        ],
    }
    new = path.with_name(path.name + ".new")
    with new.open("w", encoding="utf-8") as file:
        file.write(tomli_w.dumps(document))
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def load_zones(path: Path) -> Zones:
    """The zones in a file, with the default for what it does not name.

    CalibrationError (`zones_file`) names the key that is wrong; a file that cannot be opened raises OSError.
    """
    from pydantic import ValidationError

    from calibration.zones_schema import ZonesDocument

    try:
        read = ZonesDocument.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _wrong(path, str(error)) from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise _wrong(path, f"{key}: {first['msg']}" if key else first["msg"]) from error
    zones = default_zones(read.table_mm, read.seats)
    named = {(part.kind, part.seat): Zone(part.kind, part.seat, part.corners_mm) for part in read.zones}
    every = tuple(named.get((zone.kind, zone.seat), zone) for zone in zones.zones)
    zones = replace(zones, zones=every)
    if isinstance(read.racks, str):
        return zones.with_racks(read.racks)
    for seat, mode in read.racks.items():
        zones = zones.with_racks(mode, seats=[int(seat)])
    return zones


def _wrong(path: Path, what: str) -> CalibrationError:
    return CalibrationError(
        "zones_file",
        hint_en=f"{path} does not hold zones: {what}. The keys are described in docs/calibration.md.",
        hint_ro=f"{path} nu conține zone valide: {what}. Cheile sunt descrise în docs/calibration.md.",
    )
