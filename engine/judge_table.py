"""What comes onto the table: melds, lay-offs, and jokers that are reclaimed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.events import JokerReclaimed, LaidOff, Melded
from engine.judging import Judgement, cannot_leave, impossible, out_of_game, out_of_turn, rest_of_rack
from engine.meld_reasons import meld_reasons
from engine.melds import read_meld
from engine.placing import (
    frees_joker,
    joker_at,
    laid_pieces,
    lay_beside,
    lay_on,
    new_meld,
    put_for_joker,
    split_run,
)
from engine.refusals import refuse
from engine.state import Piece, TableMeld
from engine.tiles import JOKER, Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.commands import LayOff, MeldDown, Reclaim
    from engine.melds import Meld
    from engine.reasons import Reason
    from engine.rules import RuleSet
    from engine.state import State


def judge_melds(state: State, command: MeldDown) -> Judgement:
    """RULES.md, run, group, jokers in a meld, first meld, may open in the first round, tiles left."""
    seat, rules = command.seat, state.rules
    tiles = [tile for meld in command.melds for tile in meld]
    if wrong := out_of_game(state, seat) or cannot_leave(state, seat, (tile.face for tile in tiles)):
        return impossible(wrong)
    if not tiles:
        return impossible([refuse("no_tiles")])
    player = state.players[seat]
    reasons = out_of_turn(state, seat, drawn=True)
    for meld in command.melds:
        if read_meld(meld, rules) is None:
            reasons += meld_reasons(meld, rules)
    melds = [read for meld in command.melds if (read := read_meld(meld, rules))]
    if player.opened:
        reasons += _more_melds(state, seat, melds)
    else:
        reasons += _opening(state, seat, melds)
    reasons += rest_of_rack(state, seat, len(tiles))
    names = command.ids
    if len(names) != len(command.melds):
        names = tuple(f"m{state.next_meld + at}" for at in range(len(command.melds)))
    kept = list(player.kept_jokers)
    laid = []
    for name, meld in zip(names, command.melds, strict=True):
        laid.append(_with_kept(new_meld(name, seat, meld, rules), kept))
    used = len(player.kept_jokers) - len(kept)
    return Judgement(Melded(seat, tuple(laid), not player.opened and bool(melds), used), tuple(reasons))


def _with_kept(meld: TableMeld, kept: list[Piece]) -> TableMeld:
    """A joker that was reclaimed earlier stays the credit of who first used it."""
    pieces = list(meld.pieces)
    for at, piece in enumerate(pieces):
        if piece.tile.is_joker and kept:
            old = kept.pop(0)
            pieces[at] = Piece(piece.tile, piece.seat, piece.how, old.credit, old.reclaims)
    return TableMeld(meld.id, meld.seat, meld.shape, tuple(pieces))


def _opening(state: State, seat: int, melds: Sequence[Meld]) -> list[Reason]:
    """What is against a first meld."""
    rules, player = state.rules, state.players[seat]
    reasons = []
    if player.turns == 0 and not rules.open_in_first_round:
        reasons.append(refuse("first_round"))
    if player.table_game:
        reasons.append(refuse("table_game_stays"))
    if melds or rules.first_meld_points:
        points = sum(meld.points for meld in melds)
        if points < rules.first_meld_points:
            reasons.append(refuse("first_meld_points", points=points, needed=rules.first_meld_points))
        if code := shape_problem(melds, rules):
            reasons.append(refuse(code))
    return reasons


def shape_problem(melds: Sequence[Meld], rules: RuleSet) -> str | None:
    """The code of what the shapes of opening melds lack; None where they may open (RULES.md, first meld,
    shape).
    """
    run = any(meld.shape == "run" for meld in melds)
    group = any(meld.shape == "group" for meld in melds)
    if rules.first_meld_shape == "run" and not run:
        return "first_meld_run"
    if rules.first_meld_shape == "run_and_group" and not (run and group):
        return "first_meld_both"
    if rules.first_meld_shape == "run_or_ones" and not run:
        ones = len(melds) == 1 and melds[0].shape == "group" and melds[0].means[0].number == 1
        return None if ones else "first_meld_run_or_ones"
    return None


def _more_melds(state: State, seat: int, melds: Sequence[Meld]) -> list[Reason]:
    """What is against further melds of a player who has opened."""
    turn, rules = state.turn_of(seat), state.rules
    reasons = []
    if turn.rack < rules.meld_rack_min:
        reasons.append(refuse("only_lay_offs", left=turn.rack))
    shapes = (*turn.shapes, *(meld.shape for meld in melds))
    if turn.opened and rules.first_meld_shape == "run_or_ones" and "run" not in shapes:
        reasons.append(refuse("other_groups_wait"))
    return reasons


def judge_lay_off(state: State, command: LayOff) -> Judgement:
    """RULES.md, lay off, lay off inside a run, joker laid off."""
    seat, rules = command.seat, state.rules
    if wrong := out_of_game(state, seat) or cannot_leave(state, seat, (tile.face for tile in command.tiles)):
        return impossible(wrong)
    meld = state.meld(command.meld)
    if meld is None:
        return impossible([refuse("no_such_meld", meld=command.meld)])
    if not command.tiles:
        return impossible([refuse("no_tiles")])
    player, turn = state.players[seat], state.turn_of(seat)
    reasons = out_of_turn(state, seat, drawn=True)
    if not player.opened:
        reasons.append(refuse("not_opened"))
    elif turn.opened and not rules.lay_off_in_opening_turn:
        reasons.append(refuse("next_turn"))
    jokers = [tile for tile in command.tiles if tile.is_joker]
    if jokers and rules.joker_lay_off == "own" and meld.seat != seat:
        reasons.append(refuse("joker_own_melds", jokers))
    lies, second, misfit = _placed(state, command, meld)
    reasons += misfit
    reasons += rest_of_rack(state, seat, len(command.tiles))
    used = min(len(jokers), len(player.kept_jokers))
    return Judgement(LaidOff(seat, command.tiles, lies, second, used), tuple(reasons))


def _placed(
    state: State, command: LayOff, meld: TableMeld
) -> tuple[TableMeld, TableMeld | None, list[Reason]]:
    """How the meld lies afterwards, the run split off it, and what is against that."""
    rules, tiles = state.rules, command.tiles
    added = laid_pieces(tiles, command.seat, state.players[command.seat].kept_jokers)
    if not command.splits:
        lies = lay_on(meld, added, rules, end=command.end)
        if lies is not None:
            return lies, None, []
        return lay_beside(meld, added, rules), None, [refuse("does_not_fit", tiles, meld=meld.id)]
    name = command.new_id or f"m{state.next_meld}"
    parts = split_run(meld, added, rules, second=command.new_meld, name=name)
    if parts is None:
        return lay_beside(meld, added, rules), None, [refuse("does_not_fit", tiles, meld=meld.id)]
    reasons = [] if rules.lay_off_inside else [refuse("only_ends", tiles)]
    if rules.lay_off_inside and not rules.joker_run_opens and any(tile.is_joker for tile in meld.tiles):
        reasons.append(refuse("joker_run_closed", tiles))
    return *parts, reasons


def judge_reclaim(state: State, command: Reclaim) -> Judgement:
    """RULES.md, reclaim a joker from a run, from a group."""
    seat, rules = command.seat, state.rules
    into = list(command.into)
    own = next((at for at, tile in enumerate(into) if tile.is_joker), None)
    from_rack = [tile for at, tile in enumerate(into) if at != own]
    gone = [*command.tiles, *from_rack]
    if wrong := out_of_game(state, seat) or cannot_leave(state, seat, (tile.face for tile in gone)):
        return impossible(wrong)
    meld = state.meld(command.meld)
    if meld is None:
        return impossible([refuse("no_such_meld", meld=command.meld)])
    place = joker_at(meld, command.tiles, command.joker)
    if place is None:
        return impossible([refuse("no_joker_there", meld=meld.id)])
    if not command.tiles:
        return impossible([refuse("no_tiles")])
    joker = meld.pieces[place]
    reasons = out_of_turn(state, seat, drawn=True)
    if not state.players[seat].opened:
        reasons.append(refuse("not_opened"))
    elif state.turn_of(seat).opened and not rules.reclaim_in_opening_turn:
        reasons.append(refuse("next_turn"))
    if code := frees_joker(meld, place, command.tiles, rules):
        reasons.append(refuse(code, command.tiles, means=joker.tile.means))
    if rules.reclaims_max is not None and joker.reclaims >= rules.reclaims_max:
        reasons.append(refuse("joker_too_often", [JOKER], most=rules.reclaims_max))
    reasons += _melded_anew(state, command, own, from_rack)
    new = None
    if into:
        new = _reclaimed_meld(state, command, own, joker)
    left_over = 0 if into and own is not None else 1
    reasons += rest_of_rack(state, seat, len(gone) - left_over)
    lies = put_for_joker(meld, place, command.tiles, seat, rules)
    return Judgement(JokerReclaimed(seat, command.tiles, lies, joker, new), tuple(reasons))


def _melded_anew(state: State, command: Reclaim, own: int | None, from_rack: Sequence[Tile]) -> list[Reason]:
    """What is against the meld that the joker comes into."""
    rules = state.rules
    if not command.into:
        return [refuse("joker_not_melded")] if rules.reclaim_melds_at_once else []
    reasons = []
    if rules.reclaim_melds_at_once and (own is None or len(from_rack) < 2):
        reasons.append(refuse("joker_not_melded"))
    meld = read_meld(command.into, rules)
    if meld is None:
        reasons += meld_reasons(command.into, rules)
    elif state.players[command.seat].opened:
        reasons += _more_melds(state, command.seat, [meld])
    return reasons


def _reclaimed_meld(state: State, command: Reclaim, own: int | None, joker: Piece) -> TableMeld:
    name = command.new_id or f"m{state.next_meld}"
    meld = new_meld(name, command.seat, command.into, state.rules)
    if own is None:
        return meld
    pieces = list(meld.pieces)
    mine = pieces[own]
    pieces[own] = Piece(mine.tile, mine.seat, mine.how, joker.credit, joker.reclaims + 1)
    return TableMeld(meld.id, meld.seat, meld.shape, tuple(pieces))
