"""The tables of infra/cost.md match the calculation, and the simulated day respects the sources' limits."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.functions import provider_spec, providers_for
from shared.rate_limits.budget import DAY_S
from tests.benchmarks import cost, cost_operations
from tests.benchmarks.cost_prices import ALARM_METRICS, FIREWALL_RULES, PRICES, prices
from tests.benchmarks.cost_units import read_units, write_units
from tests.benchmarks.million import PLANS, sources
from tests.benchmarks.million_day import Day
from tests.infra.template import Template

# A new search each second; every tenth is repeated at once and again a minute later.
STREAM = sorted(
    (DAY_S + second + later, second)
    for second in range(1200)
    for later in ((0.0, 0.01, 60.0) if second % 10 == 0 else (0.0,))
)


@pytest.fixture
def measured() -> Any:
    return json.loads(cost.MEASURED.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def day() -> Day:
    simulated = Day(sources(PLANS["free keys"]))
    simulated.run(STREAM)
    return simulated


def test_the_tables_in_the_text_match_the_calculation() -> None:
    text = cost.TEXT.read_text(encoding="utf-8")
    assert text == cost.written(text, cost.parts()), "python -m tests.benchmarks.cost --write"


def test_another_figure_would_change_the_text(measured: Any) -> None:
    text = cost.TEXT.read_text(encoding="utf-8")
    measured["searches"]["miss"]["counts"]["wru local-search-cache"] *= 2
    assert text != cost.written(text, {"costs": cost.tables(measured)})


def test_the_less_is_left_to_do_the_less_a_search_costs(measured: Any) -> None:
    dollars = {kind: sum(cost.cost(measured, kind).values()) for kind in cost.KINDS}
    assert dollars["miss"] > dollars["again"] > 2 * max(dollars["refused"], dollars["coalesced"])
    assert min(dollars["refused"], dollars["coalesced"]) > 2 * dollars["hit"] > 0


def test_a_question_of_yesterday_costs_no_more_to_keep_than_a_new_one(measured: Any) -> None:
    """The lease of a leg is not written with its old reply."""
    again, miss = (cost.cost(measured, kind) for kind in ("again", "miss"))
    kept = [row for row in miss if "kept answers, written" in row]
    assert sum(again[row] for row in kept) <= sum(miss[row] for row in kept) < 0.06


def test_the_edges_of_a_miss_cost_less_than_half_of_an_item_each(measured: Any) -> None:
    """With what is moved in the tree later on."""
    largest = measured["tree"][-1]
    assert largest["papers"] >= 100_000
    stored = measured["searches"]["graph of a miss"]["counts"]["wru local-papers"]
    units = stored + cost.moved(measured, "miss")["write_units"]
    assert units < largest["edges"] / largest["papers"] * 10 / 2


def test_a_cached_answer_is_not_queued_for_the_graph_again(measured: Any) -> None:
    for kind in ("hit", "refused", "coalesced"):
        assert cost.cost(measured, kind)["Graph: queue, writer, table"] == 0


def test_the_cost_includes_every_alarm_metric(template: Template) -> None:
    alarms = template.resources("AWS::CloudWatch::Alarm").values()
    count = sum(sum("MetricStat" in it for it in alarm.get("Metrics", [])) or 1 for alarm in alarms)
    assert count == ALARM_METRICS


def test_the_cost_includes_the_firewall_of_prod(production: Template) -> None:
    (firewall,) = production.resources("AWS::WAFv2::WebACL").values()
    assert len(firewall["Rules"]) == FIREWALL_RULES


def test_every_optional_source_and_every_request_for_texts_has_a_row(measured: Any) -> None:
    titles = [spec.title for spec in map(provider_spec, providers_for("search")) if spec.optional]
    searches = {f"search of {title} alone" for title in titles}
    assert searches | {"full text (JATS)", "full text (PDF)", "passages of one paper", "similar papers of one"} <= set(
        measured["operations"]
    )


def test_a_repeated_request_costs_less_than_a_tenth(measured: Any) -> None:
    dollars = {name: sum(cost_operations.cost(used).values()) for name, used in measured["operations"].items()}
    for kept in [name for name in dollars if name.endswith("kept")]:
        assert 0 < dollars[kept] < dollars[kept.partition(",")[0]] / 10


def test_every_price_is_listed() -> None:
    text = " ".join(prices().split())
    for price in PRICES.values():
        assert f"{price.dollars:.8g} {price.unit}" in text


@pytest.mark.parametrize(("size", "reads", "writes"), [(0, 0.5, 1), (1024, 0.5, 1), (1025, 0.5, 2), (4097, 1.0, 5)])
def test_dynamodb_rounds_each_item_up(size: int, reads: float, writes: int) -> None:
    assert read_units(size, consistent=False) == reads
    assert read_units(size, consistent=True) == 2 * reads
    assert write_units(size) == writes


def test_every_search_of_the_day_ends_once(day: Day) -> None:
    assert day.kinds.total() == len(STREAM)
    kinds = {kind: sum(times for (_, it), times in day.kinds.items() if it == kind) for _, kind in day.kinds}
    assert kinds["miss"] >= 1200
    assert kinds["coalesced"] > 0


def test_no_source_receives_more_requests_than_it_allows(day: Day) -> None:
    seconds = STREAM[-1][0] - DAY_S + 15
    for source in day.sources.values():
        allowed = source.limits.requests / source.limits.spacing_s * seconds + source.limits.requests
        assert 0 < source.sent.total() <= allowed, source.name
    assert day.sources["openalex"].sent.total() <= 1000


def test_requests_above_a_sources_limit_are_refused(day: Day) -> None:
    arxiv = day.sources["arxiv"]
    assert arxiv.asked == arxiv.answered.total() + arxiv.refused.total() + arxiv.late.total() >= 1200
    assert arxiv.refused.total() > arxiv.answered.total() > 0
