"""What the file of a rig must hold, in pydantic's terms; imported on demand, since pydantic takes long to
import.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Side = Annotated[int, Field(gt=0, le=32768)]
Point = tuple[float, float]
Point3 = tuple[float, float, float]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class TablePart(_Part):
    """The table top and its markers, in millimetres."""

    size_mm: tuple[Positive, Positive]
    marker_mm: Positive
    inset_mm: Positive


class LensPart(_Part):
    """Focal lengths and principal point in pixels; distortion k1, k2, p1, p2, k3."""

    source: Literal["charuco", "height", "assumed", "given"]
    focal_px: tuple[Positive, Positive]
    centre_px: Point
    distortion: tuple[float, float, float, float, float]
    rms_px: NotNegative


class PosePart(_Part):
    """From the table to the camera."""

    rotation: tuple[Point3, Point3, Point3]
    shift_mm: Point3

    @model_validator(mode="after")
    def _turns(self) -> PosePart:
        rows = self.rotation
        for first in range(3):
            for second in range(3):
                product = sum(a * b for a, b in zip(rows[first], rows[second], strict=True))
                if abs(product - (first == second)) > 1e-3:
                    raise ValueError("rotation is not a rotation matrix")
        return self


class RigDocument(_Part):
    """A rig."""

    format: Literal["remi-rig/1"]
    made: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d")]
    sheet: str
    pictures: tuple[str, ...] = ()
    healed: Annotated[int, Field(ge=0)] = 0
    frame_px: tuple[Side, Side]
    rms_px: NotNegative
    rms_mm: NotNegative
    table: TablePart
    lens: LensPart
    pose: PosePart
    marks: dict[Literal["0", "1", "2", "3"], tuple[Point, Point, Point, Point]]
