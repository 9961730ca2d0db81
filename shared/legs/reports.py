"""What the legs of a request amount to: a report per provider, completeness, the use of the cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from shared.errors import AllProvidersFailed, FieldError
from shared.legs.leg import LegAnswer
from shared.legs.overload import RETRY_AFTER_S, Overloaded
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, report_to_json

if TYPE_CHECKING:
    from shared.answers.search import CacheState, LegReport

OTHER_PROVIDERS = "Retry later, or select other providers with `providers`."
FEWER_PROVIDERS = "Retry with a longer `timeout_ms` or fewer providers."
QUERY_CHARS = 500  # of each effective query, where a leg had several
Reports: TypeAlias = "dict[str, LegReport]"  # by provider


def raise_if_all_failed(replies: Sequence[ProviderReply], *, by_choice: bool = False) -> None:
    """Raises AllProvidersFailed, with every reason, if no leg was answered; Overloaded if this service is the cause.

    If no provider supports the filters, that is an answer: a retry would not help. `by_choice`: whether the request may
    select its providers, so that it can be sent with others.
    """
    outcomes = {reply.outcome for reply in replies}
    if any(outcome.answered for outcome in outcomes) or outcomes == {Outcome.SKIPPED_UNSUPPORTED_FILTER}:
        return
    waits = [reply.retry_after_s for reply in replies if reply.retry_after_s is not None]
    if {it for it in outcomes if it.unanswered} == {Outcome.SKIPPED_OVERLOAD}:
        raise Overloaded("too many searches are running", retry_after_s=min(waits, default=RETRY_AFTER_S))
    errors = dict.fromkeys(  # of several wordings, a provider often says the same
        FieldError(f"providers.{reply.provider}", f"{reply.outcome.value}: {'; '.join(reply.warnings)}")
        for reply in replies
    )
    providers = {reply.provider for reply in replies}
    timed_out = all(reply.outcome is Outcome.TIMEOUT for reply in replies)
    raise AllProvidersFailed(
        f"none of the {len(providers)} sources answered"
        if len(providers) > 1
        else f"{replies[0].provider} did not answer",
        list(errors),
        timed_out=timed_out,
        retry_after_s=min(waits, default=None),
        hint=(FEWER_PROVIDERS if timed_out else OTHER_PROVIDERS) if by_choice else None,
    )


def reports_of(replies: Sequence[ProviderReply]) -> Reports:
    """One report per provider; for several wordings, the first outcome without an answer, all counts and warnings."""
    reports: Reports = {}
    for reply in replies:
        report = cast("LegReport", report_to_json(reply))
        before = reports.get(reply.provider)
        reports[reply.provider] = _joined(before, report) if before else report
    return reports


def _joined(one: LegReport, other: LegReport) -> LegReport:
    failing = [it for it in (one, other) if not (Outcome(it["outcome"]).answered or _left_out(it))]
    fullest = max((one, other), key=lambda report: int(report["returned"]))
    relaxed = one.get("relaxed", 0) + other.get("relaxed", 0)
    joined: LegReport = {
        **fullest,
        **_all_queries(one, other, fullest),
        "outcome": (failing or [fullest])[0]["outcome"],
        "returned": one["returned"] + other["returned"],
        "partial": one.get("partial", False) or other.get("partial", False),
        "elapsed_ms": max(one["elapsed_ms"], other["elapsed_ms"]),
        "warnings": list(dict.fromkeys(one["warnings"] + other["warnings"])),
        "unsupported_filters": sorted({*one["unsupported_filters"], *other["unsupported_filters"]}),
    }
    return {**joined, "relaxed": relaxed} if relaxed else joined


def _all_queries(one: LegReport, other: LegReport, fullest: LegReport) -> LegReport:
    """The queries of both, each on a line, and how many results they have together; equal queries count once."""
    queries = [line for it in (one, other) for line in (it.get("effective_query") or "").split("\n") if line]
    distinct = list(dict.fromkeys(queries))
    totals = [it.get("total_estimate") for it in (one, other)]
    if len(distinct) < len(queries) or len(queries) < 2:
        return cast("LegReport", {"total_estimate": fullest.get("total_estimate")})
    whole = sum(total for total in totals if total is not None) if None not in totals else None
    text = "\n".join(query[:QUERY_CHARS] for query in distinct)
    return cast("LegReport", {"effective_query": text, "total_estimate": whole})


def searched(reports: Reports) -> list[str]:
    """The providers that were queried, now or when the cached answer was made."""
    return [name for name, report in reports.items() if not Outcome(report["outcome"]).skipped]


def complete(reports: Reports, named: Collection[str]) -> bool:
    """Whether every queried provider answered, and not from a stale cache entry.

    A provider without a key in this deployment does not count, unless the caller named it; one that holds nothing that
    the filters admit has answered with 0.
    """
    return not missing(reports, named)


def missing(reports: Mapping[str, LegReport], named: Collection[str]) -> list[str]:
    """The providers for lack of whose answers these reports are not `complete`, in alphabetical order."""
    return sorted(
        name
        for name, report in reports.items()
        if not (answered_now(report) or _left_out(report) or Outcome(report["outcome"]).is_exempt(named=name in named))
    )


def answered_now(report: LegReport) -> bool:
    """Whether the provider answered, and not an earlier search in its place."""
    return Outcome(report["outcome"]).answered and report["source"] != "stale"


def _left_out(report: LegReport) -> bool:
    """Whether the provider was not queried because it is known to add nothing."""
    return report["outcome"] == Outcome.SKIPPED_UNSUPPORTED_FILTER and report.get("total_estimate") == 0


def cache_state(answers: Sequence[LegAnswer]) -> CacheState:
    """The worst cache state among the legs that were not skipped."""
    queried = [answer for answer in answers if not answer.reply.outcome.skipped]
    sources = Counter("coalesced" if answer.coalesced else answer.reply.source for answer in queried)
    if any(answer.reply.source == "stale" for answer in queried):
        return "stale"
    if sources["live"]:
        return "partial" if sources["cache"] or sources["coalesced"] else "miss"
    return "coalesced" if sources["coalesced"] else "hit"


def as_cached(reports: Mapping[str, LegReport]) -> Reports:
    """The reports of a stored result set for another answer, which queried no provider."""
    return {name: _as_cached(report) for name, report in reports.items()}


def _as_cached(report: LegReport) -> LegReport:
    return {**report, "source": "cache" if report["source"] == "live" else report["source"], "elapsed_ms": 0}


def as_answers(reports: Mapping[str, LegReport], *, coalesced: bool = False) -> list[LegAnswer]:
    """The legs of a stored result set without their papers, for metrics."""
    return [
        LegAnswer(
            ProviderReply(provider=name, family=name, outcome=Outcome(it["outcome"]), source=it["source"]), coalesced
        )
        for name, it in reports.items()
    ]
