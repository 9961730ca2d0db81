"""Which identifier of each kind a merged paper has: the published version's before the preprint's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter

from shared.bibliography.identifiers import Identifiers, arxiv_of_doi, best_doi
from shared.bibliography.paper import Paper
from shared.merging.pool import Choice, Pool, Provenance, most_agreed


def merged_ids(pool: Pool) -> tuple[Identifiers, Provenance]:
    """Choose the id of each kind that most providers state. Returns the ids, and the providers of each."""
    stated = zip(*[_READ(record.ids) for record in pool.records], strict=True)  # per kind, an id or None of each record
    choices = {
        name: most_agreed(pool.values(read)) if any(ids) else _NONE
        for (name, read), ids in zip(_READERS.items(), stated, strict=True)
    }
    choices["arxiv"] = most_agreed(pool.values(_arxiv))
    choices["doi"] = _doi(pool, choices["doi"], choices["arxiv"])
    choices["crossref"] = _crossref(pool)
    ids = Identifiers(**{name: value for name, (value, _) in choices.items()})
    return ids, {name: names for name, (_, names) in choices.items() if names}


def _doi(pool: Pool, most: Choice[str], arxiv: Choice[str]) -> Choice[str]:
    """Choose arXiv's own DOI only if no record has another one; it follows from the arXiv id."""
    if not most[0]:
        return (best_doi(Identifiers(arxiv=arxiv[0])), arxiv[1]) if arxiv[0] else _NONE
    if not arxiv_of_doi(most[0]):
        return most
    others = [(doi, record.provider) for record in pool.records if (doi := record.ids.doi) and not arxiv_of_doi(doi)]
    return most_agreed(others) if others else most


def _arxiv(record: Paper) -> str | None:
    """The arXiv id, also the one inside arXiv's DOI."""
    return record.ids.arxiv or arxiv_of_doi(record.ids.doi)


def _crossref(pool: Pool) -> Choice[str]:
    """The DOI under which Crossref itself returned the paper."""
    returned = [record for record in pool.records if record.provider == "crossref"]
    if len(returned) < 2:  # one answer lists a paper once
        return (returned[0].ids.doi, ("crossref",)) if returned and returned[0].ids.doi else _NONE
    return most_agreed(Pool.of(returned).values(_READERS["doi"]))


_NONE: Choice[str] = None, ()
_KINDS = tuple(field.name for field in fields(Identifiers) if field.name != "crossref")
_READERS: dict[str, Callable[[Paper], str | None]] = {name: attrgetter(f"ids.{name}") for name in _KINDS}
_READ: Callable[[Identifiers], tuple[str | None, ...]] = attrgetter(*_KINDS)
