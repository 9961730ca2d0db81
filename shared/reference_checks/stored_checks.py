"""Reference checks as jobs: their progress, and blocks of checked references as their parts.

part = block#<n>#<version>   the results of one block, as JSON
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from shared.canonical_json import compact_json
from shared.jobs.job import Attributes, Job, JobKind, JobParts
from shared.reference_checks.progress import CheckProgress

if TYPE_CHECKING:
    from shared.answers.reference_checks import CheckedReference

# `outline` is what the document holds besides its references.
Check: TypeAlias = Job[CheckProgress]
CheckStore: TypeAlias = JobParts[CheckProgress]


def results_of(check: Check, store: CheckStore, blocks: list[int]) -> dict[int, list[CheckedReference | None]]:
    """The results of these blocks, as far as there are any; None for a reference that is still open."""
    stored = [number for number in blocks if number in check.progress.blocks]
    values = store.parts(check, [_part(check, number) for number in stored])
    return {number: json.loads(value) for number, value in zip(stored, values, strict=True)}


def save_results(
    check: Check, store: CheckStore, progress: CheckProgress, block: int, results: list[CheckedReference | None]
) -> bool:
    """Store the results of a block and the progress with it; False if another worker was faster."""
    store.put(check, _part(replace(check, progress=progress), block), compact_json(results).encode())
    return store.change(check, progress)


def _part(check: Check, number: int) -> str:
    return f"block#{number}#{check.progress.blocks[number]}"


def _written(progress: CheckProgress) -> Attributes:
    return {
        "letters": progress.letters,
        "blocks": {str(number): version for number, version in progress.blocks.items()},
        "passes": progress.passes,
        "milliseconds": round(progress.seconds * 1_000),
        "failure": progress.failure,
    }


def _read(item: Attributes) -> CheckProgress:
    return CheckProgress(
        letters=str(item["letters"]),
        blocks={int(number): int(version) for number, version in item["blocks"].items()},
        passes=int(item["passes"]),
        version=int(item["version"]),
        seconds=int(item["milliseconds"]) / 1_000,
        failure=item["failure"],
    )


CHECK_JOBS = JobKind(
    name="check", id_field="check_id", table_setting="REFERENCE_CHECKS_TABLE", queue_setting="CHECKS_QUEUE_URL",
    written=_written, read=_read,
)  # fmt: skip
