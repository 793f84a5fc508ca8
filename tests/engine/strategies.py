"""Hypothesis strategies: faces, tiles, rows as they lie on a table, and tiles near to a meld."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.rules import RULE_KEYS, RuleSet, rule_set
from engine.tiles import CARD_SUITS, JOKER, TILE_COLOURS, Face, Mark, Seen, Tile

numbers = st.integers(1, 13)
tile_faces = st.builds(Face, st.sampled_from(TILE_COLOURS), numbers)
card_faces = st.builds(Face, st.sampled_from(CARD_SUITS), numbers)
faces = st.one_of(tile_faces, card_faces, st.just(JOKER))
tiles = st.one_of(
    st.builds(Tile, faces), st.builds(lambda face: Tile(JOKER, face), st.one_of(tile_faces, card_faces))
)
seen = st.one_of(faces, st.sampled_from(Mark))
rule_sets = st.sampled_from([rule_set(key) for key in RULE_KEYS])
tile_rule_sets = st.sampled_from([rule_set(key) for key in ("doizece", "etalat", "regulament")])


@st.composite
def near_melds(draw: st.DrawFn, *, colours: tuple[str, ...] = TILE_COLOURS, jokers: int = 2) -> list[Tile]:
    """Tiles that are a meld, or one after a few mishaps: swapped, changed, dropped, made a joker."""
    if draw(st.booleans()):
        start, length, colour = (
            draw(st.integers(1, 12)),
            draw(st.integers(3, 14)),
            draw(st.sampled_from(colours)),
        )
        row = [Face(colour, (start + at - 1) % 13 + 1) for at in range(length)]
    else:
        number = draw(numbers)
        row = [Face(colour, number) for colour in draw(st.permutations(colours))[: draw(st.integers(3, 4))]]
    for mishap in draw(st.lists(st.sampled_from(["swap", "change", "drop"]), max_size=1)):
        at = draw(st.integers(0, len(row) - 1))
        if mishap == "swap":
            other = draw(st.integers(0, len(row) - 1))
            row[at], row[other] = row[other], row[at]
        elif mishap == "change":
            row[at] = Face(draw(st.sampled_from(colours)), draw(numbers))
        else:
            del row[at]
    laid = [Tile(face) for face in row]
    for at in draw(st.lists(st.integers(0, len(laid) - 1), max_size=jokers, unique=True)):
        stands_for = draw(st.sampled_from([None, None, laid[at].face]))
        laid[at] = Tile(JOKER, stands_for)
    return laid


@st.composite
def table_rows(draw: st.DrawFn, *, longest: int = 12) -> list[Seen]:
    """A row as it may lie on a table: melds next to each other, loose tiles, marks."""
    row: list[Seen] = []
    while len(row) < longest and draw(st.integers(0, 3)):
        if draw(st.booleans()):
            piece = [tile.face for tile in draw(near_melds())][:6]
            row += piece[::-1] if draw(st.booleans()) else piece
        else:
            row.append(draw(st.one_of(tile_faces, st.just(JOKER), st.sampled_from(Mark))))
    return row[:longest]


def house(base: RuleSet | str, **changes: object) -> RuleSet:
    """A rule set with changes, for short tables."""
    from engine.rules import with_changes

    return with_changes(rule_set(base) if isinstance(base, str) else base, changes)
