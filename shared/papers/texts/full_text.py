"""The full text of a paper, from the first source that has it under a licence that allows to show it.

available    the text is shown
not_open     every source that would know has answered, and none has it under such a licence
mismatched   an open copy exists, but its first pages have another title
no_text      an open copy exists, but none of which text can be read
unanswered   a source that may have it did not answer
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shared.bibliography.full_text import FullText
from shared.bibliography.licences import may_be_shown, read_licence
from shared.bibliography.paper_ids import read_id, scheme_of
from shared.clock import OUT_OF_TIME, Deadline
from shared.errors import Unprocessable
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer
from shared.legs.reports import raise_if_all_failed
from shared.papers.dependencies import PaperDependencies
from shared.papers.lookup import look_up
from shared.papers.no_id import no_id
from shared.papers.papers import no_paper_error
from shared.papers.texts.copy_identity import is_of_paper
from shared.papers.texts.request import FullTextRequest
from shared.papers.texts.sources import PaperCopies, PossibleSource, candidates, copies_of, licence_of
from shared.query.question import TextOf

if TYPE_CHECKING:
    from shared.answers.full_texts import TextStatus
    from shared.bibliography.paper import Location

LOOKUP_PART = 0.5  # of the time; the rest is for the sources of texts
ROUND_PART = 0.6  # of the time left for texts, where another source may have to be queried


@dataclass(slots=True)
class FoundText:
    """What was found of one paper's text."""

    copies: PaperCopies
    waiting: list[PossibleSource] = field(default_factory=list)  # sources that were not queried
    status: TextStatus = "unanswered"
    reason: str | None = None
    text: FullText | None = None  # also of one that may not be shown
    licence: str | None = None
    candidate: PossibleSource | None = None  # the source of `text`
    refused: TextStatus | None = None  # of a copy that is not the paper's, or does not say so
    refused_url: str | None = None
    answers: list[LegAnswer] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)  # sources that did not answer

    @property
    def shown(self) -> FullText | None:
        """The text, if it may be shown."""
        return self.text if self.status == "available" else None

    @property
    def own_reason(self) -> str | None:
        """The reason, if it is one of this paper and says more than the status of many."""
        of_many = self.text is None and self.refused is None
        return None if of_many or self.status == "unanswered" else self.reason

    @property
    def read_at(self) -> str | None:
        """Where people can read a text that a source has, or an open copy that none has as text."""
        if self.text:
            return self.text.url
        return self.open_copies[0].url if self.status == "no_text" and self.open_copies else None

    @property
    def open_copies(self) -> list[Location]:
        """The copies under a licence that allows to show them, the best first."""
        return [it for it in self.copies.locations if may_be_shown(read_licence(it.license))]


def find_full_text(request: FullTextRequest, dependencies: PaperDependencies) -> FoundText:
    """Look the paper up, then query the sources of texts one after the other.

    Raises Unprocessable for what is not an id, NotFound for a paper that no provider has, and AllProvidersFailed.
    """
    name = _name_of(request.id)
    deadline = Deadline(dependencies.monotonic, request.timeout_ms)
    looked_up = look_up([name], dependencies, deadline, fresh=request.fresh, part=LOOKUP_PART)
    (found,) = looked_up.requests
    if found.not_found and not found.paper:
        raise no_paper_error(request.id, name, found.answered_by, found.unanswered, is_certain=True)
    (result,) = find_texts([copies_of(found)], dependencies, deadline.share(1.0), fresh=request.fresh)
    result.answers = [*looked_up.answers, *result.answers]
    if result.text is None:
        raise_if_all_failed([answer.reply for answer in result.answers])
    return result


def find_texts(
    papers: Sequence[PaperCopies], dependencies: PaperDependencies, until: float, *, fresh: bool
) -> list[FoundText]:
    """The text of each paper, in order. Raises nothing: what was not found until then is in `status` and `reason`.

    Each round queries, in parallel, the next source of every paper that has no text yet. It leaves time for another
    round if a paper has more sources.
    """
    sources = dependencies.providers_supporting("full_text")
    results = [FoundText(it, list(candidates(it, sources))) for it in papers]
    while (queried := [it for it in results if it.waiting]) and dependencies.monotonic() < until:
        next_ones = [it.waiting.pop(0) for it in queried]
        legs = [Leg(it.provider, TextOf(it.name)) for it in next_ones]
        now, part = dependencies.monotonic(), ROUND_PART if any(it.waiting for it in queried) else 1.0
        answers = answer_legs(legs, dependencies.legs, until=now + part * (until - now), fresh=fresh)
        dependencies.observe(answers)
        for result, candidate, answer in zip(queried, next_ones, answers, strict=True):
            _take(result, candidate, answer)
    for result in results:
        if not result.shown:
            _explain(result)
    return results


def _name_of(text: str) -> str:
    name = read_id(text)
    if name is None:
        raise no_id("id", text)
    if scheme_of(name) == "title":
        raise Unprocessable.field("id", "a title names no full text: use a DOI, PMID, PMCID or arXiv id")
    return name


def _take(result: FoundText, candidate: PossibleSource, answer: LegAnswer) -> None:
    """Add a source's answer: the first text that may be shown, else the first one, to be named."""
    result.answers.append(answer)
    if not answer.reply.outcome.answered:
        result.unanswered.append(candidate.provider)
    text = answer.reply.full_text
    if text is None:
        return
    if not (verdict := is_of_paper(text, result.copies.titles, result.copies.names)):
        if result.refused != "mismatched":
            result.refused, result.refused_url = "no_text" if verdict is None else "mismatched", text.url
        return
    licence = licence_of(text, candidate.name, result.copies.locations)
    shown = may_be_shown(licence)
    if shown or not result.text:
        result.text, result.licence, result.candidate = text, licence, candidate
    if shown:
        result.status, result.waiting = "available", []


def _explain(result: FoundText) -> None:
    """Set the status and reason of a text that is not shown."""
    unanswered = [*result.unanswered, *(it.provider for it in result.waiting), *result.copies.failed]
    if unanswered:
        late = f" ({OUT_OF_TIME})" if result.waiting else ""
        result.status = "unanswered"
        result.reason = f"no answer from {', '.join(dict.fromkeys(unanswered))}{late}"
    elif result.text:
        result.status = "not_open"
        result.reason = (
            f"its licence ({result.licence or 'none is stated'}) lets people read it there, not others show it"
        )
    elif result.refused == "mismatched":
        result.status = "mismatched"
        result.reason = (
            f"the open copy at {result.refused_url} has another title on its first pages: another paper's, or its own "
            "before the paper was renamed"
        )
    elif result.refused:
        result.status = result.refused
        result.reason = (
            f"no title in the open copy at {result.refused_url} says whose text it is: it may be another paper's"
        )
    elif result.open_copies:
        result.status = "no_text"
        result.reason = f"an open copy exists at {result.read_at}, but none of which a source has the text"
    else:
        result.status = "not_open"
        result.reason = "no source has its text under a licence that allows to show it"
