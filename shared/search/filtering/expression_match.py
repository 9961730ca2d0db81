"""Whether a paper satisfies a query's operators, phrases and field tags, for providers that cannot apply them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from shared.bibliography.journals import JournalMatch, compare_journals
from shared.bibliography.languages import read_language
from shared.bibliography.name_agreement import has_all_authors, is_by
from shared.bibliography.paper import Author, MergedPaper, Paper
from shared.bibliography.paper_ids import id_texts, scheme_of
from shared.bibliography.paper_types import is_of_type, read_paper_type, with_kinds
from shared.bibliography.text import fold
from shared.bibliography.typed_names import read_person
from shared.query.field_tags import FILTER_FIELDS
from shared.query.identifiers import identifier_of
from shared.query.pubmed_tags import is_open_access
from shared.query.query import Query
from shared.query.syntax import All, AnyOf, Leaf, Node, Phrase, Tagged, Words, leaves
from shared.query.telling_words import telling_words
from shared.query.wildcards import is_truncated
from shared.search.ranking.text_match import terms

# Filters by tag that title, abstract, names and year do not decide.
_UNKNOWABLE = FILTER_FIELDS - {"date", "id"} | {"journal"}
_YEARS = re.compile(r"(?<![0-9])(1[89][0-9]{2}|20[0-9]{2})(?![0-9]{2}(?![0-9]))")


def mentions(paper: MergedPaper | Paper, query: Query) -> bool | None:
    """Whether the paper satisfies the query; None if a term may be in something of it that is not known."""
    return _holds(query.node, _Text.of(paper))


def is_another(paper: MergedPaper, query: Query) -> bool:
    """Whether the query requires an identifier or journal that is not this paper's, or excludes one that is.

    Sources without the field leave the term out, and `JOURNAL:Nature` finds `Nature Medicine` as well in Europe PMC, so
    that this is checked whatever they applied. A paper without an identifier of the kind is another one.
    """
    node = query.node if isinstance(query.node, All) else All((query.node,))
    required, excluded = ([it for it in part if _names_one(it)] for part in (node.of, node.none_of))
    if not required and not excluded:
        return False
    text = _Text.of(paper)
    verdicts = [(_holds(it, text), it) for it in required]
    if any(verdict is False or (verdict is None and _names_one(it, "id")) for verdict, it in verdicts):
        return True
    return any(_holds(it, text) is True for it in excluded)


def _names_one(node: Node, *fields: str) -> bool:
    """Whether a term names a paper or a journal, or several in an OR; arXiv's `jr:` also has volumes and pages."""
    if isinstance(node, AnyOf):
        return all(_names_one(part, *fields) for part in node.of)
    if not isinstance(node, Tagged) or node.field not in (fields or ("id", "journal")):
        return False
    return node.field == "id" or node.syntax != "arxiv"


def tag_owners(node: Node) -> frozenset[str] | None:
    """The providers that can be trusted with the query's filters by tag; None if it has none and all can.

    Other providers leave such a term out, or translate it in part: only what a record says of it counts there.
    """
    filters = [leaf for leaf in leaves(node) if isinstance(leaf, Tagged) and leaf.field in _UNKNOWABLE]
    syntaxes = frozenset(leaf.syntax for leaf in filters)
    return (syntaxes if len(syntaxes) == 1 else frozenset()) if filters else None


def _holds(node: Node, text: _Text, *, is_excluded: bool = False) -> bool | None:
    """Three-valued: AND, OR and NOT of what is known. A paper is not excluded by what it may have.

    `is_excluded`: the node is below a NOT. There, what may be missing is not known to be missing: of
    `NOT (animals NOT humans)`, a paper about animals without an abstract may be about humans too.
    """
    match node:
        case All(parts, none_of):
            verdicts = [_holds(part, text, is_excluded=is_excluded) for part in parts]
            unwanted = [_holds(part, text, is_excluded=True) for part in none_of]
            verdicts += [None if it is None and is_excluded else it is not True for it in unwanted]
            return False if False in verdicts else None if None in verdicts else True
        case AnyOf(parts):
            verdicts = [_holds(part, text, is_excluded=is_excluded) for part in parts]
            return True if True in verdicts else None if None in verdicts else False
        case _:
            return text.has(node)


@dataclass(frozen=True, slots=True)
class _Text:
    """What is known of a paper; words stand between spaces, so that phrases are found by substring search."""

    title: str
    abstract: str | None
    both: str
    authors: tuple[Author, ...]
    has_all_authors: bool
    journals: tuple[str, ...]
    year: int | None
    type: str | None
    languages: frozenset[str]
    ids: frozenset[str]
    is_open: bool | None

    @classmethod
    def of(cls, paper: MergedPaper | Paper) -> _Text:
        records: Sequence[Paper] = paper.records if isinstance(paper, MergedPaper) else (paper,)
        title = f" {' '.join(terms(paper.title))} "
        abstract = f" {' '.join(terms(paper.abstract))} " if paper.abstract else None
        return cls(
            title=title,
            abstract=abstract,
            both=f"{title}|{abstract or ''}",
            authors=tuple(author for record in records for author in record.authors),
            has_all_authors=has_all_authors(paper),
            journals=tuple(record.journal for record in records if record.journal),
            year=paper.year,
            type=paper.type,
            languages=frozenset(record.language for record in records if record.language),
            ids=frozenset(name.lower() for record in records for name in id_texts(record.ids)),
            is_open=paper.open_access.is_oa,
        )

    def has(self, leaf: Leaf) -> bool | None:
        """Whether the term occurs; None if it may be in a part that is not known."""
        wanted = _wanted(leaf)
        whole = isinstance(leaf, Phrase) or (isinstance(leaf, Tagged) and leaf.phrase)
        match leaf.field if isinstance(leaf, Tagged) else "title_abstract":
            case "title":
                return _occur(wanted, self.title, whole=whole)
            case "abstract":
                return None if self.abstract is None else _occur(wanted, self.abstract, whole=whole)
            case "title_abstract":
                found = _occur(wanted, self.both, whole=whole)
                return found or (None if self.abstract is None else False)
            case "author":
                return self._is_by(leaf.text) if self.authors else None
            case "journal":
                return any(_is_journal(name, leaf.text) for name in self.journals) if self.journals else None
            case "date":
                years = [int(year) for year in _YEARS.findall(leaf.text)]
                return years[0] <= self.year <= years[-1] if years and self.year else None
            case "type":
                wanted_type = read_paper_type(leaf.text)
                return is_of_type(self.type, with_kinds([wanted_type])) if self.type and wanted_type else None
            case "language":
                language = read_language(leaf.text)
                return language in self.languages if language and self.languages else None
            case "subset" if isinstance(leaf, Tagged) and is_open_access(leaf):
                return self.is_open
            case "id":
                return self._is(identifier_of(leaf)) if isinstance(leaf, Tagged) else None
            case "mesh" | "keyword" | "all_text":
                return _occur(wanted, self.both, whole=whole) or None
        return None

    def _is(self, name: str | None) -> bool | None:
        """Whether this is the paper of an identifier; None if no record has an identifier of its kind."""
        if name is None:
            return None
        if name.lower() in self.ids:
            return True
        return False if any(scheme_of(name) == scheme_of(other) for other in self.ids) else None

    def _is_by(self, name: str) -> bool | None:
        """As the filter `author`: `Marco C` is not Marco Colonna. A truncated name is left to the sources."""
        return None if "*" in name else is_by(self.authors, read_person(name), complete=self.has_all_authors)


def _is_journal(name: str, wanted: str) -> bool:
    """Whether a journal has this name, abbreviation or acronym; of a name with a wildcard, its beginning."""
    if "*" in wanted:
        return fold(name).startswith(fold(wanted.partition("*")[0]))
    return compare_journals(name, wanted) is JournalMatch.SAME


@lru_cache(maxsize=4096)  # one query has a thousand at most, and each is looked for in hundreds of papers
def _wanted(leaf: Leaf) -> tuple[str, ...]:
    """The terms to look for."""
    words = telling_words(leaf.text) if isinstance(leaf, Words) else (leaf.text,)
    return tuple(term for word in words for term in _patterns(word))


def _patterns(text: str) -> list[str]:
    """The terms of a text; of a word that ends with a wildcard, its beginning and the wildcard."""
    return [
        f"{pattern}*" if number == len(found) and is_truncated(word) else pattern
        for word in text.split()
        for found in [terms(word)]
        for number, pattern in enumerate(found, start=1)
    ]


def _occur(wanted: Sequence[str], text: str, *, whole: bool) -> bool:
    """A phrase must occur as a whole; of free words each, except short ones ("of", "in")."""
    if whole:
        return _is_in(" ".join(wanted), text)
    significant = [term for term in wanted if len(term) > 2 or not term.isalpha()] or wanted
    return bool(significant) and all(_is_in(term, text) for term in significant)


def _is_in(words: str, text: str) -> bool:
    """Whether the words stand in the text, of which each is between spaces; a `*` stands for any ending of a word."""
    if "*" in words[:-1]:
        return re.search(f" {re.escape(words)} ".replace(r"\*", "[^ |]*"), text) is not None
    return f" {words.removesuffix('*')}" in text if words.endswith("*") else f" {words} " in text
