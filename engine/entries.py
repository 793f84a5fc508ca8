"""Entries of a record: each event with its fields as JSON, read into a command and written from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from engine import commands as c
from engine.notation import NotationError, format_tiles, parse_tiles
from engine.tiles import Face, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable

EVENTS: Final = (
    "deal", "announce", "swap_doubles", "draw", "take", "meld", "lay_off", "reclaim", "discard",
    "close_table", "wall_empty", "racks", "void", "amend", "rule",
)  # fmt: skip
"""Every event of a record."""

ANNOUNCEMENTS: Final = ("atu", "double", "few", "table_game", "spoil")


class FieldError(ValueError):
    """A field of an entry that cannot be read; `hint_en` and `hint_ro` say what is wrong."""

    def __init__(self, field: str, hint_en: str, hint_ro: str) -> None:
        self.field = field
        self.hint_en = hint_en
        self.hint_ro = hint_ro
        super().__init__(f"{field}: {hint_en}")


class FieldReader:
    """Reads the fields of one entry, each with its type; FieldError names the first that is wrong."""

    def __init__(self, fields: Mapping[str, object], *, seats: int, cards: bool) -> None:
        self._fields = fields
        self._seats = seats
        self._cards = cards

    def whole(self, name: str) -> int:
        """A whole number."""
        value = self._fields.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise FieldError(
                name, f"must be a whole number, not {value!r}", f"trebuie un număr întreg, nu {value!r}"
            )
        return value

    def absent(self, name: str) -> bool:
        """Whether a field is not there, or null."""
        return self._fields.get(name) is None

    def seat(self, name: str = "seat") -> int:
        """A seat that exists."""
        value = self.whole(name)
        if not 0 <= value < self._seats:
            last = self._seats - 1
            raise FieldError(
                name, f"there is no seat {value}; seats are 0 to {last}",
                f"nu există locul {value}; locurile sunt 0 până la {last}",
            )  # fmt: skip
        return value

    def word(self, name: str, choices: Sequence[str] = (), *, optional: bool = False) -> str | None:
        """A text, one of `choices` where there are any; None where absent and optional."""
        value = self._fields.get(name)
        if value is None and optional:
            return None
        if not isinstance(value, str) or (choices and value not in choices):
            known = ", ".join(choices) or "a text"
            raise FieldError(name, f"must be {known}, not {value!r}", f"trebuie {known}, nu {value!r}")
        return value

    def must(self, name: str, choices: Sequence[str] = ()) -> str:
        """A text that is there."""
        return self.word(name, choices) or ""

    def flag(self, name: str) -> bool | None:
        """True or false, None where absent."""
        value = self._fields.get(name)
        if value is not None and not isinstance(value, bool):
            raise FieldError(
                name, f"must be true or false, not {value!r}", f"trebuie true sau false, nu {value!r}"
            )
        return value

    def tiles(self, name: str, *, optional: bool = False) -> tuple[Tile, ...]:
        """The tiles of a line; none where absent and optional."""
        value = self._fields.get(name)
        return () if value is None and optional else self._line(name, value)

    def _line(self, name: str, value: object) -> tuple[Tile, ...]:
        if not isinstance(value, str):
            raise FieldError(
                name, f"must be tiles in a text, not {value!r}", f"trebuie piese într-un text, nu {value!r}"
            )
        try:
            return parse_tiles(value, cards=self._cards)
        except NotationError as wrong:
            raise FieldError(name, wrong.hint_en, wrong.hint_ro) from wrong

    def faces(self, name: str, *, optional: bool = False) -> tuple[Face, ...]:
        """The faces of a line."""
        return tuple(tile.face for tile in self.tiles(name, optional=optional))

    def face(self, name: str, *, optional: bool = False) -> Face | None:
        """One face; None where it is null and may be."""
        if optional and self._fields.get(name) is None:
            return None
        faces = self.faces(name)
        if len(faces) != 1:
            raise FieldError(name, f"must be one tile, not {len(faces)}", f"trebuie o piesă, nu {len(faces)}")
        return faces[0]

    def one_face(self, name: str) -> Face:
        """One face that is known."""
        return self.face(name) or Face("", 0)

    def lines(self, name: str) -> tuple[tuple[Tile, ...], ...]:
        """A list of lines of tiles."""
        value = self._fields.get(name)
        if not isinstance(value, list):
            raise FieldError(
                name,
                f"must be a list of tile texts, not {value!r}",
                f"trebuie o listă de texte, nu {value!r}",
            )
        return tuple(self._line(name, line) for line in value)

    def hands(self, name: str) -> tuple[tuple[Face, ...] | int, ...]:
        """A list with a line of tiles or a number for each seat."""
        value = self._fields.get(name)
        if not isinstance(value, list):
            raise FieldError(
                name,
                f"must be a list, a hand a seat, not {value!r}",
                f"trebuie o listă, o mână pe loc, nu {value!r}",
            )
        hands: list[tuple[Face, ...] | int] = []
        for hand in value:
            if isinstance(hand, int) and not isinstance(hand, bool) and hand >= 0:
                hands.append(hand)
            else:
                hands.append(tuple(tile.face for tile in self._line(name, hand)))
        return tuple(hands)

    def racks(self, name: str) -> tuple[tuple[int, tuple[Face, ...]], ...]:
        """A rack of tiles for each seat named."""
        value = self._fields.get(name)
        if not isinstance(value, Mapping):
            raise FieldError(
                name,
                f"must be an object of racks, not {value!r}",
                f"trebuie un obiect cu table, nu {value!r}",
            )
        racks = []
        for seat, line in value.items():
            number = int(seat) if str(seat).isdecimal() else seat
            at = FieldReader({name: number}, seats=self._seats, cards=self._cards).seat(name)
            racks.append((at, tuple(tile.face for tile in self._line(name, line))))
        return tuple(racks)


def melds_named(event: str, fields: Mapping[str, object]) -> int:
    """How many melds an entry brings onto the table, as far as its text says."""
    if event == "meld":
        melds = fields.get("melds")
        return len(melds) if isinstance(melds, list) else 0
    if event == "reclaim":
        return 1 if fields.get("into") else 0
    return 1 if event == "lay_off" and fields.get("splits") is True else 0


def read_command(event: str, read: FieldReader, ids: Sequence[str] = ()) -> c.Command:  # noqa: PLR0912
    """The command that an entry is; `ids` name the melds it brings. FieldError for a field that is wrong."""
    match event:
        case "deal":
            ends = read.word("counted_from", ("left", "right"), optional=True)
            atu, turned = read.face("atu", optional=True), read.face("turned", optional=True)
            return c.Deal(read.hands("hands"), atu, turned, ends)
        case "announce":
            what = read.must("what", ANNOUNCEMENTS)
            return c.Announce(read.seat(), what, read.word("kind", optional=True))
        case "swap_doubles":
            gives, gets = read.face("gives", optional=True), read.face("gets", optional=True)
            return c.SwapDoubles(read.seat(), read.seat("with"), gives, gets)
        case "draw":
            source = read.word("source", ("wall", "atu"), optional=True)
            return c.Draw(read.seat(), read.face("tile", optional=True), source or "wall")
        case "take":
            return c.Take(read.seat(), read.whole("from"), read.faces("tiles", optional=True))
        case "meld":
            return c.MeldDown(read.seat(), read.lines("melds"), tuple(ids))
        case "lay_off":
            return c.LayOff(
                read.seat(),
                read.must("meld"),
                read.tiles("tiles"),
                read.word("end", ("low", "high"), optional=True),
                bool(read.flag("splits")),
                read.tiles("new_meld", optional=True),
                ids[0] if ids else None,
            )
        case "reclaim":
            return c.Reclaim(
                read.seat(),
                read.must("meld"),
                read.tiles("tiles"),
                read.tiles("into", optional=True),
                None if read.absent("joker") else read.whole("joker"),
                ids[0] if ids else None,
            )
        case "discard":
            return c.Discard(read.seat(), read.one_face("tile"), read.flag("closes"))
        case "close_table":
            return c.CloseTable(read.seat(), read.must("kind"), read.lines("melds"), read.one_face("tile"))
        case "wall_empty":
            return c.WallEmpty()
        case "racks":
            return c.Racks(read.racks("racks"))
        case "rule":
            reason = read.word("reason", optional=True) or ""
            return c.Rule(read.seat(), read.whole("points"), reason, bool(read.flag("replaces")))
        case _:
            raise FieldError("event", f"{event!r} plays nothing", f"{event!r} nu joacă nimic")


def _face_text(face: Face | None) -> str | None:
    return None if face is None else str(face)


def _faces_text(faces: Iterable[Face]) -> str:
    return " ".join(map(str, faces))


def write_command(command: c.Command) -> dict[str, Any]:  # noqa: PLR0912
    """The event and fields that `read_command` reads back as this command."""
    match command:
        case c.Deal():
            hands = [hand if isinstance(hand, int) else _faces_text(hand) for hand in command.hands]
            written: dict[str, Any] = {"event": "deal", "hands": hands, "atu": _face_text(command.atu)}
            if command.turned is not None:
                written["turned"] = str(command.turned)
            if command.counted_from is not None:
                written["counted_from"] = command.counted_from
            return written
        case c.Announce():
            kind = {} if command.kind is None else {"kind": command.kind}
            return {"event": "announce", "seat": command.seat, "what": command.what, **kind}
        case c.SwapDoubles():
            given = {"gives": _face_text(command.gives), "gets": _face_text(command.gets)}
            return {"event": "swap_doubles", "seat": command.seat, "with": command.partner, **given}
        case c.Draw():
            tile = _face_text(command.tile)
            return {"event": "draw", "seat": command.seat, "tile": tile, "source": command.source}
        case c.Take():
            tiles = {"tiles": _faces_text(command.tiles)} if command.tiles else {}
            return {"event": "take", "seat": command.seat, "from": command.start, **tiles}
        case c.MeldDown():
            return {"event": "meld", "seat": command.seat, "melds": [format_tiles(m) for m in command.melds]}
        case c.LayOff():
            written = {"event": "lay_off", "seat": command.seat, "meld": command.meld}
            written["tiles"] = format_tiles(command.tiles)
            if command.end is not None:
                written["end"] = command.end
            if command.splits:
                written |= {"splits": True, "new_meld": format_tiles(command.new_meld)}
            return written
        case c.Reclaim():
            written = {"event": "reclaim", "seat": command.seat, "meld": command.meld}
            written |= {"tiles": format_tiles(command.tiles), "into": format_tiles(command.into) or None}
            return written if command.joker is None else {**written, "joker": command.joker}
        case c.Discard():
            closes = {} if command.closes is None else {"closes": command.closes}
            return {"event": "discard", "seat": command.seat, "tile": str(command.tile), **closes}
        case c.CloseTable():
            melds = [format_tiles(meld) for meld in command.melds]
            written = {"event": "close_table", "seat": command.seat, "kind": command.kind}
            return {**written, "melds": melds, "tile": str(command.tile)}
        case c.WallEmpty():
            return {"event": "wall_empty"}
        case c.Racks():
            return {"event": "racks", "racks": {str(seat): _faces_text(rack) for seat, rack in command.racks}}
        case c.Rule():
            replaces = {"replaces": True} if command.replaces else {}
            decided = {"seat": command.seat, "points": command.points, "reason": command.reason}
            return {"event": "rule", **decided, **replaces}
