"""OpenCitations: two billion open citations from Crossref, PubMed and others, as pairs of ids in both directions.

Manual: https://api.opencitations.net/index/v2
Limits: 180 requests a minute; a token is recommended, not required. No pages: a list is sent whole, up to 200,000 pairs
(`index_v2.hf` of opencitations/api), which for a much cited paper take longer than a leg has. So its citations are
counted first.
Oddities: all values are texts, and a paper is all of its ids in one text, `omid:br/062 doi:10.1000/x pmid:1` (a bare
DOI in version 1), which may be empty or without an id that other services use. An article and its preprint may be one
paper with two DOIs. There are no titles. An unknown paper has an empty list, like one that cites nothing. A number is
looked up among the ids of all kinds, so that a PMID may bring the list of another paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.identifiers import (
    Identifiers,
    arxiv_of_doi,
    read_arxiv,
    read_doi,
    read_openalex,
    read_pmcid,
    read_pmid,
)
from shared.bibliography.paper import Pointer
from shared.bibliography.paper_ids import identifiers_of
from shared.errors import BadResponse, Unavailable
from shared.json_types import read_count
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec
from shared.providers.url_parts import in_path
from shared.query.question import Links

SPEC = ProviderSpec(
    name="opencitations",
    title="OpenCitations",
    manual="https://api.opencitations.net/index/v2",
    base_url="https://api.opencitations.net",
    family="opencitations",
    sorts=frozenset(),
    disciplines=frozenset(),
    operations={"references": ("doi", "pmid"), "citations": ("doi", "pmid")},
    requests_per_second=3.0,
    memory_mb=512,  # the pairs of a much cited paper
)

_READERS: Mapping[str, Callable[[str], str | None]] = {
    "doi": read_doi, "pmid": read_pmid, "pmcid": read_pmcid, "arxiv": read_arxiv, "openalex": read_openalex,
}  # fmt: skip
MOST_CITATIONS = 20_000  # of a list: about 6 MB, and the most that comes within a leg's time
_MAX_QUERY_CHARS = 200


def references(request: Links, client: Client) -> Page:
    """Query /references/{id} once: the papers that this one cites, by their ids."""
    return _links(request, client, near="citing", far="cited")


def citations(request: Links, client: Client) -> Page:
    """Query /citation-count/{id}, then /citations/{id}: the papers that cite this one, by their ids.

    Raises Unavailable if there are more than MOST_CITATIONS; their list is not requested.
    """
    count = _count(_get("citation-count", request, client))
    if count > MOST_CITATIONS:
        limit = f"more than the {MOST_CITATIONS} that it can send in time"
        raise Unavailable(f"OpenCitations has {count} citations of this paper, {limit}: its list was not requested")
    return _links(request, client, near="cited", far="citing", known_empty=count == 0)


def _get(operation: str, request: Links, client: Client) -> Any:
    path = in_path(f"/index/v2/{operation}/{request.name}")
    return client.get_json(path, authorization=client.key or "")


def _count(body: Any) -> int:
    """The number in `[{"count": "34"}]`. Raises BadResponse for another form."""
    match body:
        case [{"count": str(text)}] if (count := read_count(text)) is not None:
            return count
    raise BadResponse("OpenCitations answered without a count of citations")


def _links(request: Links, client: Client, *, near: str, far: str, known_empty: bool = False) -> Page:
    path = f"/index/v2/{request.operation}/{request.name}"
    pairs, warnings = _pairs([] if known_empty else _get(request.operation, request, client))
    own = [pair for pair in pairs if not pair[near] or request.name in _names(pair[near])]
    if len(own) < len(pairs):
        warnings.append(f"{len(pairs) - len(own)} of {len(pairs)} pairs belong to another paper and were left out")
    ends = [(rank, identifiers_of(_names(pair[far]))) for rank, pair in enumerate(own, start=1)]
    pointers = [Pointer(rank, ids) for rank, ids in ends if ids != Identifiers()]
    if len(pointers) < len(ends):
        warnings.append(f"{len(ends) - len(pointers)} of {len(ends)} papers have no id that other services use")
    if not pairs:
        warnings.append(f"OpenCitations knows no {request.operation} of this paper, or does not know the paper")
    return Page(
        papers=(),
        pointers=pointers[: request.limit],
        total=len(own),
        effective_query=path[:_MAX_QUERY_CHARS],
        warnings=warnings,
    )


def _pairs(body: Any) -> tuple[list[Mapping[str, str]], list[str]]:
    """The pairs of a list. Raises BadResponse for another form, or if none of the items is a pair."""
    if not isinstance(body, list):
        raise BadResponse("OpenCitations answered without a list of citations")
    pairs = [item for item in body if _is_pair(item)]
    if body and not pairs:
        raise BadResponse(f"none of {len(body)} items of OpenCitations is a citation")
    broken = len(body) - len(pairs)
    return pairs, [f"{broken} of {len(body)} items are not citations and were skipped"] if broken else []


def _is_pair(item: Any) -> bool:
    return isinstance(item, Mapping) and all(isinstance(item.get(end), str) for end in ("citing", "cited"))


def _names(end: str) -> list[str]:
    """All ids at one end of a pair, in order; an id without scheme is a DOI, as in version 1."""
    found: list[str] = []
    for text in end.split():
        scheme, _, value = text.partition(":")
        if scheme.lower() not in _READERS:
            scheme, value = "doi", text
        if known := _READERS[scheme.lower()](value):
            found.append(f"{scheme.lower()}:{known}")
        if arxiv := arxiv_of_doi(read_doi(value)):
            found.append(f"arxiv:{arxiv}")
    return found


handler = provider_handler(SPEC, references=references, citations=citations)
