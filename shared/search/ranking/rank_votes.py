"""Reciprocal rank fusion: what the places of one paper in the lists of several sources are worth together.

https://doi.org/10.1145/1571941.1572114. One source with a high place counts more than several with low ones, since each
further vote counts less.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

VOTE_DAMPING = 16  # reciprocal rank fusion's k: small, since a provider indexes only part of the literature
FURTHER_VOTE = 0.7  # a paper's second vote counts this part of its first, the third this part of the second


def joint_vote(places: Iterable[int]) -> float:
    """The worth of these places, from 1, one for each voter; in any order."""
    return math.fsum(FURTHER_VOTE**n / (VOTE_DAMPING + place) for n, place in enumerate(sorted(places)))
