"""On pictures from a ceiling the markers are found, and tiles lie in millimetres where the labels say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.rig_error import MODES, measure

# What a rig without a measured lens cannot know is the distortion: 3 px at the corners of one of the
# pictures.
WORST_MM = {MODES[0]: 0.4, MODES[1]: 1.5, MODES[2]: 1.5}


@pytest.mark.data
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["c02", "c02_4k", "c05", "c07", "c25", "c27"])
def test_millimetres_on_the_ceiling_tables(real_data: Path, name: str, mode: str) -> None:
    one = measure(real_data / "ceiling" / "labels" / f"{name}.json", mode)
    # In c25 a cup stands on marker 0.
    assert one.markers == ((1, 2, 3) if name == "c25" else (0, 1, 2, 3))
    assert one.marker_off_px < 0.35
    assert one.rig.rms_px < 0.35
    assert np.median(one.errors_mm) < WORST_MM[mode]
    assert one.errors_mm.max() < WORST_MM[mode]
