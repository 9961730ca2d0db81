"""The full text of a paper, from the first source that has it under a licence that allows to show it.

available    the text is shown
not_open     every source that would know has answered, and none has it under such a licence
no_text      an open copy exists, but none of which text can be read
unanswered   a source that may have it did not answer
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shared.bibliography.full_text import FullText
from shared.bibliography.licences import may_be_shown, read_licence
from shared.bibliography.paper_ids import EXAMPLES, read_id, scheme_of
from shared.clock import Deadline
from shared.errors import FieldError, Unprocessable
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer
from shared.legs.reports import raise_if_all_failed
from shared.papers.dependencies import PaperDependencies
from shared.papers.full_text_request import FullTextRequest
from shared.papers.lookup import look_up
from shared.papers.paper_request import PaperRequest
from shared.papers.papers import not_found_error
from shared.papers.text_sources import Candidate, candidates, licence_of, locations
from shared.query.question import TextOf

if TYPE_CHECKING:
    from shared.answers.full_texts import TextStatus

LOOKUP_PART = 0.5  # of the time; the rest is for the sources of texts


@dataclass(slots=True)
class FoundText:
    """What was found of one paper's text."""

    found: PaperRequest
    status: TextStatus = "unanswered"
    reason: str | None = None
    text: FullText | None = None  # also of one that may not be shown
    licence: str | None = None
    candidate: Candidate | None = None  # the source of `text`
    answers: list[LegAnswer] = field(default_factory=list)


def find_full_text(request: FullTextRequest, dependencies: PaperDependencies) -> FoundText:
    """Look the paper up, then query the sources of texts one after the other.

    Raises Unprocessable for what is no id, NotFound for a paper that no answering provider has, and AllProvidersFailed.
    """
    name = _name_of(request.id)
    deadline = Deadline(dependencies.monotonic, request.timeout_ms)
    looked_up = look_up([name], dependencies, deadline, fresh=request.fresh, part=LOOKUP_PART)
    (found,) = looked_up.requests
    result = FoundText(found, answers=list(looked_up.answers))
    if found.not_found and not found.paper:
        raise not_found_error(request.id, name, found.answered_by, found.failed)
    sources = dependencies.providers_supporting("full_text")
    unanswered = []
    for candidate in candidates(found, sources):
        leg = Leg(candidate.provider, TextOf(candidate.name))
        answers = answer_legs([leg], dependencies.legs, until=deadline.share(1.0), fresh=request.fresh)
        dependencies.observe(answers)
        result.answers += answers
        reply = answers[0].reply
        if not reply.outcome.answered:
            unanswered.append(candidate.provider)
        if reply.full_text and _may_show(result, reply.full_text, candidate):
            return result
    raise_if_all_failed([answer.reply for answer in result.answers])
    _explain(result, [*unanswered, *found.failed])
    return result


def _name_of(text: str) -> str:
    name = read_id(text)
    if name is None or scheme_of(name) == "title":
        raise Unprocessable(f"id: {text[:100]!r} is no id of a paper", [FieldError("id", f"must be {EXAMPLES}")])
    return name


def _may_show(result: FoundText, text: FullText, candidate: Candidate) -> bool:
    """Whether the text may be shown; the first one that may not is remembered, to be named."""
    licence = licence_of(text, candidate.name, result.found.paper)
    shown = may_be_shown(licence)
    if shown or not result.text:
        result.text, result.licence, result.candidate = text, licence, candidate
        result.status, result.reason = ("available", None) if shown else ("not_open", None)
    return shown


def _explain(result: FoundText, unanswered: Sequence[str]) -> None:
    """Set the status and reason of a text that is not shown."""
    copies = [it for it in locations(result.found.paper) if may_be_shown(read_licence(it.license))]
    if unanswered:
        result.status = "unanswered"
        result.reason = f"no answer from {', '.join(dict.fromkeys(unanswered))}"
    elif result.text:
        result.status = "not_open"
        result.reason = (
            f"its licence ({result.licence or 'none is stated'}) lets people read it there, not others show it"
        )
    elif copies:
        result.status = "no_text"
        result.reason = f"an open copy exists at {copies[0].url}, but none of which a source has the text"
    else:
        result.status = "not_open"
        result.reason = "no source has its text under a licence that allows to show it"
