"""Asynchronous parts of the stack: queues and their consumers, schedules and their events, the topic of new items."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from infra.functions import timeout_s
from infra.tables import CHECKS, CITATIONS, COMPLETIONS, DELIVERIES, EXHAUSTIVE, QUEUES, Queue
from shared.aws.messaging.schedules import RECONCILE
from shared.delivery.webhook_client import TIMEOUT_S
from shared.search.completion import COMPLETION_S
from shared.search.early_response import PENDING_S
from tests.infra.template import Template, listed, text

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds

ROOT = Path(__file__).parents[2]
QUEUE, TABLE, TOPIC = "AWS::SQS::Queue", "AWS::DynamoDB::Table", "AWS::SNS::Topic"
GROUP, SCHEDULE = "AWS::Scheduler::ScheduleGroup", "AWS::Scheduler::Schedule"
READERS = {CITATIONS.name: "citation_writer", DELIVERIES.name: "deliverer", COMPLETIONS.name: "dispatcher",
           CHECKS.name: "reference_checker", EXHAUSTIVE.name: "exhaustive_searcher"}  # fmt: skip
# Someone waits for a completion: it is tried again as soon as the function that had it must have ended.
TIMES = {CITATIONS.name: 6, DELIVERIES.name: 6, COMPLETIONS.name: 1, CHECKS.name: 6, EXHAUSTIVE.name: 6}
AT_ONCE = {CITATIONS.name: 10, DELIVERIES.name: 10, COMPLETIONS.name: 50, CHECKS.name: 10, EXHAUSTIVE.name: 10}
every_queue = pytest.mark.parametrize("queue", QUEUES, ids=lambda queue: queue.name)


def queue_id(template: Template, queue: Queue) -> str:
    """Return the logical id of the queue itself, not of its dead-letter queue."""
    (name,) = (
        name for name, it in template.resources(QUEUE).items() if "RedrivePolicy" in it and name.startswith(queue.name)
    )
    return name


def source(template: Template, queue: Queue) -> dict[str, object]:
    (found,) = (
        it
        for it in template.resources("AWS::Lambda::EventSourceMapping").values()
        if text(it["EventSourceArn"]) == f"<{queue_id(template, queue)}.Arn>"
    )
    return found


@every_queue
def test_a_message_that_keeps_failing_ends_in_the_dead_letter_queue(template: Template, queue: Queue) -> None:
    redrive = template.resources(QUEUE)[queue_id(template, queue)]["RedrivePolicy"]
    assert redrive["maxReceiveCount"] == queue.max_receive_count
    assert text(redrive["deadLetterTargetArn"]) == f"<{template.only(QUEUE, f'{queue.name}dead')}.Arn>"
    assert len(template.resources(QUEUE)) == 2 * len(QUEUES)


@every_queue
def test_operators_have_days_for_a_dead_letter_whose_age_counts_from_its_first_sending(
    template: Template, queue: Queue
) -> None:
    queues = template.resources(QUEUE)
    kept = queues[queue_id(template, queue)]["MessageRetentionPeriod"]
    dead = queues[template.only(QUEUE, f"{queue.name}dead")]["MessageRetentionPeriod"]
    assert dead - kept >= 7 * 24 * 3600


@every_queue
def test_the_visibility_timeout_is_a_multiple_of_the_consumers_timeout(template: Template, queue: Queue) -> None:
    deployed = template.resources(QUEUE)[queue_id(template, queue)]
    assert deployed["VisibilityTimeout"] >= TIMES[queue.name] * template.functions[READERS[queue.name]]["Timeout"]


def test_all_attempts_of_a_completion_are_in_time() -> None:
    last_begins = COMPLETIONS.visibility_timeout_s * (COMPLETIONS.max_receive_count - 1)
    assert last_begins + COMPLETION_S < PENDING_S


@every_queue
def test_a_queue_consumer_reports_single_failures_and_has_limited_concurrency(template: Template, queue: Queue) -> None:
    mapping = source(template, queue)
    assert text(mapping["FunctionName"]) == f"{template.live(READERS[queue.name])}:live"
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert mapping["ScalingConfig"] == {"MaximumConcurrency": AT_ONCE[queue.name]}


def test_a_deployed_function_has_the_same_timeout_as_a_local_one(template: Template) -> None:
    assert {name: it["Timeout"] for name, it in template.functions.items()} == {
        name: timeout_s(name) for name in template.functions
    }


def test_a_batch_of_deliveries_to_slow_receivers_fits_in_the_timeout(template: Template) -> None:
    size = source(template, DELIVERIES)["BatchSize"]
    assert isinstance(size, int)
    assert size * TIMEOUT_S + 10 <= template.functions["deliverer"]["Timeout"]


def test_queues_and_topics_are_encrypted_and_require_tls(template: Template) -> None:
    for queue in template.resources(QUEUE).values():
        assert queue["SqsManagedSseEnabled"] is True
    news = template.resources(TOPIC)[template.only(TOPIC, "news")]
    assert news["KmsMasterKeyId"] == "alias/aws/sns"  # not its ARN, for which AWS would create no key
    guarded = set()
    for kind, of in (("AWS::SQS::QueuePolicy", "Queues"), ("AWS::SNS::TopicPolicy", "Topics")):
        for policy in template.resources(kind).values():
            for statement in policy["PolicyDocument"]["Statement"]:
                if statement.get("Condition") == {"Bool": {"aws:SecureTransport": "false"}}:
                    assert statement["Effect"] == "Deny"
                    assert statement["Principal"] in ("*", {"AWS": "*"})
                    guarded |= {it["Ref"] for it in policy[of]}
    assert guarded == {*template.resources(QUEUE), *template.resources(TOPIC)}


def test_writer_deliverer_and_dispatcher_refer_to_the_same_resources(template: Template) -> None:
    named = {
        "SEARCH_CACHE_TABLE": template.only(TABLE, "cache"),
        "PROVIDER_BUDGETS_TABLE": template.only(TABLE, "providerbudgets"),
        "PAPERS_TABLE": template.only(TABLE, "papers"),
        "IDEMPOTENCY_TABLE": template.only(TABLE, "idempotency"),
        "SAVED_SEARCHES_TABLE": template.only(TABLE, "saved"),
        "CITATIONS_QUEUE_URL": queue_id(template, CITATIONS),
        "COMPLETIONS_QUEUE_URL": queue_id(template, COMPLETIONS),
        "DELIVERIES_QUEUE_URL": queue_id(template, DELIVERIES),
        "REFERENCE_CHECKS_TABLE": template.only(TABLE, "reference"),
        "CHECKS_QUEUE_URL": queue_id(template, CHECKS),
        "EXHAUSTIVE_SEARCHES_TABLE": template.only(TABLE, "exhaustive"),
        "EXHAUSTIVE_QUEUE_URL": queue_id(template, EXHAUSTIVE),
        "NEWS_TOPIC_ARN": template.only(TOPIC, "news"),
    }
    resources = {name: f"<{logical}>" for name, logical in named.items()}
    assert template.environment("citation_writer") == {"PAPERS_TABLE": resources["PAPERS_TABLE"]}
    of_deliveries = ("SAVED_SEARCHES_TABLE", "DELIVERIES_QUEUE_URL", "NEWS_TOPIC_ARN")
    assert template.environment("deliverer") == {name: resources[name] for name in of_deliveries}
    of_checks = {name: resources[name] for name in ("REFERENCE_CHECKS_TABLE", "CHECKS_QUEUE_URL")}
    dispatcher = f"<{template.logical_id('dispatcher')}>:live"
    assert template.environment("reference_checker") == {**of_checks, "DISPATCHER_FUNCTION": dispatcher}
    searcher = template.environment("exhaustive_searcher")
    used = ("EXHAUSTIVE_SEARCHES_TABLE", "EXHAUSTIVE_QUEUE_URL", "SEARCH_CACHE_TABLE", "PROVIDER_BUDGETS_TABLE")
    assert {name: searcher[name] for name in used} == {name: resources[name] for name in used}
    environment = template.environment("dispatcher")
    assert {name: environment[name] for name in resources if name != "NEWS_TOPIC_ARN"} == {
        name: it for name, it in resources.items() if name != "NEWS_TOPIC_ARN"
    }
    assert environment["SCHEDULER_ROLE_ARN"] == f"<{template.only('AWS::IAM::Role', 'scheduler')}.Arn>"
    assert environment["SCHEDULED_FUNCTION"] == f"<{template.logical_id('saved_search_runner')}>:live"
    runner = template.environment("saved_search_runner")
    assert runner["SCHEDULED_ALIAS"] == "live"
    same = (
        "SAVED_SEARCHES_TABLE", "DELIVERIES_QUEUE_URL", "PAPERS_TABLE", "CITATIONS_QUEUE_URL", "SEARCH_CACHE_TABLE",
        "PROVIDER_BUDGETS_TABLE", "SCHEDULE_GROUP", "SCHEDULER_ROLE_ARN",
    )  # fmt: skip
    assert {name: runner[name] for name in same} == {name: environment[name] for name in same}
    assert environment["SCHEDULE_GROUP"] in [it["Name"] for it in template.resources(GROUP).values()]


def test_a_daily_schedule_reconciles_the_others_and_is_in_another_group(template: Template) -> None:
    (daily,) = template.resources(SCHEDULE).values()
    assert daily["ScheduleExpression"] == "rate(1 day)"
    assert daily["GroupName"] != template.environment("dispatcher")["SCHEDULE_GROUP"]
    assert daily["GroupName"] in [it["Name"] for it in template.resources(GROUP).values()]
    target = daily["Target"]
    assert text(target["Arn"]) == template.live("saved_search_runner")
    assert text(target["RoleArn"]) == template.environment("dispatcher")["SCHEDULER_ROLE_ARN"]
    event = json.loads(target["Input"])
    assert event == json.loads((ROOT / "events" / "schedules_reconciled.json").read_text(encoding="utf-8"))
    assert event["detail-type"] == RECONCILE
    (name,) = (name for name, it in template.body["Resources"].items() if it["Type"] == SCHEDULE)
    assert template.only(GROUP, "upkeep") in listed(template.body["Resources"][name]["DependsOn"])
