"""CloudWatch metrics in the log (EMF): the outcome, source and duration of each leg, and what is left of budgets.

In the namespace of the stage; by provider, by provider and outcome, by provider and source (live, cache, stale,
coalesced). Metrics never identify a query or a caller. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from shared.aws.runtime.settings import metrics_namespace

if TYPE_CHECKING:
    from shared.answers.service import Budget
    from shared.legs.leg import LegAnswer

SERVICE = "literature-search"


def observe(answers: Sequence[LegAnswer]) -> None:
    """Emit the metrics of each leg."""
    for answer in answers:
        reply = answer.reply
        source = "coalesced" if answer.coalesced else reply.source
        emit(
            [
                {"provider": reply.provider},
                {"provider": reply.provider, "outcome": reply.outcome.value},
                {"provider": reply.provider, "source": source},
            ],
            {"Legs": (MetricUnit.Count, 1), "LegLatency": (MetricUnit.Milliseconds, reply.elapsed_ms)},
        )


def observe_budget(provider: str, budget: Budget) -> None:
    """Emit what is left of a provider's budget."""
    values: dict[str, tuple[MetricUnit, float]] = {"BudgetLeft": (MetricUnit.Count, budget["left_now"])}
    if budget["credits_left"] is not None:
        values["CreditsLeft"] = (MetricUnit.Count, budget["credits_left"])
    emit([{"provider": provider}], values)


def emit(dimension_sets: Sequence[Mapping[str, str]], values: Mapping[str, tuple[MetricUnit, float]]) -> None:
    """One line for CloudWatch: every value under every set of dimensions, and under the service as a whole."""
    # A new object each time: on the local machine several functions share a process.
    metrics = EphemeralMetrics(namespace=metrics_namespace(), service=SERVICE)
    for dimensions in dimension_sets:
        metrics.add_dimensions(**dimensions)
    for name, (unit, value) in values.items():
        metrics.add_metric(name=name, unit=unit, value=value)
    metrics.flush_metrics()
