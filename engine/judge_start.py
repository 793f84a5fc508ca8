"""What comes before play: the deal, announcements, and swapping doubles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.bags import Bag
from engine.events import Announced, Dealt, DoublesSwapped
from engine.judging import Judgement, beyond_set, impossible, out_of_game
from engine.refusals import refuse
from engine.tiles import JOKER

if TYPE_CHECKING:
    from engine.commands import Announce, Deal, SwapDoubles
    from engine.reasons import Reason
    from engine.state import Hand, State
    from engine.tiles import Face

DOUBLE_KINDS: Final = {"small": range(2, 10), "big": range(10, 14), "key": range(1, 2)}
"""RULES.md, doubles: the numbers of each kind; without a key double of its own, a 1 is small."""


def judge_deal(state: State, deal: Deal) -> Judgement:
    """RULES.md, hand, deal."""
    if state.phase == "over":
        return impossible([refuse("game_over")])
    if len(deal.hands) != state.seats:
        return impossible([refuse("wrong_hands", given=len(deal.hands), seats=state.seats)])
    rules = state.rules
    known = Bag(face for hand in deal.hands if not isinstance(hand, int) for face in hand)
    seen = Bag(face for face in (deal.atu if _atu_apart(state, deal) else None, deal.turned) if face)
    if over := (known + seen).beyond(state.full):
        return impossible([refuse("more_than_the_set", over)])
    sizes = [hand if isinstance(hand, int) else len(hand) for hand in deal.hands]
    apart = 1 if rules.wall_of_stacks and rules.atu_face_up else 1 if deal.turned else 0
    if sum(sizes) + apart > len(state.full):
        return impossible([refuse("more_than_the_wall")])
    reasons = [refuse("dealt_again")] if state.phase == "play" and not state.redeal else []
    size = rules.pack(state.pack).hand_size(state.seats)
    joker_taken = rules.joker_atu_taken and deal.atu == JOKER
    for seat, given in enumerate(sizes):
        first = seat == state.after(state.dealer)
        right = size + (rules.first_player_extra if first and not joker_taken else 0)
        if given != right:
            reasons.append(refuse("hand_size", seat=seat, given=given, right=right))
    return Judgement(Dealt(deal), tuple(reasons))


def _atu_apart(state: State, deal: Deal) -> bool:
    """Whether the atu lies apart from the hands that were dealt."""
    return state.rules.atu_face_up and not (state.rules.joker_atu_taken and deal.atu == JOKER)


def judge_announce(state: State, said: Announce) -> Judgement:
    """What may be announced, and when; announcing moves no tile, so what does not hold has no effect."""
    if reasons := out_of_game(state, said.seat):
        return impossible(reasons)
    ask = {"atu": _atu, "double": _double, "spoil": _spoil, "table_game": _table_game}.get(said.what)
    reasons = ask(state, said) if ask else []
    counts = all(reason.code == "table_game_late" for reason in reasons)
    return Judgement(Announced(said.seat, said.what, counts), tuple(reasons))


def _before_play(state: State, clause: str) -> list[Reason]:
    return [refuse("too_late", clause=clause)] if state.started else []


def _atu(state: State, said: Announce) -> list[Reason]:
    if not state.rules.atu_bonus:
        return [refuse("no_atu_bonus")]
    reasons = _before_play(state, "atu bonus")
    hand = state.players[said.seat].hand
    if state.atu is not None and not hand.hidden and state.atu not in hand.known:
        reasons.append(refuse("atu_not_held", [state.atu]))
    elif state.atu == JOKER and not state.rules.other_joker_is_atu:
        reasons.append(refuse("atu_not_held", [JOKER]))
    return reasons


def doubles(hand: Hand) -> list[Face]:
    """The faces of which a hand is known to hold two."""
    return [face for face, count in hand.known.items() if count > 1 and not face.is_joker]


def _double(state: State, said: Announce) -> list[Reason]:
    rules = state.rules
    if not rules.swap_doubles:
        return [refuse("no_doubles")]
    reasons = _before_play(state, "doubles")
    if said.kind == "key" and not rules.key_doubles:
        reasons.append(refuse("no_key_double"))
        return reasons
    hand = state.players[said.seat].hand
    numbers: set[int] = set(DOUBLE_KINDS.get(said.kind or "", range(1, 14)))
    if said.kind == "small" and not rules.key_doubles:
        numbers.add(1)
    if not hand.hidden and not any(face.number in numbers for face in doubles(hand)):
        reasons.append(refuse("double_not_held"))
    return reasons


def _spoil(state: State, said: Announce) -> list[Reason]:
    needed = state.rules.spoil_doubles
    if not needed:
        return [refuse("no_spoiling")]
    reasons = _before_play(state, "doubles")
    hand = state.players[said.seat].hand
    if not hand.hidden and len(doubles(hand)) < needed:
        reasons.append(refuse("spoil_needs_doubles", needed=needed, held=len(doubles(hand))))
    return reasons


def _table_game(state: State, said: Announce) -> list[Reason]:
    rules, player = state.rules, state.players[said.seat]
    if said.kind is not None and rules.has_table_games and rules.table_points().get(said.kind) is None:
        return [refuse("no_such_table_game", kind=said.kind)]
    if not rules.has_table_games:
        return [] if rules.closed_game else [refuse("no_table_games")]
    if player.opened:
        return [refuse("table_game_after_opening")]
    late = player.turns >= rules.table_game_turns and not player.table_game
    return [refuse("table_game_late", turns=rules.table_game_turns)] if late else []


def judge_swap(state: State, swap: SwapDoubles) -> Judgement:
    """RULES.md, doubles: a double for a double, before play."""
    if reasons := out_of_game(state, swap.seat, swap.partner):
        return impossible(reasons)
    gone = {swap.seat: swap.gives, swap.partner: swap.gets}
    if len(gone) < 2 or any(len(state.players[seat].hand) < 2 for seat in gone):
        return impossible([refuse("no_double_there")])
    revealed = Bag()
    for seat, face in gone.items():
        pair = Bag([face, face] if face else [])
        hand = state.players[seat].hand
        new = hand.revealed_by(pair)
        if len(new) > hand.hidden or (face is None and hand.hidden < 2 and not doubles(hand)):
            return impossible([refuse("no_double_there", pair)])
        revealed += new
    if wrong := beyond_set(state, revealed):
        return impossible(wrong)
    reasons = _before_play(state, "doubles")
    if not state.rules.swap_doubles:
        reasons.append(refuse("no_doubles"))
    return Judgement(DoublesSwapped(swap), tuple(reasons))
