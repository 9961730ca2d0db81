"""The query of one provider for one leg: the one place where errors become outcomes and records are checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from shared.bibliography.orcid import read_orcid
from shared.bibliography.paper import with_author_count
from shared.bibliography.text import number_of
from shared.clock import timestamp
from shared.errors import NoKey, ProviderError, UnsupportedFilter
from shared.field_checks import checked
from shared.outcomes import Outcome
from shared.providers.http_client import Client
from shared.providers.provider import MAX_WARNINGS, NothingAdmitted, ProviderReply, ProviderSpec, Work
from shared.query.query import Query
from shared.query.question import Listing, Lookup, Question
from shared.query.syntax import Tagged, leaves

MAX_NOTES = 10  # of a reply's warnings, on fields that do not fit


def answer_question(
    spec: ProviderSpec, work: Work, question: Question, client: Client, elapsed_s: Callable[[], float]
) -> ProviderReply:
    """Query one provider; every error becomes an outcome, and none becomes an empty result."""
    try:
        if spec.needs_key and not client.key:
            raise NoKey(f"{spec.title} needs a key: set {spec.name.upper()}_API_KEY")
        if _names_orcid(question) and not spec.knows_orcids:
            raise UnsupportedFilter(
                f"{spec.title} does not know authors by their ORCID iDs: search by the name as well"
            )
        page = work(question, client)
    except ProviderError as error:
        return _failed(spec, error, client, elapsed_s)
    applied = _applied_by(spec, question, page.unsupported_filters)
    reply = _with_fitting_records(
        ProviderReply(
            provider=spec.name,
            family=spec.family,
            outcome=Outcome.OK if page.papers or page.pointers or page.full_text else Outcome.EMPTY,
            papers=tuple(with_author_count(paper) for paper in page.papers),
            pointers=tuple(page.pointers),
            total_estimate=page.total,
            elapsed_ms=round(elapsed_s() * 1000),
            effective_query=page.effective_query,
            warnings=(*_ignored_sort(spec, question), *_ignored_days(spec, question), *page.warnings),
            unsupported_filters=tuple(name for name in _filters_of(question) if name not in applied),
            not_queried=tuple(page.not_queried),
            partial=page.partial,
            spelling=page.spelling,
            next_position=page.next_position,
            limit_reached=page.limit_reached,
            full_text=page.full_text,
            scores=tuple(page.scores),
            in_text=tuple(page.in_text),
            applied_filters=applied,
            retrieved_at=timestamp(client.now()),
        )
    )
    unread = page.unread + len(page.papers) - len(reply.papers)
    if not (isinstance(question, Lookup) and unread and reply.outcome.answered):
        return reply
    return replace(reply, not_queried=_without_answer(question.names, reply))


def _filters_of(question: Question) -> Sequence[str]:
    query = question.query if isinstance(question, Listing) else question
    return query.filters if isinstance(query, Query) else ()


def _names_orcid(question: Question) -> bool:
    query = question.query if isinstance(question, Listing) else question
    if not isinstance(query, Query):
        return False
    tagged = (leaf.text for leaf in leaves(query.node) if isinstance(leaf, Tagged) and leaf.field == "author")
    return any(person.orcid for readings in query.people for person in readings) or any(map(read_orcid, tagged))


def _applied_by(spec: ProviderSpec, question: Question, unsupported: Sequence[str]) -> tuple[str, ...]:
    """The filters that the API itself applied: the author as well where it knows the ORCID iD."""
    known = spec.filters | {"author"} if spec.knows_orcids and _names_orcid(question) else spec.filters
    return tuple(name for name in _filters_of(question) if name in known and name not in unsupported)


def _ignored_sort(spec: ProviderSpec, question: Question) -> tuple[str, ...]:
    """The warning that a search is not in the order that was requested. A listing has none: all of it is read."""
    if not isinstance(question, Query) or question.sort in spec.sorts:
        return ()
    return (f"{spec.title} cannot sort by {question.sort}: the papers are sorted by relevance",)


def _ignored_days(spec: ProviderSpec, question: Question) -> tuple[str, ...]:
    """The warning that a source was sent whole years in place of the dates that were requested."""
    query = question.query if isinstance(question, Listing) else question
    if not spec.compares_years or not isinstance(query, Query) or query.in_whole_years:
        return ()
    return (f"{spec.title} compares years: the days are checked afterwards",)


def _without_answer(names: Sequence[str], reply: ProviderReply) -> tuple[int, ...]:
    """The positions of the names without a paper: an unread record may be of any of them."""
    answered = {name for paper in reply.papers for name in paper.asked}
    return tuple(place for place, name in enumerate(names) if place in reply.not_queried or name not in answered)


def _failed(spec: ProviderSpec, error: ProviderError, client: Client, elapsed_s: Callable[[], float]) -> ProviderReply:
    reply, _ = checked(  # the message may contain a name or id from the answer
        ProviderReply,
        ProviderReply(
            provider=spec.name,
            family=spec.family,
            outcome=error.outcome,
            elapsed_ms=round(elapsed_s() * 1000),
            warnings=(error.message,),
            total_estimate=0 if isinstance(error, NothingAdmitted) else None,
            retry_after_s=error.retry_after_s,
            retrieved_at=timestamp(client.now()),
        ),
    )
    return reply


def _with_fitting_records(reply: ProviderReply) -> ProviderReply:
    """The reply with what fits of its records, and warnings that name the field and record of what does not."""
    fitting, notes = checked(ProviderReply, reply)
    if len(notes) > MAX_NOTES:
        notes = [*notes[:MAX_NOTES], f"{len(notes) - MAX_NOTES} more fields of records did not fit"]
    if (reply.papers or reply.pointers) and not (fitting.papers or fitting.pointers):
        reason = (
            f"none of {number_of(len(reply.papers) + len(reply.pointers), 'record')} could be read; first: {notes[0]}"
        )
        return replace(fitting, outcome=Outcome.BAD_RESPONSE, warnings=(reason,))
    if reply.full_text and not fitting.full_text:
        return replace(fitting, outcome=Outcome.BAD_RESPONSE, warnings=(f"its text could not be read: {notes[0]}",))
    own = fitting.warnings[: MAX_WARNINGS - len(notes)]
    return replace(fitting, warnings=(*own, *notes)) if notes else fitting
