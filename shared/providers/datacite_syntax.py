"""How DataCite is searched: the query of Elasticsearch's `query_string`, and the parameters that filter.

Manual: https://support.datacite.org/docs/api-queries, server: datacite/lupo, app/models/doi.rb and
app/controllers/datacite_dois_controller.rb.

All words are required, in any of eight fields (titles, creators, descriptions, subjects …), without stemming or stop
words. What is written without an operator between must stand in one field, so that there is an AND between any two
words. AND and OR have no precedence: every group has parentheses. A slash is escaped by the server itself, also one
that is escaped already, which then begins a regular expression. A query that cannot be parsed is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from shared.bibliography.dates import FIRST_YEAR, LAST_YEAR
from shared.bibliography.languages import codes_within, read_language, three_letter_code
from shared.bibliography.paper_ids import read_id, scheme_of, value_of
from shared.bibliography.typed_names import PersonName, read_person
from shared.errors import UnsupportedFilter
from shared.providers.records.datacite import TEXT, TYPES
from shared.providers.written_terms import grouped, left_out_field
from shared.query.field_tags import Field
from shared.query.greek import spellings
from shared.query.query import Query
from shared.query.syntax import (
    All,
    Leaf,
    Phrase,
    Tagged,
    has_truncated_phrase,
    is_truncated_phrase,
    leaves,
    render,
)
from shared.query.tagged_dates import read_date_range
from shared.query.telling_words import most_telling, telling_words
from shared.query.wildcards import is_truncated

MOST_WORDS = 12
WIDER_WORDS = 4
SORTS = {"relevance": "relevance", "citations": "-citation-count", "date": "-published"}
_QUERY_BYTES = 4000  # of a query, escaped: with the rest of the URL that is less than the 8 KB of web servers
_SIGNS = str.maketrans(dict.fromkeys('+-=&|!(){}[]^"~*?:\\/<>', " "))
_OPERATORS = ("AND", "OR", "NOT", "TO")
# The server's field for a term that is tagged in another syntax; "" for any field.
_FIELDS: dict[Field, str] = {
    "title": "titles.title", "abstract": "descriptions.description", "keyword": "subjects.subject",
    "mesh": "subjects.subject", "affiliation": "creators.affiliation.name", "title_abstract": "", "all_text": "",
}  # fmt: skip


def strict_query(query: Query) -> str:
    """The words in any field, or the whole as a title, with the filters that are clauses. Raises UnsupportedFilter."""
    understood = query.understood
    if understood.kind == "none":
        return _fitting("", query)
    if understood.kind == "expression":
        return _fitting(_expression(query), query)
    words = _all_of(most_telling(query.telling, MOST_WORDS)) or ""
    title = _phrase(understood.title) if understood.title else None
    return _fitting(f"(titles.title:{title} OR {words})" if title else words, query)


def wider_query(query: Query) -> str | None:
    """Fewer words, the most telling ones; None if there are no fewer, or if the query is no plain text."""
    if query.sort != "relevance" or query.understood.kind in ("none", "expression"):
        return None
    words = most_telling(query.telling, WIDER_WORDS)
    return _fitting(_all_of(words) or "", query) if words and len(words) < len(query.telling) else None


def filter_parameters(query: Query) -> dict[str, str]:
    """Years, types and citations as parameters; of types, those that texts may be are searched among all texts."""
    found: dict[str, str] = {}
    if query.first_day or query.last_day:
        first = query.first_day.year if query.first_day else FIRST_YEAR
        last = query.last_day.year if query.last_day else LAST_YEAR
        found["published"] = f"{first},{last}"
    if query.publication_types and "other" not in query.publication_types:
        found["resource-type-id"] = ",".join(_type_ids(query.wanted_types))
    if query.min_citations:
        found["has-citations"] = str(query.min_citations)
    return found


def applied_in_part(query: Query) -> list[str]:
    """The filters that a request applies in part only, so that records without the data do not count as checked."""
    in_part = {
        "publication_types": bool(set(query.publication_types) - {"dataset"}),
        "operators": has_truncated_phrase(query.node),
    }
    return [name for name, is_in_part in in_part.items() if is_in_part]


def limitations(query: Query) -> list[str]:
    """Warnings about terms of an expression that could not be written as they were meant."""
    found: list[Leaf] = [*leaves(query.node), *leaves(query.node, excluded=True)]
    tags = [leaf for leaf in found if isinstance(leaf, Tagged) and _tagged(leaf) is None]
    phrases = [leaf for leaf in found if is_truncated_phrase(leaf)]
    return [left_out_field("DataCite", leaf) for leaf in tags] + [
        f"DataCite has no wildcards in phrases: the words of {leaf.text[:60]} are checked" for leaf in phrases
    ]


def _type_ids(types: Iterable[str]) -> list[str]:
    """The ids of the general types: `JournalArticle` -> `journal-article`. A text may be of any type but a data set."""
    wanted = set(types)
    general = [theirs for theirs, ours in TYPES.items() if ours in wanted] + ([TEXT] if wanted - {"dataset"} else [])
    return ["".join(f"-{it.lower()}" if it.isupper() else it for it in name).strip("-") for name in general]


def _fitting(terms: str, query: Query) -> str:
    """The terms with the clauses of filters. Raises UnsupportedFilter if they do not fit into a URL."""
    people = [clause for clause in map(_author, query.people) if clause]
    clauses = [terms, *people, *([_language(query.language)] if query.language else [])]
    text = " AND ".join(clause for clause in clauses if clause)
    if len(quote(text, safe="")) > _QUERY_BYTES:
        raise UnsupportedFilter("the expression is too long for DataCite's URLs: write fewer terms")
    return text


def _expression(query: Query) -> str:
    """The tree with every operator's terms in parentheses. Raises UnsupportedFilter if none of them can be searched."""
    return render(
        All((query.node,)), words=lambda text: _all_of(telling_words(text)), phrase=_phrase_or_words, tagged=_tagged
    )


def _phrase_or_words(text: str) -> str | None:
    if is_truncated_phrase(Phrase(text)):
        return _all_of(text.split())
    return grouped("OR", filter(None, map(_phrase, spellings(text)))) or None


def _phrase(text: str) -> str | None:
    words = " ".join(text.translate(_SIGNS).split())
    return f'"{words}"' if words else None


def _all_of(words: Iterable[str]) -> str | None:
    """Every word, in its other spelling as well; in parentheses if there are several."""
    parts = [part for word in words for part in _parts(word)]
    return grouped("AND", (grouped("OR", spellings(part)) for part in parts)) or None


def _parts(word: str) -> list[str]:
    """The words that the index has for one word: `off-target` -> `off`, `target`; a `*` at the end stays."""
    parts = [part.lower() if part in _OPERATORS else part for part in word.translate(_SIGNS).split()]
    parts = [part for part in parts if any(sign.isalnum() for sign in part)]
    is_prefix = is_truncated(word) and parts and len(parts[-1]) > 1
    return [*parts[:-1], f"{parts[-1]}*"] if is_prefix else parts


def _tagged(leaf: Tagged) -> str | None:
    """The term in the server's field; None if it has no such field."""
    match leaf.field:
        case "author":
            return _author(read_person(leaf.text))
        case "language":
            return _language(code) if (code := read_language(leaf.text)) else None
        case "date":
            days = read_date_range(leaf.text)
            return f"publicationYear:[{days[0].year} TO {days[1].year}]" if days else None
        case "id":
            name = read_id(leaf.text) or ""
            doi = _phrase_of_id(value_of(name)) if name and scheme_of(name) == "doi" else None
            return f"doi:{doi}" if doi else None
    if leaf.field not in _FIELDS:
        return None
    text = _phrase_or_words(leaf.text) if leaf.phrase else _all_of(telling_words(leaf.text))
    name = _FIELDS[leaf.field]
    return f"{name}:{text}" if name and text else text


def _phrase_of_id(doi: str) -> str | None:
    return None if set(doi) & set('"\\') else f'"{doi}"'


def _author(readings: Sequence[PersonName]) -> str | None:
    """Any reading of a name: the family name, and the given name or its initial. They may be of two creators."""
    if readings and (orcid := readings[0].orcid):
        return f'creators.nameIdentifiers.nameIdentifier:"https://orcid.org/{orcid}"'
    forms = []
    for person in readings:
        family = _all_of([person.family])
        given = (person.given or "").partition(" ")[0]
        others = [part for name in (given, person.initials[:1]) for part in _parts(name)]
        if family:
            forms.append(f"({family} AND {grouped('OR', others)})" if given and others else family)
    return f"creator_names:{grouped('OR', forms)}" if forms else None


def _language(code: str) -> str:
    """Codes of two letters; those of three are in records older than this rule of the server."""
    return f"language:({' OR '.join((code, three_letter_code(code), *codes_within(code)))})"
