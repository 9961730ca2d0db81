"""What judging a reference comes to: a status, and the papers that it may mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from shared.bibliography.paper import MergedPaper

if TYPE_CHECKING:
    from shared.answers.papers import Compared

Status = Literal["matched", "mismatched", "ambiguous", "not_found"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that a reference may mean, with the fields of the reference that agree with it and those that differ.

    A year beside the paper's own counts for the paper, and is reported as differing; so are authors in another order,
    those whose first is not among the paper's, and, where it is shown, another last page.
    """

    paper: MergedPaper
    score: float  # in [0, 1]; comparable among the candidates of one reference
    agrees: tuple[Compared, ...]
    differs: tuple[Compared, ...]
    reason: str | None = None  # why it is not the paper, or not surely


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result for a reference: `matched` with the first candidate, `mismatched` with it if there is one."""

    status: Status
    candidates: tuple[Candidate, ...]  # the best first, at most MAX_CANDIDATES; if not found, the nearest refused ones
    named: MergedPaper | None = None  # mismatched: the paper that the reference's id names
    compared: Candidate | None = None  # mismatched: how that compares
    is_found: bool = False  # mismatched: whether the first candidate is the paper that the text describes
    reason: str | None = None  # ambiguous whatever the candidates are: what to add

    @property
    def shown_in_full(self) -> MergedPaper | None:
        """The paper that the reference means, by its text; None if that is not known."""
        known = self.status == "matched" or (self.status == "mismatched" and self.is_found)
        return self.candidates[0].paper if known else None
