"""The odd values that mutated answers contain: numbers, texts, nested values, halves of characters."""

from __future__ import annotations

import copy
import math
import random
from typing import Any

NESTED_XML = 3_000  # elements in one another
HALF = "\ud83d"
_NUMBERS: tuple[Any, ...] = (
    0, -1, -5, 7, 999, 1000, 2100, 100_000_000, 1.5, 12.0, 20200, 10**12, 2**63, 1e308, math.nan, math.inf, -math.inf,
    True, False,
    f"raw:{'9' * 5000}", f"raw:-{'9' * 400}", "raw:1e400",
)  # fmt: skip
TEXTS: tuple[Any, ...] = (
    "", " ", "0", "12", "-5", "1.5", "NaN", "1", "9" * 5_000, "²", HALF, f"half {HALF} of a sign", "\udc00\ud800",
    "\x00", "a\x00b", "\u202e", "\ufeff", "\x1b[31m", "x" * 30_000, "é" * 700, "a b " * 3_000, "=1+1", "\r\n- x",
    "&#xd83d;", "&#x110000;", "&amp;lt;b&amp;gt;", "<b>", "<![CDATA[", "javascript:alert(1)//", "http://[::1",
    "https://a b/", "//example.org", "ftp://example.org/x", f"https://example.org/{'x' * 5_000}", "10.1/x",
    f"10.1000/{'x' * 600}", f"10.1000/a{HALF}", "10.1000/a b", "2024-02-30", "0000-00-00", "0001-01-01", "9999-12-31",
    "1000-01-01", "2100-12-31", "100000000", "\u200b", "\u0301" * 50, "\ufffe", "\x85\u2028", "—", "...",
    "\U0001f468\u200d",
    "20200", "2020-13", "2020-1-1", "-2020", "١٩٩٩", "PMC", "PMC0", "W", "arXiv:", "{}", "[]", "null",
)  # fmt: skip
_NESTED: tuple[Any, ...] = ([], {}, [None], [[]], {"": None}, [{}], [[[["x"]]]], {"a": {"a": {"a": 1}}})


def odd_value(chance: random.Random) -> Any:
    """Any of them; a text that begins with `raw:` stands for what `json.dumps` cannot write."""
    kind = chance.random()
    if kind < 0.1:
        return None
    if kind < 0.4:
        return chance.choice(_NUMBERS)
    if kind < 0.8:
        return chance.choice(TEXTS)
    if kind < 0.97:
        return copy.deepcopy(chance.choice(_NESTED))
    depth = chance.choice((50, 500))  # a deeper one makes the whole body unreadable: `_broken`
    return f"raw:{'[' * depth}{']' * depth}"
