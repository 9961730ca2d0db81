"""What happens behind an answer: queues and who reads them, schedules and what they bring, the topic of news."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from infra.functions import timeout_s
from infra.tables import CITATIONS, DELIVERIES, QUEUES, Queue
from shared.delivery.webhook_client import TIMEOUT_S
from tests.infra.template import Template, listed, text

ROOT = Path(__file__).parents[2]
QUEUE, TABLE, TOPIC = "AWS::SQS::Queue", "AWS::DynamoDB::Table", "AWS::SNS::Topic"
GROUP, SCHEDULE = "AWS::Scheduler::ScheduleGroup", "AWS::Scheduler::Schedule"
READERS = {CITATIONS.name: "citation_writer", DELIVERIES.name: "deliverer"}
every_queue = pytest.mark.parametrize("queue", QUEUES, ids=lambda queue: queue.name)


def live(template: Template, queue: Queue) -> str:
    """The queue that others feed, as opposed to the one of dead letters."""
    (name,) = (
        name for name, it in template.resources(QUEUE).items() if "RedrivePolicy" in it and name.startswith(queue.name)
    )
    return name


def source(template: Template, queue: Queue) -> dict[str, object]:
    (found,) = (
        it
        for it in template.resources("AWS::Lambda::EventSourceMapping").values()
        if text(it["EventSourceArn"]) == f"<{live(template, queue)}.Arn>"
    )
    return found


@every_queue
def test_a_message_that_keeps_failing_ends_in_the_dead_letter_queue(template: Template, queue: Queue) -> None:
    redrive = template.resources(QUEUE)[live(template, queue)]["RedrivePolicy"]
    assert redrive["maxReceiveCount"] == queue.max_receive_count
    assert text(redrive["deadLetterTargetArn"]) == f"<{template.only(QUEUE, f'{queue.name}dead')}.Arn>"
    assert len(template.resources(QUEUE)) == 2 * len(QUEUES)


@every_queue
def test_a_message_stays_hidden_six_times_as_long_as_its_reader_may_take(template: Template, queue: Queue) -> None:
    deployed = template.resources(QUEUE)[live(template, queue)]
    assert deployed["VisibilityTimeout"] >= 6 * template.functions[READERS[queue.name]]["Timeout"]


@every_queue
def test_a_queues_reader_gives_back_single_messages_and_leaves_room_for_who_waits(
    template: Template, queue: Queue
) -> None:
    told = source(template, queue)
    assert text(told["FunctionName"]) == f"<{template.logical_id(READERS[queue.name])}>"
    assert told["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert told["ScalingConfig"] == {"MaximumConcurrency": 10}


def test_a_function_may_take_as_long_as_one_machine_tells_it(template: Template) -> None:
    assert {name: it["Timeout"] for name, it in template.functions.items()} == {
        name: timeout_s(name) for name in template.functions
    }


def test_a_batch_of_deliveries_to_slow_receivers_ends_in_time(template: Template) -> None:
    size = source(template, DELIVERIES)["BatchSize"]
    assert isinstance(size, int)
    assert size * TIMEOUT_S + 10 <= template.functions["deliverer"]["Timeout"]


def test_what_is_queued_and_told_is_encrypted_and_goes_over_tls_only(template: Template) -> None:
    for queue in template.resources(QUEUE).values():
        assert queue["SqsManagedSseEnabled"] is True
    news = template.resources(TOPIC)[template.only(TOPIC, "news")]
    assert text(news["KmsMasterKeyId"]).endswith(":alias/aws/sns")
    guarded = set()
    for kind, of in (("AWS::SQS::QueuePolicy", "Queues"), ("AWS::SNS::TopicPolicy", "Topics")):
        for policy in template.resources(kind).values():
            for statement in policy["PolicyDocument"]["Statement"]:
                if statement.get("Condition") == {"Bool": {"aws:SecureTransport": "false"}}:
                    assert statement["Effect"] == "Deny"
                    assert statement["Principal"] in ("*", {"AWS": "*"})
                    guarded |= {it["Ref"] for it in policy[of]}
    assert guarded == {*template.resources(QUEUE), *template.resources(TOPIC)}


def test_writer_deliverer_and_dispatcher_are_told_of_the_same_things(template: Template) -> None:
    named = {
        "SEARCH_CACHE_TABLE": template.only(TABLE, "cache"),
        "PROVIDER_BUDGETS_TABLE": template.only(TABLE, "providerbudgets"),
        "PAPERS_TABLE": template.only(TABLE, "papers"),
        "IDEMPOTENCY_TABLE": template.only(TABLE, "idempotency"),
        "SAVED_SEARCHES_TABLE": template.only(TABLE, "saved"),
        "CITATIONS_QUEUE_URL": live(template, CITATIONS),
        "DELIVERIES_QUEUE_URL": live(template, DELIVERIES),
        "NEWS_TOPIC_ARN": template.only(TOPIC, "news"),
    }
    told = {name: f"<{logical}>" for name, logical in named.items()}
    assert template.environment("citation_writer") == {"PAPERS_TABLE": told["PAPERS_TABLE"]}
    of_deliveries = ("SAVED_SEARCHES_TABLE", "DELIVERIES_QUEUE_URL", "NEWS_TOPIC_ARN")
    assert template.environment("deliverer") == {name: told[name] for name in of_deliveries}
    asked = template.environment("dispatcher")
    assert {name: asked[name] for name in told if name != "NEWS_TOPIC_ARN"} == {
        name: it for name, it in told.items() if name != "NEWS_TOPIC_ARN"
    }
    assert asked["SCHEDULER_ROLE_ARN"] == f"<{template.only('AWS::IAM::Role', 'scheduler')}.Arn>"
    assert {"Name": asked["SCHEDULE_GROUP"]} in template.resources(GROUP).values()


def test_schedules_are_looked_at_daily_by_one_that_the_look_cannot_remove(template: Template) -> None:
    (daily,) = template.resources(SCHEDULE).values()
    assert daily["ScheduleExpression"] == "rate(1 day)"
    assert daily["GroupName"] != template.environment("dispatcher")["SCHEDULE_GROUP"]
    assert {"Name": daily["GroupName"]} in template.resources(GROUP).values()
    target = daily["Target"]
    assert text(target["Arn"]) == f"<{template.logical_id('dispatcher')}.Arn>"
    assert text(target["RoleArn"]) == template.environment("dispatcher")["SCHEDULER_ROLE_ARN"]
    event = json.loads(target["Input"])
    assert event == json.loads((ROOT / "events" / "schedules_reconciled.json").read_text(encoding="utf-8"))
    source = ast.parse((ROOT / "functions" / "dispatcher" / "scheduled.py").read_text(encoding="utf-8"))
    named = {
        node.targets[0].id: node.value.value
        for node in source.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    assert event["detail-type"] == named["RECONCILE"]
    (name,) = (name for name, it in template.body["Resources"].items() if it["Type"] == SCHEDULE)
    assert template.only(GROUP, "upkeep") in listed(template.body["Resources"][name]["DependsOn"])
