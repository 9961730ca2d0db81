"""What a reference says of a paper and what is true, field by field, as the answer shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import scheme_of, value_of
from shared.query.question import Citation
from shared.references.abridged_title import has_ellipsis
from shared.references.cited_pages import FIRST_ALONE, SamePages, same_pages
from shared.references.cited_title import Naming, name_title, titles_of
from shared.references.journal_in_citation import same_journal
from shared.references.judgement import Candidate
from shared.references.known_paper import all_names

if TYPE_CHECKING:
    from shared.answers.papers import CheckedField, FieldVerdict

AUTHORS_SHOWN = 3
_PLAIN: tuple[CheckedField, ...] = ("journal", "volume", "pages")


def field_verdicts(citation: Citation, names: Sequence[str], candidate: Candidate) -> dict[CheckedField, FieldVerdict]:
    """The verdict on each field that the reference or the paper has.

    Arguments:
        citation: the reference as it was parsed.
        names: the normalised names of the ids in it.
        candidate: the paper that it is compared with.
    """
    paper = candidate.paper
    title = citation.title or (paper.title if "title" in candidate.agrees else None)
    found: dict[CheckedField, FieldVerdict] = {"title": _verdict(candidate, "title", title, paper.title)}
    authors = [author.display for author in paper.authors]
    # A line in which no names were recognised agrees by that of the first author: it has not the others.
    first = [author.family or author.display for author in paper.authors[:1]] if "authors" in candidate.agrees else []
    cited = _listed(citation.authors or first)
    found["authors"] = _verdict(candidate, "authors", cited, _listed(authors, paper.author_count))
    year = str(citation.year) if citation.year else None
    found["year"] = _verdict(candidate, "year", year, str(paper.year) if paper.year else None)
    for name in _PLAIN:
        found[name] = _verdict(candidate, name, getattr(citation, name), getattr(paper, name))
    if named := _id_verdict(names, paper):
        found["doi" if scheme_of(named[0]) == "doi" else "id"] = named[1]
    for name, note in _notes(citation, candidate):
        found[name]["note"] = note
    return {name: it for name, it in found.items() if it["cited"] or it["found"]}


def _verdict(candidate: Candidate, name: CheckedField, cited: str | None, found: str | None) -> FieldVerdict:
    verdict: FieldVerdict = {"verdict": "missing", "cited": cited, "found": found}
    if name in candidate.agrees:
        verdict["verdict"], verdict["cited"] = "agrees", cited or found
    elif name in candidate.differs:
        verdict["verdict"] = "differs"
    return verdict


def _id_verdict(names: Sequence[str], paper: MergedPaper) -> tuple[str, FieldVerdict] | None:
    """The DOI that is cited, or failing that another id, beside the paper's own DOI or key; None if neither exists."""
    cited = min(names, key=lambda name: scheme_of(name) != "doi", default=None)
    own = all_names(paper)
    found = f"doi:{paper.ids.doi}" if paper.ids.doi else paper.key
    if cited is None:
        return (found, {"verdict": "missing", "cited": None, "found": value_of(found)}) if paper.ids.doi else None
    if cited in own:
        return cited, {"verdict": "agrees", "cited": value_of(cited), "found": value_of(cited)}
    return cited, {"verdict": "differs", "cited": value_of(cited), "found": value_of(found)}


def _notes(citation: Citation, candidate: Candidate) -> list[tuple[CheckedField, str]]:
    """What explains a verdict: another date of the same paper, another order of its authors, half a title."""
    paper = candidate.paper
    notes: list[tuple[CheckedField, str]] = []
    years = sorted({record.year for record in paper.records if record.year})
    if citation.year and paper.year and citation.year != paper.year:
        if citation.year in years:
            notes.append(("year", f"sources date it {' and '.join(map(str, years))} (preprint, online or print)"))
        elif min(abs(citation.year - year) for year in years or [paper.year]) == 1:
            notes.append(("year", "one year off, as online and print dates can be; no source has the cited year"))
    if "journal" in candidate.agrees and (note := _journal_note(citation.journal, paper)):
        notes.append(("journal", note))
    if same_pages(citation, candidate) is SamePages.FIRST:
        notes.append(("pages", FIRST_ALONE))
    first = citation.authors[0] if citation.authors else ""
    if "authors" in candidate.differs and any(it.family and it.family in first for it in paper.authors):
        notes.append(("authors", "in another order"))
    if citation.title:
        naming = name_title(citation.title, titles_of(paper.records)).naming
        if note := "abridged" if naming and has_ellipsis(citation.title) else _TITLE_NOTES.get(naming):
            notes.append(("title", note))
    return notes


def _journal_note(cited: str | None, paper: MergedPaper) -> str | None:
    """Why another journal than the paper's agrees: some record has it, such as that of its preprint."""
    if not cited or not paper.journal or same_journal(cited, paper.journal):
        return None
    stating = sorted({it.provider for it in paper.records if it.journal and same_journal(cited, it.journal)})
    return f"{', '.join(stating)} has it so: a version, or another name" if stating else None


_TITLE_NOTES = {
    Naming.SPELLED: "spelled differently", Naming.SHORTER: "without the subtitle", Naming.CUT: "only its beginning",
    Naming.LONGER: "no source has this subtitle", Naming.PART: "without the number of the part",
    Naming.BEGINNING: "only its first words", Naming.GARBLED: "spelled differently",
}  # fmt: skip


def _listed(names: Sequence[str], count: int | None = None) -> str | None:
    """The first names, and how many follow."""
    shown = "; ".join(names[:AUTHORS_SHOWN])
    more = max(len(names), count or 0) - AUTHORS_SHOWN
    return f"{shown}; {more} more" if more > 0 and shown else shown or None
