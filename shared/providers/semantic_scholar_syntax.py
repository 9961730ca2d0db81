"""Semantic Scholar's query parameters: words without operators, filters, and the ids of papers.

Manual: https://api.semanticscholar.org/api-docs/graph
"""

from __future__ import annotations

from shared.bibliography.paper_ids import scheme_of, value_of
from shared.providers.records.semantic_scholar import TYPES
from shared.query.query import Query
from shared.query.syntax import has_operators

# The prefix of an id in the API, by this service's id scheme.
ID_PREFIXES = {
    "s2": "", "doi": "DOI:", "pmid": "PMID:", "pmcid": "PMCID:", "arxiv": "ARXIV:", "corpus": "CorpusId:",
}  # fmt: skip
_HYPHENS = str.maketrans(dict.fromkeys("-\u2010\u2011\u2012\u2013\u2014\u2212", " "))


def plain_words(text: str) -> str:
    """The words of a text, without hyphens: the search finds nothing for words with one."""
    return " ".join(text.translate(_HYPHENS).split())


def filter_parameters(query: Query) -> tuple[dict[str, str], list[str], list[str]]:
    """The parameters of the filters, the names of filters that were not sent, and warnings."""
    found: dict[str, str] = {}
    unsupported: list[str] = []
    warnings: list[str] = []
    if query.first_day or query.last_day:
        found["publicationDateOrYear"] = f"{query.first_day or ''}:{query.last_day or ''}"
    if query.journal and "," in query.journal:  # the separator of venues, which cannot be escaped
        unsupported.append("journal")
        warnings.append("Semantic Scholar cannot filter by a journal with a comma in its name")
    elif query.journal:
        found["venue"] = query.journal
        warnings.append("Semantic Scholar knows a journal by its full name or ISO 4 abbreviation only")
    if query.author:
        warnings.append("Semantic Scholar cannot filter by author: its records are checked afterwards")
    if query.open_access:
        found["openAccessPdf"] = ""  # a flag: it takes no value
    if query.min_citations:
        found["minCitationCount"] = str(query.min_citations)
    if query.publication_types:
        unknown = sorted(set(query.publication_types) - set(TYPES.values()))
        if unknown:
            unsupported.append("publication_types")
            warnings.append(f"Semantic Scholar has no type for {', '.join(unknown)}: all types were searched")
        else:
            kinds = [theirs for theirs, ours in TYPES.items() if ours in query.wanted_types]
            found["publicationTypes"] = ",".join(kinds)
    if query.exclude_retracted:
        unsupported.append("exclude_retracted")
    if has_operators(query.node):
        unsupported.append("operators")
        warnings.append(
            "Semantic Scholar does not support phrases, AND, OR, NOT: the wanted words were sent as plain ones"
        )
    if query.sort != "relevance":
        warnings.append("Semantic Scholar orders by relevance only")
    return found, unsupported, warnings


def api_id(name: str) -> str:
    """`pmcid:PMC123` -> `PMCID:123`."""
    return ID_PREFIXES[scheme_of(name)] + value_of(name).removeprefix("PMC")
