"""How an answer is made. Read this first.

    request -> legs (provider x wording) -> cache, or ask -> merge -> filter -> rank -> page -> answer; cite

Everything outside is an argument: the cache, the providers, the graph's queue, the clock. A failing provider costs its
own papers and nothing else, and is told as what it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from shared.answer import page_of, result_set_of
from shared.disciplines import pick
from shared.errors import AllProvidersFailed, Expired, FieldError, Outcome
from shared.filters import keep
from shared.hints import hints_for, next_actions
from shared.merging import merge
from shared.pages import Cursor, read_cursor
from shared.provider import LEG_TIMEOUT_S, ProviderReply, report_to_json
from shared.query import Query
from shared.ranking import RankedPaper, rank
from shared.request import SearchRequest

# What the dispatcher needs for itself after the last leg: this, or a quarter of a short request.
RESERVE_S = 0.75
RESERVE_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Leg:
    """One provider to be asked one wording."""

    provider: str
    query: Query
    wording: int = 0


@dataclass(frozen=True, slots=True)
class CachedLeg:
    """A kept reply; `fresh` while it may be used without asking, else only when its provider fails."""

    reply: ProviderReply
    fresh: bool


class SearchCache(Protocol):
    """Where legs and result sets are kept."""

    def get_legs(self, legs: Sequence[Leg]) -> list[CachedLeg | None]:
        """The kept replies, in the order asked."""

    def put_legs(self, legs: Sequence[tuple[Leg, ProviderReply]]) -> None:
        """Keep what answered."""

    def get_result_set(self, result_set_id: str) -> dict[str, Any] | None:
        """A kept result set."""

    def put_result_set(self, result_set_id: str, result_set: Mapping[str, Any]) -> None:
        """Keep a result set for its cursors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The outside world of one search."""

    cache: SearchCache
    ask_providers: Callable[[Sequence[Leg], float], list[ProviderReply]]  # legs, seconds -> replies in that order
    publish: Callable[[Sequence[Mapping[str, Any]], Mapping[str, str] | None], Mapping[str, int]]
    disciplines: Mapping[str, Sequence[str]]  # provider -> its disciplines
    monotonic: Callable[[], float]
    request_id: str


def run_search(request: SearchRequest, world: World) -> dict[str, Any]:
    """The whole answer of product contract 2. Raises AllProvidersFailed, Expired or BadRequest."""
    started = world.monotonic()
    if request.cursor:
        cursor = read_cursor(request.cursor)
        result_set = world.cache.get_result_set(cursor.result_set_id)
        if result_set is None:
            raise Expired("this cursor's result set is kept no longer", hint="Send the search again without `cursor`.")
    else:
        result_set = _new_result_set(request, world, started)
        cursor = Cursor(result_set["result_set_id"], 0)
    answer = page_of(result_set, request, cursor)
    shown = result_set["results"][cursor.offset : cursor.offset + answer["returned"]]
    context = request.context.model_dump() if request.context else None
    answer["kg"] = dict(world.publish(shown, context)) if request.cite_in_kg else {"queued": 0, "skipped": len(shown)}
    answer["search_time_ms"] = round((world.monotonic() - started) * 1000)
    answer["request_id"] = world.request_id
    return answer


def _new_result_set(request: SearchRequest, world: World, started: float) -> dict[str, Any]:
    legs = _legs(request, world.disciplines)
    replies = _answers(legs, request, world, started)
    _someone_answered(replies)
    papers = [
        replace(paper, wording=leg.wording) for leg, reply in zip(legs, replies, strict=True) for paper in reply.papers
    ]
    merged = merge(papers)
    applied: dict[str, frozenset[str]] = {}
    for reply in replies:
        applied[reply.provider] = applied.get(reply.provider, frozenset()) | frozenset(reply.applied_filters)
    kept, undecided = keep(merged, legs[0].query, applied)
    ranked = rank(
        kept,
        request.wordings,
        {reply.provider: reply.family for reply in replies},
        ranking=request.ranking,
        sort=request.sort,
    )
    result_set = result_set_of(request, ranked, _summary(request, replies, ranked, len(merged), undecided))
    world.cache.put_result_set(result_set["result_set_id"], result_set)
    return result_set


def _legs(request: SearchRequest, disciplines: Mapping[str, Sequence[str]]) -> list[Leg]:
    """Every provider asked, times every wording, in a fixed order."""
    if "auto" in request.providers:
        names = set(pick(request.wordings, disciplines)) | (set(request.providers) - {"auto"})
    else:
        names = set(request.providers or disciplines)
    queries = [request.leg_query(wording) for wording in request.wordings]
    return [Leg(name, query, number) for name in sorted(names) for number, query in enumerate(queries)]


def _answers(legs: Sequence[Leg], request: SearchRequest, world: World, started: float) -> list[ProviderReply]:
    """From the cache what is fresh, from the providers the rest; a stale reply stands in for one that failed."""
    kept: Sequence[CachedLeg | None] = [None] * len(legs) if request.fresh else world.cache.get_legs(legs)
    missing = [number for number, entry in enumerate(kept) if entry is None or not entry.fresh]
    whole_s = request.timeout_ms / 1000
    left_s = whole_s - min(RESERVE_S, RESERVE_SHARE * whole_s) - (world.monotonic() - started)
    asked = world.ask_providers([legs[number] for number in missing], min(LEG_TIMEOUT_S, max(left_s, 0.1)))
    live = dict(zip(missing, asked, strict=True))
    world.cache.put_legs([(legs[number], reply) for number, reply in live.items() if reply.outcome.answered])
    return [_best(entry, live.get(number)) for number, entry in enumerate(kept)]


def _best(kept: CachedLeg | None, live: ProviderReply | None) -> ProviderReply:
    """The live reply when it answered, else what was kept (marked stale when a live one failed)."""
    if kept is None:
        if live is None:
            raise ValueError("a leg was neither kept nor asked")
        return live
    if live is None:
        return kept.reply
    if live.outcome.answered:
        return live
    reason = f"kept answer shown, because the provider did not answer now: {live.outcome.value}"
    return replace(
        kept.reply,
        source="stale",
        warnings=(reason, *live.warnings),
        elapsed_ms=live.elapsed_ms,
        retry_after_s=live.retry_after_s,
    )


def _someone_answered(replies: Sequence[ProviderReply]) -> None:
    if any(reply.outcome.answered for reply in replies):
        return
    faults = [
        FieldError(f"providers.{reply.provider}", f"{reply.outcome.value}: {'; '.join(reply.warnings)}")
        for reply in replies
    ]
    waits = [reply.retry_after_s for reply in replies if reply.retry_after_s is not None]
    raise AllProvidersFailed(
        f"none of the {len(replies)} legs asked was answered",
        faults,
        timed_out=all(reply.outcome is Outcome.TIMEOUT for reply in replies),
        retry_after_s=min(waits, default=None),
    )


def _summary(
    request: SearchRequest,
    replies: Sequence[ProviderReply],
    ranked: Sequence[RankedPaper],
    found: int,
    undecided: Counter[str],
) -> dict[str, Any]:
    """All of the answer that is about the search and not about a paper."""
    reports = _reports(replies)
    return {
        "query": request.query or request.wordings[0],
        "total_count": len(ranked),
        "providers_searched": [name for name, report in reports.items() if not _skipped(report)],
        "complete": all(_answered(report, name in request.providers) for name, report in reports.items()),
        "providers": reports,
        "cache": _cache_state(replies),
        "hints": hints_for(request, reports, shown=len(ranked), found=found, undecided=undecided),
        "next_actions": next_actions(request, ranked, reports),
    }


def _reports(replies: Sequence[ProviderReply]) -> dict[str, dict[str, Any]]:
    """One report a provider; of several wordings, the worst outcome with all counts and warnings."""
    reports: dict[str, dict[str, Any]] = {}
    for reply in replies:
        report = report_to_json(reply)
        before = reports.get(reply.provider)
        reports[reply.provider] = _joined(before, report) if before else report
    return reports


def _joined(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    failing = [report for report in (one, other) if not Outcome(report["outcome"]).answered]
    fullest = max((one, other), key=lambda report: int(report["returned"]))
    return {
        **fullest,
        "outcome": (failing or [fullest])[0]["outcome"],
        "returned": one["returned"] + other["returned"],
        "elapsed_ms": max(one["elapsed_ms"], other["elapsed_ms"]),
        "warnings": list(dict.fromkeys(one["warnings"] + other["warnings"])),
        "unsupported_filters": sorted({*one["unsupported_filters"], *other["unsupported_filters"]}),
    }


def _skipped(report: Mapping[str, Any]) -> bool:
    return str(report["outcome"]).startswith("skipped_")


def _answered(report: Mapping[str, Any], named: bool) -> bool:
    """A provider that this deployment has no key for was never asked, unless the caller named it."""
    if report["outcome"] == Outcome.SKIPPED_NO_KEY and not named:
        return True
    return Outcome(report["outcome"]).answered and report["source"] != "stale"


def _cache_state(replies: Sequence[ProviderReply]) -> str:
    sources = Counter(reply.source for reply in replies if not reply.outcome.value.startswith("skipped_"))
    if sources["stale"]:
        return "stale"
    if not sources["live"]:
        return "hit"
    return "partial" if sources["cache"] else "miss"
