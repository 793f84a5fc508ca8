"""Whether the camera still is where the rig says: a bump is noticed, healed from the markers, or the table
pauses.

steady --markers elsewhere--> moving --two looks alike, three markers or more--> steady, with a healed rig
   |                            |
   +---no marker for 2 s--------+---not healed for 2 s---> paused --markers agree again--> steady
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.markers import NEEDED, centre_of
from calibration.rig import RMS_LIMIT_MM, Rig, make_rig
from calibration.solving import fit_camera

Floats = NDArray[np.float64]
Sightings = Mapping[int, Floats]

MOVED_MM: Final = 1.0
"""A marker that seems to have moved by more is said to be elsewhere: five times what sightings are unsure
by.
"""

PATIENCE_S: Final = 2.0
"""So long the markers may be out of sight, or the camera may swing, before the table pauses."""

State = Literal["steady", "moving", "paused"]
Code = Literal["no_markers", "few_markers", "loose"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the table pauses: a code, and what is to be done, in English and Romanian."""

    code: Code
    hint_en: str
    hint_ro: str


REASONS: Final[Mapping[Code, Reason]] = {
    reason.code: reason
    for reason in (
        Reason(
            "no_markers",
            "No corner marker is in sight, so the camera may have moved. Uncover the corner cards, or turn "
            "on the light.",
            "Nu se vede niciun marcaj de colț, deci camera s-ar fi putut mișca. Descoperiți cartonașele din "
            "colțuri sau aprindeți lumina.",
        ),
        Reason(
            "few_markers",
            "The camera has moved. Show it at least three corner cards, and the game goes on.",
            "Camera s-a mișcat. Lăsați la vedere cel puțin trei cartonașe de colț, iar jocul continuă.",
        ),
        Reason(
            "loose",
            "The corner cards do not fit any place of the camera: one or more were pushed. Lay each flush "
            "into its corner, or calibrate again (remi calibrate PICTURE --out RIG).",
            "Cartonașele de colț nu se potrivesc cu nicio poziție a camerei: unul sau mai multe au fost "
            "împinse. Așezați-le fix în colțuri sau calibrați din nou (remi calibrate POZĂ --out FIȘIER).",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Watch:
    """What is known of the camera after the last look; a fold over `look`, with the time handed in.

    `pushed` are markers whose card was pushed while the camera stayed: they are left out until put back.
    `healed` says that this very look brought a new rig. `since` is when the state began or, while steady,
    when no marker was in sight any more.
    """

    rig: Rig
    state: State = "steady"
    reason: Reason | None = None
    pushed: frozenset[int] = frozenset()
    healed: bool = False
    since: float | None = None
    before: Rig | None = None

    @property
    def trusted(self) -> bool:
        """Whether millimetres can be told now: a look taken while this is false is not to be read."""
        return self.state == "steady"


def look(watch: Watch, seen: Sightings, *, now: float) -> Watch:
    """The watch after a look that shows the markers at `seen` (by id corners (4, 2) in pixels); `now` in
    seconds.
    """
    watch = replace(watch, healed=False)
    if not seen:
        return _unseen(watch, now)
    moved = frozenset(moved_markers(watch.rig, seen))
    still = seen.keys() - moved
    if not moved or len(still) >= NEEDED or (len(still) == 2 and len(seen) == NEEDED):
        # No bump leaves so many cards where they were: the others were pushed by hand.
        return Watch(watch.rig, pushed=moved)
    if len(seen) < NEEDED:
        return _swinging(watch, "few_markers", now, None)
    rig = refit(watch.rig, seen, without=0 if len(still) == 2 else len(seen) - NEEDED)
    if rig is None and len(still) == 2:
        return Watch(watch.rig, pushed=moved)
    if rig is None:
        return _swinging(watch, "loose", now, None)
    if watch.before is not None and _alike(watch.before, rig):
        provenance = replace(rig.provenance, healed=rig.provenance.healed + 1)
        left_out = frozenset(seen.keys() - rig.marks.keys())
        return Watch(replace(rig, provenance=provenance), pushed=left_out, healed=True)
    return _swinging(watch, "few_markers", now, rig)


def moved_markers(rig: Rig, seen: Sightings) -> list[int]:
    """The markers that are not where the rig says, by more than `MOVED_MM` on the table."""
    places = rig.layout.centres
    off = {
        marker: float(np.linalg.norm(rig.to_mm(centre_of(corners)) - places[marker]))
        for marker, corners in seen.items()
    }
    return [marker for marker, distance in off.items() if not distance <= MOVED_MM + _known_off(rig, marker)]


def refit(rig: Rig, seen: Sightings, *, without: int) -> Rig | None:
    """The rig for a camera that sees the markers elsewhere, or None where they fit no camera.

    Lens and table stay. Up to `without` markers whose cards were pushed are found out and left out.
    """
    for count in range(len(seen), len(seen) - without - 1, -1):
        rigs = []
        for chosen in combinations(sorted(seen), count):
            some = {marker: seen[marker] for marker in chosen}
            fit = fit_camera(some, rig.layout, rig.lens)
            rigs.append(make_rig(fit, some, size=rig.size, layout=rig.layout, provenance=rig.provenance))
        best = min(rigs, key=lambda one: one.rms_mm)
        if best.rms_mm <= RMS_LIMIT_MM / 2 and not moved_markers(
            best, {id_: seen[id_] for id_ in best.marks}
        ):
            return best
    return None


def _known_off(rig: Rig, marker: int) -> float:
    """How far a marker was from its place when the rig was made; nothing for one that was not in sight
    then.
    """
    corners = rig.marks.get(marker)
    if corners is None:
        return 0.0
    seen = rig.to_mm(centre_of(np.asarray(corners, np.float64)))
    return float(np.linalg.norm(seen - rig.layout.centres[marker]))


def _unseen(watch: Watch, now: float) -> Watch:
    since = now if watch.since is None else watch.since
    if watch.state == "paused":
        return watch
    if now - since >= PATIENCE_S:
        return Watch(watch.rig, "paused", REASONS["no_markers"], since=now)
    return replace(watch, since=since)


def _swinging(watch: Watch, code: Code, now: float, fitted: Rig | None) -> Watch:
    since = watch.since if watch.state == "moving" and watch.since is not None else now
    if watch.state == "paused" or now - since >= PATIENCE_S:
        return Watch(watch.rig, "paused", REASONS[code], since=watch.since, before=fitted)
    return Watch(watch.rig, "moving", REASONS[code], since=since, before=fitted)


def _alike(first: Rig, second: Rig) -> bool:
    """Whether two rigs put the corners of the table at the same place: the camera has come to rest."""
    corners = np.asarray(list(second.layout.centres.values()))
    apart = np.linalg.norm(first.to_mm(second.to_px(corners)) - corners, axis=1)
    return bool(apart.max() <= MOVED_MM)
