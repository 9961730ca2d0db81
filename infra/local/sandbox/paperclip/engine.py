"""How Paperclip's shell reads `search …`: options, sources, and a text that is compared by meaning and by words.

Options: `paperclip search --help` (0.7.15) and https://paperclip.gxl.ai/docs. The default ranking is hybrid, of vectors
and BM25: it has no operators, and not every word must be in a paper; a whole sentence is the best query. Here a paper
is similar if it shares the beginning of a word that is no function word. `--exact` requires the phrase.

`--all` is in the SDK and missing in the help of 0.7.15, so its acceptance can be switched: `ACCEPTS_ALL`. A service
that knows it leaves out older papers without it.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from shared.bibliography.text import fold

NAME = "paperclip"
ACCEPTS_ALL = True
SOURCES = ("papers", "pmc", "biorxiv", "medrxiv", "arxiv")
VALUES = {
    "-n": "limit", "--limit": "limit", "-s": "source", "--source": "source", "--since": "since", "--sort": "sort",
    "-a": "author", "--author": "author", "--journal": "journal", "--year": "year", "--ranking": "ranking",
}  # fmt: skip
SWITCHES = {"-e": "exact", "--exact": "exact", "--all": "all", "--corpus": "corpus"}
MAX_LIMIT = 1000
RECENT = 2025  # the oldest year without --all
_WINDOW = re.compile(r"[1-9]\d{0,3}[dmy]")
_WORD_START = 6  # letters that two words of one meaning share
_FUNCTION_WORDS = frozenset(
    (
        "a", "an", "and", "are", "as", "at", "by", "can", "do", "does", "for", "from", "how", "in", "is", "it", "its",
        "not", "of", "on", "or", "that", "the", "there", "to", "what", "when", "where", "which", "why", "will", "with",
    )
)  # fmt: skip


class InvalidCommandError(Exception):
    """The command is invalid; the service's shell reports it under HTTP 200."""


@dataclass(frozen=True, slots=True)
class Found:
    """A paper of an answer; a higher score is a better match."""

    fact: Fact
    score: float


def run(line: str, corpus: Corpus) -> list[Found]:
    """Run `search …`, parsed as a shell command. Raises InvalidCommandError with the shell's message."""
    try:
        command, *words = shlex.split(line)
    except ValueError as error:
        raise InvalidCommandError(f"ERR: vsh: parse error: {error}") from error
    if command != "search":
        raise InvalidCommandError(f"ERR: vsh: {command}: command not found.")
    options, query = _options(words)
    wanted = _starts(query)
    hits = [
        Found(fact, _score(wanted, fact))
        for fact in corpus.covered(NAME)
        if _passes(fact, options) and (_has_phrase(fact, query) if "exact" in options else wanted & _words_of(fact))
    ]
    hits.sort(key=lambda hit: (-hit.score, hit.fact.title))
    if options.get("sort") == "date":
        hits.sort(key=lambda hit: hit.fact.publication_date or str(hit.fact.year or ""), reverse=True)
    return hits[: int(options.get("limit", "100"))]


def _options(words: list[str]) -> tuple[dict[str, str], str]:
    options: dict[str, str] = {}
    query: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in SWITCHES and (word != "--all" or ACCEPTS_ALL):
            options[SWITCHES[word]] = "yes"
        elif word in VALUES:
            options[VALUES[word]] = next(rest, "")
        elif word.startswith("-"):
            raise InvalidCommandError(f"ERR: search: unknown option: {word}")
        else:
            query.append(word)
    _check(options)
    return options, " ".join(query)


def _check(options: Mapping[str, str]) -> None:
    limit, since = options.get("limit", "100"), options.get("since")
    problems = {
        "search requires a source flag (-s).": not set(options.get("source", "").split(",")) <= set(SOURCES),
        "-n must be a number from 1 to 1000": not (limit.isdigit() and 0 < int(limit) <= MAX_LIMIT),
        "--year must be four digits": not re.fullmatch(r"\d{4}", options.get("year", "2000")),
        "--sort must be relevance or date": options.get("sort", "date") not in ("relevance", "date"),
        "--since must be a window (30d, 6m, 1y) or a date": since is not None and not _is_since(since),
        "--all cannot be combined with --year": {"all", "year"} <= set(options),
    }
    for text, applies in problems.items():
        if applies:
            raise InvalidCommandError(f"Error: {text}" if "source" in text else f"ERR: search: {text}")


def _is_since(text: str) -> bool:
    try:
        return bool(_WINDOW.fullmatch(text) or date.fromisoformat(text))
    except ValueError:
        return False


def _passes(fact: Fact, options: Mapping[str, str]) -> bool:
    sources, year = options["source"].split(","), str(fact.year)
    names = fold(" ".join(f"{given or ''} {family or ''}" for family, given in fact.authors)).split()
    since = options.get("since", "")
    whole = "all" in options or "since" in options or not ACCEPTS_ALL
    return all((
        any(it == "papers" or (it == "pmc") != (fact.type == "preprint") for it in sources),
        year == options["year"] if "year" in options else whole or (fact.year or 0) >= RECENT,
        not since or _WINDOW.fullmatch(since) or _day(fact) >= since,
        set(fold(options.get("author", "")).split()) <= set(names),
        fold(options.get("journal", "")) in fold(fact.journal or ""),
    ))  # fmt: skip


def _day(fact: Fact) -> str:
    """Return the date of publication; a year or month alone is its first day, as in the service's `pub_date`."""
    return ((fact.publication_date or str(fact.year or "")) + "-01-01")[:10]


def _has_phrase(fact: Fact, query: str) -> bool:
    return bool(fold(query)) and f" {fold(query)} " in f" {fold(fact.title)} | {fold(fact.abstract or '')} "


def _words_of(fact: Fact) -> frozenset[str]:
    return _starts(f"{fact.title} {fact.title_translated or ''} {fact.abstract or ''}")


@cache  # every query is compared with every paper
def _starts(text: str) -> frozenset[str]:
    return frozenset(word[:_WORD_START] for word in fold(text).split() if word not in _FUNCTION_WORDS)


def _score(wanted: frozenset[str], fact: Fact) -> float:
    """Return the share of the query that the paper has, words of the title counted twice, from 0 to 1."""
    shared = len(wanted & _words_of(fact)) + len(wanted & _starts(fact.title))
    return round(shared / (2 * len(wanted) or 1) / math.log2(2 + len(_starts(fact.title)) / 20), 5)
