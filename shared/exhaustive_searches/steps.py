"""The steps of an exhaustive search: a page of every source, again and again, then the merging of all records.

    start -> pages of every source, in parallel -> … -> merge -> filter -> papers and counts

A source without a permit, or whose circuit is open, is waited for: that is not a failure. One that fails several times
in a row ends as failed, with what was read of it. Each round is stored before the next one begins.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.clock import begun_epoch_s
from shared.exhaustive_searches.progress import ExhaustiveSearch, SearchProgress, SearchStore, Source, Stop
from shared.exhaustive_searches.request import MAX_ALL_RECORDS, ExhaustiveSearchRequest, request_of
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer, LegDependencies
from shared.outcomes import Outcome
from shared.providers.encoded_replies import encode_reply
from shared.providers.provider import LEG_TIMEOUT_S, ProviderReply
from shared.query.query import Query
from shared.query.question import Listing
from shared.search.search_legs import legs_of

PAGE_RECORDS = 200
# A round ends with the slowest leg; no round is begun that could not end.
ROUND_S = LEG_TIMEOUT_S + 1
FAILURES = 4  # in a row, after which a source is given up
RETRY_S = 20  # after the first failure; each further one takes as long again
LEAST_WAIT_S, LONGEST_WAIT_S = 10, 900
# A day's allowance is renewed within a day.
LONGEST_WAITING_S = 26 * 3600
MAX_WARNINGS, MAX_QUERY_CHARS = 10, 6_000


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDependencies:
    """What a step needs from outside the domain."""

    legs: LegDependencies
    listing: Collection[str]  # the providers that list everything that a query finds
    tracks_integrity: Collection[str]
    observe: Callable[[Sequence[LegAnswer]], None]
    monotonic: Callable[[], float]
    now: Callable[[], datetime]


def start(request: ExhaustiveSearchRequest, disciplines: Mapping[str, Sequence[str]]) -> SearchProgress:
    """The progress before the first page: one source for each provider and wording."""
    legs = legs_of(request, disciplines)
    bound = min(request.max_records, MAX_ALL_RECORDS // max(1, len(legs)))
    return SearchProgress(
        sources=tuple(Source(provider=leg.provider, wording=leg.wording, bound=bound) for leg in legs)
    )


def page_part(source: int, page: int, version: int) -> str:
    """The name of the part that holds a page of a source."""
    return f"page#{source}#{page}#{version}"


def seconds_until_due(progress: SearchProgress, now: datetime) -> int:
    """How long no source may be requested; 0 if one may be, or if all are read."""
    due = [source.due for source in progress.sources if not source.stopped]
    return max(0, min(due) - begun_epoch_s(now)) if due else 0


def read_round(search: ExhaustiveSearch, store: SearchStore, dependencies: StepDependencies) -> ExhaustiveSearch | None:
    """Read the next page of every source that is due; None if another worker was faster."""
    began, now = dependencies.monotonic(), begun_epoch_s(dependencies.now())
    progress = search.progress
    numbers = [n for n, it in enumerate(progress.sources) if not it.stopped and it.due <= now]
    legs = [_leg(request_of(search.request), progress.sources[n], dependencies.listing) for n in numbers]
    # What was retrieved since the search was begun is still good: a worker that died may have read it.
    answers = answer_legs(legs, dependencies.legs, until=began + ROUND_S, fresh=True)
    dependencies.observe(answers)
    version, sources = progress.version + 1, list(progress.sources)
    for number, leg, answer in zip(numbers, legs, answers, strict=True):
        source, reply = sources[number], answer.reply
        if reply.outcome.answered:
            store.put(search, page_part(number, len(source.pages), version), encode_reply(reply))
            sources[number] = _read(source, reply, version, pages=isinstance(leg.question, Listing))
        else:
            sources[number] = _not_read(source, reply, now)
    seconds = progress.seconds + dependencies.monotonic() - began
    after = replace(progress, sources=tuple(sources), version=version, seconds=seconds)
    return replace(search, progress=after) if store.change(search, after) else None


def _leg(request: ExhaustiveSearchRequest, source: Source, listing: Collection[str]) -> Leg:
    """The next page; a provider that lists nothing answers a search, with its best papers."""
    query: Query = replace(request.leg_query(request.wordings[source.wording]), widen=False)
    if source.provider not in listing:
        return Leg(source.provider, query, source.wording)
    size = min(PAGE_RECORDS, source.bound)
    return Leg(source.provider, Listing(query, source.position, size), source.wording)


def _read(source: Source, reply: ProviderReply, version: int, *, pages: bool) -> Source:
    records = min(source.bound, source.records + len(reply.papers))
    total = source.total if source.pages else reply.total_estimate
    if reply.next_position and records < source.bound:
        stopped = None
    elif pages:
        more = reply.next_position or source.records + len(reply.papers) > source.bound
        stopped = Stop.BOUND if more else Stop.LIMIT if reply.limit_reached else Stop.END
    else:
        stopped = Stop.END if total is not None and total <= records else Stop.ONE_PAGE
    return replace(
        source,
        position=reply.next_position or source.position,
        pages=(*source.pages, version),
        records=records,
        total=total,
        query=source.query or (reply.effective_query or "")[:MAX_QUERY_CHARS] or None,
        began_at=source.began_at or reply.retrieved_at,
        ended_at=reply.retrieved_at,
        outcome=reply.outcome if not source.records else Outcome.OK,
        stopped=stopped,
        partial=source.partial or reply.partial,
        warnings=_warnings(source, reply),
        applied_filters=reply.applied_filters,
        unsupported_filters=reply.unsupported_filters,
        failures=0,
        due=0,
        waiting_since=None,
    )


def _not_read(source: Source, reply: ProviderReply, now: int) -> Source:
    failed = replace(source, outcome=reply.outcome, warnings=_warnings(source, reply))
    if not reply.outcome.may_answer_later:
        total = reply.total_estimate if reply.total_estimate is not None else source.total
        return replace(failed, stopped=Stop.SKIPPED if not source.pages else Stop.FAILED, total=total)
    wait = min(max(round(reply.retry_after_s or 0), LEAST_WAIT_S), LONGEST_WAIT_S)
    if reply.outcome.asks_to_wait:
        since = now if source.waiting_since is None else source.waiting_since
        stopped = Stop.FAILED if now - since > LONGEST_WAITING_S else None
        return replace(failed, due=now + wait, waiting_since=since, stopped=stopped)
    failures = source.failures + 1
    stopped = Stop.FAILED if failures >= FAILURES else None
    return replace(failed, failures=failures, due=now + max(wait, RETRY_S * failures), stopped=stopped)


def _warnings(source: Source, reply: ProviderReply) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*source.warnings, *reply.warnings)))[:MAX_WARNINGS]
