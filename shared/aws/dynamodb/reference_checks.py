"""Reference checks as jobs (`shared.aws.dynamodb.jobs`), whose parts are blocks of checked references.

part = block#<n>#<version>   the results of one block, as JSON
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from shared.aws.dynamodb.jobs import JobKind, JobStore
from shared.canonical_json import compact_json
from shared.reference_checks.progress import Progress

if TYPE_CHECKING:
    from shared.answers.reference_checks import CheckedReference
    from shared.aws.dynamodb.batches import Item
    from shared.aws.dynamodb.large_items import LargeItems
    from shared.reference_checks.check import Check


class ReferenceChecks(JobStore[Progress]):
    """The checks of all owners."""

    def __init__(self, items: LargeItems, now: Callable[[], datetime]) -> None:
        super().__init__(items, now, JobKind("check", _written, _read))

    def results(self, check: Check, blocks: list[int]) -> dict[int, list[CheckedReference | None]]:
        """The results of these blocks, as far as there are any; None for a reference that is still open."""
        stored = [number for number in blocks if number in check.progress.blocks]
        values = self.parts(check, [_part(check, number) for number in stored])
        return {number: json.loads(value) for number, value in zip(stored, values, strict=True)}

    def save(self, check: Check, progress: Progress, block: int, results: list[CheckedReference | None]) -> bool:
        """Store the results of a block and the progress with it; False if another worker was faster."""
        self.put(check, _part(replace(check, progress=progress), block), compact_json(results).encode())
        return self.change(check, progress)


def _part(check: Check, number: int) -> str:
    return f"block#{number}#{check.progress.blocks[number]}"


def _written(progress: Progress) -> Item:
    return {
        "letters": progress.letters,
        "blocks": {str(number): version for number, version in progress.blocks.items()},
        "passes": progress.passes,
        "milliseconds": round(progress.seconds * 1_000),
        "failure": progress.failure,
    }


def _read(item: Item) -> Progress:
    return Progress(
        letters=str(item["letters"]),
        blocks={int(number): int(version) for number, version in item["blocks"].items()},
        passes=int(item["passes"]),
        version=int(item["version"]),
        seconds=int(item["milliseconds"]) / 1_000,
        failure=item["failure"],
    )
