"""How well a bumped camera is healed: frames of a table, the camera pushed and turned, millimetres before and
after.

    python -m benchmarks.bumps [BUMPS]

The camera (1920x1080, 1.45 m up, with distortion) is bumped by up to 30 mm and 3 degrees, each time from
where it was; frames go through the same search for markers and the same watch as a camera's. One line for
each bump.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from calibration.camera import Lens
from calibration.markers import MarkerLayout, find_markers
from calibration.rig import calibrate
from calibration.watch import Watch, look
from calibration.zones import default_zones
from tests.calibration.virtual import MADE, bare_rig, bumped, over, photograph, table_top

SIZE = (1920, 1080)
LENS = Lens((1450.0, 1450.0), (965.0, 536.0), (-0.08, 0.03, 0.0, 0.0, 0.0), "given")
LAYOUT = MarkerLayout((900.0, 900.0))
LOOK_EVERY_S = 0.4


def main() -> None:
    """Prints for each bump how many looks it took, and the worst millimetres over the table before and
    after.
    """
    bumps = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    chance = np.random.default_rng(7)
    plane = table_top(LAYOUT, px_per_mm=2.0)
    zones = default_zones(LAYOUT.table_mm, 4)
    # Places all over the table, none of them on the border of two zones.
    grid = np.stack(np.meshgrid(np.linspace(-421, 433, 9), np.linspace(-409, 417, 8)), axis=-1).reshape(-1, 2)
    home = over(15, -10, 1450, tilt=1.5, roll=-1, yaw=2)

    def frame(pose: object) -> np.ndarray:
        assert isinstance(pose, type(home))
        seen = photograph(plane, 2.0, pose=pose, lens=LENS, size=SIZE).astype(np.float64)
        return np.clip(seen + chance.normal(0, 3, seen.shape), 0, 255).astype(np.uint8)

    rig = calibrate(find_markers(frame(home)), size=SIZE, layout=LAYOUT, lens=LENS, provenance=MADE)
    watch, now = Watch(rig), 0.0
    for number in range(1, bumps + 1):
        by_mm, by_deg = chance.normal(size=(2, 3))
        by_mm *= 30 * chance.uniform(0.2, 1) / np.linalg.norm(by_mm)
        by_deg *= 3 * chance.uniform(0.2, 1) / np.linalg.norm(by_deg)
        pose = bumped(home, by_mm=tuple(by_mm), by_deg=tuple(by_deg))
        true = bare_rig(LAYOUT, LENS, pose).to_px(grid)
        before = np.linalg.norm(watch.rig.to_mm(true) - grid, axis=1).max()
        looks, spent, trusted_wrongly = 0, 0.0, False
        while looks < 10:
            picture = frame(pose)
            started = time.perf_counter()
            seen = find_markers(picture, near=watch.rig.markers())
            watch = look(watch, seen, now=now)
            spent += time.perf_counter() - started
            looks, now = looks + 1, now + LOOK_EVERY_S
            if watch.healed:
                break
            trusted_wrongly |= watch.trusted and bool(before > 1.5)
        mm = watch.rig.to_mm(true)
        right = sum(zones.at(at) is zones.at(place) for at, place in zip(mm, grid, strict=True))
        print(
            f"bump {number}: {np.linalg.norm(by_mm):.0f} mm, {np.linalg.norm(by_deg):.1f} degrees, off by up "
            f"to {before:.0f} mm; {'healed' if watch.healed else watch.state} after {looks} looks, then off "
            f"by up to {np.linalg.norm(mm - grid, axis=1).max():.2f} mm, zones right {right} of {len(grid)}, "
            f"{1000 * spent / looks:.0f} ms a look{', TRUSTED WHILE WRONG' if trusted_wrongly else ''}"
        )


if __name__ == "__main__":
    main()
