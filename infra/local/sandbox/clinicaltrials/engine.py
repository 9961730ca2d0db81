"""How ClinicalTrials.gov reads a query: Essie's expressions.

Facts: https://clinicaltrials.gov/find-studies/constructing-complex-search-queries, and what clients measured in 2026:
terms bind before NOT, NOT before AND, AND before OR; `,` is AND; `lung cancer (NSCLC)` and `pain NOT cancer` are
joined by AND; operators are in capitals, and words behind a backslash or within quotation marks; a square bracket
that belongs to no operator is refused. The words of a term must all occur; as a phrase they rank higher.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.bibliography.text import fold

_PART = re.compile(r'"[^"]*"|[()\[\],]|\\?[^\s()\[\],"]+|"')
_WITH_VALUE = ("AREA", "SEARCH", "RANGE", "DISTANCE", "EXPANSION", "COVER", "COVERAGE", "TILT")
_OPERATORS = ("AND", "OR", "NOT", "MISSING", "ALL", *_WITH_VALUE)
# The fields of the area of `query.term`, with their weights (https://clinicaltrials.gov/data-api/about-api/search-areas).
BASIC = {
    "NCTId": 1.0, "Acronym": 1.0, "BriefTitle": 0.89, "OfficialTitle": 0.85, "Condition": 0.81, "InterventionName": 0.8,
    "BriefSummary": 0.6, "Keyword": 0.6, "LeadSponsorName": 0.4, "NCTIdAlias": 0.4, "OverallOfficialName": 0.3,
    "ResponsiblePartyInvestigatorFullName": 0.3, "ConditionMeshTerm": 0.5, "InterventionMeshTerm": 0.5,
}  # fmt: skip
_PHRASE_BONUS = 3.0


class UnreadableQuery(Exception):
    """A query that is refused, with the service's words."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A study: its record in the wire format, and the texts of each of its pieces."""

    nct: str
    aliases: tuple[str, ...]
    record: Mapping[str, Any]
    values: Mapping[str, Sequence[str]]


Test = Callable[[Registration], bool]


def matching(text: str, where: str) -> Test:
    """What a study must be to be found by an expression. Raises UnreadableQuery, which names the parameter."""
    try:
        return _Parser(_PART.findall(text)).whole()
    except UnreadableQuery as error:
        raise UnreadableQuery(f"Error parsing query in {where}: {error}") from None


def relevance(study: Registration, text: str) -> float:
    """The weights of the fields that have the query's words, more for the whole of them as a phrase."""
    terms = [word for word in _PART.findall(text) if word not in _OPERATORS and word not in "()[],"]
    words = [word for word in terms for word in _words(word)]
    score = 0.0
    for piece, weight in BASIC.items():
        for value in study.values.get(piece, ()):
            held = _words(value)
            score += weight * sum(any(_same(word, it) for it in held) for word in words) / (1 + len(held) / 50)
            score += weight * _PHRASE_BONUS * (bool(words) and _has_phrase(held, words))
    return score


@dataclass
class _Parser:
    parts: list[str]
    place: int = 0

    def whole(self) -> Test:
        test = self.any_of("BasicSearch")
        if (left := self.next()) is not None:
            raise UnreadableQuery(f"mismatched input '{left}' expecting {{<EOF>, '(', ',', 'NOT', 'AND', 'OR'}}")
        return test

    def next(self) -> str | None:
        return self.parts[self.place] if self.place < len(self.parts) else None

    def take(self, wanted: str | None = None) -> str:
        word = self.next()
        if word is None or (wanted and word != wanted):
            at = "<EOF>" if word is None else word
            raise UnreadableQuery(f"missing '{wanted}' at '{at}'" if wanted else f"mismatched input '{at}'")
        self.place += 1
        return word

    def any_of(self, area: str) -> Test:
        tests = [self.all_of(area)]
        while self.next() == "OR":
            self.take()
            tests.append(self.all_of(area))
        return lambda study: any(test(study) for test in tests)

    def all_of(self, area: str) -> Test:
        tests = [self.unary(area)]
        while (word := self.next()) not in (None, "OR", ")", "]", "["):
            if word in ("AND", ","):
                self.take()
            tests.append(self.unary(area))
        return lambda study: all(test(study) for test in tests)

    def unary(self, area: str) -> Test:
        word = self.take()
        if word == "NOT":
            test = self.unary(area)
            return lambda study: not test(study)
        if word == "(":
            test = self.any_of(area)
            self.take(")")
            return test
        if word == "ALL":
            return lambda _: True
        if word == "MISSING":
            return lambda study: not _values(study, area)
        if word in _WITH_VALUE:
            return self.operator(word, area)
        if word in ("AND", "OR", ")", "[", "]", ",", '"'):
            raise UnreadableQuery(f"no viable alternative at input '{word}'")
        return self.term(word, area)

    def operator(self, name: str, area: str) -> Test:
        self.take("[")
        values = []
        while self.next() not in (None, "]"):
            values.append(self.take())
        self.take("]")
        if name == "RANGE":
            low, high = "".join(values).split(",")
            return lambda study: any(_within(value, low, high) for value in _values(study, area))
        if name == "AREA":
            area = values[0] if values else ""
            if area not in BASIC and area not in KNOWN_AREAS:
                raise UnreadableQuery(f"Unknown area name: '{area}'")
        return self.unary(area)

    def term(self, first: str, area: str) -> Test:
        """Words beside one another; a phrase in quotation marks stands alone."""
        if first.startswith('"'):
            phrase = _words(first)
            return lambda study: any(_has_phrase(_words(value), phrase) for value in _values(study, area))
        written = [first]
        while (
            (word := self.next()) is not None and word not in (*_OPERATORS, "(", ")", "[", "]", ",") and word[0] != '"'
        ):
            written.append(self.take())
        words = [word for text in written for word in _words(text)]
        return lambda study: _has_all([word for value in _values(study, area) for word in _words(value)], words)


# Areas that are pieces outside of the area of `query.term`.
KNOWN_AREAS = frozenset(
    ("StudyFirstPostDate", "StartDate", "LastUpdatePostDate", "Phase", "OverallStatus", "StudyType", "BasicSearch",
     "ReferencePMID", "LeadSponsorClass")
)  # fmt: skip


def _values(study: Registration, area: str) -> list[str]:
    pieces = BASIC if area == "BasicSearch" else (area,)
    return [value for piece in pieces for value in study.values.get(piece, ())]


def _words(text: str) -> list[str]:
    return fold(text.replace("\\", "")).split()


def _same(word: str, held: str) -> bool:
    """One word, also in the plural, as the lexicon of the engine knows it."""
    return held in (word, f"{word}s", f"{word}es") or word in (f"{held}s", f"{held}es")


def _has_all(held: Sequence[str], words: Sequence[str]) -> bool:
    return all(any(_same(word, it) for it in held) for word in words)


def _has_phrase(held: Sequence[str], words: Sequence[str]) -> bool:
    last = len(held) - len(words)
    return any(all(map(_same, words, held[at : at + len(words)])) for at in range(last + 1))


def _within(value: str, low: str, high: str) -> bool:
    """Whether a date lies in a range; a date without a day is as long as its month."""
    return (low == "MIN" or value >= low[: len(value)]) and (high == "MAX" or value[: len(high)] <= high)
