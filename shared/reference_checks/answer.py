"""The answer of a check: its state, and a page of the references that have been checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from shared.answers.content_trust import marks
from shared.clock import timestamp_of
from shared.documents.document import Document
from shared.reference_checks.progress import LETTERS, OPEN, CheckProgress
from shared.search.sizes.details import compact_paper
from shared.search.sizes.token_budget import fit_entries, kept_within, least_paper, truncated_by

if TYPE_CHECKING:
    from shared.answers.reference_checks import CheckedReference, DocumentOutline, ReferenceCheckAnswer, StatusCounts
    from shared.answers.search import Hint
    from shared.reference_checks.request import ReferencePage

MAX_LISTED, LEAST_TEXT_CHARS = 200, 80


def outline_of(document: Document) -> DocumentOutline:
    """What a report says of the document besides its references; of long lists the first MAX_LISTED."""
    return {
        "format": document.format.value,
        "uncited": [number + 1 for number in document.uncited][:MAX_LISTED],
        "without_entry": [
            {"marker": it.marker[:LEAST_TEXT_CHARS], "offset": it.offset, "missing": list(it.missing)[:MAX_LISTED]}
            for it in document.without_entry[:MAX_LISTED]
        ],
        "warnings": [{"message": it.message, "offset": it.offset} for it in document.warnings[:MAX_LISTED]],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckState:
    """A check as its answer describes it; times in epoch seconds."""

    id: str
    progress: CheckProgress
    outline: DocumentOutline
    created_at: int
    expires_at: int


def page_numbers(progress: CheckProgress, page: ReferencePage) -> list[int]:
    """The numbers (from 0) of all references from the page's first one on that it may show."""
    letters = {LETTERS[status] for status in page.status} or set(LETTERS.values())
    start = int(page.cursor or 0)
    return [number for number in range(start, progress.total) if progress.letters[number] in letters]


def check_answer(
    check: CheckState, page: ReferencePage, found: Iterable[CheckedReference], following: Sequence[int], request_id: str
) -> ReferenceCheckAnswer:
    """The answer with these references; `following` are the numbers of those after them that the filter passes.

    Raises Unprocessable if not even its state fits into `max_tokens`.
    """
    shown = [_compact(it) for it in found] if page.detail == "compact" else list(found)
    around = _around(check, request_id)
    draft, fitting, cuts = fit_entries(around, shown, page.max_tokens, _least)
    rest = [number["number"] - 1 for number in shown[len(fitting) :]] or list(following)
    answer: ReferenceCheckAnswer = {
        **draft,
        "returned": len(fitting),
        "references": fitting,
        "next_cursor": str(rest[0]) if rest and fitting else None,
        "truncated": truncated_by(len(shown) - len(fitting), {}, page.max_tokens, cuts),
    }
    return kept_within(answer, page.max_tokens)


def _around(check: CheckState, request_id: str) -> ReferenceCheckAnswer:
    progress = check.progress
    counts = cast("StatusCounts", progress.counts())
    return {
        "check_id": check.id,
        "state": "failed" if progress.failure else "done" if progress.ended else "running",
        "done": progress.done,
        "of": progress.total,
        "seconds_left": progress.seconds_left,
        **check.outline,
        "created_at": timestamp_of(check.created_at),
        "expires_at": timestamp_of(check.expires_at),
        "counts": counts,
        "complete": progress.ended and not progress.failure and not counts["unanswered"],
        "returned": 0,
        "references": [],
        "next_cursor": str(progress.total),
        "truncated": None,
        "hints": _hints(progress),
        **marks(request_id),
    }


def _hints(progress: CheckProgress) -> list[Hint]:
    if progress.failure:
        return [{"reason": "failed", "message": progress.failure}]
    if OPEN in progress.letters and progress.passes > 1:
        message = "References whose sources did not answer are checked again."
        return [{"reason": "checked_again", "message": message}]
    if progress.ended and progress.counts()["unanswered"]:
        message = "Sources that may have some references did not answer; send the document again to check them."
        return [{"reason": "unanswered", "message": message}]
    if not progress.total:
        message = "No list of references was found; send it alone, one reference a line, or name the `format`."
        return [{"reason": "no_references", "message": message}]
    return []


def _compact(reference: CheckedReference) -> CheckedReference:
    """The outcome, what does not agree, and the papers as the compact answer for a list has them."""
    compact = cast("CheckedReference", {**reference, "cited": {}})
    compact["paper"] = compact_paper(reference["paper"]) if reference["paper"] else None
    compact["named_by_id"] = compact_paper(reference["named_by_id"]) if reference["named_by_id"] else None
    compact["fields"] = {name: it for name, it in reference["fields"].items() if it["verdict"] != "agrees"}
    compact["candidates"] = [
        {**match, "paper": compact_paper(match["paper"]), "fields": {}} for match in reference["candidates"]
    ]
    return compact


def _least(reference: CheckedReference) -> CheckedReference:
    """The outcome, with what identifies the paper."""
    least = cast("CheckedReference", {**reference, "text": reference["text"][:LEAST_TEXT_CHARS], "cited": {}})
    least["paper"] = least_paper(reference["paper"]) if reference["paper"] else None
    least["named_by_id"] = least_paper(reference["named_by_id"]) if reference["named_by_id"] else None
    least["fields"] = {}
    least["candidates"] = [{**match, "paper": least_paper(match["paper"])} for match in reference["candidates"][:1]]
    return least
