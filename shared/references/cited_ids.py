"""What the ids of a reference say of the paper that it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import SCHEMES, id_texts, read_id
from shared.bibliography.reference_text import read_references
from shared.papers.request import Reference
from shared.references.same_citation import Candidate, Judgement


def names_in(reference: Reference) -> tuple[str, ...]:
    """The ids that a reference is given with, or that stand in its line."""
    given = [read_id(text) for text in reference.ids]
    told = [f"{SCHEMES[it.kind]}:{it.id}" for it in read_references(reference.citation.text or "")]
    return tuple(dict.fromkeys(name for name in (*given, *told) if name))


def with_ids(names: Sequence[str], judgement: Judgement) -> Judgement:
    """An id that is not the matched paper's contradicts it: told, and with nothing but a title too much.

    `names` are those of a reference that has ids; none when nobody can read them.
    """
    if judgement.status != "matched":
        return judgement
    best, *others = judgement.candidates
    if set(names) & _all_names(best.paper):
        return replace(judgement, candidates=(replace(best, agrees=(*best.agrees, "id")), *others))
    status = "ambiguous" if best.agrees == ("title",) else judgement.status
    return replace(judgement, status=status, candidates=(replace(best, differs=(*best.differs, "id")), *others))


def by_ids(names: Sequence[str], candidates: Sequence[MergedPaper]) -> Judgement:
    """A reference that is nothing but ids means the paper that has them; ids of several papers mean none for sure."""
    holders = [paper for paper in candidates if set(names) & _all_names(paper)]
    found = tuple(Candidate(paper, 1.0, ("id",), ()) for paper in sorted(holders, key=lambda paper: paper.key))
    return Judgement("matched" if len(found) == 1 else "ambiguous" if found else "not_found", found)


def _all_names(paper: MergedPaper) -> set[str]:
    return {name for record in paper.records for name in (*record.asked, *id_texts(record.ids))}
