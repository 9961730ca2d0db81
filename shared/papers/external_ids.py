"""The ids of a paper in the form in which answers have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.bibliography.identifiers import Identifiers

if TYPE_CHECKING:
    from shared.answers.search import ExternalIds


def external_ids(ids: Identifiers) -> ExternalIds:
    """All ids, null where unknown."""
    return {
        "doi": ids.doi,
        "pmid": ids.pmid,
        "pmcid": ids.pmcid,
        "arxiv": ids.arxiv,
        "paper_id": ids.paper_id,
        "openalex": ids.openalex,
        "nct": ids.nct,
        "crossref": ids.crossref,
        "europe_pmc": ids.europe_pmc,
        "paperclip": ids.paperclip,
    }
