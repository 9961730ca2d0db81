"""The formulas of BM25: how much a rare word counts, and how much a repeated one adds.

Robertson and Zaragoza 2009, The Probabilistic Relevance Framework: BM25 and Beyond, sections 3.4 and 3.6.
"""

from __future__ import annotations

import math
from functools import lru_cache

TERM_SATURATION = 2.0  # k1: how much a term's tenth occurrence still adds
LENGTH_PENALTY = 0.75  # b: how much the length of a text reduces its score


@lru_cache(maxsize=10_000)  # most terms of a pool are in one or two of its texts
def rarity(texts: int, having: int) -> float:
    """The weight of a term that `having` of so many texts have; never negative."""
    return math.log(1.0 + (texts - having + 0.5) / (having + 0.5))


def norm(length: float, mean: float, penalty: float = LENGTH_PENALTY) -> float:
    """What the saturation of a text's terms depends on; `mean` is the mean length, above 0."""
    return TERM_SATURATION * (1 - penalty + penalty * length / mean)


def saturated(count: float, of_norm: float) -> float:
    """What a term adds that a text has so often; less than TERM_SATURATION + 1."""
    return count * (TERM_SATURATION + 1.0) / (count + of_norm)
