"""A rig as a TOML file: written for people to read, refused with key and reason where it is wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path

from calibration.camera import Lens, Pose
from calibration.errors import CalibrationError
from calibration.markers import MarkerLayout
from calibration.rig import Provenance, Rig, refuse_loose


def save_rig(rig: Rig, path: Path) -> None:
    """Writes the rig; an existing file is replaced whole or not at all."""
    import tomli_w

    document = {
        "format": "remi-rig/1",
        "made": rig.provenance.made,
        "sheet": rig.provenance.sheet,
        "pictures": list(rig.provenance.pictures),
        "healed": rig.provenance.healed,
        "frame_px": list(rig.size),
        "rms_px": round(rig.rms_px, 4),
        "rms_mm": round(rig.rms_mm, 4),
        "table": {
            "size_mm": list(rig.layout.table_mm),
            "marker_mm": rig.layout.marker_mm,
            "inset_mm": rig.layout.inset_mm,
        },
        "lens": {
            "source": rig.lens.source,
            "focal_px": list(rig.lens.focal),
            "centre_px": list(rig.lens.centre),
            "distortion": list(rig.lens.distortion),
            "rms_px": round(rig.lens.rms_px, 4),
        },
        "pose": {"rotation": [list(row) for row in rig.pose.rotation], "shift_mm": list(rig.pose.shift)},
        "marks": {str(marker): [list(corner) for corner in corners] for marker, corners in rig.marks.items()},
    }
    new = path.with_name(path.name + ".new")
    new.write_text(tomli_w.dumps(document), encoding="utf-8")
    new.replace(path)


def load_rig(path: Path) -> Rig:
    """The rig in a file. CalibrationError: `rig_file` names the key that is wrong, `rms` a rig over the
    limit.

    A file that cannot be opened raises OSError.
    """
    from pydantic import ValidationError

    from calibration.rig_schema import RigDocument

    try:
        read = RigDocument.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _wrong(path, str(error)) from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise _wrong(path, f"{key}: {first['msg']}") from error
    lens, pose = read.lens, read.pose
    rig = Rig(
        size=read.frame_px,
        layout=MarkerLayout(read.table.size_mm, read.table.marker_mm, read.table.inset_mm),
        lens=Lens(lens.focal_px, lens.centre_px, lens.distortion, lens.source, lens.rms_px),
        pose=Pose(pose.rotation, pose.shift_mm),
        marks={int(marker): corners for marker, corners in read.marks.items()},
        rms_px=read.rms_px,
        rms_mm=read.rms_mm,
        provenance=Provenance(read.made, read.sheet, read.pictures, read.healed),
    )
    refuse_loose(rig)
    return rig


def _wrong(path: Path, what: str) -> CalibrationError:
    return CalibrationError(
        "rig_file",
        hint_en=f"{path} is not a rig: {what}. Make it anew with remi calibrate PICTURE --out {path.name}.",
        hint_ro=f"{path} nu este un fișier de calibrare: {what}. Refaceți-l cu remi calibrate POZĂ --out "
        f"{path.name}.",
    )
