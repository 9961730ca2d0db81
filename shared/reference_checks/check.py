"""A check of a document's references, and one step of it: the next batch is resolved, compared and stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

from shared.jobs.job import Job
from shared.reference_checks.progress import BLOCK, PASSES, Progress
from shared.reference_checks.run import Resolve, check_entries
from shared.reference_checks.stored_request import stored_document

if TYPE_CHECKING:
    from shared.answers.reference_checks import CheckedReference

# `outline` is what the document holds besides its references.
Check: TypeAlias = Job[Progress]


class CheckStore(Protocol):
    """Where checks are stored. Methods raise TableBusy and the storage's own errors."""

    def document(self, check: Check) -> bytes:
        """The document as it was sent."""

    def results(self, check: Check, blocks: list[int]) -> dict[int, list[CheckedReference | None]]:
        """The results of these blocks, as far as there are any; None for a reference that is still open."""

    def save(self, check: Check, progress: Progress, block: int, results: list[CheckedReference | None]) -> bool:
        """Store the results of a block and the progress with it; False if another worker was faster."""


def check_batch(
    check: Check, store: CheckStore, resolve: Resolve, monotonic: Callable[[], float], *, passes: int = PASSES
) -> Check | None:
    """Check the next batch; the check with its progress, or None if another worker was faster.

    The check must not have ended.
    """
    began = monotonic()
    document = stored_document(check.request, store.document(check))
    numbers = check.progress.next_batch()
    checked = check_entries(document, numbers, resolve)
    block = numbers[0] // BLOCK
    start = block * BLOCK
    results = store.results(check, [block]).get(block) or [None] * min(BLOCK, check.progress.total - start)
    for number, result in zip(numbers, checked, strict=True):
        results[number - start] = result
    statuses = [result["status"] for result in checked]
    progress = check.progress.after(numbers, statuses, monotonic() - began, passes=passes)
    return replace(check, progress=progress) if store.save(check, progress, block, results) else None
