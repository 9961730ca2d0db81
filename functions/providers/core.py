"""CORE: 370 million records of fifteen thousand repositories, with the copies that authors archived there.

Manual: https://api.core.ac.uk/docs/v3
Limits: a key in effect, since anonymous requests are refused; 1,000 requests a day, ten a minute with an academic key.
Oddities: a page of a hundred works takes half a minute and one of two hundred is a 504, so a page has 25. The full text
of every hit comes with it unless `exclude` says no, which only a POST can. A GET needs a slash at the end of its path,
or is redirected. A 429 states the end of the wait as a time, in `X-RateLimit-Retry-After`. `authors:"X"` widens a
search; `authors.name:"X"` narrows it. A DOI may have many works, which crowd out those of other DOIs in a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.paper import Paper
from shared.bibliography.paper_ids import id_texts, scheme_of, value_of
from shared.errors import BadResponse, ProviderError
from shared.json_types import read_count
from shared.providers.core_syntax import author_clause, query_text, quoted
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.core import read_paper
from shared.providers.relaxation import MIN_TIME_S
from shared.providers.written_terms import nothing_to_search_for
from shared.query.query import Query
from shared.query.question import Lookup
from shared.query.syntax import leaves
from shared.query.wildcards import left_out_wildcards

SPEC = ProviderSpec(
    name="core",
    title="CORE",
    manual="https://api.core.ac.uk/docs/v3",
    base_url="https://api.core.ac.uk",
    family="core",
    filters=frozenset({"date", "author", "operators"}),
    compares_years=True,
    disciplines=frozenset(),
    optional=True,
    needs_key=True,
    operations={"search": (), "lookup": ("doi", "arxiv")},
    lookup_names=12,
    page_limit=25,
    requests_per_second=1 / 6,
    requests_per_day=1_000,
    concurrency=1,
)
_WORKS = "/v3/search/works"
_MOST_REQUESTS = 3  # of one lookup: a day has a thousand
_FIELDS = {"doi": "doi", "arxiv": "arxivId"}


def search(query: Query, client: Client) -> Page:
    """Query /search/works for the words in records and full texts."""
    clauses = [clause for clause in (query_text(query), *_filters(query)) if clause]
    if not clauses:
        raise nothing_to_search_for(SPEC.title, query)
    text, limit = " AND ".join(clauses), min(query.limit, SPEC.page_limit)
    works, total = _found(text, limit, client)
    papers, broken = translate(works, read_paper)
    warnings = [*left_out_wildcards(SPEC.title, query.node), *broken]
    if excluded := any(leaves(query.node, excluded=True)):
        warnings.append("CORE was not sent the excluded words: the records are checked afterwards")
    in_part = ["operators"] if excluded or left_out_wildcards(SPEC.title, query.node) else []
    return Page(
        papers=papers, total=total, effective_query=text, warnings=warnings,
        unsupported_filters=in_part,
        partial=is_partial(len(works), len(broken), min(total or 0, limit)),
    )  # fmt: skip


def _filters(query: Query) -> Iterator[str | None]:
    """The conditions for the dates, of which CORE compares the years, and for the authors."""
    if query.first_day:
        yield f"yearPublished>={query.first_day.year}"
    if query.last_day:
        yield f"yearPublished<={query.last_day.year}"
    yield from map(author_clause, query.people)


def _found(text: str, limit: int, client: Client) -> tuple[Sequence[Mapping[str, Any]], int | None]:
    """The works of a query without their full texts, and how many CORE counts."""
    body = client.post_json(
        _WORKS, {"q": text, "limit": limit, "offset": 0, "exclude": ["fullText"]}, authorization=f"Bearer {client.key}"
    )
    works = body.get("results") if isinstance(body, Mapping) else None
    if not isinstance(works, list):
        raise BadResponse("CORE answered without a list of works")
    return works, read_count(body.get("totalHits"))


@dataclass(frozen=True, slots=True)
class _LookupAnswer:
    """One request for the works of names: what it found, and how many of the works that CORE counts it did not send."""

    text: str
    papers: Mapping[str, Paper]
    left: Sequence[str]  # names without a work
    broken: Sequence[str]
    not_sent: int

    @property
    def is_cut(self) -> bool:
        """Whether works of names that were found may have kept out those of others."""
        return bool(self.papers and self.left and self.not_sent)


def lookup(request: Lookup, client: Client) -> Page:
    """Query /search/works for all names at once, and again for those that the works of others left no room in the page.

    Of several works of one name, the first that has a copy. Names that still had no room got no answer.
    """
    looked = [_looked(request.names, client)]
    failure: list[str] = []
    while looked[-1].is_cut and len(looked) < _MOST_REQUESTS and client.time_left() >= MIN_TIME_S and not failure:
        try:
            looked.append(_looked(looked[-1].left, client))
        except ProviderError as error:
            failure = [f"a further request for the names without an answer failed: {error.message}"]
    found = {name: paper for part in looked for name, paper in part.papers.items()}
    broken = [warning for part in looked for warning in part.broken]
    not_sent = looked[-1].not_sent if looked[-1].left else 0
    return Page(
        papers=[replace(found[it], rank=at, asked=(it,)) for at, it in enumerate(request.names, 1) if it in found],
        total=len(found), effective_query=" ; then: ".join(part.text for part in looked)[:400],
        warnings=[*broken, *failure], partial=bool(not_sent) or is_partial(len(found), len(broken)),
        unread=len(broken) + not_sent,
    )  # fmt: skip


def _looked(names: Sequence[str], client: Client) -> _LookupAnswer:
    text = " OR ".join(f"{_FIELDS[scheme_of(name)]}:{quoted(value_of(name))}" for name in names)
    works, total = _found(text, SPEC.page_limit, client)
    papers, broken = translate(works, read_paper)
    papers.sort(key=lambda paper: not paper.open_access.is_oa)
    found = {it: paper for it in names if (paper := next((p for p in papers if it in id_texts(p.ids)), None))}
    left = [name for name in names if name not in found]
    return _LookupAnswer(text, found, left, broken, max(0, (total or 0) - len(works)))


handler = provider_handler(SPEC, search=search, lookup=lookup)
