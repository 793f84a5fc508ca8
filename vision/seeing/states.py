"""How the eyes are: states, reasons in both languages, and what one step says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from vision.sources.health import NOTHING, Words

if TYPE_CHECKING:
    from calibration.legibility import Legibility
    from calibration.rig import Rig
    from calibration.zones import Zones
    from engine.table_reading import TableReading
    from vision.sources.frames import Status

State = Literal["starting", "looking", "hand", "moving", "paused", "source", "ended"]

STATE_WORDS: Final[dict[State, Words]] = {
    "starting": Words("waiting for the table to be still", "se așteaptă ca masa să fie liberă"),
    "looking": Words("looking at the table", "se urmărește masa"),
    "hand": Words("a hand is over the table", "o mână este deasupra mesei"),
    "moving": Words("the camera moves", "camera se mișcă"),
    "paused": Words("paused", "în pauză"),
    "source": Words("no picture from the camera", "nicio imagine de la cameră"),
    "ended": Words("the source has ended", "sursa s-a încheiat"),
}


@dataclass(frozen=True)
class Update:
    """What one step says: the state, why, a reading if there is a new one, and the rig if it was healed.

    `unseen` names the zones that cannot be read now. `waited_s` is how long the last zone that was read had
    been still, `milliseconds` what the step's stages took. `repeated` says that the reading is the last one
    once more, since nothing has moved.
    """

    state: State
    reason: Words = NOTHING
    reading: TableReading | None = None
    healed: Rig | None = None
    unseen: tuple[str, ...] = ()
    waited_s: float = 0.0
    repeated: bool = False
    milliseconds: tuple[tuple[str, float], ...] = ()

    @property
    def spent_ms(self) -> float:
        """All that the step took."""
        return sum(ms for _, ms in self.milliseconds)


@dataclass(frozen=True)
class EyesStatus:
    """How the eyes are, for pages and logs; immutable.

    `state` since `since` (seconds on the source's clock), for the `reason`; `source` is None before it was
    asked. `readings` were made, the last at `read_at`, `settled_ms` after the table had come to rest.
    `look_ms` is what a look costs on which nothing is read, on average; `busy` the share of a core that the
    eyes have used of late; `healed` how often the rig was healed since the start. `notes` say what cannot be
    read from this camera and why.
    """

    state: State = "starting"
    since: float = 0.0
    reason: Words = NOTHING
    source: Status | None = None
    unseen: tuple[str, ...] = ()
    readings: int = 0
    read_at: float | None = None
    settled_ms: float | None = None
    look_ms: float | None = None
    busy: float = 0.0
    healed: int = 0
    notes: tuple[Words, ...] = ()


def rack_notes(legible: list[Legibility], before: Zones) -> dict[int, Words]:
    """By seat, why its rack is not read from this camera and what would help."""
    notes = {}
    for one in legible:
        if one.kind != "rack" or one.seat is None or one.verdict != "no":
            continue
        if before.racks[one.seat] != "read":
            continue
        seen = f"{one.digit_px:.1f} px, {one.angle_deg:.0f}°"
        helps = (
            f" To have it read, {one.remedy[0]}." if one.remedy[0] else "",
            f" Ca să poată fi citită, {one.remedy[1]}." if one.remedy[1] else "",
        )
        notes[one.seat] = Words(
            f"Rack {one.seat} cannot be read from this camera (digits of {seen}): its tiles are laid flat at "
            f"the end and counted then.{helps[0]}",
            f"Tabla {one.seat} nu se poate citi cu această cameră (cifre de {seen}): piesele ei se așază "
            f"la sfârșit pe masă și se numără atunci.{helps[1]}",
        )
    return notes
