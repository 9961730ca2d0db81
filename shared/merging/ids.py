"""Which identifier of each kind a merged paper has: the published version's before the preprint's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter

from shared.bibliography.identifiers import Identifiers, arxiv_of_doi
from shared.bibliography.paper import Paper
from shared.merging.pool import NOTHING, Found, Pool, most_agreed


def merged_ids(pool: Pool) -> tuple[Identifiers, dict[str, tuple[str, ...]]]:
    """The ids, and the providers of each."""
    found = {name: most_agreed(pool.told(value_of)) for name, value_of in _READERS.items()}
    found["doi"] = _doi(pool, found["doi"])
    found["crossref"] = _crossref(pool)
    ids = Identifiers(**{name: value for name, (value, _) in found.items()})
    return ids, {name: names for name, (_, names) in found.items() if names}


def _doi(pool: Pool, found: Found) -> Found:
    """arXiv's own DOI is a paper's DOI only where there is no other."""
    if not arxiv_of_doi(found[0]):
        return found
    others = [(doi, record.provider) for record in pool.records if (doi := record.ids.doi) and not arxiv_of_doi(doi)]
    return most_agreed(others) if others else found


def _arxiv(record: Paper) -> str | None:
    """Also the id inside arXiv's DOI."""
    return record.ids.arxiv or arxiv_of_doi(record.ids.doi)


def _crossref(pool: Pool) -> Found:
    """The DOI under which Crossref itself returned the paper."""
    returned = [record for record in pool.records if record.provider == "crossref"]
    return most_agreed(Pool.of(returned).told(_READERS["doi"])) if returned else NOTHING


_READERS: dict[str, Callable[[Paper], str | None]] = {
    **{field.name: attrgetter(f"ids.{field.name}") for field in fields(Identifiers) if field.name != "crossref"},
    "arxiv": _arxiv,
}
