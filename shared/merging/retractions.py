"""The retraction status of a merged paper: the gravest that a provider states, with its notice."""

from __future__ import annotations

from collections.abc import Sequence

from shared.bibliography.paper import Paper, Retraction, RetractionStatus
from shared.merging.pool import Pool, Provenance, providers

_GRAVEST_FIRST = (
    RetractionStatus.RETRACTED, RetractionStatus.CONCERN, RetractionStatus.CORRECTED, RetractionStatus.NONE,
    RetractionStatus.UNKNOWN,
)  # fmt: skip

_NOT_STATED = Retraction()  # one for all: no source states anything of most papers


def merged_retraction(pool: Pool) -> tuple[Retraction, Provenance]:
    """The gravest status with its notice. Providers that state another one are listed under `retraction.<status>`."""
    by_status: dict[RetractionStatus, list[Paper]] = {}
    for record in pool.records:
        by_status.setdefault(record.retraction.status, []).append(record)
    if len(by_status) == 1 and RetractionStatus.UNKNOWN in by_status:
        return _NOT_STATED, {}
    status = min(by_status, key=_GRAVEST_FIRST.index)
    others = {
        f"retraction.{other.value}": providers(by_status[other])
        for other in _GRAVEST_FIRST[:-1]
        if other in by_status and other is not status
    }
    return _with_notice(status, by_status[status]), {"retraction": providers(by_status[status]), **others}


def _with_notice(status: RetractionStatus, records: Sequence[Paper]) -> Retraction:
    """Choose one notice: the first DOI, completed from the records that name no other; without any, the first PMID.

    A paper may have several notices, so ids and date are not taken from the descriptions of different ones.
    """
    stated = [record.retraction for record in records]
    doi = next((it.notice_doi for it in stated if it.notice_doi), None)
    same = sorted((it for it in stated if it.notice_doi in (doi, None)), key=lambda it: it.notice_doi is None)
    pmid = next((it.notice_pmid for it in same if it.notice_pmid), None)
    dates = [(it.notice_doi is None, it.date) for it in same if it.date and it.notice_pmid in (pmid, None)]
    return Retraction(status, notice_doi=doi, date=min(dates)[1] if dates else None, notice_pmid=pmid)
