"""The knowledge graph as a source of papers: it saves the providers' queries where it has all requested fields."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import MergedPaper, OpenAccess, Retraction, RetractionStatus
from shared.legs.leg import FRESH_S
from shared.papers.dependencies import PaperDependencies
from shared.search.requests.search_request import Sized
from shared.search.results import unranked
from shared.search.sizes.details import COMPACT_FIELDS, RESULT_FIELDS, shows_abstract

if TYPE_CHECKING:
    from shared.answers.graph import GraphPaper, PaperState
    from shared.answers.search import StoredPaper

# The fields that the graph has. A request for any other field goes to the providers.
GRAPH_FIELDS = frozenset({
    "key", "title", "authors", "author_count", "year", "publication_date", "journal", "type", "doi", "pmid", "paper_id",
    "external_ids", "citation_count", "citation_uri", "retraction", "provider_scores", "best_provider", "best_score",
    "score", "score_parts", "is_oa",
})  # fmt: skip


def from_graph(names: Sequence[str], request: Sized, dependencies: PaperDependencies) -> dict[str, StoredPaper]:
    """The papers that the graph has with every requested field, as of the last 24 hours, by name."""
    if not names or not _requested_fields(request) <= GRAPH_FIELDS:
        return {}
    now = datetime.fromisoformat(dependencies.now())
    return {
        name: graph_result(state)
        for name, state in dependencies.known(names).items()
        if state and _is_sufficient(state["paper"], request) and _age_s(state, now) < FRESH_S
    }


def _requested_fields(request: Sized) -> frozenset[str]:
    compact = request.detail == "compact" and not request.fields
    fields = request.fields or (COMPACT_FIELDS if compact else RESULT_FIELDS)
    return frozenset(fields) - ({"abstract"} if not shows_abstract(request) else set())


def _is_sufficient(paper: PaperState, request: Sized) -> bool:
    """Whether title, authors and year are known, no requested author is missing, and the retraction status is known.

    A retraction status other than `none` is sufficient only with its notice.
    """
    retraction = paper["retraction"]
    all_authors = request.detail == "full" and "authors" in _requested_fields(request)
    truncated = all_authors and len(paper["authors"]) != paper["author_count"]
    status_known = retraction["status"] == "none" or (retraction["status"] != "unknown" and retraction["notice_doi"])
    return bool(paper["title"] and paper["authors"] and paper["year"] and status_known and not truncated)


def _age_s(state: GraphPaper, now: datetime) -> float:
    return (now - datetime.fromisoformat(state["seen_at"])).total_seconds()


def graph_result(state: GraphPaper) -> StoredPaper:
    """The graph's paper in the form of a result. Fields outside GRAPH_FIELDS are empty, and no answer shows them."""
    paper, retraction = state["paper"], state["paper"]["retraction"]
    known = MergedPaper(
        key=state["key"],
        citation_uri=paper["citation_uri"],
        title=paper["title"],
        records=(),
        ids=Identifiers(**paper["external_ids"]),
        author_count=paper["author_count"],
        year=paper["year"],
        publication_date=paper["publication_date"],
        journal=paper["journal"],
        type=paper["type"],
        citation_count=paper["citation_count"],
        open_access=OpenAccess(is_oa=paper.get("is_oa")),
        retraction=Retraction(
            status=RetractionStatus(retraction["status"]),
            notice_doi=retraction["notice_doi"],
            date=retraction["date"],
            notice_pmid=retraction.get("notice_pmid"),
        ),
    )
    result = unranked(known)
    result["authors"] = paper["authors"]  # only as they are displayed: the graph has no parts of their names
    del result["author_parts"]
    return result
