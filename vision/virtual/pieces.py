"""The tiles of a virtual table, where each is, and what a command makes of them: values without a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from vision.synth.geometry import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

SLOTS: Final = "rybk"
LOOSE: Final = Place("loose")
"""A tile that belongs nowhere."""


@dataclass(frozen=True, slots=True)
class Lie:
    """On the table: its middle in mm (x right, y away from seat 1) and the direction of its upright top.

    `angle` is in radians counter-clockwise from +y; `level` counts the tiles that lie under it.
    """

    x: float
    y: float
    angle: float = 0.0
    level: int = 0


@dataclass(frozen=True, slots=True)
class Stand:
    """On a rack: seat 1 to 4, tier from 0 at the front, slot from 0 at the left of its player.

    `turned` tiles stand upside down.
    """

    seat: int
    tier: int
    slot: int
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Piled:
    """In a stack of the wall, `level` 0 lowest; the stack -1 is that of the atu."""

    stack: int
    level: int


Where = Lie | Stand | Piled


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile: its face (`r7`, jokers `*0` and `*1`), whether it lies face up, where, and in which zone."""

    face: str
    up: bool
    at: Where
    zone: Place = LOOSE

    @property
    def shown(self) -> str:
        """What it shows: `r7`, `*` for a joker, `#` for its back."""
        if not self.up:
            return "#"
        return "*" if self.face.startswith("*") else self.face


@dataclass(frozen=True, slots=True)
class Put:
    """Puts a tile somewhere, wherever it was before; a new one needs a `face` unless its number is of the
    set.
    """

    tile: int
    at: Where
    zone: Place = LOOSE
    up: bool | None = None
    face: str | None = None


@dataclass(frozen=True, slots=True)
class TurnOver:
    """Turns a tile on the spot; to `up` where that is said."""

    tile: int
    up: bool | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """Takes a tile off the table."""

    tile: int


@dataclass(frozen=True, slots=True)
class Bump:
    """The camera is pushed by mm and turned by `degrees` about `axis`, as it sees it: right, down, ahead."""

    dx_mm: float
    dy_mm: float
    degrees: float
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Switches:
    """What can be changed of the light and the sensor while it runs.

    `exposure` is a gain; `jpeg` a quality of 1 to 100, None for none; `blur_px` a deviation in pixels.
    """

    exposure: float = 1.0
    noise: bool = True
    flicker: bool = True
    drift: bool = True
    blur_px: float = 0.0
    jpeg: int | None = None


@dataclass(frozen=True, slots=True)
class Switch:
    """Other switches from now on."""

    to: Switches


Command = Put | TurnOver | Remove | Bump | Switch


@dataclass(frozen=True)
class World:
    """All that a frame is made of besides what was drawn once: tiles by number, bumps so far, switches."""

    pieces: Mapping[int, Piece] = field(default_factory=dict)
    bumps: tuple[Bump, ...] = ()
    switches: Switches = field(default_factory=Switches)


class MissingTileError(ValueError):
    """A command for a tile that is not on the table."""


def whole_set() -> dict[int, str]:
    """The 106 tiles by number from 1: both halves r1 to k13, then the jokers."""
    faces = [f"{slot}{number}" for _ in range(2) for slot in SLOTS for number in range(1, 14)]
    return dict(enumerate([*faces, "*0", "*1"], 1))


SET: Final[Mapping[int, str]] = whole_set()


def changed(world: World, commands: Iterable[Command]) -> World:
    """The world after commands; MissingTileError for a tile that is not there, ValueError for no face."""
    pieces = dict(world.pieces)
    bumps, switches = list(world.bumps), world.switches
    for command in commands:
        if isinstance(command, Put):
            pieces[command.tile] = _put(pieces.get(command.tile), command)
        elif isinstance(command, TurnOver):
            piece = _there(pieces, command.tile)
            pieces[command.tile] = replace(piece, up=not piece.up if command.up is None else command.up)
        elif isinstance(command, Remove):
            _there(pieces, command.tile)
            del pieces[command.tile]
        elif isinstance(command, Bump):
            bumps.append(command)
        else:
            switches = command.to
    return World(pieces, tuple(bumps), switches)


def _put(before: Piece | None, command: Put) -> Piece:
    if command.tile < 1:
        raise ValueError(f"tiles are numbered from 1, not {command.tile}")
    face = command.face or (before.face if before else SET.get(command.tile))
    if face is None or not _is_face(face):
        raise ValueError(
            f"tile {command.tile} shows {face!r}: name a face, r1 to k13, *0 or *1; the numbers 1 to 106 are "
            "those of the set and need none"
        )
    up = command.up if command.up is not None else before.up if before else True
    return Piece(face, up, command.at, command.zone)


def _is_face(face: str) -> bool:
    return face in ("*0", "*1") or (
        face[:1] in tuple(SLOTS) and face[1:].isdecimal() and 1 <= int(face[1:]) <= 13
    )


def _there(pieces: Mapping[int, Piece], tile: int) -> Piece:
    if tile not in pieces:
        raise MissingTileError(f"tile {tile} is not on the table; put it there first")
    return pieces[tile]
