"""What players do with their hands: each command of a game as moves of tiles on the virtual table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.demo_players.dealing import Dealt, dealt, face_name, piled
from companion.demo_players.melding import laid
from engine import commands as c
from engine.decide import judge
from engine.events import Taken
from vision.synth.geometry import Place
from vision.virtual import moves
from vision.virtual.pieces import Lie, Piled, Put
from vision.virtual.places import discard_spot, stack_spot

if TYPE_CHECKING:
    from random import Random

    from numpy.random import Generator

    from companion.demo_players.dealing import History
    from engine.state import State
    from engine.tiles import Face
    from vision.virtual.pieces import Command
    from vision.virtual.table import VirtualTable

RACK_ROW: Final = 7
"""Tiles of a row in which a rack is laid flat at the end."""


class PlayersHands:
    """The tiles of one game on a table: racks by seat of the game, melds by their id in the state."""

    def __init__(self, table: VirtualTable, history: History, places: Sequence[int], random: Random) -> None:
        self.table, self.history, self.places, self.random = table, history, tuple(places), random
        self._dealt: Dealt = dealt(history, places)
        self.racks: list[list[int]] = [list(hand) for hand in self._dealt.hands]
        self.melds: dict[str, list[int]] = {}
        self.groups: dict[str, int] = {}
        self._walls = 0

    def happens(self, number: int, *, at: float) -> float:
        """Plans what entry `number` of the history is on the table, from a moment on; returns its end."""
        command, after = self.history[number]
        before = self.history[max(0, number - 1)][1]
        match command:
            case c.Deal():
                self.table.deal(self._dealt.deal, at=at)
            case c.Draw(seat=seat, source=source):
                self._draw(seat, source, before, after, at)
            case c.Take(seat=seat):
                self._take(command, seat, before, at)
            case c.MeldDown() | c.LayOff() | c.Reclaim():
                self._melds(command.seat, before, after, at)
            case c.Discard(seat=seat, tile=tile):
                self._discard(seat, tile, before, at)
            case c.CloseTable():
                self._close(command, before, at)
            case c.SwapDoubles():
                self._swap(command, at)
            case c.WallEmpty():
                self._rebuild(after, at)
            case _:
                pass
        return self.table.free_at

    def show_rack(self, seat: int, *, at: float) -> float:
        """The seat lays what is left on its rack flat on the table, in rows."""
        tiles = sorted(self.racks[seat], key=_by_face)
        self.random.shuffle(tiles)
        width = RACK_ROW
        for start in range(0, len(tiles), width):
            self._put_down(seat, tiles[start : start + width], at=at)
        self.racks[seat] = []
        return self.table.free_at

    def clear(self, *, at: float) -> float:
        """Everything is taken off the table."""
        return self.table.remove(*self.table.planned.pieces, at=at)

    def _from_rack(self, seat: int, face: Face) -> int:
        tile = next(tile for tile in self.racks[seat] if face_name(tile) == str(face))
        self.racks[seat].remove(tile)
        return tile

    def _draw(self, seat: int, source: str, before: State, after: State, at: float) -> None:
        pieces = self.table.planned.pieces
        place = self.places[seat]
        if source == "atu":
            atu = next(tile for tile, piece in pieces.items() if piece.zone.kind == "atu")
            self.table.to_rack(place, atu, at=at)
            self.racks[seat].append(atu)
            return
        self.racks[seat].append(self.table.draw(place, at=at, seconds=1.2))
        if before.atu_place == "wall" and after.atu_place == "aside":
            self._atu_aside(place)

    def _atu_aside(self, place: int) -> None:
        """Only its own stack is left under the atu: it is laid down beside it."""
        atu = [tile for tile, piece in self.table.planned.pieces.items() if piece.zone.kind == "atu"]
        if atu:
            spot = stack_spot(self.table.setting, -1)
            aside = Lie(spot.x + self.table.setting.look.width_mm * 1.3, spot.y)
            zone = self.table.planned.pieces[atu[0]].zone
            self.table.do(Put(atu[0], aside, replace(zone, index=0)), hand=place)

    def _take(self, command: c.Take, seat: int, before: State, at: float) -> None:
        event = judge(before, command).event
        if not isinstance(event, Taken):
            raise ValueError(f"{command} takes nothing")  # noqa: TRY004
        row = moves.row_tiles(self.table.planned.pieces)
        taken = [row[place] for place in event.places]
        self.table.to_rack(self.places[seat], *taken, at=at)
        self.racks[seat] += taken
        if taken != row[len(row) - len(taken) :]:
            self._close_up(self.places[seat])

    def _close_up(self, place: int) -> None:
        """Tiles of the row are pushed together where one of its middle was taken."""
        setting, pieces = self.table.setting, self.table.planned.pieces
        commands: list[Command] = []
        for index, tile in enumerate(moves.row_tiles(pieces)):
            piece = pieces[tile]
            if piece.zone.index != index and isinstance(piece.at, Lie):
                spot = discard_spot(setting, index)
                lies = replace(piece.at, x=spot.x, y=spot.y)
                commands.append(Put(tile, lies, replace(piece.zone, index=index)))
        if commands:
            self.table.do(*commands, hand=place)

    def _discard(self, seat: int, face: Face, before: State, at: float) -> None:
        tile = self._from_rack(seat, face)
        first = "turned" if before.rules.first_discard_dead else "no"
        self.table.discard(self.places[seat], tile, at=at, seconds=1.2, first=first)  # type: ignore[arg-type]

    def _melds(self, seat: int, before: State, after: State, at: float) -> None:
        """New melds are put down, and those that are other than before are laid anew as far as they are."""
        old = {meld.id: meld for meld in before.melds}
        names: dict[str, list[str]] = {
            meld.id: [str(piece.tile.face) for piece in (*meld.pieces, *meld.beside)]
            for meld in after.melds
            if old.get(meld.id) != meld
        }
        freed: list[int] = []
        orders: dict[str, list[int | None]] = {}
        for name, faces in names.items():
            waiting = list(self.melds.get(name, ()))
            orders[name] = [_taken_out(waiting, face) for face in faces]
            freed += waiting
        for name, faces in names.items():
            order = [
                tile if tile is not None else self._found(face, seat, freed)
                for tile, face in zip(orders[name], faces, strict=True)
            ]
            self._lay(name, order, seat, at)

    def _found(self, face: str, seat: int, freed: list[int]) -> int:
        tile = _taken_out(freed, face)
        if tile is None:
            tile = _taken_out(self.racks[seat], face)
        if tile is None:
            raise ValueError(f"seat {seat} has no {face}")
        return tile

    def _lay(self, name: str, order: list[int], seat: int, at: float) -> None:
        place = self.places[seat]
        if name not in self.groups:
            self.groups[name] = self._put_down(seat, order, at=at)
        else:
            commands = laid(
                self.table.setting, self.table.planned.pieces, order, self.groups[name], self._chance()
            )
            self.table.do(*commands, at=max(at, self.table.free_at), hand=place, seconds=1.5)
        self.melds[name] = order

    def _put_down(self, seat: int, tiles: Sequence[int], *, at: float) -> int:
        begins = max(at, self.table.free_at)
        return self.table.put_down(self.places[seat], list(tiles), at=begins, seconds=1.6)

    def _close(self, command: c.CloseTable, before: State, at: float) -> None:
        for number, meld in enumerate(command.melds):
            tiles = [self._from_rack(command.seat, tile.face) for tile in meld]
            self.groups[f"shown{number}"] = self._put_down(command.seat, tiles, at=at)
        self._discard(command.seat, command.tile, before, max(at, self.table.free_at))

    def _swap(self, command: c.SwapDoubles, at: float) -> None:
        if command.gives is None or command.gets is None:
            return
        given = [self._from_rack(command.seat, command.gives) for _ in range(2)]
        got = [self._from_rack(command.partner, command.gets) for _ in range(2)]
        pieces = self.table.planned.pieces
        pairs = [*zip(given, got, strict=True), *zip(got, given, strict=True)]
        self.table.do(
            *(Put(tile, pieces[other].at, pieces[other].zone) for tile, other in pairs),
            at=at,
            hand=self.places[command.seat],
        )
        self.racks[command.seat] += got
        self.racks[command.partner] += given

    def _rebuild(self, after: State, at: float) -> None:
        """The row but for its dead tile is turned over and built into a new wall."""
        self._walls += 1
        if not after.wall.stacks:
            return
        pieces = self.table.planned.pieces
        row = moves.row_tiles(pieces)[len(after.row) :]
        order = self._in_order(row)
        commands = [
            Put(tile, Piled(stack, level), Place("wall", 0, stack, level), up=False)
            for stack, tiles in enumerate(piled(order, [one.tiles for one in after.wall.stacks]))
            for level, tile in enumerate(tiles)
        ]
        self.table.do(*commands, at=at, hand=self.places[after.turn.seat], seconds=2.5)

    def _in_order(self, row: Sequence[int]) -> list[int]:
        from companion.demo_players.dealing import drawn

        waiting = list(row)
        faces = drawn(self.history)
        order = []
        for face in faces[self._walls] if self._walls < len(faces) else ():
            tile = _taken_out(waiting, str(face))
            if tile is not None:
                order.append(tile)
        return [*order, *waiting]

    def _chance(self) -> Generator:
        import numpy as np

        return np.random.default_rng(self.random.getrandbits(32))


def _taken_out(tiles: list[int], face: str) -> int | None:
    tile = next((tile for tile in tiles if face_name(tile) == face), None)
    if tile is not None:
        tiles.remove(tile)
    return tile


def _by_face(tile: int) -> str:
    return face_name(tile)
