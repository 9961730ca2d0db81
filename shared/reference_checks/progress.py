"""The progress of a check: which references of a document are done, which come next, and how long the rest takes.

A check is worked through in batches. Each batch is a part of one block of BLOCK references; the results of a block are
stored whole, under the version of the check that they belong to. References whose sources did not answer are checked
again after the others, in up to PASSES passes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.answers.papers import ReferenceStatus

# `/v1/resolve` takes as many references as this.
BLOCK = 50
PASSES = 3
# Before references are checked again: sources that are down or out of budget need time.
PASS_WAIT_S = 60
# One letter for each reference keeps the state of a long list in one small item.
OPEN = "."
LETTERS: Mapping[ReferenceStatus, str] = {
    "matched": "m",
    "mismatched": "x",
    "ambiguous": "a",
    "not_found": "n",
    "unanswered": "u",
}
_STATUSES = {letter: status for status, letter in LETTERS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckProgress:
    """What is done. `letters` has one letter a reference; `blocks` the version of each block's stored results."""

    letters: str
    blocks: Mapping[int, int]
    passes: int = 1
    version: int = 0
    seconds: float = 0.0  # spent so far
    failure: str | None = None  # why the check ended before its end

    @property
    def total(self) -> int:
        """How many references there are."""
        return len(self.letters)

    @property
    def done(self) -> int:
        """How many have been checked in the present pass."""
        return self.total - self.letters.count(OPEN)

    @property
    def ended(self) -> bool:
        """Whether nothing more will be checked."""
        return self.failure is not None or OPEN not in self.letters

    @property
    def seconds_left(self) -> int | None:
        """How long the rest of the pass will take at the pace so far; None before the first batch."""
        if self.ended:
            return 0
        return round(self.seconds / self.done * (self.total - self.done)) if self.done and self.seconds else None

    def counts(self) -> dict[ReferenceStatus, int]:
        """How many references have each status."""
        found = Counter(self.letters)
        return {status: found[letter] for status, letter in LETTERS.items()}

    def status(self, number: int) -> ReferenceStatus | None:
        """The status of a reference, counted from 0; None while it is open."""
        return _STATUSES.get(self.letters[number])

    def next_batch(self) -> tuple[int, ...]:
        """The next references to check, all of one block; none when the check has ended."""
        first = self.letters.find(OPEN)
        if self.ended or first < 0:
            return ()
        end = (first // BLOCK + 1) * BLOCK
        return tuple(number for number in range(first, min(end, self.total)) if self.letters[number] == OPEN)

    def failed(self, reason: str) -> CheckProgress:
        """The end of a check whose worker failed too often."""
        return replace(self, failure=reason, version=self.version + 1)

    def resumed(self) -> CheckProgress:
        """The progress with which a check goes on that failed, or that sources left gaps in; else the same."""
        letters = self.letters.replace(LETTERS["unanswered"], OPEN)
        if not self.ended or OPEN not in letters:
            return self
        return replace(self, letters=letters, passes=1, failure=None, version=self.version + 1)

    def after(
        self, numbers: Sequence[int], statuses: Sequence[ReferenceStatus], seconds: float, *, passes: int = PASSES
    ) -> CheckProgress:
        """The progress when these references have these statuses; the last batch of a pass may begin another."""
        letters = list(self.letters)
        for number, status in zip(numbers, statuses, strict=True):
            letters[number] = LETTERS[status]
        version = self.version + 1
        changed = {**self.blocks, numbers[0] // BLOCK: version} if numbers else self.blocks
        advanced = replace(
            self, letters="".join(letters), blocks=changed, version=version, seconds=self.seconds + seconds
        )
        again = advanced.letters.replace(LETTERS["unanswered"], OPEN)
        if OPEN in advanced.letters or again == advanced.letters or self.passes >= passes:
            return advanced
        return replace(advanced, letters=again, passes=self.passes + 1)


def started(total: int) -> CheckProgress:
    """Before the first batch."""
    return CheckProgress(letters=OPEN * total, blocks={})
