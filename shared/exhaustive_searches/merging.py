"""The last step of an exhaustive search: all records merged and filtered, and the counts of what was found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from shared.bibliography.paper import MergedPaper
from shared.canonical_json import compact_json
from shared.exhaustive_searches.progress import ExhaustiveSearch, Found, SearchStore, Source
from shared.exhaustive_searches.request import request_of
from shared.exhaustive_searches.steps import page_part
from shared.legs.leg import Leg
from shared.outcomes import Outcome
from shared.providers.encoded_replies import read_encoded
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.search.filtering.filters import COSTLY, verdict_of
from shared.search.ranked_set import merged_of
from shared.search.results import unranked

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper

BLOCK = 100  # papers in one part


def papers_part(block: int, version: int) -> str:
    """The name of the part that holds a block of papers."""
    return f"papers#{block}#{version}"


def merge_all(
    search: ExhaustiveSearch, store: SearchStore, tracks_integrity: Collection[str]
) -> ExhaustiveSearch | None:
    """Merge what was read, and store the papers that pass the filters; None if another worker was faster."""
    request, progress = request_of(search.request), search.progress
    queries = [request.leg_query(text) for text in request.wordings]
    legs = [Leg(source.provider, queries[source.wording], source.wording) for source in progress.sources]
    replies = [_whole_reply(search, number, store) for number in range(len(legs))]
    merged, applied = merged_of(legs, replies, tracks_integrity)
    searched = [queries[number] for number, _ in request.searched]
    passed, excluded, undecided = _passed(merged, searched, applied)
    version = progress.version + 1
    for block in range((len(passed) + BLOCK - 1) // BLOCK):
        shown = [_stored(paper) for paper in passed[block * BLOCK : (block + 1) * BLOCK]]
        store.put(search, papers_part(block, version), compact_json(shown).encode())
    found = Found(papers=len(merged), passed=len(passed), excluded=excluded, undecided=undecided, version=version)
    after = replace(progress, found=found, version=version)
    return replace(search, progress=after) if store.change(search, after) else None


def papers_of(search: ExhaustiveSearch, store: SearchStore, start: int, count: int) -> list[StoredPaper]:
    """The papers that were found from the number `start` on, at most `count`; none before the end."""
    found = search.progress.found
    if found is None or start >= found.passed or count <= 0:
        return []
    end = min(found.passed, start + count)
    blocks = range(start // BLOCK, (end - 1) // BLOCK + 1)
    parts = store.parts(search, [papers_part(block, found.version) for block in blocks])
    papers = [cast("StoredPaper", paper) for part in parts for paper in json.loads(part)]
    first = start - blocks[0] * BLOCK
    return papers[first : first + end - start]


def _whole_reply(search: ExhaustiveSearch, number: int, store: SearchStore) -> ProviderReply:
    """All pages of a source as one reply, with the records in their order, up to its bound."""
    source = search.progress.sources[number]
    names = [page_part(number, page, version) for page, version in enumerate(source.pages)]
    pages = [read_encoded(store.parts(search, [name])[0]) for name in names]
    papers = [paper for page in pages for paper in page.papers][: source.records]
    return ProviderReply(
        provider=source.provider,
        family=pages[0].family if pages else source.provider,
        outcome=_outcome(source),
        papers=tuple(replace(paper, rank=rank) for rank, paper in enumerate(papers, start=1)),
        applied_filters=source.applied_filters,
    )


def _outcome(source: Source) -> Outcome:
    """That of its last page: what a source has not sent of its papers may hold a retraction."""
    return source.outcome or Outcome.UNAVAILABLE


def _passed(
    merged: Sequence[MergedPaper], queries: Sequence[Query], applied: Mapping[str, frozenset[str]]
) -> tuple[list[MergedPaper], Counter[str], Counter[str]]:
    """The papers that pass the filters of one wording; of the others, how many each filter excludes or cannot judge."""
    passed: list[MergedPaper] = []
    excluded: Counter[str] = Counter()
    undecided: Counter[str] = Counter()
    for paper in merged:
        reasons = [_reason(paper, query, applied) for query in queries]
        if None in reasons:
            passed.append(paper)
            continue
        name, is_known = next(it for it in reasons if it)
        (excluded if is_known else undecided)[name] += 1
    return passed, excluded, undecided


def _reason(paper: MergedPaper, query: Query, applied: Mapping[str, frozenset[str]]) -> tuple[str, bool] | None:
    """The first filter that a paper does not pass, and whether that is known; None if it passes all."""
    unknown = None
    for name in sorted(query.filters, key=lambda it: it in COSTLY):
        verdict = verdict_of(name, paper, query, applied)
        if verdict is False:
            return name, True
        if verdict is None and unknown is None:
            unknown = name
    return (unknown, False) if unknown else None


def _stored(paper: MergedPaper) -> StoredPaper:
    """The paper in full, without the lists of what it cites, which no page or file shows."""
    stored = unranked(paper)
    stored["references"] = {}
    return stored
