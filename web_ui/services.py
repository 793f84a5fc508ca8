"""What the page needs of the rest of the companion, handed to `create_app` as plain functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.readings import PictureReading, Quad
    from engine.records import Record
    from engine.score_sheets import Sheet
    from engine.statistics import GameResult
    from engine.table_reading import TableReading
    from engine.tiles import Face, Seen
    from web_ui.setup_needs import TableSetup


@dataclass(frozen=True)
class ReadPicture:
    """A picture that was read: the reading and an upright JPEG of the same view for the browser."""

    reading: PictureReading
    jpeg: bytes


class PictureRefusedError(ValueError):
    """The picture can't be read; says why in both languages, for the person who chose it."""

    def __init__(self, code: str, *, message_ro: str, message_en: str) -> None:
        super().__init__(message_en)
        self.code = code
        self.message_ro = message_ro
        self.message_en = message_en


class CensusLostError(LookupError):
    """The census is no longer (or never was) in memory."""


@dataclass(frozen=True)
class AskedTile:
    """A tile of a census that a person should look at: its picture, what it seems and may be."""

    index: int
    png: bytes
    face: Seen
    read_as: Seen
    candidates: tuple[Seen, ...]


@dataclass(frozen=True)
class CensusView:
    """A set laid out in rows as far as it is known; `missing` and `extra` name faces as often as they are so.

    `misread` counts the tiles that the reader took for another face than rows and inventory say.
    """

    token: str
    name: str
    tiles: int
    misread: int
    missing: tuple[Face, ...]
    extra: tuple[Face, ...]
    asked: tuple[AskedTile, ...]
    faint: bool = False
    """Whether its print hardly stands out from the tiles."""


class TileSets(Protocol):
    """Teaches sets of tiles and says which is read with; what is refused raises PictureRefusedError."""

    def names(self) -> Sequence[str]:
        """The sets that were taught."""

    def used(self) -> str | None:
        """The set that pictures are read with; None for any set."""

    def use(self, name: str | None) -> None:
        """Reads with a set from now on."""

    def forget(self, name: str) -> None:
        """Deletes what was learnt of a set."""

    def begin(self, name: str, pictures: Sequence[bytes]) -> CensusView:
        """Takes the census of picture files and keeps it in memory for a while."""

    def census(self, token: str) -> CensusView:
        """A census in memory; raises CensusLostError."""

    def settle(self, token: str, index: int, answer: Seen | None) -> CensusView:
        """Takes what a person says a tile is (None: no tile); raises CensusLostError, IndexError."""

    def keep(self, token: str) -> None:
        """Learns from a census, stores it, reads with it from now on; raises CensusLostError."""


class Game(Protocol):
    """A game that is followed at a table.

    Documents are JSON with `version` and `number`, and show nothing of any rack.
    """

    @property
    def pin(self) -> str | None:
        """What who wants to change something must know; None where only this machine may."""

    @property
    def closed(self) -> bool:
        """Whether the table has ended."""

    def document(self) -> Mapping[str, Any]:
        """The table as it is now."""

    def entries(self) -> Sequence[Mapping[str, Any]]:
        """Every entry of the game that is on, as the document has the newest of them."""

    def wait(self, after: int, timeout: float) -> Mapping[str, Any] | None:
        """The table once its number is over `after`; None where that takes longer than `timeout` seconds."""

    def since(self, after: int, timeout: float) -> Sequence[Mapping[str, Any]]:
        """Every document with a number over `after`, oldest first; empty where none comes in `timeout` s.

        The newest alone where `after` is 0, or older than what is kept.
        """

    def post(
        self, what: str, fields: Mapping[str, Any], version: int | None, *, anyway: bool
    ) -> Mapping[str, Any]:
        """Does what is asked for, unless the table has another version by now; the document has `status`."""

    def preview(
        self, what: str, fields: Mapping[str, Any], version: int | None, *, anyway: bool
    ) -> Mapping[str, Any]:
        """What would become of it, while nothing is done: where that is `done`, `game` is the table as it
        would be.
        """


@dataclass(frozen=True)
class BothLanguages:
    """A text in the languages of the page."""

    ro: str
    en: str


@dataclass(frozen=True)
class TableZone:
    """A zone of the table: what lies there, whose it is, and its outline in pixels of the picture."""

    kind: str
    seat: int | None
    outline: tuple[tuple[float, float], ...]

    @property
    def name(self) -> str:
        """As readings name it: `meld 2`, `discard`."""
        return self.kind if self.seat is None else f"{self.kind} {self.seat}"


@dataclass(frozen=True)
class TableNow:
    """The table at this moment, as everyone may see it.

    `state` is one of docs/live.md, or `stopped` after an error of the program; `reason` says why, where that
    needs words, `covered` the names of zones that are not read now. `size` is that of the pictures, None
    before the first; `picture` counts them on. `read_ms` is how long after the table had come to rest the
    last reading was there. `drawn` is a table that is no camera's, but rendered.
    """

    state: str
    reason: BothLanguages | None = None
    covered: tuple[str, ...] = ()
    size: tuple[int, int] | None = None
    picture: int = 0
    zones: tuple[TableZone, ...] = ()
    reading: TableReading | None = None
    read_ms: float | None = None
    drawn: bool = False


class LiveTable(Protocol):
    """A table that is looked at all the time; several threads may ask."""

    def now(self) -> TableNow:
        """The table at this moment."""

    def picture(self) -> bytes | None:
        """The newest picture that everyone may see, a JPEG with the racks covered; None before the first."""

    def arbiters_picture(self) -> bytes | None:
        """The newest picture for the arbiter alone: racks that may be read now are not covered; else None."""

    def crop(self, key: int) -> bytes | None:
        """The tile of that key in the newest reading, a JPEG cut from the newest picture, turned upright.

        None for a key that lies there no more, for a tile on a rack, and before the first picture.
        """

    def document(self, reading: TableReading) -> dict[str, Any]:
        """A reading as JSON."""


@dataclass(frozen=True)
class PlayedMatch:
    """A match of the table, or one imported game; `key` names it in addresses.

    `records` are its games in order with every entry: who shows them hides the racks of those that are on.
    """

    key: str
    names: tuple[str, ...]
    records: tuple[Record, ...]
    number: int | None = None
    games: int | None = None
    target: int | None = None
    over: bool = False
    begun: str | None = None

    @property
    def imported(self) -> bool:
        """Whether it came from a record file."""
        return self.number is None


@dataclass(frozen=True)
class Rating:
    """How strong a player seems: the estimate, how unsure it is, and what he is ranked by."""

    mu: float
    sigma: float
    ordinal: float


class StoreError(RuntimeError):
    """Something could not be read or kept; the next step in both languages."""

    def __init__(self, *, hint_en: str, hint_ro: str) -> None:
        super().__init__(hint_en)
        self.hint_en = hint_en
        self.hint_ro = hint_ro


class StaleError(Exception):
    """Somebody else has written on the sheet since the page was loaded."""


class History(Protocol):
    """Matches that were played; what cannot be read or kept raises StoreError."""

    def matches(self) -> Sequence[PlayedMatch]:
        """Every match in the order in which they were begun, the imported games after them."""

    def ratings(self, results: Sequence[GameResult]) -> Mapping[str, Rating]:
        """The rating of each player (by `engine.statistics.player_key`) after these games, in order."""

    def add(self, text: str) -> str:
        """Keeps the text of a record as an imported game; returns its key. RecordError for a broken one."""


class Sheets(Protocol):
    """Score sheets; what cannot be kept raises StoreError, what a sheet cannot take SheetError."""

    def all(self) -> Sequence[Sheet]:
        """Every sheet, the newest first."""

    def get(self, sheet: str) -> Sheet:
        """A sheet; LookupError where there is none."""

    def begin(self, fields: Mapping[str, Any]) -> Sheet:
        """A new sheet: `name`, `rules`, `players`."""

    def write(self, sheet: str, event: str, fields: Mapping[str, Any], *, version: int) -> Sheet:
        """The sheet with one entry more; StaleError unless it has that version, LookupError."""


@dataclass(frozen=True)
class Services:
    """Functions that companion composes.

    `read_picture` takes the bytes of a picture file and raises PictureRefusedError; several threads may call
    it. `rows` takes quads in image pixels and returns rows of indexes, each row in reading order.
    `sample_picture` returns the bytes of a picture to try the page with; None where there is none.
    `tile_sets` teaches sets; None where the reader can't be taught. `table` is the live table; where there
    could be one `no_table` says what is missing. `game` is the game that is followed, if any. `addresses`
    are those under which the page is reached, this machine's own first. `history` has the matches that were
    played, `sheets` the score sheets, `setup` what the set-up pages change.
    """

    read_picture: Callable[[bytes], ReadPicture]
    rows: Callable[[Sequence[Quad]], Sequence[Sequence[int]]]
    sample_picture: Callable[[], bytes] | None = None
    version: str = ""
    tile_sets: TileSets | None = None
    table: LiveTable | None = None
    no_table: BothLanguages | None = None
    game: Game | None = None
    addresses: Callable[[], Sequence[str]] | None = None
    history: History | None = None
    sheets: Sheets | None = None
    setup: TableSetup | None = None
