"""Europe PMC's query syntax: Lucene's, with fields.

Fields: https://europepmc.org/searchsyntax. A word without a field is looked for in full texts, so words go to
`TITLE_ABS:(…)`, and without a field only where that finds few papers. All words are required, also those of grammar.
With `synonym=true` the service adds synonyms of MeSH and UniProt to words without quotation marks, as its website does.
Operators of different kinds stand in parentheses of their own: `a AND b OR c` would require a alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from shared.bibliography.journal_names import journal_names
from shared.bibliography.languages import read_language, three_letter_code
from shared.bibliography.paper_ids import read_id, scheme_of, value_of
from shared.bibliography.text import fold
from shared.bibliography.typed_names import PersonName, read_person
from shared.providers.records.europe_pmc import TYPES
from shared.providers.written_terms import grouped, left_out_field
from shared.query.field_tags import Field
from shared.query.greek import spellings
from shared.query.pubmed_tags import check_tag, has_subheading, is_open_access
from shared.query.query import Query
from shared.query.syntax import OPERATORS, All, Tagged, leaves, render
from shared.query.tagged_dates import read_date_range
from shared.query.telling_words import most_telling, telling_words

MOST_WORDS = 12
WIDER_WORDS = 4
_SYNTAX = '&|!(){}[]^~*?:\\/"'  # of the query language; `+` and `-` only in front of a word
_TRUNCATED = re.compile(r"[^\W_]{2,}\*")
_RANGE = re.compile(r"[\w*-]{1,20} TO [\w*-]{1,20}")
# The service's field for a term that is tagged in another syntax.
_FIELDS: dict[Field, str] = {
    "title": "TITLE", "abstract": "ABSTRACT", "title_abstract": "TITLE_ABS", "mesh": "MESH",
    "keyword": "KW", "affiliation": "AFF", "all_text": "", "type": "PUB_TYPE",
}  # fmt: skip
_OWN_NAMES = {"YEAR": "PUB_YEAR", "YEAR_PUBLISHED": "PUB_YEAR"}  # names that people write for the service's own


def strict_terms(query: Query) -> str:
    """The words in titles and abstracts, or the whole as a title; "" if only filters say what to search for."""
    understood = query.understood
    if understood.kind == "none":
        return ""
    if understood.kind == "expression":
        return _expression(query, "TITLE_ABS")
    words = _in_field("TITLE_ABS", most_telling(query.telling, MOST_WORDS)) or ""
    return f"(TITLE:{quoted(understood.title)} OR {words})" if understood.title else words


def wider_terms(query: Query) -> str | None:
    """The most telling words, or the expression, in full texts; None if that is not wider or would be off topic."""
    if query.sort != "relevance" or query.understood.kind == "none" or any(leaves(query.node, excluded=True)):
        return None
    if query.understood.kind != "expression":
        return _in_field("", most_telling(query.telling, WIDER_WORDS))
    text = _expression(query, "")
    return text if text != strict_terms(query) else None


def _expression(query: Query, scope: str) -> str:
    """The tree with every operator's terms in parentheses. Raises UnsupportedFilter if the service has none of them."""
    return render(
        All((query.node,)),
        words=lambda text: _in_field(scope, telling_words(text)),
        phrase=lambda text: _with_field(scope, grouped("OR", map(quoted, spellings(text)))) if fold(text) else None,
        tagged=_tagged,
    )


def limitations(query: Query) -> list[str]:
    """Warnings about field tags without an equal."""
    found = [*leaves(query.node), *leaves(query.node, excluded=True)]
    tags = [leaf for leaf in found if isinstance(leaf, Tagged) and _tagged(leaf) is None]
    below = [leaf.written for leaf in found if isinstance(leaf, Tagged) and has_subheading(leaf)]
    return [
        *(left_out_field("Europe PMC", leaf) for leaf in tags),
        *(f"Europe PMC has no subheadings: of {written} only the heading was searched for" for written in below),
    ]


def _in_field(name: str, words: Iterable[str]) -> str | None:
    terms = [grouped("OR", map(_term, spellings(word))) for word in words]
    if not terms:
        return None
    return _with_field(name, f"({' AND '.join(terms)})" if len(terms) > 1 else terms[0])


def _with_field(name: str, text: str) -> str:
    return f"{name}:{text}" if name else text


def _term(word: str) -> str:
    """A word, in quotation marks if it has a character of the syntax in it; truncated if it ends with `*`."""
    bare = word.lstrip(f"+-{_SYNTAX}").rstrip(_SYNTAX + ",;.")
    if _TRUNCATED.fullmatch(f"{bare}*") and word.rstrip(",;.").endswith("*"):
        return f"{bare}*"
    return quoted(bare or word) if not bare or set(bare) & set(_SYNTAX) or bare in OPERATORS else bare


def quoted(text: str) -> str:
    """A phrase: without what ends one."""
    return '"' + " ".join(text.translate(str.maketrans('"\\', "  ")).split()) + '"'


def _tagged(leaf: Tagged) -> str | None:
    """The term in the service's own field; None if it has no such field."""
    name, mark, value = leaf.written.partition(":")
    if leaf.field == "language":
        return f'LANG:"{three_letter_code(code)}"' if (code := read_language(leaf.text)) else None
    if leaf.field == "author":
        return author_clause(read_person(leaf.text))
    if is_open_access(leaf):
        return "OPEN_ACCESS:Y"
    if heading := check_tag(leaf):
        return f"MESH:{quoted(heading)}"
    if leaf.syntax == "europe_pmc" and leaf.field != "id":
        field = _OWN_NAMES.get(name.upper(), name.upper())
        if value.startswith("["):
            return f"{field}:[{leaf.text}]" if mark and _RANGE.fullmatch(leaf.text) else None
        return f"{field}:{quoted(leaf.text) if leaf.phrase else _term(leaf.text)}"
    if leaf.field == "id":
        return _identified(leaf)
    if leaf.field == "date":
        days = read_date_range(leaf.text)
        return f"FIRST_PDATE:[{days[0]} TO {days[1]}]" if days else None
    if leaf.field == "journal":
        return grouped("OR", (f"JOURNAL:{quoted(form)}" for form in journal_names(leaf.text).forms))
    if leaf.field not in _FIELDS:
        return None
    exact = leaf.phrase or leaf.field in ("mesh", "type")
    text = quoted(leaf.text) if exact else _in_field("", telling_words(leaf.text))
    return text and _with_field(_FIELDS[leaf.field], text)


def _identified(leaf: Tagged) -> str | None:
    name = leaf.written.partition(":")[0].lower() if leaf.syntax == "europe_pmc" else ""
    if name == "ext_id":
        return f"EXT_ID:{_term(leaf.text)}"
    identifier = read_id(leaf.text) or read_id(f"{name or 'pmid'}:{leaf.text}")
    return identifier and clause_of(identifier)


def clause_of(name: str) -> str | None:
    """The clause of a paper's id; None for an id by which the service has no papers, or that it cannot be sent."""
    match scheme_of(name), value_of(name):
        case "pmid", number:
            return f"(EXT_ID:{number} AND SRC:MED)"
        case "pmcid", number:
            return f"PMCID:{number}"
        case "doi", doi if not set(doi) & set('"\\'):  # which cannot be escaped inside quotation marks
            return f'DOI:"{doi}"'
    return None


def author_clause(people: Sequence[PersonName]) -> str | None:
    """Any reading of a name as MEDLINE writes it (`Doudna JA`), and the likeliest one in full where that is known."""
    if people and (orcid := people[0].orcid):
        return f"AUTHORID:{quoted(orcid)}"
    forms = [person.pubmed for person in people] + [person.display for person in people[:1] if person.given]
    return grouped("OR", (f"AUTH:{quoted(form)}" for form in forms)) if forms else None


def filter_clauses(query: Query) -> Iterator[str | None]:
    """The clause of each filter in use."""
    if query.first_day or query.last_day:
        yield f"FIRST_PDATE:[{query.first_day or '1500-01-01'} TO {query.last_day or '3000-12-31'}]"
    if query.journal:
        names = [quoted(form) for form in journal_names(query.journal).forms]
        servers = grouped("OR", (f"PUBLISHER:{name}" for name in names))  # a preprint has a server, but no journal
        yield grouped("OR", [*(f"JOURNAL:{name}" for name in names), f"(SRC:PPR AND {servers})"])
    yield from map(author_clause, query.people)
    if query.language:
        yield f'LANG:"{three_letter_code(query.language)}"'
    if query.open_access:
        yield "OPEN_ACCESS:Y"
    if query.min_citations:
        yield f"CITED:[{query.min_citations} TO *]"
    if query.publication_types:
        kinds = dict.fromkeys(name for kind in query.wanted_types for name in TYPES[kind])
        yield "(" + " OR ".join(f'PUB_TYPE:"{name}"' for name in kinds) + ")"
    if query.exclude_preprints:
        yield 'NOT (SRC:PPR OR PUB_TYPE:"preprint")'  # PubMed holds a few preprints of its own
    if query.exclude_retracted:
        yield 'NOT PUB_TYPE:"retracted publication"'
