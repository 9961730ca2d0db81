"""PubMed's similar articles: those with the most words in common, weighted by how telling they are.

https://www.ncbi.nlm.nih.gov/books/NBK3827/#pubmedhelp.Computation_of_Similar_Articl: elink has them with their scores;
the paper itself is the first of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Pointer
from shared.bibliography.paper_ids import value_of
from shared.providers.fused_lists import fused_order
from shared.providers.provider import Page
from shared.providers.pubmed_requests import SIMILAR, fetch_papers, fetch_similar
from shared.query.question import Similar

if TYPE_CHECKING:
    from shared.providers.http_client import Client


def similar_page(request: Similar, client: Client, effective_query: Callable[[str, Sequence[str], str], str]) -> Page:
    """The similar papers of one, by their scores; of several, by their ranks in the lists of all."""
    like, unlike = [*map(value_of, request.names)], [*map(value_of, request.unlike)]
    scored = fetch_similar([*like, *unlike], client)
    lists = {pmid: sorted(found, key=lambda other: (-found[other], -int(other))) for pmid, found in scored.items()}
    order = fused_order([lists.get(pmid, []) for pmid in like], [lists.get(pmid, []) for pmid in unlike])
    seeds = {*like, *unlike}
    pmids = [pmid for pmid in order if pmid not in seeds][: request.limit]
    papers, warnings, _ = fetch_papers(pmids, client) if pmids else ([], [], 0)
    rank_of = {pmid: rank for rank, pmid in enumerate(pmids, start=1)}
    found = [replace(paper, rank=rank_of[pmid]) for paper in papers if (pmid := paper.ids.pmid or "") in rank_of]
    with_record = {paper.ids.pmid for paper in found}
    if missing := [pmid for pmid in [*like, *unlike] if pmid not in scored]:
        warnings.append(f"PubMed names no paper similar to PMID {', '.join(missing)[:200]}, or does not hold it")
    own = scored.get(like[0], {}) if len(seeds) == 1 else {}
    return Page(
        papers=found,
        pointers=[Pointer(rank_of[it], Identifiers(pmid=it)) for it in pmids if it not in with_record],
        total=len(order),
        effective_query=effective_query("elink", [*like, *unlike], f"&cmd=neighbor_score&linkname={SIMILAR}"),
        warnings=warnings,
        scores=[own[pmid] for pmid in pmids] if own else (),
    )
