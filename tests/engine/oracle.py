"""An independent definition of melds and their opening values, by trying every face for every joker."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

CIRCLE = [*range(1, 14), 1]
"""A run is a piece of this line."""

Natural = tuple[str, int]


def is_run(faces: list[Natural], longest: int = 14) -> bool:
    colours = {colour for colour, _ in faces}
    numbers = [number for _, number in faces]
    pieces = [CIRCLE[start : start + len(numbers)] for start in range(len(CIRCLE) - len(numbers) + 1)]
    return 3 <= len(faces) <= longest and len(colours) == 1 and numbers in pieces


def is_group(faces: list[Natural]) -> bool:
    return (
        3 <= len(faces) <= 4 and len({n for _, n in faces}) == 1 and len({c for c, _ in faces}) == len(faces)
    )


def points(faces: list[Natural]) -> int:
    """Opening value under the Romanian tables (doizece, etalat, regulament)."""
    if is_group(faces):
        number = faces[0][1]
        return len(faces) * (25 if number == 1 else 5 if number < 10 else 10)
    return sum(10 if n >= 10 or (n == 1 and place) else 5 for place, (_, n) in enumerate(faces))


def fillings(faces: list[Natural | None], colours: str = "rybk") -> Iterator[list[Natural]]:
    """Every way to let each joker (None) stand for a face."""
    every = list(product(colours, range(1, 14)))
    jokers = [place for place, face in enumerate(faces) if face is None]
    for chosen in product(every, repeat=len(jokers)):
        filled: list[Natural] = [face or ("", 0) for face in faces]
        for place, face in zip(jokers, chosen, strict=True):
            filled[place] = face
        yield filled


def melds(faces: list[Natural | None], longest: int = 14) -> list[list[Natural]]:
    """All readings of these tiles, in this order, as a run or a group, with no limit on jokers."""
    return [filled for filled in fillings(faces) if is_run(filled, longest) or is_group(filled)]
