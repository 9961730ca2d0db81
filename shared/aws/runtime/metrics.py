"""CloudWatch metrics in the log (EMF), in the namespace of the stage. They never identify a query or a caller.

By `provider`, of the legs for which it was to be queried just now (`live`, or `stale` because that failed):
`Asked` and `Failed` (the alarms' share), `Skipped` (no permit or no room: its limit or ours, not its failure),
`LegLatency`, and what is left of its budgets; `BudgetTableLost` when a process cannot reach their table. By `service`,
one line a search: how many legs were live, cached, stale or coalesced. A metric is billed in the hours in which it is
written, so a count of 0 is not.
https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from shared.aws.runtime.settings import metrics_namespace
from shared.errors import Outcome

if TYPE_CHECKING:
    from shared.answers.service import Budget
    from shared.legs.leg import LegAnswer

SERVICE = "literature-search"
FAILED = frozenset({
    Outcome.RATE_LIMITED, Outcome.TIMEOUT, Outcome.UNAVAILABLE, Outcome.BAD_RESPONSE, Outcome.CIRCUIT_OPEN
})  # fmt: skip
SKIPPED = frozenset({Outcome.SKIPPED_BUDGET, Outcome.SKIPPED_OVERLOAD})
Values = Mapping[str, tuple[MetricUnit, Sequence[float]]]


def observe(answers: Sequence[LegAnswer]) -> None:
    """Emit the metrics of one search's legs: a line, and one for each provider that was to be queried."""
    sources = Counter("coalesced" if answer.coalesced else answer.reply.source for answer in answers)
    if sources:
        counts = {f"Legs{source.title()}": (MetricUnit.Count, [count]) for source, count in sorted(sources.items())}
        _emit({"service": SERVICE}, counts)
    by_provider: defaultdict[str, list[LegAnswer]] = defaultdict(list)
    for answer in answers:
        if not answer.coalesced and answer.reply.source != "cache":
            by_provider[answer.reply.provider].append(answer)
    for provider, live in by_provider.items():
        _observe_live(provider, live)


def _observe_live(provider: str, answers: Sequence[LegAnswer]) -> None:
    outcomes = [answer.failure or answer.reply.outcome for answer in answers]
    asked = [it.answered or it in FAILED for it in outcomes]
    counts = {"Asked": sum(asked), "Failed": sum(it in FAILED for it in outcomes)}
    counts["Skipped"] = sum(it in SKIPPED for it in outcomes)
    values: dict[str, tuple[MetricUnit, Sequence[float]]] = {
        name: (MetricUnit.Count, [count]) for name, count in counts.items() if count
    }
    if counts["Asked"]:
        took = [answer.reply.elapsed_ms for answer, was_asked in zip(answers, asked, strict=True) if was_asked]
        values["LegLatency"] = (MetricUnit.Milliseconds, took)
    if values:
        _emit({"provider": provider}, values)


def observe_budget(provider: str, budget: Budget) -> None:
    """Emit what is left of a provider's budget."""
    values: dict[str, tuple[MetricUnit, Sequence[float]]] = {"BudgetLeft": (MetricUnit.Count, [budget["left_now"]])}
    if budget["credits_left"] is not None:
        values["CreditsLeft"] = (MetricUnit.Count, [budget["credits_left"]])
    _emit({"provider": provider}, values)


def observe_lost_table(provider: str) -> None:
    """Emit that a process cannot reach the table of rate limits, or is throttled: it sends less for a while."""
    _emit({"provider": provider}, {"BudgetTableLost": (MetricUnit.Count, [1])})


def _emit(dimensions: Mapping[str, str], values: Values) -> None:
    """One line for CloudWatch, under these dimensions alone."""
    # A new object each time: on the local machine several functions share a process. Without a service of its own,
    # which would be a second set of dimensions, and as many metrics again.
    metrics = EphemeralMetrics(namespace=metrics_namespace(), service="")
    for name, value in dimensions.items():
        metrics.add_dimension(name, value)
    for name, (unit, numbers) in values.items():
        for number in numbers:
            metrics.add_metric(name=name, unit=unit, value=number)
    metrics.flush_metrics()
