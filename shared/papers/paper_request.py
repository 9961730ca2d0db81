"""One paper of a lookup: the name it was requested by, its other names, and how each queried provider answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.bibliography.identifiers import ARXIV_DOI
from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import best_id, key_of, scheme_of
from shared.outcomes import Outcome, answered_of, unanswered_of

# arXiv registers this DOI for each of its papers, and some providers index the paper under it. A published article's
# own DOI is preferred in queries.
_ARXIV_DOI_NAME = f"doi:{ARXIV_DOI}"


def arxiv_doi_names(name: str) -> list[str]:
    """The name of arXiv's own DOI for an arXiv id; empty for other names."""
    return [key_of(name)] if scheme_of(name) == "arxiv" else []


@dataclass(slots=True)
class PaperRequest:
    """A requested paper: its known names, the outcome of each queried provider, and the paper once it is found."""

    name: str  # as requested
    names: set[str]  # all names known so far, `name` among them
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    paper: MergedPaper | None = None
    indexes: frozenset[str] = frozenset()  # the providers that index papers, not only open-access copies
    registries: frozenset[str] = frozenset()  # each holds papers that no index has
    may_know: Sequence[str] = ()  # the providers that accept a name of it and did not answer, or were not queried

    @property
    def has_answer_of_index(self) -> bool:
        """Whether a provider that indexes papers has answered."""
        return any(outcome.answered for name, outcome in self.outcomes.items() if name in self.indexes)

    @property
    def not_found(self) -> bool:
        """Whether every index and registry that was queried has answered, and one index at least."""
        return self.has_answer_of_index and self.unanswered.keys().isdisjoint(self.indexes | self.registries)

    @property
    def answered_by(self) -> list[str]:
        """The providers that answered, with or without a record."""
        return answered_of(self.outcomes)

    @property
    def unanswered(self) -> dict[str, Outcome]:
        """The providers that did not answer, with their outcomes; without those that lack an API key here."""
        return unanswered_of(self.outcomes)

    @property
    def has_own_doi(self) -> bool:
        """Whether a DOI of the paper is known, other than arXiv's."""
        return best_id(self._preferred_names(), ["doi"]) is not None

    def name_in(self, schemes: Sequence[str]) -> str | None:
        """The name to query by, given a provider's schemes, the best first; None if no known name has one of them.

        Of several names of one scheme it is the requested one. arXiv's own DOI is used only if nothing else fits.
        """
        best = best_id(self._preferred_names(), schemes) or best_id(self.names, schemes)
        return self.name if best and scheme_of(self.name) == scheme_of(best) else best

    def _preferred_names(self) -> set[str]:
        return {name for name in self.names if not name.startswith(_ARXIV_DOI_NAME)}
