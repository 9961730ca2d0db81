"""How Europe PMC reads a query: Lucene's classic syntax with AND as the default operator, over named fields.

Facts: the search syntax (https://europepmc.org/searchsyntax), the web service's reference guide and its list of fields,
and what independent clients report: words are matched as they are written, stop words too; a word without a field is
looked for in full texts; synonyms are added to unquoted words if the request says so; an unreadable query, or one that
only excludes, has no result list at all (ContentMine/getpapers#91).

Clauses are those of Lucene's classic parser: `a AND b OR c` requires a alone, and b and c only raise the rank.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from infra.local.sandbox.europe_pmc.index import EVERYTHING, FIELDS, FLAGS, TEXTS, Entry, tokens

Test = Callable[[Entry], bool]
_TOKEN = re.compile(r'"[^"]*"|[\[{][^\[\]{}]*[\]}]|[()]|&&|\|\||[A-Za-z_]+:(?=\S)|[^\s()"\[\]{}]+|["\[\]{}]')
_OPERATORS = {"AND": "AND", "&&": "AND", "OR": "OR", "||": "OR", "NOT": "NOT", "!": "NOT"}
_SORTS = {"SORT_CITED": "CITED desc", "SORT_DATE": "P_PDATE_D desc"}
# What UniProt and MeSH know by another name; the service has many more.
SYNONYMS = {
    "alzheimer": ("dementia",), "apoe": ("apolipoprotein e",), "aspirin": ("acetylsalicylic acid",),
    "cancer": ("neoplasm", "neoplasms", "tumor", "tumour"), "covid": ("sars-cov-2", "coronavirus"),
    "crispr": ("clustered regularly interspaced short palindromic repeats",), "microglia": ("microglial",),
    "trem2": ("triggering receptor expressed on myeloid cells 2",), "tumor": ("tumour", "neoplasm"),
}  # fmt: skip


class UnreadableQuery(Exception):
    """A query that has no result list."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A query as it is read: what a record must pass, and the order that the query itself demands."""

    test: Test
    sort: str | None = None


@dataclass(frozen=True, slots=True)
class _Clause:
    test: Test
    occurs: str  # must, should or must not


@dataclass
class _Parser:
    words: list[str]
    synonyms: bool
    sort: str | None = None
    place: int = 0

    def next(self) -> str | None:
        return self.words[self.place] if self.place < len(self.words) else None

    def take(self) -> str:
        self.place += 1
        return self.words[self.place - 1]

    def clauses(self, field: str) -> Test:
        found: list[_Clause] = []
        while (word := self.next()) not in (None, ")"):
            joined, negated = _OPERATORS.get(str(word), ""), False
            if joined in ("AND", "OR"):
                self.take()
                if not found:
                    raise UnreadableQuery("an operator has nothing before it")
            while (word := self.next()) is not None and _OPERATORS.get(word) == "NOT":
                self.take()
                negated = True
            if self.next() in (None, ")") or str(self.next()) in _OPERATORS:
                raise UnreadableQuery("an operator has nothing after it")
            if joined == "OR" and found[-1].occurs == "must":
                found[-1] = replace(found[-1], occurs="should")
            self._add(found, field, joined, negated)
        return _combined(found)

    def _add(self, found: list[_Clause], field: str, joined: str, negated: bool) -> None:
        word = self.take()
        if word[0] in "+-" and len(word) > 1:
            negated, word, joined = negated or word[0] == "-", word[1:], "AND"
        test = self.operand(word, field)
        found.append(_Clause(test, "must not" if negated else "should" if joined == "OR" else "must"))

    def operand(self, word: str, field: str) -> Test:
        if word == "(":
            test = self.clauses(field)
            if self.next() != ")":
                raise UnreadableQuery("a parenthesis is not closed")
            self.take()
            return test
        name = word.removesuffix(":").upper()
        if word.endswith(":") and name in _SORTS:
            self.sort = _SORTS[name] if self.take().lower() == "y" else self.sort
            return bool
        if word.endswith(":") and (name in FIELDS or name in TEXTS or name in FLAGS):
            if self.next() in (None, ")"):
                raise UnreadableQuery("a field has no value")
            return self.operand(self.take(), name)
        return _test(word, field, self.synonyms)


def _combined(clauses: list[_Clause]) -> Test:
    """Combine clauses as Lucene's BooleanQuery does. Raises UnreadableQuery if all of them exclude."""
    if all(clause.occurs == "must not" for clause in clauses):
        raise UnreadableQuery("nothing is required")
    must, should, never = (
        [clause.test for clause in clauses if clause.occurs == occurs] for occurs in ("must", "should", "must not")
    )
    return lambda entry: (
        all(test(entry) for test in must)
        and (bool(must) or any(test(entry) for test in should))
        and not any(test(entry) for test in never)
    )


def _test(word: str, field: str, synonyms: bool) -> Test:
    """Test one term in a field. Raises UnreadableQuery for characters of the syntax outside quotation marks."""
    quoted = word.startswith('"') and len(word) > 1
    if not quoted and (word == '"' or word[0] in "*?" or set(word) & set("^~!\\")):
        raise UnreadableQuery(word)
    value = word.strip('"') if quoted else word
    if field in FLAGS:
        return lambda entry: FLAGS[field](entry) == (value.lower() in ("y", "yes", "true"))
    if field in FIELDS:
        return lambda entry: FIELDS[field](entry, value)
    if word[0] in "[{":
        raise UnreadableQuery("a range needs a field of dates or numbers")
    if ":" in value and not quoted:
        return _never  # no field has this name
    wanted = [value, *(SYNONYMS.get(value.lower(), ()) if synonyms and not quoted else ())]
    return lambda entry: any(_is_in(text, entry.texts(field)) for text in wanted)


def _never(entry: Entry) -> bool:
    return entry is None


def _is_in(value: str, texts: list[tuple[str, ...]]) -> bool:
    """Whether the tokens of a value stand in order in one of the texts; a final `*` matches any ending."""
    wanted = tokens(value)
    if not wanted:
        return False
    last, truncated = wanted[-1], value.endswith("*")
    width = len(wanted)
    # Most texts lack the last word, which is quickly seen.
    return any(
        text[start : start + width - 1] == wanted[:-1]
        and (text[start + width - 1].startswith(last) if truncated else text[start + width - 1] == last)
        for text in texts
        if truncated or last in text
        for start in range(len(text) - width + 1)
    )


def read(query: str, *, synonyms: bool = False) -> Reading:
    """Read a query. Raises UnreadableQuery."""
    parser = _Parser(_TOKEN.findall(query), synonyms)
    test = parser.clauses(EVERYTHING)
    if parser.next() is not None:
        raise UnreadableQuery("a closing parenthesis has no opening one")
    return Reading(test, parser.sort)
