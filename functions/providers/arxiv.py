"""arXiv: three million preprints of physics, mathematics, computing and the fields around them, all free to read.

Manual: https://info.arxiv.org/help/api/user-manual.html
Limits: one request in three seconds and one connection, over all machines of one caller; 2,000 records a call. A 429 is
plain text without a Retry-After and may take two minutes to come: it speaks of arXiv's load more than of our pace.
Oddities: an error is a feed with an entry titled "Error", also under HTTP 200; a page may come empty though hits are
announced; several bare words behind one prefix stall the service, so each gets its own; a word with a hyphen is found
as a phrase only; NOT is ANDNOT. One id of a wrong form spoils a whole list of ids, an unknown one is only missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.identifiers import read_arxiv
from shared.bibliography.paper_ids import scheme_of, value_of
from shared.bibliography.stop_words import QUERY_STOP_WORDS
from shared.bibliography.text import fold
from shared.errors import BadResponse, ProviderError, RateLimited, RequestRejected, Unavailable, UnsupportedFilter
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec, translate
from shared.providers.records.arxiv import NAMESPACES, read_paper, read_text
from shared.query.query import Query
from shared.query.question import Lookup
from shared.query.syntax import Phrase, Words, render

SPEC = ProviderSpec(
    name="arxiv",
    title="arXiv",
    manual="https://info.arxiv.org/help/api/user-manual.html",
    base_url="https://export.arxiv.org",
    family="arxiv",
    filters=frozenset({"date", "journal", "author", "open_access", "publication_types", "operators"}),
    sorts=frozenset({"relevance", "date"}),
    operations={"search": (), "lookup": ("arxiv",)},
    disciplines=frozenset({"computing"}),  # physics and mathematics count as computing here
    page_limit=100,
    requests_per_second=1 / 3,
    concurrency=1,
)

_BARE = re.compile(r"[\w:]+")
_FIRST_MINUTE, _LAST_MINUTE = "199101010000", "299912312359"  # the range needs both ends, with twelve digits each
# Punctuation is the query language's own; apostrophes and letters of any script are not.
_PUNCTUATION = re.compile(r"[!-&(-/:-@\[-`{-~\u2010-\u2015\u2212]+")
_SUBJECT_CLASS = re.compile(r"(?<=[a-z])\.[a-z]{2}(?=/)")
_TURN_S = 1 / SPEC.requests_per_second  # what another request has to wait for its turn


def search(query: Query, client: Client) -> Page:
    """Ask /api/query, then translate. Raises UnsupportedFilter when no preprint can pass the filters."""
    if query.exclude_preprints or (query.publication_types and "preprint" not in query.publication_types):
        raise UnsupportedFilter("arXiv holds preprints only, and the filters admit none")
    asked, limit = _search_query(query), min(query.limit, SPEC.page_limit)
    sort = "submittedDate" if query.sort == "date" else "relevance"
    params = {"search_query": asked, "sortBy": sort, "sortOrder": "descending", "max_results": str(limit)}
    feed, total = _feed(params, client)
    papers, broken = translate(_entries(feed), read_paper)
    told, unsupported = _shortcomings(query)
    told += _read_otherwise(feed, asked)
    if len(papers) + len(broken) < min(limit, total):
        told.append(f"arXiv sent {len(papers) + len(broken)} of the {min(limit, total)} records that it announced")
    days = [paper.publication_date or "" for paper in papers]
    if sort == "submittedDate" and days != sorted(days, reverse=True):
        told.append("arXiv did not sort by date this time")
    return Page(
        papers=papers,
        total=total,
        effective_query=f"search_query={asked}&sortBy={sort}",
        warnings=[*told, *broken],
        unsupported_filters=unsupported,
    )


def _shortcomings(query: Query) -> tuple[list[str], list[str]]:
    """What the caller should know of filters that arXiv applies in part, and the names of those it cannot."""
    warnings, unsupported = [], []
    if query.journal and fold(query.journal) != "arxiv":
        warnings.append("arXiv knows a journal only where the authors typed it, so more papers of it may exist")
    if query.author and len(_names(query.author)) < len(query.author.split()):
        unsupported.append("author")  # so that the records are checked afterwards
        warnings.append("arXiv was asked for the author's name without initials")
    if query.min_citations:
        unsupported.append("min_citations")
    if query.sort not in SPEC.sorts:
        warnings.append(f"arXiv cannot sort by {query.sort}: it was asked for the most relevant papers")
    return warnings, unsupported


def _search_query(query: Query) -> str:
    """The words and filters in arXiv's language, parenthesised, for its precedence is not documented."""
    text = render(
        query.node,
        words=lambda text: _each("all", _telling(text)),
        phrase=lambda text: _term("all", text),
        not_=" ANDNOT ",
    )
    clauses = [text if isinstance(query.node, Words | Phrase) else f"({text})"]
    if query.author:
        clauses.append(_each("au", _names(query.author)))
    if query.journal and fold(query.journal) != "arxiv":
        clauses.append(_each("jr", _telling(query.journal)))
    if query.first_day or query.last_day:
        since = f"{query.first_day:%Y%m%d}0000" if query.first_day else _FIRST_MINUTE
        until = f"{query.last_day:%Y%m%d}2359" if query.last_day else _LAST_MINUTE
        clauses.append(f"submittedDate:[{since} TO {until}]")
    return " AND ".join(clauses) if len(clauses) > 1 else text


def _each(field: str, words: Sequence[str]) -> str:
    terms = [_term(field, word) for word in words]
    return terms[0] if len(terms) == 1 else f"({' AND '.join(terms)})"


def _term(field: str, text: str) -> str:
    """`all:graphene`, or a phrase: `COVID-19` -> `all:"COVID 19"`."""
    bare = " ".join(_PUNCTUATION.sub(" ", text).split())
    if not bare:
        raise UnsupportedFilter(f"arXiv cannot look for signs alone, as in {text!r}")
    return f'{field}:"{bare}"' if " " in bare else f"{field}:{bare}"


def _telling(text: str) -> list[str]:
    """The words that hold a letter or digit, without function words as long as others remain."""
    words = [word for word in text.split() if fold(word)] or [text]
    return [word for word in words if word.lower() not in QUERY_STOP_WORDS] or words


def _names(author: str) -> list[str]:
    """A person's names without initials (`JA`, `J.`), which arXiv would look for as whole names."""
    words = [word for word in re.split(r"[\s,.]+", author) if fold(word)]
    return [word for word in words if len(word) > 2 or (len(word) == 2 and not word.isupper())] or words or [author]


def _feed(params: Mapping[str, str], client: Client) -> tuple[Element, int]:
    """The feed and the number of hits; asked once more when hits are announced and none comes."""
    for last in (False, True):
        feed = client.decode_xml(client.request("GET", "/api/query", params=params, read_fault=_refusal))
        total = read_text(feed, "opensearch:totalResults") or ""
        if feed.tag != f"{{{NAMESPACES['atom']}}}feed" or not total.isdecimal():
            raise BadResponse("arXiv answered without a feed that counts its hits")
        if total == "0" or _entries(feed):
            return feed, int(total)
        if last or client.time_left() < 2 * _TURN_S:
            break
    raise Unavailable(f"arXiv announced {total} records and sent none")


def _refusal(body: bytes) -> ProviderError | None:
    """The one that has come under HTTP 200 too."""
    return RateLimited("arXiv answered: too many requests") if body.lstrip().startswith(b"Rate exceeded") else None


def _entries(feed: Element) -> list[Element]:
    """The entries, unless one is an error; a paper may be titled "Error" too, so the id tells."""
    entries = feed.findall("atom:entry", NAMESPACES)
    if any("/api/errors" in (read_text(entry, "atom:id") or "") for entry in entries):
        raise RequestRejected("arXiv calls the request invalid")
    return entries


def _read_otherwise(feed: Element, asked: str) -> list[str]:
    """A warning when the feed's title tells another query than was sent: unknown prefixes are rewritten in silence."""
    understood = re.search(r"search_query=([^&]+)", read_text(feed, "atom:title") or "")
    if understood is None or _BARE.findall(understood[1].casefold()) == _BARE.findall(asked.casefold()):
        return []
    return [f"arXiv read the query as {understood[1]}"]


def lookup(asked: Lookup, client: Client) -> Page:
    """Ask /api/query for all ids in one request; one that it does not hold is missing."""
    names: dict[str, list[str]] = {}  # by the id that is asked for
    for name in asked.names:
        number = read_arxiv(value_of(name)) if scheme_of(name) == "arxiv" else None
        if number:
            names.setdefault(_bare_id(number), []).append(name)
    if not names:
        return Page(papers=(), total=0, effective_query="")
    ids = ",".join(names)
    feed, total = _feed({"id_list": ids, "max_results": str(len(names))}, client)
    papers, told = translate(_entries(feed), read_paper)
    if len(papers) + len(told) < total:
        told.append(f"arXiv sent {len(papers) + len(told)} of the {total} records that it announced")
    known = [
        replace(paper, rank=asked.names.index(names[number][0]) + 1, asked=tuple(names[number]))
        for paper in papers
        if (number := _bare_id(paper.ids.arxiv or "")) in names
    ]
    known.sort(key=lambda paper: paper.rank)
    return Page(papers=known, total=len(known), effective_query=f"/api/query?id_list={ids}"[:200], warnings=told)


def _bare_id(number: str) -> str:
    """`math.gt/0309136` -> `math/0309136`: the subject class is no part of an old id."""
    return _SUBJECT_CLASS.sub("", number)


handler = provider_handler(SPEC, search=search, lookup=lookup)
