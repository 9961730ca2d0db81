"""Crossref's query parameters: filters, the limits of their effect, and the words of a citation.

Manual: https://www.crossref.org/documentation/retrieve-metadata/rest-api
"""

from __future__ import annotations

from shared.bibliography.dates import is_first_of_january
from shared.errors import UnsupportedFilter
from shared.providers.records.crossref import TYPES
from shared.providers.records.crossref_references import read_author
from shared.query.query import Query
from shared.query.question import Citation
from shared.query.syntax import has_operators

_MAX_CITATION_CHARS = 500  # keeps the URL short enough in any script
_SEARCHED_AS_ARTICLES = {
    "review", "systematic-review", "meta-analysis", "editorial", "letter", "clinical-trial",
    "randomized-controlled-trial", "erratum", "retraction-notice",
}  # fmt: skip


def filter_values(query: Query) -> list[str]:
    """The values of `filter`: Crossref joins different filters by AND, several values of one filter by OR."""
    wanted = set(query.publication_types) or set(TYPES.values()) - {"dataset", "other"}
    found = [f"{end}-pub-date:{day}" for end, day in (("from", query.first_day), ("until", query.last_day)) if day]
    found += ["has-license:true"] if query.open_access else []
    found += ["is-update:true"] if wanted <= {"erratum", "retraction-notice"} else []
    if wanted & _SEARCHED_AS_ARTICLES:
        wanted.add("journal-article")
    if query.exclude_preprints:
        wanted.discard("preprint")
    if not wanted:
        raise UnsupportedFilter("only preprints are wanted, and preprints are excluded")
    return found + [f"type:{theirs}" for theirs, ours in TYPES.items() if ours in wanted]


def limitations(query: Query) -> list[str]:
    """Warnings about filters that Crossref applies in part."""
    unknown = sorted(_SEARCHED_AS_ARTICLES.intersection(query.publication_types))
    from_within_a_year = query.first_day and not is_first_of_january(query.first_day.isoformat())
    warnings = {
        "does not support phrases, AND, OR, NOT: the wanted words were sent as plain ones": has_operators(query.node),
        "ranks by author and journal but does not filter by them: the records are checked afterwards": query.author
        or query.journal,
        "knows open access only where a Creative Commons licence is recorded": query.open_access,
        "dates papers of which it has only the year 1 January": from_within_a_year,
        f"has no type for {', '.join(unknown)}: journal articles were searched": unknown,
        "was searched by relevance: any word is a hit, so another order would mislead": query.sort != "relevance",
    }
    return [f"Crossref {text}" for text, applies in warnings.items() if applies]


def citation_words(citation: Citation) -> str:
    """Title, family names, journal and year; without a title the text as written, else volume and pages as well."""
    if citation.text and not citation.title:
        return " ".join(citation.text.split())[:_MAX_CITATION_CHARS]
    authors = [author.family or author.name for text in citation.authors[:5] if (author := read_author(text))]
    location = [] if citation.title else [citation.volume, citation.pages]
    words = [citation.title, *authors, citation.journal, str(citation.year or ""), *location]
    return " ".join(" ".join(filter(None, words)).split())[:_MAX_CITATION_CHARS]
