"""The ids in a reference, and what they prove about the paper that it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import NAMED_SCHEMES, id_texts, read_id
from shared.bibliography.reference_text import read_references
from shared.papers.request import Reference
from shared.references.same_citation import Candidate, Judgement


def names_in(reference: Reference) -> tuple[str, ...]:
    """The normalised names of the ids in a reference's fields and in its text."""
    from_fields = [read_id(text) for text in reference.ids]
    from_text = [
        f"{NAMED_SCHEMES[mention.kind]}:{mention.id}" for mention in read_references(reference.citation.text or "")
    ]
    return tuple(dict.fromkeys(name for name in (*from_fields, *from_text) if name))


def with_ids(names: Sequence[str], judgement: Judgement) -> Judgement:
    """The judgement of a reference that has ids: an id of another paper contradicts the match.

    The contradiction is reported in `differs`; a match by the title alone becomes `ambiguous`. `names` is empty if none
    of the reference's ids could be parsed.
    """
    if judgement.status != "matched":
        return judgement
    best, *others = judgement.candidates
    if set(names) & _all_names(best.paper):
        return replace(judgement, candidates=(replace(best, agrees=(*best.agrees, "id")), *others))
    status = "ambiguous" if best.agrees == ("title",) else judgement.status
    return replace(judgement, status=status, candidates=(replace(best, differs=(*best.differs, "id")), *others))


def by_ids(names: Sequence[str], candidates: Sequence[MergedPaper]) -> Judgement:
    """The judgement of a reference without other fields: the paper with these ids; `ambiguous` if there are several."""
    holders = [paper for paper in candidates if set(names) & _all_names(paper)]
    found = tuple(Candidate(paper, 1.0, ("id",), ()) for paper in sorted(holders, key=lambda paper: paper.key))
    return Judgement("matched" if len(found) == 1 else "ambiguous" if found else "not_found", found)


def _all_names(paper: MergedPaper) -> set[str]:
    return {name for record in paper.records for name in (*record.asked, *id_texts(record.ids))}
