"""The state after an event: what has happened is folded in, without asking whether it was allowed."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import TYPE_CHECKING

from engine import events
from engine.bags import Bag
from engine.judge_end import surplus
from engine.judge_start import doubles
from engine.state import Hand, Piece, Player, State, TableMeld, Turn
from engine.tiles import JOKER
from engine.walls import build_wall, rebuild_wall, stock_pile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.tiles import Face, Tile


@singledispatch
def evolve(event: events.Event, state: State) -> State:  # noqa: ARG001  the functions below use it
    """The state with this event behind it; the event comes first, as its type decides."""
    raise TypeError(f"{event!r} is no event of a game")


@evolve.register
def _(event: events.Dealt, state: State) -> State:
    deal, rules = event.deal, state.rules
    joker_taken = rules.joker_atu_taken and deal.atu == JOKER
    first = state.after(state.dealer)
    players = []
    for seat, dealt in enumerate(deal.hands):
        hand = Hand(Bag(), dealt) if isinstance(dealt, int) else Hand(Bag(dealt))
        if joker_taken and seat == first and hand.hidden:
            hand = Hand(Bag([JOKER]), hand.hidden - 1)
        players.append(Player(hand))
    count = sum(len(player.hand) for player in players)
    if rules.wall_of_stacks:
        wall = build_wall(rules, deal.atu, dealt=count, counted_from=deal.counted_from)
    else:
        wall = stock_pile(len(state.full) - count - (deal.turned is not None))
    face_up = rules.wall_of_stacks and rules.atu_face_up
    return State(
        rules,
        state.pack,
        state.dealer,
        tuple(players),
        state.full,
        phase="play",
        wall=wall,
        atu=deal.atu if face_up else None,
        atu_place="none" if not face_up else "dealt" if joker_taken else "wall",
        row=(deal.turned,) if deal.turned is not None and not rules.wall_of_stacks else (),
        next_meld=state.next_meld,
        # Who got a tile more begins with a discard.
        turn=Turn(first, len(players[first].hand), drew=bool(rules.first_player_extra) and not joker_taken),
        rulings=state.rulings,
    )


@evolve.register
def _(event: events.Announced, state: State) -> State:
    if event.what == "spoil":
        return replace(state, redeal=True, phase="deal" if event.counts else state.phase)
    marks = {"atu": "atu", "few": "few", "table_game": "table_game"}
    mark = marks.get(event.what)
    return state.with_player(event.seat, **{mark: True}) if mark and event.counts else state


@evolve.register
def _(event: events.DoublesSwapped, state: State) -> State:
    swap = event.swap
    ways = ((swap.seat, swap.gives), (swap.partner, swap.gets))
    players = list(state.players)
    for seat, face in ways:
        player = players[seat]
        parted = face is None or face == state.atu
        hand = _hide_doubles(player.hand) if face is None else player.hand
        gone = Hand(hand.known, hand.hidden - 2) if face is None else hand.minus(Bag([face, face]))
        players[seat] = replace(player, hand=gone, parted_with_atu=player.parted_with_atu or parted)
    for (seat, _), (_, face) in zip(ways, reversed(ways), strict=True):
        players[seat] = replace(players[seat], hand=players[seat].hand.plus([face, face]))
    return replace(state, players=tuple(players))


def _hide_doubles(hand: Hand) -> Hand:
    """The hand when nobody knows any more which of its doubles it holds."""
    pairs = Bag(face for face in doubles(hand) for _ in range(2))
    return Hand(hand.known - pairs, hand.hidden + len(pairs))


def _begin(state: State, seat: int) -> State:
    """The state with the game begun, and this seat doing something in it."""
    return replace(state.with_turn(state.turn_of(seat)), started=True)


def _from_rack(state: State, seat: int, tiles: Iterable[Tile]) -> State:
    faces = Bag(tile.face for tile in tiles)
    return state.with_player(seat, hand=state.players[seat].hand.minus(faces))


@evolve.register
def _(event: events.Drawn, state: State) -> State:
    state = _begin(state, event.seat)
    turn = state.turn_of(event.seat)
    turn = replace(turn, drew=True, from_atu=turn.from_atu or event.from_atu)
    hand = state.players[event.seat].hand.plus([event.tile])
    state = state.with_player(event.seat, hand=hand).with_turn(turn)
    if event.from_atu:
        return replace(state, wall=state.wall.without_atu(), atu_place="drawn")
    wall = state.wall.after_draw()
    aside = state.wall.atu_on_last and not wall.atu_on_last
    return replace(state, wall=wall, atu_place="aside" if aside else state.atu_place)


@evolve.register
def _(event: events.Taken, state: State) -> State:
    state = _begin(state, event.seat)
    faces = [state.row[place] for place in event.places]
    row = tuple(face for place, face in enumerate(state.row) if place not in event.places)
    turn = state.turn_of(event.seat)
    owed = faces[0] if event.owes else turn.owed
    turn = replace(turn, drew=True, owed=owed, owes=event.owes or turn.owes)
    hand = state.players[event.seat].hand.plus(faces)
    dead = state.dead_first and 0 not in event.places
    return replace(state.with_player(event.seat, hand=hand).with_turn(turn), row=row, dead_first=dead)


def _add_melds(state: State, melds: Iterable[TableMeld]) -> State:
    all_of_them = (*state.melds, *melds)
    numbers = (int(meld.id[1:]) + 1 for meld in all_of_them if meld.id[1:].isdecimal())
    return replace(state, melds=all_of_them, next_meld=max([state.next_meld, *numbers]))


def _used(state: State, seat: int, faces: Iterable[Face], ways: tuple[str, ...]) -> State:
    """The state after these tiles came onto the table: one that was owed may be among them."""
    turn = state.turn_of(seat)
    if turn.owes in ways and turn.owed in set(faces):
        turn = replace(turn, owed=None, owes=None)
    return state.with_turn(turn)


@evolve.register
def _(event: events.Melded, state: State) -> State:
    state = _begin(state, event.seat)
    tiles = [tile for meld in event.melds for tile in meld.tiles]
    state = _from_rack(state, event.seat, tiles)
    player = state.players[event.seat]
    state = state.with_player(
        event.seat,
        opened=player.opened or event.opens,
        kept_jokers=player.kept_jokers[event.kept_jokers_used :],
    )
    shapes = tuple(meld.shape for meld in event.melds if meld.shape is not None)
    turn = state.turn_of(event.seat)
    turn = replace(turn, opened=turn.opened or event.opens, shapes=(*turn.shapes, *shapes))
    state = _add_melds(state.with_turn(turn), event.melds)
    return _used(state, event.seat, (tile.face for tile in tiles), ("opening", "meld", "table"))


def _lies_as(state: State, meld: TableMeld) -> State:
    return replace(state, melds=tuple(meld if old.id == meld.id else old for old in state.melds))


@evolve.register
def _(event: events.LaidOff, state: State) -> State:
    state = _from_rack(_begin(state, event.seat), event.seat, event.tiles)
    state = _lies_as(state, event.meld)
    if event.second is not None:
        state = _add_melds(state, [event.second])
    kept = state.players[event.seat].kept_jokers[event.kept_jokers_used :]
    state = state.with_player(event.seat, kept_jokers=kept)
    return _used(state, event.seat, (tile.face for tile in event.tiles), ("table",))


@evolve.register
def _(event: events.JokerReclaimed, state: State) -> State:
    seat, into = event.seat, event.into
    state = _from_rack(_begin(state, seat), seat, event.tiles)
    state = _used(_lies_as(state, event.meld), seat, (tile.face for tile in event.tiles), ("table",))
    # The joker passes over the rack; it stays there where it is not melded anew.
    state = state.with_player(seat, hand=state.players[seat].hand.plus([JOKER]))
    if into is not None:
        state = _from_rack(state, seat, into.tiles)
        state = _add_melds(state, [into])
        shapes = (into.shape,) if into.shape is not None else ()
        turn = state.turn_of(seat)
        state = state.with_turn(replace(turn, shapes=(*turn.shapes, *shapes)))
        state = _used(state, seat, (tile.face for tile in into.tiles), ("meld", "table"))
    if into is None or all(not tile.is_joker for tile in into.tiles):
        kept = Piece(event.joker.tile, seat, "melded", event.joker.credit, event.joker.reclaims + 1)
        state = state.with_player(seat, kept_jokers=(*state.players[seat].kept_jokers, kept))
    return state


def _end_turn(state: State, seat: int, tile: Face) -> State:
    """The state after a discard: the tile in the row, and the next player on turn."""
    first = not state.row and state.rules.wall_of_stacks and not any(p.turns for p in state.players)
    player = state.players[seat]
    hand = player.hand.minus(Bag([tile]))
    few = player.few and len(hand) <= state.rules.announce_few_at
    state = state.with_player(
        seat,
        hand=hand,
        few=few,
        turns=player.turns + 1,
        parted_with_atu=player.parted_with_atu or tile == state.atu,
    )
    after = state.after(seat)
    return replace(
        state,
        row=(*state.row, tile),
        dead_first=state.dead_first or (first and state.rules.first_discard_dead),
        # Who is next may have begun already, while somebody else was on turn.
        turn=state.turn_of(after) if after != seat else Turn(after, len(hand)),
        aside=None,
    )


@evolve.register
def _(event: events.Discarded, state: State) -> State:
    state = _end_turn(_begin(state, event.seat), event.seat, event.tile)
    return state if event.closing is None else replace(state, closing=event.closing, phase="over")


@evolve.register
def _(event: events.TableShown, state: State) -> State:
    state = _begin(state, event.seat)
    hand = state.players[event.seat].hand.minus(Bag(event.tiles))
    if event.closing is None:
        state = state.with_player(event.seat, hand=hand.plus(event.tiles))
        return _end_turn(state, event.seat, event.tile)
    state = _end_turn(state.with_player(event.seat, hand=hand), event.seat, event.tile)
    return replace(state, closing=event.closing, phase="over", shown=event.tiles)


@evolve.register
def _(_event: events.WallRebuilt, state: State) -> State:
    keep = int(state.dead_first)
    return replace(state, wall=rebuild_wall(len(state.row) - keep), row=state.row[:keep])


@evolve.register
def _(_event: events.GameEnded, state: State) -> State:
    return replace(state, phase="over")


@evolve.register
def _(event: events.RacksShown, state: State) -> State:
    # Tiles too many on the racks were drawn unseen; tiles too few are astray.
    more = surplus(state, event.racks)
    found = min(more, state.astray)
    wall = state.wall.without(more - found) if more > found else state.wall
    state = replace(state, astray=state.astray - found, wall=wall)
    for seat, rack in event.racks.racks:
        state = state.with_player(seat, hand=Hand(Bag(rack)))
    for seat in event.false_atu:
        state = state.with_player(seat, atu=False)
    return replace(state, phase="over")


@evolve.register
def _(event: events.Ruled, state: State) -> State:
    return replace(state, rulings=(*state.rulings, event.rule))
