"""Texts that make a regular expression work hard, built from its own characters, and how its work grows with them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from re import _constants as codes
from re import _parser as parser
from typing import Any

PIECES = (
    " ", "\t", "\n", "a", "A", "Z.", "0", "1.", "-", "_", ".", ",", ", ", ";", "/", ":", "(", ")", "[", "]", "{", "<",
    ">", "'", '"', "*", "&", "=", "a ", "A ", "a.", "a,", "a-", "<?", "<!--", "<script>", "<a b='", '<a b="', "et al",
    " et al", "http://", "10.1/", "é", "…", "\u00a0", "a b", "\\", "\\a", "a=", "a=b;", "(a", "[a", "AB, ", "\x00",
)  # fmt: skip
SIZES = (250, 1_000, 4_000)
# Linear work takes some ten nanoseconds a character; less than this many are the clock's noise.
NOISE_S = 0.001
# From each size to the next, linear work takes four times as long and quadratic work 16 times.
MOST, QUADRATIC = 9.0, 16
# Far more than linear work needs for the two smaller sizes: larger ones would take minutes.
HOPELESS_S = 0.02
RUNS = 4


def attacks(pattern: re.Pattern[str]) -> Iterator[Callable[[int], str]]:
    """For each attack, the text of a length."""
    tokens, loops = _sample(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE))
    pieces = dict.fromkeys((*PIECES, *("".join(tokens[:end]) for end in range(1, len(tokens) + 1))))
    for piece in pieces:
        yield partial(_pumped, "", piece, "")
    for start, end in loops:
        before, body, behind = "".join(tokens[:start]), "".join(tokens[start:end]), "".join(tokens[end : end + 1])
        if body:
            for last in ("\x00", behind + "\x00"):
                yield partial(_pumped, before, body, last)
                yield partial(_pumped, "a", body, last)


def _pumped(before: str, body: str, behind: str, size: int) -> str:
    return before + (body * (size // len(body) + 1))[:size] + behind


def _sample(tree: Any) -> tuple[list[str], list[tuple[int, int]]]:
    """A text that the expression nearly matches, in tokens, and where its endless repetitions begin and end."""
    tokens: list[str] = []
    loops: list[tuple[int, int]] = []

    def walk(nodes: Any) -> None:
        for code, value in nodes:
            if code in (codes.LITERAL, codes.NOT_LITERAL):
                tokens.append(chr(value) if code is codes.LITERAL else "a")
            elif code is codes.ANY:
                tokens.append("a")
            elif code is codes.IN:
                tokens.append(_member(value))
            elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
                least, most, body = value
                start = len(tokens)
                walk(body)
                if most > 20:
                    loops.append((start, len(tokens)))
                walk([*body] * (min(least, 8) - 1))
            elif code is codes.BRANCH:
                for branch in value[1]:
                    walk(branch)
            elif code is codes.SUBPATTERN:
                walk(value[3])
            elif code is codes.ATOMIC_GROUP:
                walk(value)

    walk(tree)
    return tokens, loops


_CATEGORIES = {
    codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " ", codes.CATEGORY_WORD: "a", codes.CATEGORY_NOT_DIGIT: "a",
    codes.CATEGORY_NOT_SPACE: "a", codes.CATEGORY_NOT_WORD: ".",
}  # fmt: skip


def _member(members: Any) -> str:
    """A character of a class."""
    if members[0][0] is codes.NEGATE:
        out = re.compile("[" + "".join(map(re.escape, _named(members[1:]))) + "]") if _named(members[1:]) else None
        return next((it for it in "a1 A.-" if not (out and out.match(it))), "~")
    code, value = members[0]
    if code is codes.LITERAL:
        return chr(value)
    return chr(value[0]) if code is codes.RANGE else _CATEGORIES.get(value, "a")


def _named(members: Any) -> list[str]:
    found = []
    for code, value in members:
        if code is codes.LITERAL:
            found.append(chr(value))
        elif code is codes.CATEGORY:
            found.append(_CATEGORIES.get(value, ""))
    return [it for it in found if it]


def superlinear(work: Callable[[str], object], text: Callable[[int], str]) -> float | None:
    """How many times as long the work takes on four times the text, if that is too much; else None."""
    for size in SIZES[:2]:
        once = _cpu_s(work, text(size), 1)
        if once > HOPELESS_S and _cpu_s(work, text(size), RUNS) > HOPELESS_S:
            return float("inf")
    if once < NOISE_S / QUADRATIC:  # not even quadratic work would exceed the noise on the largest size
        return None
    small, large = text(SIZES[-2]), text(SIZES[-1])
    first = _cpu_s(work, large, 1)
    if first < NOISE_S:
        return None
    least = max(_cpu_s(work, small, RUNS), NOISE_S / 100)
    if first / least <= MOST:  # further runs of the large text could only be quicker
        return None
    growth = min(first, _cpu_s(work, large, RUNS - 1)) / least
    return growth if growth > MOST else None


def _cpu_s(work: Callable[[str], object], text: str, runs: int) -> float:
    """The CPU time of this thread for the quickest of the runs."""
    quickest = float("inf")
    for _ in range(runs):
        began = time.thread_time()
        work(text)
        quickest = min(quickest, time.thread_time() - began)
    return quickest
