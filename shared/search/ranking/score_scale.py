"""What the score of a result says: the sums of the ranking formula, mapped to how well papers of the pool fit.

The fit of a paper is the share of the query's telling words that it has (`PaperTexts.fits`). The first paper gets the
best fit of the pool, the last half of its own: its whole fit would leave nothing of the order where all papers have all
the words. A tenth of the best fit is the least, since a source found the paper for this query, be it by an abstract or
subject headings that the record here lacks.
"""

from __future__ import annotations

from collections.abc import Sequence

LAST_SHARE = 0.5  # the last paper's score as a share of its own fit …
LEAST_SHARE = 0.1  # … and the least, as a share of the best fit of the pool


def scores_of(sums: Sequence[float], fits: Sequence[float], best_fit: float) -> list[float]:
    """The scores, in [0, 1], of papers with these sums and fits; `best_fit` is at least the best of `fits`."""
    last = min(range(len(sums)), key=lambda row: (sums[row], fits[row]), default=None)
    if last is None:
        return []
    return on_scale(sums, max(LAST_SHARE * fits[last], LEAST_SHARE * best_fit), best_fit)


def on_scale(sums: Sequence[float], lowest: float, highest: float) -> list[float]:
    """The sums mapped linearly: the least to `lowest`, the greatest, and all if they are equal, to `highest`."""
    low, high = min(sums, default=0.0), max(sums, default=0.0)
    step = (highest - lowest) / (high - low) if high > low else 0.0
    # Rounding must not lift a lower sum above the greatest.
    return [highest if it == high else min(highest, lowest + step * (it - low)) for it in sums]
