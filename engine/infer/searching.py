"""Choices one of each list, the best sum of scores first, without making them all."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def best_first(lists: Sequence[Sequence[float]]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """The sum and the places chosen, for lists of scores that fall.

    >>> [places for _, places in best_first([[0.0, -3.0], [0.0, -1.0]])]
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    if not all(lists):
        return
    start = (0,) * len(lists)
    heap = [(-sum(scores[0] for scores in lists), start)]
    seen = {start}
    while heap:
        negative, at = heapq.heappop(heap)
        yield -negative, at
        for place, scores in enumerate(lists):
            if at[place] + 1 == len(scores):
                continue
            following = (*at[:place], at[place] + 1, *at[place + 1 :])
            if following not in seen:
                seen.add(following)
                worse = scores[at[place]] - scores[at[place] + 1]
                heapq.heappush(heap, (negative + worse, following))
