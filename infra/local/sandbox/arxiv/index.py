"""How arXiv's index analyses a record's texts and matches one search term with them.

Facts: `mappings/DocumentMapping.json` and `search/services/index/{prepare,authors,util}.py` of the server's public
source (github.com/arXiv/arxiv-search), which has served the classic API since November 2025. Title and abstract are
stemmed and lack stop words. `all` looks in each field, and in all fields at once without stemming.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, lru_cache

from infra.local.sandbox.porter import stem

# Lucene's English stop words: they are in no index but that of names.
STOP_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
})  # fmt: skip
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+(?:['’.][^\W\u3040-\u9fff]+)*")
_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "đ": "d", "ł": "l", ".": None, ",": None, ";": None})
_YEAR = re.compile(r"(?:19|20)\d\d")
_RANGE = re.compile(r'"?(\d{12}) TO (\d{12})"?')
Tokens = tuple[str | None, ...]  # None is where a stop word stood


class BrokenQuery(Exception):
    """A query that the server accepts and fails to answer: HTTP 500."""


@dataclass(frozen=True, slots=True)
class Document:
    """What the index has of one record."""

    title: str
    abstract: str
    authors: tuple[str, ...]  # full names
    categories: tuple[str, ...]
    comments: str = ""
    journal_ref: str = ""
    doi: str = ""
    arxiv_id: str = ""
    submitted: str = ""  # of the first version: `YYYYMMDDhhmm`


def standard(text: str) -> list[str]:
    """Split a text at punctuation and hyphens; a CJK character is a token of its own."""
    return [token.lower().replace("’", "'") for token in _TOKEN.findall(text)]


@cache  # every query is compared with every record
def english(text: str) -> Tokens:
    """Analyse a title or an abstract: without stop words, stemmed."""
    words = (token.removesuffix("'s") for token in standard(text))
    return tuple(None if word in STOP_WORDS else stem(word) for word in words)


@cache
def plain(text: str) -> Tokens:
    """Analyse a comment or a journal reference: without stop words."""
    return tuple(None if word in STOP_WORDS else word for word in standard(text))


@cache
def names(text: str) -> Tokens:
    """Split a name at blanks only, without dots, commas and accents; it may be a stop word."""
    decomposed = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return tuple("".join(sign for sign in decomposed if not unicodedata.combining(sign)).split())


@cache
def combined(document: Document) -> list[Tokens]:
    """Analyse all fields at once: split at blanks only, without stop words, not stemmed."""
    categories = tuple(part for name in document.categories for part in (name.lower(), name.partition(".")[0].lower()))
    texts = (document.title, document.abstract, document.comments, document.journal_ref, *document.authors)
    return [*map(_unstemmed, texts), (*categories, document.doi, document.arxiv_id)]


def matches(field: str, value: str, document: Document) -> bool:
    """Return whether a record has a term in a field. Raises BrokenQuery for a term that the index cannot search."""
    match field:
        case "ti":
            return _has(value, english(document.title), english)
        case "abs":
            return _has(value, english(document.abstract), english)
        case "co":
            return _has(value, plain(document.comments), plain)
        case "jr":
            return _has(value, plain(document.journal_ref), plain)
        case "au":
            return _has_author(value, document)
        case "cat":
            return any(_wildcard(value.strip('"').lower()).fullmatch(name.lower()) for name in document.categories)
        case "id":
            return value.strip('"') == document.arxiv_id
        case "doi":
            return bool(document.doi) and _is_like(value.strip('"'), document.doi)
        case "submittedDate":
            return _is_between(value, document.submitted)
        case "all":
            return _is_anywhere(value, document)
    return False  # no record here has a report number


def _has(value: str, tokens: Tokens, analyse: Callable[[str], Tokens]) -> bool:
    """Match one word, all tokens of one word, a phrase in order, or a word with wildcards, which is not stemmed."""
    if value.startswith('"'):
        return _in_order(analyse(value), tokens)
    if "*" in value or "?" in value:
        return any(token and _wildcard(value.lower()).fullmatch(token) for token in tokens)
    wanted = [token for token in analyse(value) if token]
    return bool(wanted) and all(token in tokens for token in wanted)


def _in_order(wanted: Tokens, tokens: Tokens) -> bool:
    """Match a phrase; the place of a stop word matches any one word."""
    places = [(place, token) for place, token in enumerate(wanted) if token]
    if not places:
        return False
    first = places[0][0]
    return any(
        all(start + place - first < len(tokens) and tokens[start + place - first] == token for place, token in places)
        for start in range(len(tokens))
    )


@lru_cache
def _wildcard(value: str) -> re.Pattern[str]:
    """Compile a term with `*` and `?`."""
    return re.compile("".join({"*": ".*", "?": "."}.get(sign, re.escape(sign)) for sign in value))


def check(field: str, value: str) -> None:
    """Raise BrokenQuery for a term that Elasticsearch or the date reader refuses, whatever the records are."""
    words = value.strip('"').split() if field == "au" or not value.startswith('"') else []
    if field not in ("cat", "submittedDate") and any(word[0] in "*?" or word in ("&&", "||") for word in words):
        raise BrokenQuery(value)
    if field == "all" and set(value) & set("*?") and set(value) & set("/^~!\\:[]{}"):
        raise BrokenQuery(value)  # these are not escaped beside a wildcard
    if field == "submittedDate":
        _is_between(value, "")


def _is_between(value: str, minute: str) -> bool:
    bounds = _RANGE.fullmatch(value)
    if bounds is None or not all(_is_minute(bound) for bound in bounds.groups()):
        raise BrokenQuery(value)
    return bounds[1] <= minute <= bounds[2]


def _is_minute(text: str) -> bool:
    try:
        return bool(datetime.strptime(text, "%Y%m%d%H%M").replace(tzinfo=UTC))
    except ValueError:
        return False


def _has_author(value: str, document: Document) -> bool:
    """Match a word with any name, and quoted words with one and the same name, in any order and with wildcards."""
    people = [names(name) for name in document.authors]
    if '"' not in value:
        people = [tuple(token for person in people for token in person)]
    patterns = [_wildcard(word) for word in names(value.strip('"')) if word]
    return bool(patterns) and any(
        all(any(token and pattern.fullmatch(token) for token in person) for pattern in patterns) for person in people
    )


def _is_like(value: str, text: str) -> bool:
    return bool(_wildcard(value.lower()).fullmatch(text)) if "*" in value or "?" in value else value == text


def _is_anywhere(value: str, document: Document) -> bool:
    """Match `all`: any one field, the fields together, and a year as that of the first version."""
    if any(matches(field, value, document) for field in ("ti", "abs", "au", "co", "jr", "doi", "id")):
        return True
    if _YEAR.fullmatch(value) and document.submitted.startswith(value):
        return True
    return any(_has(value, words, _unstemmed) for words in combined(document))


@cache
def _unstemmed(text: str) -> Tokens:
    return tuple(None if word in STOP_WORDS else word for word in names(text.strip('"')))
