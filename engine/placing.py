"""Where tiles come to lie on a meld: laid off at an end, inside a run that splits, or in a joker's place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.melds import read_meld
from engine.shapes import run_order
from engine.state import Piece, TableMeld
from engine.tiles import Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules import RuleSet
    from engine.values import Shape


def new_meld(name: str, seat: int, tiles: Sequence[Tile], rules: RuleSet) -> TableMeld:
    """A meld put down by a player, each joker his to count first; without shape where it is none."""
    pieces = [Piece(tile, seat, "melded", seat if tile.is_joker else None) for tile in tiles]
    return _meld(name, seat, pieces, rules)


def _meld(name: str, seat: int, pieces: Sequence[Piece], rules: RuleSet) -> TableMeld:
    read = _read(pieces, rules)
    if read is None:
        return TableMeld(name, seat, None, tuple(pieces))
    return TableMeld(name, seat, *read)


def _read(pieces: Sequence[Piece], rules: RuleSet) -> tuple[Shape, tuple[Piece, ...]] | None:
    """The shape of these pieces and the pieces with what each joker stands for; None where no meld."""
    meld = read_meld([piece.tile for piece in pieces], rules)
    if meld is None:
        # In a group a joker gives way to the tile it stood for: it stands for a colour that still lacks.
        meld = read_meld([Tile(piece.tile.face) for piece in pieces], rules)
        if meld is None or meld.shape != "group":
            return None
    settled = tuple(
        replace(piece, tile=Tile(piece.tile.face, face)) if piece.tile.is_joker else piece
        for piece, face in zip(pieces, meld.means, strict=True)
    )
    return meld.shape, settled


def laid_pieces(tiles: Sequence[Tile], seat: int, kept: Sequence[Piece] = ()) -> tuple[Piece, ...]:
    """Tiles as a player lays them off; jokers reclaimed and `kept` before stay the credit of who first used
    them.
    """
    jokers = iter(kept)
    pieces = []
    for tile in tiles:
        old = next(jokers, None) if tile.is_joker else None
        own = Piece(tile, seat, "laid_off", seat if tile.is_joker else None)
        pieces.append(own if old is None else replace(own, credit=old.credit, reclaims=old.reclaims))
    return tuple(pieces)


def lay_on(
    meld: TableMeld, added: Sequence[Piece], rules: RuleSet, *, end: str | None = None
) -> TableMeld | None:
    """The meld with these tiles laid onto it, in whatever order they fit; None where they do not.

    `end` decides for a tile that fits at both ends of a run; without it, it goes to the high end.
    """
    done = _lay(meld.shape, meld.pieces, tuple(added), end, rules)
    return None if done is None else replace(meld, pieces=done)


def _lay(
    shape: Shape | None,
    pieces: tuple[Piece, ...],
    waiting: tuple[Piece, ...],
    end: str | None,
    rules: RuleSet,
) -> tuple[Piece, ...] | None:
    if not waiting:
        return pieces
    for at, piece in enumerate(waiting):
        rest = waiting[:at] + waiting[at + 1 :]
        low, high = (piece, *pieces), (*pieces, piece)
        ways = [high] if shape == "group" else [low, high] if end == "low" else [high, low]
        for way in ways:
            read = _read(way, rules)
            if read is not None and read[0] == shape:
                done = _lay(shape, read[1], rest, end, rules)
                if done is not None:
                    return done
    return None


def lay_beside(meld: TableMeld, added: Sequence[Piece], rules: RuleSet) -> TableMeld:
    """The meld with those of these tiles laid on that fit, and the others lying beside it."""
    for piece in added:
        fitted = lay_on(meld, [piece], rules)
        meld = replace(meld, beside=(*meld.beside, piece)) if fitted is None else fitted
    return meld


def split_run(
    meld: TableMeld, added: Sequence[Piece], rules: RuleSet, *, second: Sequence[Tile], name: str
) -> tuple[TableMeld, TableMeld] | None:
    """The two runs that a run becomes with tiles laid inside it; None where it does not (RULES.md, lay off
    inside a run).

    `second` is the run that gets the id `name`; where it is empty, it reaches from the lowest tile laid in to
    the end.
    """
    if meld.shape != "run":
        return None
    wanted = list(second) or _from_lowest(meld, [piece.tile for piece in added])
    rest = [*added, *meld.pieces]
    upper: list[Piece] = []
    for tile in wanted:
        match = next((piece for piece in rest if _same(piece.tile, tile)), None)
        if match is None:
            return None
        rest.remove(match)
        upper.append(match)
    order = run_order([piece.tile for piece in rest], rules)
    if order is None:
        return None
    lower = []
    for tile in order:
        piece = next(piece for piece in rest if piece.tile == tile)
        rest.remove(piece)
        lower.append(piece)
    first, other = _meld(meld.id, meld.seat, lower, rules), _meld(name, meld.seat, upper, rules)
    first = replace(first, beside=meld.beside)
    return (first, other) if first.shape == other.shape == "run" else None


def _same(piece: Tile, wanted: Tile) -> bool:
    """Whether a tile on the table is the one named; a joker may be named bare."""
    return piece == wanted or (wanted.is_joker and wanted.stands_for is None and piece.is_joker)


def _from_lowest(meld: TableMeld, tiles: Sequence[Tile]) -> list[Tile]:
    means = [tile.means for tile in meld.tiles]
    laid = [means.index(tile.means) for tile in tiles if tile.means in means]
    return list(meld.tiles[min(laid) :]) if laid else []


def joker_at(meld: TableMeld, tiles: Sequence[Tile], place: int | None) -> int | None:
    """The place of the joker that is meant: the one named, the one that a tile put in stands for, or the
    first; None where no joker lies there.
    """
    jokers = [at for at, piece in enumerate(meld.pieces) if piece.tile.is_joker]
    if place is not None:
        return place if place in jokers else None
    faces = [tile.means for tile in tiles]
    return next((at for at in jokers if meld.pieces[at].tile.means in faces), jokers[0] if jokers else None)


def put_for_joker(meld: TableMeld, place: int, tiles: Sequence[Tile], seat: int, rules: RuleSet) -> TableMeld:
    """The meld with tiles in a joker's place; what is more than one tile lies at the meld beside it."""
    stood_for = meld.pieces[place].tile.means
    exact = next((at for at, tile in enumerate(tiles) if tile.means == stood_for), 0)
    pieces = list(meld.pieces)
    pieces[place] = Piece(tiles[exact], seat, "replaced_joker", seat if tiles[exact].is_joker else None)
    pieces += [Piece(tile, seat, "laid_off") for at, tile in enumerate(tiles) if at != exact]
    return replace(_meld(meld.id, meld.seat, pieces, rules), beside=meld.beside)


def frees_joker(meld: TableMeld, place: int, tiles: Sequence[Tile], rules: RuleSet) -> str | None:
    """The code of what is against taking a joker for these tiles; None where they free it (RULES.md, reclaim
    a joker).
    """
    if any(tile.is_joker for tile in tiles):
        return "joker_needs_exact_tile"
    if meld.shape != "group":
        exact = len(tiles) == 1 and tiles[0].means == meld.pieces[place].tile.means
        return None if exact else "joker_needs_exact_tile"
    real = [piece.tile.face for piece in meld.pieces if not piece.tile.is_joker]
    missing = {colour for colour in rules.colours if all(face.colour != colour for face in real)}
    put = [tile.face for tile in tiles]
    fits = {face.number for face in put} == {real[0].number} and {face.colour for face in put} <= missing
    if not fits or len({face.colour for face in put}) < len(put):
        return "joker_needs_exact_tile"
    full = len(meld.pieces) == len(rules.colours)
    jokers_left = len(meld.pieces) - len(real) - 1
    if rules.group_reclaim_needs_all and not full and len(put) < len(missing) - jokers_left:
        return "joker_needs_both_colours"
    return None
