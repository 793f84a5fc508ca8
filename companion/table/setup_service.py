"""The set-up pages' hold on a table: settings read, checked, written, and taken over."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import TimeoutError as FutureTimeoutError
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from calibration.errors import HintedError
from companion.output import InputError
from companion.table.config import load_config
from companion.table.errors import ConfigError, JournalError
from companion.table.setup_problems import config_of, problems
from companion.table.writing import table_text, values_of, write_whole
from web_ui.services import BothLanguages
from web_ui.setup_needs import BoardNow, Checked, Outline, Saved, SetupNow, SetupZones, Wrong

if TYPE_CHECKING:
    from calibration.rig import Rig
    from calibration.zones import Zones
    from companion.live_table import LiveTable
    from companion.table.config import TableConfig
    from companion.table.running import RunningTable

HIDDEN: Final = frozenset({"page.host", "page.port", "page.pin", "journal.path"})
"""What is not to be seen or changed from the page: who may come in, and where the games are."""

BUTTONS_S: Final = 30.0
QUALITY: Final = 82
_TAKEN_S: Final = 20.0


class SetupService:
    """The settings of a table (web_ui.setup_needs.TableSetup), asked from any thread.

    Without a path in `config` they are kept in memory. `table` is the running table, `live` its camera.
    """

    def __init__(
        self, config: TableConfig, *, table: RunningTable | None = None, live: LiveTable | None = None
    ) -> None:
        self._config = config
        self._running = config
        self._table = table
        self._live = live if live is not None or table is None else table.live
        self._zones: Zones | None = None
        """Those of the page, where there is no file."""
        self._changes = 0
        self._lock = threading.RLock()

    def now(self) -> SetupNow:
        """The settings as they are kept."""
        with self._lock:
            broken = self._read()
            values = {key: value for key, value in values_of(self._config.file).items() if key not in HIDDEN}
            path = self._config.path
            return SetupNow(self._stamp(), None if path is None else path.name, values, self._seats, broken)

    def check(self, values: Mapping[str, Any]) -> tuple[Wrong, ...]:
        """What would be wrong with the settings once these values were changed."""
        with self._lock:
            self._read()
            return problems(self._changed(values), self._config)

    def save(self, values: Mapping[str, Any], stamp: str) -> Saved:
        """Keeps these values, and takes over what can be taken over now."""
        with self._lock:
            self._read()
            if stamp != self._stamp():
                return Saved("stale")
            changed = self._changed(values)
            wrong = problems(changed, self._config)
            if wrong:
                return Saved("wrong", wrong)
            before, after = self._config, config_of(changed, self._config)
            if after.file == before.file:
                return Saved("saved", (), (_SAME,))
            failed = self._keep(changed)
            if failed is not None:
                return failed
            self._config = after
            return Saved("saved", (), self._taken_over(before, after))

    def zones(self) -> SetupZones | BothLanguages:
        """The zones with their legibility, or why there are none."""
        from companion.table.setup_zones import MARGIN_MM, with_legibility

        with self._lock:
            found = self._rig_and_zones()
            if isinstance(found, BothLanguages):
                return found
            rig, zones = found
            legible = with_legibility(rig, zones, self._config.file.camera.lean_deg)
            return SetupZones(
                self._zones_stamp(zones), zones.table_mm, MARGIN_MM, legible, self._live is not None
            )

    def save_zones(self, outlines: Sequence[Outline], stamp: str) -> Saved:
        """Keeps other outlines; the eyes that run take them at once."""
        from companion.table.setup_zones import keep_zones, zones_of

        with self._lock:
            found = self._rig_and_zones()
            if isinstance(found, BothLanguages):
                return Saved("failed", (Wrong("zones", found),))
            before = found[1]
            if stamp != self._zones_stamp(before):
                return Saved("stale")
            zones = zones_of(before, outlines)
            if isinstance(zones, tuple):
                return Saved("wrong", zones)
            if self._config.path is None:
                self._zones = zones
            else:
                name = self._config.file.camera.zones or "zones.toml"
                try:
                    keep_zones(zones, self._config.at(name))
                except OSError as error:
                    return _not_written(error)
                if self._config.file.camera.zones is None:
                    values = self._changed({"camera.zones": name})
                    failed = self._keep(values)
                    if failed is not None:
                        return failed
                    self._config = config_of(values, self._config)
            if self._live is None or zones.seats != self._seats:
                return Saved("saved", (), (_NEXT_START,))
            racks = self._running.file.camera.racks
            self._live.use(zones=zones if racks == "read" else zones.with_racks(racks))
            return Saved("saved", (), (_ZONES_NOW,))

    def picture(self) -> bytes | None:
        """The table from straight above, racks covered."""
        from companion.jpegs import jpeg_of
        from companion.table.setup_zones import from_above

        shown = None if self._live is None else self._live.covered()
        return None if shown is None else jpeg_of(from_above(shown[1], shown[2]), quality=QUALITY)

    def board(self) -> BoardNow:
        """The board as it is now."""
        board = None if self._table is None else self._table.board
        if board is None:
            return BoardNow("none", False, _NO_BOARD, there=False)
        report = board.report
        well = report.state.value == "up"
        words = _BOARD_UP if well else BothLanguages(report.hint_ro, report.hint_en)
        presses = tuple((press.seat, press.button.value) for press in board.heard)
        return BoardNow(report.state.value, well, words, presses, board.testing_s)

    def test_lamp(self, seat: int) -> bool:
        """Lights a lamp for two seconds."""
        board = None if self._table is None else self._table.board
        if board is None or not 0 <= seat < self._seats:
            return False
        board.test_lamp(seat)
        return True

    def test_buttons(self) -> bool:
        """Keeps presses from the game for half a minute."""
        board = None if self._table is None else self._table.board
        if board is not None:
            board.test_buttons(BUTTONS_S)
        return board is not None

    def checks(self) -> Sequence[Checked]:
        """What `remi doctor` looks at, of the table as it runs."""
        from companion.table.setup_checks import checks

        kept = self._config.path is not None
        return [
            Checked(one.name, one.verdict, BothLanguages(one.ro, one.en))
            for one in checks(self._config, self._table, self._live, kept=kept)
        ]

    # ---- within the lock

    @property
    def _seats(self) -> int:
        return len(self._running.file.players.names)

    def _stamp(self) -> str:
        return self._of_file or str(self._changes)

    @property
    def _of_file(self) -> str:
        path = self._config.path
        try:
            return "" if path is None else sha256(path.read_bytes()).hexdigest()[:16]
        except OSError:
            return "unread"

    def _zones_stamp(self, zones: Zones) -> str:
        return sha256(repr((zones.table_mm, zones.zones)).encode()).hexdigest()[:16]

    def _read(self) -> BothLanguages | None:
        """Reads a file that was changed by hand; why it cannot be read."""
        if self._config.path is None:
            return None
        try:
            self._config = load_config(self._config.path)
        except ConfigError as error:
            return BothLanguages(error.hint_ro, error.hint_en)
        return None

    def _changed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        asked = {key: value for key, value in values.items() if key not in HIDDEN}
        return {**values_of(self._config.file), **asked}

    def _keep(self, values: Mapping[str, Any]) -> Saved | None:
        """Writes the file; what to say where that fails."""
        self._changes += 1
        path = self._config.path
        if path is None:
            return None
        try:
            romanian = "O masă Remi" in path.read_text("utf-8", errors="replace")[:200]
            write_whole(path, table_text(values, name=path.name, romanian=romanian))
        except OSError as error:
            return _not_written(error)
        return None

    def _rig_and_zones(self) -> tuple[Rig, Zones] | BothLanguages:
        from calibration.rig_file import load_rig
        from companion.table.eyes import load_zones_of

        camera = self._config.file.camera
        try:
            if self._live is not None:
                rig = self._live.rig
            elif camera.rig is not None:
                rig = load_rig(self._config.at(camera.rig))
            else:
                return _NO_CAMERA
            if self._zones is not None:
                return rig, self._zones
            return rig, load_zones_of(self._config, rig)
        except HintedError as error:
            return BothLanguages(error.hint_ro, error.hint_en)
        except InputError as error:
            return BothLanguages(error.message, error.message)
        except OSError as error:
            words = f"{camera.rig}: {error.strerror}"
            return BothLanguages(
                f"{words}. Faceți calibrarea cu remi calibrate (docs/camera.md).",
                f"{words}. Make the rig with remi calibrate (docs/camera.md).",
            )

    def _taken_over(self, before: TableConfig, after: TableConfig) -> tuple[BothLanguages, ...]:
        """Hands what holds for matches to the table thread; says from when each change holds."""
        old, new = values_of(before.file), values_of(after.file)
        parts = {key.partition(".")[0] for key in new if old[key] != new[key]}
        said: list[BothLanguages] = []
        if parts & {"rules", "players", "match", "turn", "table"}:
            if len(after.file.players.names) != self._seats:
                return (_SEATS_CHANGE,)
            said.append(self._set_up(after))
        if parts & {"camera", "board"}:
            said.append(_NEXT_START)
        return tuple(said)

    def _set_up(self, config: TableConfig) -> BothLanguages:
        from dataclasses import replace

        if self._table is None:
            return _NEXT_START if config.path is not None else _IN_MEMORY
        table = self._table.table
        setup = config.setup(table.setup.new_follower)
        # A button that is not there cannot end turns: the board is that of the start.
        if self._table.board is None and setup.commit == "button":
            setup = replace(setup, commit=table.setup.commit)
        try:
            return _AT_ONCE if table.set_up(setup).result(_TAKEN_S) else _NEXT_MATCH
        except JournalError as error:
            return BothLanguages(error.hint_ro, error.hint_en)
        except FutureTimeoutError:
            return _NEXT_START


def _not_written(error: OSError) -> Saved:
    why = error.strerror or str(error)
    return Saved(
        "failed",
        (
            Wrong(
                "",
                BothLanguages(
                    f"Nu s-a putut scrie fișierul mesei ({why}); nu s-a schimbat nimic. Eliberați spațiu sau "
                    "dați drept de scriere, apoi salvați din nou.",
                    f"The table file could not be written ({why}); nothing was changed. Free some space or "
                    "give the right to write, then save again.",
                ),
            ),
        ),
    )


_SAME: Final = BothLanguages("Nu era nimic de schimbat.", "There was nothing to change.")
_AT_ONCE: Final = BothLanguages(
    "Se aplică de acum: nu se jucase încă nimic, așa că meciul începe din nou cu ele.",
    "It holds at once: nothing had been played yet, so the match begins anew with it.",
)
_NEXT_MATCH: Final = BothLanguages(
    "Se aplică de la meciul următor; meciul în curs continuă cum a început. Ceasul se aplică de acum.",
    "It holds from the next match; the one that is on goes on as it began. The clock holds at once.",
)
_NEXT_START: Final = BothLanguages(
    "Se aplică la următoarea pornire a programului.", "It holds from the next start of the companion."
)
_IN_MEMORY: Final = BothLanguages("Păstrat până la oprirea programului.", "Kept until the companion ends.")
_SEATS_CHANGE: Final = BothLanguages(
    "Alt număr de jucători înseamnă alte zone și alte lămpi: se aplică la următoarea pornire a programului.",
    "Another number of players means other zones and lamps: it holds from the next start of the companion.",
)
_ZONES_NOW: Final = BothLanguages(
    "Camera citește de acum după aceste zone.", "The camera reads by these zones from now on."
)
_NO_BOARD: Final = BothLanguages(
    "Masa rulează fără placă. Alegeți portul mai jos (auto găsește singura placă conectată, sim este una "
    "simulată) și porniți din nou.",
    "The table runs without a board. Choose its port below (auto finds the only one that is plugged in, sim "
    "is one made of software) and start again.",
)
_BOARD_UP: Final = BothLanguages("Placa răspunde.", "The board answers.")
_NO_CAMERA: Final = BothLanguages(
    "Nu este aleasă nicio cameră. Scrieți mai jos sursa și calibrarea ei (o face remi calibrate), apoi "
    "porniți din nou: atunci apar aici imaginea și zonele.",
    "No camera is chosen. Enter its source and its calibration below (remi calibrate makes it), then "
    "start again: picture and zones appear here then.",
)
