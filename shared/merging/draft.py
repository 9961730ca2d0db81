"""A merged paper before it is compared with the other papers of its answer, which its ids and its key depend on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Duplicate, MergedPaper, Paper, RecordId
from shared.merging.pool import Provenance

# What tells papers of one title and year apart, and what stands for a value that no record states.
_CITATION = {"title": None, "authors": (), "year": None, "journal": None, "volume": None, "issue": None, "pages": None}


@dataclass(slots=True)
class Draft:
    """All of a merged paper but its key, its citation URI and its near-duplicates.

    `MergedPaper` cannot be changed and has thirty fields: it is made once, when all of them are known.
    """

    records: tuple[Paper, ...]
    record_ids: tuple[RecordId, ...]
    ids: Identifiers
    provenance: Provenance
    _values: dict[str, Any]  # the other fields that the records state, by name

    @property
    def title(self) -> str:
        """Its title."""
        title: str = self._values["title"]
        return title

    @property
    def year(self) -> int | None:
        """Its year."""
        return self._values.get("year")

    @property
    def citation(self) -> str:
        """The whole citation as one text, for a hash."""
        return repr([self._values.get(name, missing) for name, missing in _CITATION.items()])

    def completed(self, key: str, citation_uri: str | None, duplicates: tuple[Duplicate, ...]) -> MergedPaper:
        """The merged paper."""
        return MergedPaper(
            key=key,
            citation_uri=citation_uri,
            possible_duplicates=duplicates,
            records=self.records,
            record_ids=self.record_ids,
            ids=self.ids,
            provenance=self.provenance,
            **self._values,
        )
