"""The next batch of a document's references: resolved, compared and stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shared.reference_checks.entries import Resolve, check_entries
from shared.reference_checks.progress import BLOCK, PASSES
from shared.reference_checks.stored_checks import Check, CheckStore, results_of, save_results
from shared.reference_checks.stored_request import stored_document


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
    results = results_of(check, store, [block]).get(block) or [None] * min(BLOCK, check.progress.total - start)
    for number, result in zip(numbers, checked, strict=True):
        results[number - start] = result
    statuses = [result["status"] for result in checked]
    progress = check.progress.after(numbers, statuses, monotonic() - began, passes=passes)
    return replace(check, progress=progress) if save_results(check, store, progress, block, results) else None
