"""CloudWatch metrics in the log (EMF), in the namespace of the stage. They never identify a query or a caller.

A search writes one line. By `service`: how many legs were live, cached, stale or coalesced, and for how many of the
live ones there was no permit or no room (`LegsSkipped`). By `counted`, whose value is `failed`: a metric with the name
of each provider that was queried just now (`live`, or `stale` because that failed), 0 for an answer and 1 for a
failure. Its number of samples is how many legs were queried, its sum how many failed, its average the share that the
alarm looks at. One line has one value of a dimension, so the name of the provider cannot be one. How long legs take is
the duration of the providers' functions, which Lambda measures.

By `provider`, of the provider's own function: `CreditsLeft` of its day, and `BudgetTableLost` when a process cannot
reach the table of rate limits. A metric is billed in the hours in which it is written, so a count of 0 is not.
https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from aws_lambda_powertools.metrics import MetricUnit

from shared.aws.runtime.settings import metrics_disabled, metrics_namespace
from shared.canonical_json import compact_json

if TYPE_CHECKING:
    from shared.answers.service import Budget
    from shared.legs.leg import LegAnswer

SERVICE = "literature-search"
COUNTED, FAILED_LEGS = "counted", "failed"
MAX_VALUES = 100  # of one metric in a line
# The values of metrics, by dimension and its value.
Values = Mapping[tuple[str, str], Mapping[str, Sequence[float]]]


def observe(answers: Sequence[LegAnswer]) -> None:
    """Emit the metrics of one search's legs."""
    sources = Counter("coalesced" if answer.coalesced else answer.reply.source for answer in answers)
    queried = [it for it in answers if not it.coalesced and it.reply.source != "cache"]
    outcomes = [(it.reply.provider, it.failure or it.reply.outcome) for it in queried]
    sources["skipped"] = sum(outcome.no_room for _, outcome in outcomes)
    failed: defaultdict[str, list[float]] = defaultdict(list)
    for provider, outcome in outcomes:
        if outcome.answered or outcome.failed:
            failed[provider].append(outcome.failed)
    legs = {f"Legs{source.title()}": [count] for source, count in sorted(sources.items()) if count}
    _emit({("service", SERVICE): legs, (COUNTED, FAILED_LEGS): failed})


def observe_budget(provider: str, budget: Budget) -> None:
    """Emit what is left of a provider's day, if it has an allowance."""
    if budget["credits_left"] is not None:
        _emit({("provider", provider): {"CreditsLeft": [budget["credits_left"]]}})


def observe_lost_table(provider: str) -> None:
    """Emit that a process cannot reach the table of rate limits, or is throttled: it sends less for a while."""
    _emit({("provider", provider): {"BudgetTableLost": [1]}})


def _emit(values: Values) -> None:
    """One line for CloudWatch with a directive for each dimension; none if nothing is to be said."""
    written = {dimension: metrics for dimension, metrics in values.items() if metrics}
    if not written or metrics_disabled():
        return
    directives = [
        {
            "Namespace": metrics_namespace(),
            "Dimensions": [[name]],
            "Metrics": [{"Name": metric, "Unit": MetricUnit.Count.value} for metric in metrics],
        }
        for (name, _), metrics in written.items()
    ]
    numbers = {
        name: [float(it) for it in some[:MAX_VALUES]] for metrics in written.values() for name, some in metrics.items()
    }
    head = {"Timestamp": int(time.time() * 1000), "CloudWatchMetrics": directives}
    print(compact_json({"_aws": head, **dict(written.keys()), **numbers}))  # noqa: T201  CloudWatch reads it from there
