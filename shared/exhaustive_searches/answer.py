"""The answer of an exhaustive search: its state, its record, and a page of its papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shared.answers.content_trust import marks
from shared.clock import timestamp_of
from shared.exhaustive_searches.progress import Stop
from shared.exhaustive_searches.record import bound_of, flow_of, is_complete, source_records
from shared.exhaustive_searches.request import MAX_ALL_RECORDS, request_of, terms_of
from shared.search.sizes.details import cut_fields, page_sized
from shared.search.sizes.token_budget import fit_entries, kept_within, least_paper, truncated_by
from shared.version import VERSION

if TYPE_CHECKING:
    from shared.answers.exhaustive_searches import ExhaustiveSearchAnswer
    from shared.answers.search import Hint, StoredPaper
    from shared.exhaustive_searches.progress import ExhaustiveSearch
    from shared.exhaustive_searches.request import ExhaustiveSearchPage

_LACKS_RECORDS = "ended its list without some of the records that it counts: `fresh: true` reads it anew"
_REASONS = {
    Stop.BOUND: "has more records than the search reads of each source: those that it ranks first were read",
    Stop.LIMIT: "lists no more of what it counts: divide the search by dates to read the rest",
    Stop.ONE_PAGE: "answers with one page only: its best records were read",
    Stop.FAILED: "failed before its end: sending the request again resumes it",
    Stop.SKIPPED: "was not queried",
}


def search_answer(
    search: ExhaustiveSearch, page: ExhaustiveSearchPage, requested: Sequence[StoredPaper], request_id: str
) -> ExhaustiveSearchAnswer:
    """The answer with these papers, which are those from the page's cursor on.

    Raises Unprocessable if not even its state fits into `max_tokens`.
    """
    around = _around(search, request_id)
    resized = page_sized(requested, page)
    draft, shown, cuts = fit_entries(around, resized, page.max_tokens, least_paper)
    found = search.progress.found
    end = int(page.cursor or 0) + len(shown)
    cut = cut_fields(requested, shown, page)
    answer: ExhaustiveSearchAnswer = {
        **draft,
        "returned": len(shown),
        "papers": shown,
        "next_cursor": str(end) if found and shown and end < found.passed else None,
        "truncated": truncated_by(len(resized) - len(shown), cut, page.max_tokens, cuts),
    }
    return kept_within(answer, page.max_tokens)


def _around(search: ExhaustiveSearch, request_id: str) -> ExhaustiveSearchAnswer:
    progress, request = search.progress, request_of(search.request)
    return {
        "search_id": search.id,
        "state": "failed" if progress.failure else "done" if progress.found else
                 "merging" if progress.all_read else "reading",
        "done": progress.records,
        "of": progress.expected,
        "seconds_left": progress.seconds_left,
        "created_at": timestamp_of(search.created_at),
        "expires_at": timestamp_of(search.expires_at),
        "complete": is_complete(search),
        "searched": terms_of(request),
        "service_version": VERSION,
        "sources": source_records(progress, request),
        "flow": flow_of(progress),
        "returned": 0,
        "papers": [],
        "next_cursor": str(progress.records),
        "truncated": None,
        "hints": _hints(search),
        **marks(request_id),
    }  # fmt: skip


def _hints(search: ExhaustiveSearch) -> list[Hint]:
    progress = search.progress
    hints: list[Hint] = [{"reason": "failed", "message": progress.failure}] if progress.failure else []
    bound, requested = bound_of(progress), request_of(search.request).max_records
    if bound < requested:
        message = (
            f"At most {bound:,} records of each source and wording are read, not {requested:,}: {MAX_ALL_RECORDS:,} of "
            "all together. Name fewer sources or wordings, or divide the search by dates, to read more."
        )
        hints.append({"reason": "lower_max_records", "message": message})
    waiting = sorted({it.provider for it in progress.sources if it.waiting_since is not None and not it.stopped})
    if waiting:
        message = f"{', '.join(waiting)} allows no request at the moment; reading goes on as soon as it does."
        hints.append({"reason": "waiting", "message": message})
    for stop, reason in _REASONS.items():
        names = sorted({it.provider for it in progress.sources if it.stopped is stop and not it.is_whole})
        hints += [{"reason": stop.value, "message": f"{name} {reason}."} for name in names]
    lacking = sorted({it.provider for it in progress.sources if it.stopped is Stop.END and not it.is_whole})
    hints += [{"reason": "fewer_than_counted", "message": f"{name} {_LACKS_RECORDS}."} for name in lacking]
    return hints
