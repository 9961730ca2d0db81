"""The texts of whole numbers between two limits, as a regular expression."""

from __future__ import annotations


def number_text(low: int, high: int) -> str:
    """Digits only, from `low` to `high` (neither below 0), with or without zeros before: `^0*([1-9]|10)$` for 1–10."""
    return f"^0*({'|'.join(_ranges(low, high))})$"


def _ranges(low: int, high: int) -> list[str]:
    parts = []
    while low <= high:
        top = _top(low, high)
        parts.append(_digits(str(low), str(top)))
        low = top + 1
    return parts


def _top(low: int, high: int) -> int:
    """The end of the longest run from `low` that only differs in its last digits: 1,000 → 9,999, 20 → 29 or 99."""
    best = low
    size = 1
    while low % size == 0:
        digits = len(str(low))
        if size * 10 > 10**digits:
            break
        lead = low // size % 10
        for last in range(9, lead - 1, -1):
            top = low + (last - lead + 1) * size - 1
            if top <= high and len(str(top)) == digits:
                best = max(best, top)
                break
        size *= 10
    return best


def _digits(low: str, top: str) -> str:
    return "".join(a if a == b else f"[{a}-{b}]" for a, b in zip(low, top, strict=True))
