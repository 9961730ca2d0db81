"""Alarms and the dashboard use metrics that exist, and every alarm is published."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from infra.app import synthesise
from infra.constructs.monitoring import TABLES_OF_A_SEARCH
from infra.functions import QUEUES_READ, provider_names
from infra.tables import TABLES
from shared.answers.service import Budget
from shared.aws.runtime import metrics as leg_metrics
from shared.delivery.webhook import AttemptEnd
from shared.legs.leg import LegAnswer
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from tests.infra.conftest import ALL_SETTINGS, CONTACT, read
from tests.infra.template import Template, references, text

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds

ROOT = Path(__file__).parents[2]
FILTER = "AWS::Logs::MetricFilter"
ALARM, TOPIC = "AWS::CloudWatch::Alarm", "AWS::SNS::Topic"
STACK = "literature-search-dev"
Named = tuple[str, str, frozenset[str]]  # namespace, metric, names of dimensions


def alarms(template: Template) -> dict[str, dict[str, Any]]:
    """Return the alarms by name, without the stack's name."""
    return {it["AlarmName"].removeprefix(f"{STACK}-"): it for it in template.resources(ALARM).values()}


def metrics(alarm: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the metrics of an alarm: its own, or those in its expression."""
    if "MetricName" in alarm:
        yield dict(alarm)
    for it in alarm.get("Metrics", []):
        if "MetricStat" in it:
            yield it["MetricStat"]["Metric"]


def dimensions(metric: Mapping[str, Any]) -> dict[str, str]:
    return {it["Name"]: text(it["Value"]) for it in metric.get("Dimensions", [])}


def test_every_monitored_condition_has_an_alarm(template: Template) -> None:
    queues = ("citations", "deliveries", "completions", "checks", "exhaustive")
    functions = ("dispatcher", "mcp_server", "public_pages", "authorizer")
    expected = {"answers-fail", "answers-slow", "webhooks-fail", "runs-lost", "dispatcher-throttles"}
    expected |= {f"provider-{name}" for name in provider_names()}
    expected |= {f"{name}-{what}" for name, what in product(queues, ("stuck", "dead-letters"))}
    expected -= {"completions-dead-letters"}  # the runbook: such a message needs nothing
    expected |= {f"{name}-errors" for name in functions}
    expected |= {f"{name}-throttles" for name in ("provider-budgets", "papers")}
    assert set(alarms(template)) == expected


def test_a_consumer_without_an_alarm_of_its_own_has_those_of_its_queue(template: Template) -> None:
    raised = alarms(template)
    for name, queue in QUEUES_READ.items():
        assert f"{name}-errors" in raised or {f"{queue.name}-stuck", f"{queue.name}-dead-letters"} <= set(raised), name


def test_a_stage_that_is_idle_can_do_without_a_dashboard(layer: Path, tmp_path: Path) -> None:
    plain = read(synthesise(layer, tmp_path, {"contact": CONTACT, "dashboard": "false"}))
    assert not plain.resources("AWS::CloudWatch::Dashboard")


def test_a_development_stage_pays_for_no_alarms(layer: Path, tmp_path: Path) -> None:
    plain = read(synthesise(layer, tmp_path, {"contact": CONTACT}))
    assert not plain.resources(ALARM)
    assert plain.resources("AWS::CloudWatch::Dashboard")


def test_a_mail_precedes_the_end_of_the_months_budget(template: Template, production: Template) -> None:
    assert not template.resources("AWS::Budgets::Budget")
    (budget,) = production.resources("AWS::Budgets::Budget").values()
    assert budget["Budget"]["BudgetLimit"] == {"Amount": 50, "Unit": "USD"}
    notified = [
        (it["Notification"]["NotificationType"], it["Subscribers"][0]["Address"])
        for it in budget["NotificationsWithSubscribers"]
    ]
    assert notified == [("ACTUAL", ALL_SETTINGS["alarm_email"]), ("FORECASTED", ALL_SETTINGS["alarm_email"])]


def test_every_alarm_names_its_section_of_the_runbook_which_says_what_to_do(template: Template) -> None:
    runbook = (ROOT / "infra" / "runbook.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## ([\w-]+)\n(.+?)(?=^## |\Z)", runbook, re.MULTILINE | re.DOTALL))
    named = set()
    for name, alarm in alarms(template).items():
        section = alarm["AlarmDescription"].rpartition("infra/runbook.md#")[2]
        assert name == section or name.startswith(f"{section}-") or name.endswith(section.removeprefix("table-")), name
        assert len(sections[section].split()) > 40, section
        assert re.search(r"`(aws|make) |```sh", sections[section]), f"{section} names no command"
        named.add(section)
    assert named == set(sections) - {"restore", "roll-back"}


def test_an_alarm_publishes_its_start_and_end_and_ignores_missing_data(template: Template) -> None:
    topic = {"Ref": template.only(TOPIC, "alarms")}
    for alarm in alarms(template).values():
        assert alarm["AlarmActions"] == alarm["OKActions"] == [topic]
        assert alarm["TreatMissingData"] == "notBreaching"
        assert alarm["ComparisonOperator"] == "GreaterThanThreshold"
        assert len(alarm["AlarmDescription"]) > 20


def test_cloudwatch_may_publish_alarms_of_this_stack_alone(template: Template) -> None:
    topic = template.only(TOPIC, "alarms")
    assert "KmsMasterKeyId" not in template.resources(TOPIC)[topic]  # AWS's own key is closed to CloudWatch
    (policy,) = (it for it in template.resources("AWS::SNS::TopicPolicy").values() if it["Topics"] == [{"Ref": topic}])
    (allowed,) = (it for it in policy["PolicyDocument"]["Statement"] if it["Effect"] == "Allow")
    assert allowed["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
    assert allowed["Action"] == "sns:Publish"
    assert text(allowed["Condition"]["ArnLike"]["aws:SourceArn"]).endswith(f":alarm:{STACK}-*")
    assert text(allowed["Condition"]["StringEquals"]["aws:SourceAccount"]) == "<AWS::AccountId>"


def test_a_provider_alarm_looks_at_the_share_of_its_live_legs_that_fail(template: Template) -> None:
    for name in provider_names():
        alarm = alarms(template)[f"provider-{name}"]
        (metric,) = metrics(alarm)
        assert (metric["MetricName"], dimensions(metric)) == (name, {"counted": "failed"})
        assert (alarm["Statistic"], alarm["Threshold"], alarm["DatapointsToAlarm"]) == ("Average", 0.5, 3)


def test_every_outcome_is_an_answer_a_failure_or_a_leg_that_was_skipped() -> None:
    skipped = {it for it in Outcome if it.value.startswith("skipped_")} | {Outcome.PENDING}
    failed = {it for it in Outcome if it.failed}
    assert {*Outcome} == {it for it in Outcome if it.answered} | failed | skipped
    assert not failed & skipped
    assert skipped > {it for it in Outcome if it.no_room}


def emitted(template: Template, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> set[Named]:
    """Return the metrics that the code writes in the environment of a function of the stack."""
    namespace = template.environment("dispatcher")["POWERTOOLS_METRICS_NAMESPACE"]
    assert template.environment("pubmed")["POWERTOOLS_METRICS_NAMESPACE"] == namespace
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", namespace)
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    for outcome in Outcome:
        reply = ProviderReply(provider="pubmed", family="pubmed", outcome=outcome, elapsed_ms=5)
        answers = [LegAnswer(reply), LegAnswer(reply, coalesced=True), LegAnswer(replace(reply, source="cache"))]
        leg_metrics.observe([*answers, LegAnswer(replace(reply, source="stale"), failure=Outcome.TIMEOUT)])
    budget: Budget = {
        "requests": 3, "window_s": 1.0, "left_now": 3, "concurrency": None, "under_way": None, "credits_left": 4,
        "credits_reset_at": None,
    }  # fmt: skip
    leg_metrics.observe_budget("pubmed", budget)
    leg_metrics.observe_lost_table("pubmed")
    found = set()
    for line in capsys.readouterr().out.splitlines():
        for directive in json.loads(line)["_aws"]["CloudWatchMetrics"]:
            for names, metric in product(directive["Dimensions"], directive["Metrics"]):
                found.add((directive["Namespace"], metric["Name"], frozenset(names)))
    return found


def test_alarms_use_metrics_that_the_code_writes(
    template: Template, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = emitted(template, capsys, monkeypatch)
    monitored = {
        (metric["Namespace"], metric["MetricName"], frozenset(dimensions(metric)))
        for alarm in alarms(template).values()
        for metric in metrics(alarm)
        if metric["Namespace"] == STACK and dimensions(metric)
    }
    assert {name for _, name, _ in monitored} == set(provider_names())
    # Whatever the provider, as that of which the legs were emitted.
    assert {(STACK, "pubmed", names) for _, _, names in monitored} <= written


def test_the_dashboard_finds_every_provider_by_searching_metrics_that_the_code_writes(
    template: Template, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = emitted(template, capsys, monkeypatch)
    (dashboard,) = template.resources("AWS::CloudWatch::Dashboard").values()
    body = text(dashboard["DashboardBody"]).replace('\\"', '"')
    searched = re.findall(r'SEARCH\(\'\{\\?"([\w-]+)\\?",([^}]+)\} MetricName=\\?"(\w+)\\?"', body)
    shown = {
        (STACK, name, frozenset({"service"}))
        for name in re.findall(r"Legs(?:Live|Cache|Stale|Coalesced|Skipped)", body)
    }
    assert len(shown) == 5
    assert shown <= written
    assert len(searched) == 2  # quoted: the namespace has hyphens
    for namespace, names, metric in searched:
        assert (namespace, metric, frozenset(names.split(","))) in written
    legs = set(re.findall(r'SEARCH\(\'\{\\?"([\w-]+)\\?",(\w+)\} (counted)=\\?"(\w+)\\?"\', \'(\w+)\'', body))
    assert legs == {(STACK, "counted", "counted", "failed", statistic) for statistic in ("SampleCount", "Sum")}
    assert (STACK, "pubmed", frozenset({"counted"})) in written
    assert not [name for name in provider_names() if name in body]
    assert all(part in body for part in ("5XXError", "p95", "Throttles", "ApproximateAgeOfOldestMessage"))


def test_alarms_use_aws_metrics_with_existing_dimensions(template: Template) -> None:
    known = {
        "AWS/ApiGateway": {"ApiName"}, "AWS/SQS": {"QueueName"}, "AWS/Lambda": {"FunctionName"},
        "AWS/DynamoDB": {"TableName", "GlobalSecondaryIndexName"}, "AWS/Scheduler": {"ScheduleGroup"},
        STACK: {"counted"},
    }  # fmt: skip
    existing = {*template.body["Resources"]}
    for name, alarm in alarms(template).items():
        for metric in metrics(alarm):
            assert set(dimensions(metric)) <= known[metric["Namespace"]], name
            assert set(references(metric.get("Dimensions", []))) <= existing


def test_throttling_of_an_index_raises_an_alarm(template: Template) -> None:
    for table in (it for it in TABLES if it.name in TABLES_OF_A_SEARCH):
        monitored = [dimensions(it) for it in metrics(alarms(template)[f"{table.name}-throttles"])]
        found = sorted(it.get("GlobalSecondaryIndexName", "") for it in monitored)
        assert found == sorted(2 * ["", *(index.name for index in table.indexes)])


def test_dropped_runs_and_reconciliations_raise_an_alarm(template: Template) -> None:
    groups = {it["Name"] for it in template.resources("AWS::Scheduler::ScheduleGroup").values()}
    monitored = [it for it in metrics(alarms(template)["runs-lost"]) if it["Namespace"] == "AWS/Scheduler"]
    assert {dimensions(it)["ScheduleGroup"] for it in monitored} == groups
    assert len(groups) == 2
    (invoked,) = (it for it in metrics(alarms(template)["runs-lost"]) if it["Namespace"] == "AWS/Lambda")
    name = template.logical_id("saved_search_runner")
    assert (invoked["MetricName"], dimensions(invoked)) == ("AsyncEventsDropped", {"FunctionName": f"<{name}>"})


def test_failed_webhooks_are_counted_by_the_deliverers_log_message(template: Template) -> None:
    filters = {it["MetricTransformations"][0]["MetricName"]: it for it in template.resources(FILTER).values()}
    log = template.functions["deliverer"]["LoggingConfig"]["LogGroup"]
    assert {name: it["FilterPattern"] for name, it in filters.items()} == {
        "WebhookAttempts": '{ $.message = "webhook" }',
        "WebhookFailures": '{ ($.message = "webhook") && ($.ended != "delivered") }',
    }
    assert all(it["LogGroupName"] == log for it in filters.values())
    source = (ROOT / "functions" / "deliverer" / "handler.py").read_text(encoding="utf-8")
    assert re.search(r'logger\.info\("webhook", [^)]*ended=result\.ended\.value', source)
    assert AttemptEnd.DELIVERED.value == "delivered"


def test_the_alarm_email_subscribes_to_alarms(template: Template, production: Template) -> None:
    assert not template.resources("AWS::SNS::Subscription")
    (subscription,) = production.resources("AWS::SNS::Subscription").values()
    assert (subscription["Protocol"], subscription["Endpoint"]) == ("email", ALL_SETTINGS["alarm_email"])
    assert subscription["TopicArn"] == {"Ref": production.only(TOPIC, "alarms")}
