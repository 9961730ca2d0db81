"""Elasticsearch's `query_string`, to which OpenAlex gives a query with an operator, a phrase or a wildcard.

Syntax: Lucene's classic query parser with AND as the default operator. AND and OR have no precedence there: each sets
the clause on its left and on its right to required or to optional, so `a OR b AND c` requires b and c. A run of words
without an operator must be found in one field
(elastic.co/docs/reference/query-languages/query-dsl/query-dsl-query-string-query: the text is split around operators).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from infra.local.sandbox.openalex.text import Postings, terms_of

Document = Iterable[Postings]  # the searched fields of one work
Test = Callable[[Document], bool]
_START = r"""[^\s+\-!():^\[\]"{}~*?\\/]|\\."""


def token_pattern(*further: str) -> re.Pattern[str]:
    """The tokens of Lucene's grammar, and `further` ones, each a named group."""
    tokens = (
        r"(?P<space>\s+)", *further, rf"(?P<word>(?:{_START}|[*?])(?:{_START}|[+\-*?])*)",
        r'(?P<phrase>"(?:[^"\\]|\\.)*")', r"(?P<slop>~\d*(?:\.\d+)?)", r"(?P<boost>\^\d+(?:\.\d+)?)",
        r"(?P<sign>[+\-!()])",
    )  # fmt: skip
    return re.compile("|".join(tokens), re.DOTALL)


_TOKEN = token_pattern()
_OPERATORS = {"AND": "AND", "&&": "AND", "OR": "OR", "||": "OR", "NOT": "NOT", "!": "NOT"}
_BAD_ESCAPE = re.compile(r"\\u(?![0-9a-fA-F]{4})")
_WILDCARD = re.compile(r"[*?\[]")
_UNICODE_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)", re.DOTALL)


class Unparsable(ValueError):
    """Lucene cannot parse the query; OpenAlex's server has no handler for that."""


@dataclass(slots=True)
class _Clauses:
    """The clauses of one pair of parentheses: [required, optional or prohibited, test]."""

    items: list[tuple[str, Test]] = field(default_factory=list)

    def add(self, conjunction: str, sign: str, test: Test | None) -> None:
        if self.items and conjunction and self.items[-1][0] != "NOT":
            self.items[-1] = ("MUST" if conjunction == "AND" else "SHOULD", self.items[-1][1])
        if test:
            occur = "NOT" if sign in ("NOT", "-") else "SHOULD" if conjunction == "OR" else "MUST"
            self.items.append((occur, test))

    def test(self) -> Test | None:
        must = [test for occur, test in self.items if occur == "MUST"]
        should = [test for occur, test in self.items if occur == "SHOULD"]
        excluded = [test for occur, test in self.items if occur == "NOT"]
        if not self.items:
            return None
        return lambda found: (
            all(test(found) for test in must)
            and (bool(must) or not should or any(test(found) for test in should))
            and not any(test(found) for test in excluded)
        )


def parse_query_string(text: str, *, exact: bool) -> tuple[Test, list[str]]:
    """Return the test of a document and the terms that count for the score. Raises Unparsable."""
    if _BAD_ESCAPE.search(text):
        raise Unparsable("Truncated unicode escape sequence")
    parser = Parser(list(tokens_of(text)), exact)
    return parser.whole(), parser.terms


def tokens_of(text: str, pattern: re.Pattern[str] = _TOKEN) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each token. Raises Unparsable."""
    place = 0
    while place < len(text):
        match = pattern.match(text, place)
        if match is None:
            raise Unparsable(f"Lexical error at {place}")
        place = match.end()
        kind, token = str(match.lastgroup), match.group()
        if kind != "phrase" and token in _OPERATORS:
            yield _OPERATORS[token], token
        elif kind == "sign":
            yield token, token
        elif kind == "word":
            yield ("pattern" if re.search(r"(?<!\\)[*?]", token) else "word"), token
        elif kind != "space":
            yield kind, token


class Parser:
    """Lucene's grammar over the tokens; `terms` collects what is not prohibited."""

    slop = 0  # of a phrase that states none

    def __init__(self, tokens: list[tuple[str, str]], exact: bool) -> None:
        self.tokens, self.place, self.exact = tokens, 0, exact
        self.terms: list[str] = []
        self._prohibited = 0

    def whole(self) -> Test:
        """The test of the whole query. Raises Unparsable."""
        test = self.clauses().test()
        if self.place < len(self.tokens):
            raise Unparsable(f"Encountered {self.tokens[self.place]}")
        return test or (lambda _: False)

    def _kind(self, ahead: int = 0) -> str:
        return self.tokens[self.place + ahead][0] if self.place + ahead < len(self.tokens) else "end"

    def take(self, *kinds: str) -> str:
        """Return the next token if it is of one of these kinds, else ''."""
        if self._kind() not in kinds:
            return ""
        self.place += 1
        return self.tokens[self.place - 1][1]

    def clauses(self) -> _Clauses:
        """All clauses up to a closing parenthesis or the end."""
        found = _Clauses()
        first = True
        while first or self._kind() not in ("end", ")"):
            conjunction = "" if first else self.take("AND", "OR")
            first = False
            if not conjunction and (run := self._run()):
                found.add("", "", self._leaf(run))
                continue
            sign = self.take("NOT", "+", "-")
            self._prohibited += sign in ("NOT", "-")
            test = self.clause()
            self._prohibited -= sign in ("NOT", "-")
            found.add(conjunction, sign, test)
        return found

    def _run(self) -> list[str]:
        """Take two words or more, of which none is followed by an operator on it."""
        length = 1 if self._kind() == "word" else 0
        while length and self._kind(length) == "word" and not self._operated(length + 1):
            length += 1
        if length < 2:
            return []
        self.place += length
        return [token for _, token in self.tokens[self.place - length : self.place]]

    def _operated(self, ahead: int) -> bool:
        return self._kind(ahead) in ("slop", "boost", "AND", "OR")

    def clause(self) -> Test | None:
        """One term, phrase, pattern or pair of parentheses."""
        if self.take("("):
            test = self.clauses().test()
            if not self.take(")"):
                raise Unparsable("a parenthesis is not closed")
        elif phrase := self.take("phrase"):
            slop = self.take("slop")
            test = self._phrase(_unescaped(phrase[1:-1]), int(float(slop[1:] or 0)) if slop else self.slop)
        elif pattern := self.take("pattern"):
            test = self._pattern(pattern.lower())
        elif word := self.take("word"):
            slop = self.take("slop")
            test = self._fuzzy(word, int(float(slop[1:] or 2))) if slop else self._leaf([word])
        else:
            raise Unparsable(f"no clause at token {self.place}")
        self.take("boost")
        return test

    def _leaf(self, words: list[str]) -> Test | None:
        """All terms of the words in one field."""
        wanted = [term for _, term in terms_of(_unescaped(" ".join(words)), exact=self.exact)]
        self._count(wanted)
        return (lambda found: any(all(term in place for term in wanted) for place in found)) if wanted else None

    def _phrase(self, text: str, slop: int) -> Test | None:
        wanted = terms_of(text, exact=self.exact)
        self._count([term for _, term in wanted])
        return (lambda found: any(has_phrase(place, wanted, slop) for place in found)) if wanted else None

    def _pattern(self, pattern: str) -> Test:
        if pattern == "*":
            return lambda found: any(found)
        if pattern[0] in "*?":
            raise Unparsable("'*' or '?' not allowed as first character")
        return lambda found: any(fnmatchcase(term, pattern) for place in found for term in place)

    def _fuzzy(self, word: str, edits: int) -> Test:
        wanted = [term for _, term in terms_of(word, exact=self.exact)]
        return lambda found: any(
            all(any(_near(term, other, min(edits, 2)) for other in place) for term in wanted) for place in found
        )

    def _count(self, terms: list[str]) -> None:
        if not self._prohibited:
            self.terms += terms


def _unescaped(text: str) -> str:
    return _UNICODE_ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], text)


def has_phrase(field: Postings, wanted: Sequence[tuple[int, str]], slop: int = 0) -> bool:
    """Return whether the terms stand as far apart as wanted, within `slop` positions; `*` and `?` are wildcards."""
    offset = wanted[0][0]
    places = [{at - place + offset for at in _positions(field, word)} for place, word in wanted]
    return any(all(any(abs(start - at) <= slop for at in others) for others in places) for start in places[0])


def _positions(field: Postings, word: str) -> list[int]:
    if not _WILDCARD.search(word):
        return list(field.get(word, ()))
    return [at for term, found in field.items() if fnmatchcase(term, word) for at in found]


def _near(one: str, other: str, edits: int) -> bool:
    """Return whether the words are at most `edits` insertions, deletions or substitutions apart."""
    if abs(len(one) - len(other)) > edits:
        return False
    row = list(range(len(other) + 1))
    for number, sign in enumerate(one, 1):
        before, row[0] = row[0], number
        for place, second in enumerate(other, 1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (sign != second))
    return row[-1] <= edits
