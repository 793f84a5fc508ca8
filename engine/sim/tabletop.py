"""Tiles as they lie on a table while a simulated game is played: places in millimetres, no picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engine import commands as c
from engine.decide import judge
from engine.events import Taken

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from engine.state import State
    from engine.tiles import Face

TILE_MM: Final = 28.0
ROW_LENGTH: Final = 22
_LINE_MM: Final = 45.0
_ZONE_MM: Final = 1000.0
_FAR_MM: Final = 5000.0

Place = tuple[float, float]


@dataclass(slots=True)
class Lies:
    """A tile where it lies."""

    face: Face
    place: Place


@dataclass(slots=True)
class Spread:
    """Tiles side by side in front of the place `seat` round the table."""

    seat: int
    tiles: list[Lies]


@dataclass(slots=True)
class Tabletop:
    """What lies on the table; `melds` by their id in the state, `loose` are tiles of a turn not finished."""

    random: Random
    row: list[Lies] = field(default_factory=list)
    melds: dict[str, Spread] = field(default_factory=dict)
    loose: list[Spread] = field(default_factory=list)
    racks: list[Spread] = field(default_factory=list)
    atu: Lies | None = None
    wall: int = 0
    lines: Counter[int] = field(default_factory=Counter)

    def row_place(self, at: int) -> Place:
        """Where the tile of that place in the row lies."""
        line, column = divmod(at, ROW_LENGTH)
        return column * TILE_MM - 300.0, -line * _LINE_MM

    def new_line(self, seat: int) -> Place:
        """A free place in front of a seat."""
        self.lines[seat] += 1
        return seat * _ZONE_MM, _FAR_MM + self.lines[seat] * _LINE_MM

    def lay(self, faces: Sequence[Face], seat: int) -> Spread:
        """Tiles side by side in front of a seat."""
        x, y = self.new_line(seat)
        return Spread(seat, [Lies(face, (x + at * TILE_MM, y)) for at, face in enumerate(faces)])

    def happens(self, command: c.Command, before: State, after: State, *, places: Sequence[int]) -> None:
        """Lays the tiles as they lie after a command; `places` is where each seat sits."""
        match command:
            case c.Deal():
                self.atu = Lies(after.atu, (-800.0, 0.0)) if after.atu and after.atu_place == "wall" else None
            case c.Draw(source="atu"):
                self.atu = None
            case c.Take():
                event = judge(before, command).event
                assert isinstance(event, Taken)  # noqa: S101
                self.row = [tile for at, tile in enumerate(self.row) if at not in event.places]
            case c.Discard(tile=tile):
                self._discard(tile)
            case c.CloseTable(melds=melds, tile=tile, seat=seat):
                for number, meld in enumerate(melds):
                    self.melds[f"shown{number}"] = self.lay([t.face for t in meld], places[seat])
                self._discard(tile)
            case c.WallEmpty():
                self.row = self.row[: len(after.row)]
            case c.MeldDown() | c.LayOff() | c.Reclaim():
                self._melds(command, before, after, places)
            case _:
                pass
        self.wall = after.wall.drawable

    def _discard(self, face: Face) -> None:
        self.row.append(Lies(face, self.row_place(len(self.row))))

    def _melds(self, command: c.Command, before: State, after: State, places: Sequence[int]) -> None:
        old = {meld.id: meld for meld in before.melds}
        for meld in after.melds:
            faces = [piece.tile.face for piece in (*meld.pieces, *meld.beside)]
            if meld.id in old:
                if meld != old[meld.id]:
                    self._relay(meld.id, faces)
            else:
                seat = meld.pieces[0].seat if isinstance(command, c.LayOff) else command.seat  # type: ignore[union-attr]
                place = places[seat] if self.random.random() > 0.05 else self.random.choice(places)
                self.melds[meld.id] = self.lay(faces, place)

    def _relay(self, name: str, faces: Sequence[Face]) -> None:
        """The tiles that stay keep their places, the others join them."""
        spread = self.melds[name]
        waiting = list(spread.tiles)
        kept: list[Lies | None] = []
        for face in faces:
            tile = next((one for one in waiting if one.face == face), None)
            if tile is not None:
                waiting.remove(tile)
            kept.append(tile)
        anchor = next((at for at, tile in enumerate(kept) if tile is not None), None)
        if anchor is None:
            self.melds[name] = self.lay(faces, spread.seat)
            return
        held = kept[anchor]
        assert held is not None  # noqa: S101
        x, y = held.place
        spread.tiles = [Lies(face, (x + (at - anchor) * TILE_MM, y)) for at, face in enumerate(faces)]

    def move(self, name: str) -> None:
        """A meld is pushed to another place."""
        spread = self.melds[name]
        self.melds[name] = self.lay([tile.face for tile in spread.tiles], spread.seat)

    def show(self, seat: int, faces: Sequence[Face]) -> None:
        """A rack is laid out flat, in rows of seven."""
        for start in range(0, len(faces), 7):
            self.racks.append(self.lay(faces[start : start + 7], seat))
