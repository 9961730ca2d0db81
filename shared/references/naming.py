"""How a reference names a paper: by its title, by a whole title in its line, or by neither."""

from __future__ import annotations

from collections.abc import Mapping

from shared.bibliography.paper_types import NOTICES
from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.words import words_of
from shared.references.cited_fields import FIELDS, OtherField, ParsedReference
from shared.references.cited_line import CitedLine
from shared.references.cited_title import NOT_NAMED, Named, Naming, before_subtitle, name_title
from shared.references.journal_in_citation import same_journal
from shared.references.known_paper import KnownPaper
from shared.references.title_tail import without_tail
from shared.references.title_words import begins_with_sentence

_PLACED: tuple[OtherField, ...] = ("authors", "journal", "volume", "pages")


def named_by(reference: ParsedReference, paper: KnownPaper, points: Mapping[OtherField, bool | None]) -> Named:
    """How the titles correspond: the cited title, or a whole title in the line with the authors and the year."""
    title = reference.citation.title
    is_notice = paper.paper.type in NOTICES
    if title and is_notice and words_of(title) != words_of(paper.paper.title):
        return NOT_NAMED  # `Retracted: X` is read as X, but a notice is not the paper
    placed = bool(points.get("authors"))
    named = name_title(title, paper.titles) if title else NOT_NAMED
    if title and reference.line and named.naming < Naming.SHORTER:
        shorter = [name_title(it, paper.titles) for it in without_tail(reference, paper)]
        named = max([named, *shorter], key=lambda one: one.naming)
    if reference.line and not reference.quotes_title:
        named = _at_full_stop(reference, paper, named)
    if reference.line and not is_notice and named.naming < Naming.PART:
        named = max(named, _named_in(reference.line, paper, placed=placed), key=lambda one: one.naming)
    if reference.line and not named.naming and all(points.get(name) for name in _PLACED):
        named = reference.line.quoted_title(paper)  # by a sentence, whatever else that says
    if title and not named.naming and all(points.get(name) for name in FIELDS):
        named = before_subtitle(title, paper.titles)  # of few words: only then
    return named


def _at_full_stop(reference: ParsedReference, paper: KnownPaper, named: Named) -> Named:
    """The same, unless the rest of the title, real or invented, follows a part of it in place of a journal."""
    source = reference.citation.journal
    if named.naming not in (Naming.SHORTER, Naming.CUT) or begins_source(reference, paper):
        return named
    in_title = set(words_of(source or "")) & set(words_of(paper.paper.title)) - STOP_WORDS
    if named.naming is Naming.SHORTER and (paper.journals or in_title):
        return NOT_NAMED  # the title was cut at a full stop within it
    return Named(Naming.BEGINNING, named.title) if source and begins_with_sentence(source) else named


def _named_in(line: CitedLine, paper: KnownPaper, *, placed: bool) -> Named:
    """How a printed line names the paper where the parsed title does not."""
    whole = line.name_title(paper)
    if whole.naming and not placed:
        whole = Named(Naming.PART, whole.title) if whole.naming is Naming.EQUAL else NOT_NAMED
    if not whole.naming and placed:
        whole = line.near_title(paper)
    return whole


def begins_source(reference: ParsedReference, paper: KnownPaper) -> bool:
    """Whether the text after the title, or in its place, begins with the paper's journal, or there is none."""
    cited = reference.citation.journal
    if not cited:
        return reference.citation.title is not None
    words = words_of(cited)
    return any(same_journal(cited, it) or words[: len(own := words_of(it))] == own for it in paper.journals)
