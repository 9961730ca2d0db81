"""How Semantic Scholar reads a query: its tokens, its plain and its Boolean search, and its title match.

https://api.semanticscholar.org/api-docs/graph: both searches look in titles and abstracts, with English stemming, and
require every term. `/paper/search` has no operators, and finds nothing for a term with a hyphen. The operators of
`/paper/search/bulk` are those of Elasticsearch's `simple_query_string`, which never rejects a query: it ignores what it
cannot read, and reads operators from left to right without precedence, so `a | b c` is `(a | b) c`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from infra.local.sandbox.facts import Fact
from infra.local.sandbox.semantic_scholar.terms import indexed, of_title, positions, stems, vocabulary

_HYPHENATED = re.compile(r"\w-\w")
_BREAKS = '"|+() \t\n\r'  # a word ends before these
_MAX_EDITS = 2
_MAX_DEPTH = 200

Test = Callable[[Fact], bool]


def _nothing(_: Fact) -> bool:
    return False


def plain_search(query: str) -> Test:
    """Return the test of `/paper/search`: every term of the query stands in the paper."""
    wanted = set(stems(query))
    if not wanted or any(_HYPHENATED.search(term) for term in query.split()):
        return _nothing
    return lambda fact: wanted <= vocabulary(fact)


def ranked(query: str, facts: Sequence[Fact]) -> list[tuple[float, Fact]]:
    """Return the papers with scores, best first: rare terms, and terms of the title, count more."""
    wanted = sorted(set(stems(query)))
    rare = {it: math.log(1 + len(facts) / (1 + sum(it in vocabulary(fact) for fact in facts))) for it in wanted}
    scored = [(sum(rare[it] * _weight(it, fact) for it in wanted), fact) for fact in facts]
    return sorted(scored, key=lambda entry: (-entry[0], entry[1].title))


def _weight(stem: str, fact: Fact) -> float:
    title = of_title(fact.title)
    count = 3 * title.count(stem) / (1 + len(title) / 20) + indexed(fact).count(stem)
    return count / (count + 1)


def title_match(query: str, facts: Iterable[Fact]) -> tuple[Fact, float] | None:
    """Return the paper with the most similar title, which may be of another paper, and its score.

    How similar a title must be is not documented: here it has more than half of the words. Terms with a hyphen find
    nothing.
    """
    wanted = set(stems(" ".join(term for term in query.split() if not _HYPHENATED.search(term))))
    best: tuple[float, Fact] | None = None
    for fact in facts:
        title = set(of_title(fact.title))
        shared = len(wanted & title)
        similar = shared / len(wanted | title) if wanted else 0.0
        if 2 * shared > len(wanted) and (best is None or similar > best[0]):
            best = similar, fact
    return (best[1], round(100 * best[0] + len(wanted), 5)) if best else None


@dataclass
class _State:
    """What was read of one level of parentheses: clauses, each with the operator between it and those before it."""

    clauses: list[tuple[str, Test]] = field(default_factory=list)
    operator: str = ""
    negated: bool = False

    def add(self, test: Test | None) -> None:
        """Join a clause to those before it: with the operator between them, or else with AND."""
        if test is not None:
            self.clauses.append((self.operator, (lambda fact: not test(fact)) if self.negated else test))
            self.operator = ""

    def __call__(self, fact: Fact) -> bool:
        """Read the clauses from left to right, without precedence."""
        found = self.clauses[0][1](fact)
        for operator, clause in self.clauses[1:]:
            found = (found or clause(fact)) if operator == "|" else (found and clause(fact))
        return found


def boolean_search(query: str) -> Test:
    """Return the test of `/paper/search/bulk`; a query without any term finds nothing."""
    return _level(query) or _nothing


def _level(text: str, depth: int = 0) -> Test | None:
    state, at = _State(), 0
    while at < len(text):
        sign = text[at]
        if sign == "-":
            state.negated, at = not state.negated, at + 1
            continue  # a minus belongs to what follows at once
        if sign == "(" and depth < _MAX_DEPTH and (end := _closing(text, at)):
            state.add(_level(text[at + 1 : end], depth + 1))
            at = end + 1
        elif sign == '"' and (end := text.find('"', at + 1)) > 0:
            slop, after = _number(text, end + 1)
            state.add(_phrase(text[at + 1 : end], slop))
            at = after
        elif sign in _BREAKS:
            if sign in "+|" and state.clauses and not state.operator:
                state.operator = sign
            at += 1
        else:
            test, at = _term(text, at)
            state.add(test)
        state.negated = False
    return state if state.clauses else None


def _closing(text: str, opening: int) -> int:
    """Return the place of the bracket that closes this one, or 0; brackets within quotation marks are signs."""
    depth, quoted = 0, False
    for at in range(opening, len(text)):
        quoted ^= text[at] == '"'
        if not quoted:
            depth += (text[at] == "(") - (text[at] == ")")
            if depth == 0:
                return at
    return 0


def _number(text: str, at: int) -> tuple[int, int]:
    """Read `~3` behind a phrase or a word: the number, 0 without one, and the place behind it."""
    if text[at : at + 1] != "~":
        return 0, at
    end = at + 1
    while end < len(text) and text[end] not in _BREAKS:
        end += 1
    digits = text[at + 1 : end]
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 5 else 0
    return number if digits else _MAX_EDITS, end


def _phrase(text: str, slop: int) -> Test | None:
    wanted = [(place, stem) for place, stem in enumerate(positions(text)) if stem]
    if not wanted:
        return None
    first, gaps = (
        wanted[0],
        [(stem, place - before[0]) for before, (place, stem) in pairwise(wanted)],
    )

    def test(fact: Fact) -> bool:
        index = indexed(fact)
        starts = [at for at, stem in enumerate(index) if stem == first[1]]
        return any(_follows(index, start, gaps, slop) for start in starts)

    return test


def _follows(index: Sequence[str | None], at: int, gaps: Sequence[tuple[str, int]], slop: int) -> bool:
    """Return whether the words follow in order, with at most `slop` further words between them in all."""
    for stem, gap in gaps:
        found = next(
            (more for more in range(slop + 1) if index[at + gap + more : at + gap + more + 1] == (stem,)), None
        )
        if found is None:
            return False
        at, slop = at + gap + found, slop - found
    return True


def _term(text: str, start: int) -> tuple[Test | None, int]:
    """Read one word: `fish`, `fish*`, `fish~1`, `off-target` (which is two terms)."""
    end = start
    while end < len(text) and text[end] not in _BREAKS and text[end] != "~":
        end += 1
    word, (edits, after) = text[start:end], _number(text, end)
    wanted = stems(word)
    if not wanted:
        return None, max(after, start + 1)
    if word.endswith("*"):
        prefix = word[:-1].casefold()
        return lambda fact: any(stem.startswith(prefix) for stem in vocabulary(fact)), after
    if edits:  # the word as it was written is compared with the stems of the index
        near, bare = min(edits, _MAX_EDITS), word.casefold()
        return lambda fact: any(_is_near(bare, stem, near) for stem in vocabulary(fact)), after
    return lambda fact: set(wanted) <= vocabulary(fact), after


@lru_cache(maxsize=2**16)  # many papers have the same words
def _is_near(one: str, other: str, most: int) -> bool:
    """Return whether two words differ by at most `most` letters; two letters exchanged count once (Damerau)."""
    if abs(len(one) - len(other)) > most:
        return False
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, start=1):
        older, before, row = before, row, [place]
        for column, with_letter in enumerate(other, start=1):
            cost = min(before[column] + 1, row[-1] + 1, before[column - 1] + (letter != with_letter))
            if place > 1 and column > 1 and one[place - 2] == with_letter and letter == other[column - 2]:
                cost = min(cost, older[column - 2] + 1)
            row.append(cost)
    return row[-1] <= most
