"""Whether the camera still is where the rig says, look by look: markers near their places first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from calibration.markers import NEEDED, find_markers
from calibration.watch import Watch, look, moved_markers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.rig import Rig
    from calibration.watch import Reason
    from vision.pictures import Pixels

EVERY_S: Final = 0.5
"""Between looks while nothing else asks for one: a bump is noticed within 2 s by far."""

SWINGING_S: Final = 0.2
WHOLE_S: Final = 0.5
PAUSED_S: Final = 2.0
"""Between searches of the whole picture: while the camera moves, and once the table pauses."""


@dataclass(frozen=True)
class CameraWatch:
    """The watch over the rig, and when markers were last looked for: near their places, and everywhere."""

    watch: Watch
    looked_at: float | None = None
    searched_at: float | None = None

    @property
    def rig(self) -> Rig:
        """The rig as it is known now."""
        return self.watch.rig

    @property
    def trusted(self) -> bool:
        """Whether what is seen now may be read: the camera is where it was, and a marker said so."""
        return self.watch.trusted and self.watch.since is None

    @property
    def reason(self) -> Reason | None:
        """Why it may not."""
        return self.watch.reason

    def due(self, now: float) -> bool:
        """Whether it is time to look for the markers."""
        pause = EVERY_S if self.watch.state != "moving" else SWINGING_S
        return self.looked_at is None or now - self.looked_at >= pause


def looked(camera: CameraWatch, pixels: Pixels, now: float) -> CameraWatch:
    """The watch after the markers were looked for in a frame of the rig's size."""
    rig = camera.rig
    near = (camera.watch.before or rig).markers()
    seen = find_markers(pixels, near=near, everywhere=False)
    searched_at = camera.searched_at
    pause = PAUSED_S if camera.watch.state == "paused" else WHOLE_S
    if not _enough(rig, seen) and (searched_at is None or now - searched_at >= pause):
        seen = find_markers(pixels, near=near)
        searched_at = now
    elif not seen and searched_at is not None and now - searched_at < pause:
        # Not found where they were, and not looked for elsewhere: that says nothing yet.
        return replace(camera, looked_at=now, watch=replace(camera.watch, healed=False))
    return CameraWatch(look(camera.watch, seen, now=now), now, searched_at)


def _enough(rig: Rig, seen: Mapping[int, object]) -> bool:
    """Whether these markers tell that the camera is where it was, or where it is now."""
    if len(seen) >= NEEDED:
        return True
    import numpy as np

    places = {marker: np.asarray(corners, np.float64) for marker, corners in seen.items()}
    return bool(seen) and not moved_markers(rig, places)
