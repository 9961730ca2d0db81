"""Saved searches: Scheduler runs them under its role, and new items go to the feed and the topic."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from infra.tables import SCHEDULE_GROUP
from tests.e2e.deployment import STACK, Deployment, until
from tests.e2e.emulated_aws import LOG
from tests.e2e.test_permissions import denied_to

PATH = "v1/saved-searches"
RUNNER = "saved_search_runner"  # the function that runs them
SEARCH = {"query": "TREM2 microglia", "providers": ["crossref", "openalex"]}
EVERY_MINUTE = {"expression": "rate(1 minute)", "flexible_minutes": 0}
GROUP = f"{STACK}-{SCHEDULE_GROUP}"
# A schedule fires within its minute, and the run queries two providers. The limits only end a test that hangs.
FIRED_S, RUN_S = 300.0, 120.0


@pytest.fixture(scope="module")
def news_subscriber(deployed: Deployment) -> Iterator[str]:
    """A queue subscribed to the topic, for papers that existed when a search was saved (`baseline`)."""
    sqs, topic = deployed.aws.client("sqs"), deployed.outputs["NewsTopicArn"]
    url = sqs.create_queue(QueueName="hears-of-news")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    may = {"Effect": "Allow", "Principal": {"Service": "sns.amazonaws.com"}, "Action": "sqs:SendMessage",
           "Resource": arn, "Condition": {"ArnEquals": {"aws:SourceArn": topic}}}  # fmt: skip
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": json.dumps({"Statement": [may]})})
    wanted = {"RawMessageDelivery": "true", "FilterPolicy": json.dumps({"types": ["baseline"]})}
    sns = deployed.aws.client("sns")
    subscribed = sns.subscribe(
        TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes=wanted, ReturnSubscriptionArn=True
    )
    yield url
    sns.unsubscribe(SubscriptionArn=subscribed["SubscriptionArn"])
    sqs.delete_queue(QueueUrl=url)


def save(deployed: Deployment, **fields: Any) -> dict[str, Any]:
    response = deployed.caller.post(PATH, json={"search": SEARCH, "schedule": "rate(1 day)", **fields})
    assert response.status_code == 201, response.text
    return dict(response.json())


def read(caller: httpx.Client, saved: dict[str, Any]) -> dict[str, Any]:
    response = caller.get(f"{PATH}/{saved['id']}")
    assert response.status_code == 200, response.text
    return dict(response.json())


def reconciliation_schedule(deployed: Deployment) -> dict[str, Any]:
    """Return the stack's own schedule, which is in a separate group."""
    (group,) = deployed.resources("AWS::Scheduler::ScheduleGroup", "upkeep")
    (schedule,) = schedules(deployed, group).values()
    return schedule


def schedules(deployed: Deployment, group: str = GROUP) -> dict[str, dict[str, Any]]:
    """Return the schedules of a group by name, except those that fired and were deleted after they were listed."""
    client, found = deployed.aws.client("scheduler"), dict[str, dict[str, Any]]()
    for listed in client.list_schedules(GroupName=group)["Schedules"]:
        with suppress(client.exceptions.ResourceNotFoundException):
            found[listed["Name"]] = client.get_schedule(GroupName=group, Name=listed["Name"])
    return found


@pytest.fixture(scope="module")
def both(deployed: Deployment, news_subscriber: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Two saved searches: one runs every minute by its schedule, one runs once at first and then tomorrow."""
    pushed = {"sns": True, "baseline": True}
    each_minute = save(deployed, name="each minute", schedule=EVERY_MINUTE, delivery=pushed)
    scheduler = deployed.aws.client("scheduler")
    with suppress(scheduler.exceptions.ResourceNotFoundException):
        scheduler.delete_schedule(GroupName=GROUP, Name=f"{each_minute['id']}-soon")
    daily = save(deployed, name="daily")
    yield each_minute, daily
    for saved in (each_minute, daily):
        assert deployed.caller.delete(f"{PATH}/{saved['id']}").status_code == 204


def last_run(deployed: Deployment, saved: dict[str, Any]) -> Any:
    return until(RUN_S, lambda: read(deployed.caller, saved)["last_run"])


@pytest.fixture
def fired(deployed: Deployment, both: tuple[dict[str, Any], dict[str, Any]]) -> list[dict[str, Any]]:
    """Both saved searches after at least one run each."""

    def after_a_run() -> list[dict[str, Any]]:
        current = [read(deployed.caller, saved) for saved in both]
        return current if all(saved["last_run"] for saved in current) else []

    return until(FIRED_S, after_a_run)


@pytest.mark.parametrize("schedule", [EVERY_MINUTE, {"expression": "rate(1 day)"}], ids=["each minute", "daily"])
def test_saving_a_search_makes_its_schedule_and_one_for_its_first_run(
    deployed: Deployment, schedule: dict[str, Any]
) -> None:
    saved = save(deployed, schedule=schedule)
    made = {name: it for name, it in schedules(deployed).items() if name.startswith(saved["id"])}
    soon = made.pop(f"{saved['id']}-soon", None)
    assert made.keys() == {saved["id"]}
    assert made[saved["id"]]["ScheduleExpression"] == schedule["expression"]
    mode = "OFF" if schedule.get("flexible_minutes") == 0 else "FLEXIBLE"
    assert made[saved["id"]]["FlexibleTimeWindow"]["Mode"] == mode
    # It fires and is deleted a minute after the search was saved; on a slow machine it may have run already.
    assert soon["ScheduleExpression"].startswith("at(") if soon else last_run(deployed, saved)
    assert deployed.caller.delete(f"{PATH}/{saved['id']}").status_code == 204


def test_another_caller_cannot_see_a_saved_search(
    deployed: Deployment, both: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    path = f"{PATH}/{both[0]['id']}"
    key, end = deployed.new_key("another-caller")
    with deployed.http(key) as other:
        for method, at in (("GET", path), ("PATCH", path), ("DELETE", path), ("GET", f"{path}/new")):
            response = other.request(method, at, json={"name": "mine"} if method == "PATCH" else None)
            assert (response.status_code, response.json()["code"]) == (404, "not_found"), (method, at)
        assert other.get(PATH).json()["saved_searches"] == []
    end()
    assert read(deployed.caller, both[0])["name"] == "each minute"
    assert {it["id"] for it in deployed.caller.get(PATH).json()["saved_searches"]} >= {it["id"] for it in both}


def test_a_schedule_fires_and_its_run_is_reported(deployed: Deployment, fired: list[dict[str, Any]]) -> None:
    for saved in fired:
        assert saved["last_run"]["complete"] is True, saved
        assert deployed.caller.get(f"{PATH}/{saved['id']}/new?types=baseline").json()["events"]
    assert fired[1]["last_run"]["events"]["baseline"] > 0, fired[1]


def test_existing_papers_are_in_the_feed_on_request(deployed: Deployment, fired: list[dict[str, Any]]) -> None:
    found = deployed.search("TREM2 AND microglia", providers=SEARCH["providers"], max_results=20, cite_in_kg=False)
    saved = fired[1]
    feed = deployed.caller.get(f"{PATH}/{saved['id']}/new?types=baseline&limit=100")
    events = feed.json()["events"]
    assert {event["type"] for event in events} == {"baseline"}
    assert len(events) == saved["last_run"]["events"]["baseline"]
    assert {paper["title"] for paper in found["results"]} <= {event["paper"]["title"] for event in events}
    assert deployed.caller.get(saved["feed"]["json"].lstrip("/")).json()["events"] == []
    again = {"if-none-match": feed.headers["etag"]}
    assert deployed.caller.get(f"{PATH}/{saved['id']}/new?types=baseline&limit=100", headers=again).status_code == 304
    atom = deployed.caller.get(f"{PATH}/{saved['id']}/new?types=baseline&format=atom")
    assert atom.headers["content-type"].startswith("application/atom+xml")
    assert atom.text.count("<entry>") == min(len(events), 50)


def test_the_schedule_of_a_first_run_fires_once_and_is_deleted(
    deployed: Deployment, fired: list[dict[str, Any]]
) -> None:
    until(RUN_S, lambda: f"{fired[1]['id']}-soon" not in schedules(deployed))
    assert fired[1]["id"] in schedules(deployed)


@pytest.mark.parametrize(
    ("group", "allowed", "why"),
    [
        (GROUP, True, None),
        ("default", True, "the role may not be assumed"),
        (GROUP, False, "the role may not invoke the function"),
    ],
    ids=["ours", "a foreign group", "without the permission"],
)
@pytest.mark.usefixtures("fired")  # a first run would not be retried while its role is denied
def test_a_schedule_invokes_only_under_the_schedulers_role(
    deployed: Deployment, group: str, allowed: bool, why: str | None
) -> None:
    client, name = deployed.aws.client("scheduler"), f"by-hand-{len(group)}-{allowed}"
    daily = reconciliation_schedule(deployed)
    role = daily["Target"]["RoleArn"].rpartition("/")[2]
    event = json.dumps({"detail": {"owner": "nobody", "search_id": name}})
    with nullcontext() if allowed else denied_to(deployed, role, "lambda:InvokeFunction"):
        client.create_schedule(
            Name=name, GroupName=group, FlexibleTimeWindow={"Mode": "OFF"}, ActionAfterCompletion="DELETE",
            ScheduleExpression=f"at({datetime.now(UTC) + timedelta(seconds=1):%Y-%m-%dT%H:%M:%S})",
            Target={"Arn": daily["Target"]["Arn"], "RoleArn": daily["Target"]["RoleArn"], "Input": event},
        )  # fmt: skip
        until(RUN_S, lambda: name not in schedules(deployed, group))
        if why is None:
            until(RUN_S, lambda: any(name in line for line in deployed.logged(RUNNER)))
    refused = f"schedule {name} was not run: {why}" in LOG.read_text(encoding="utf-8")
    assert refused is (why is not None)
    assert any(name in line for line in deployed.logged(RUNNER)) is (why is None)


def test_a_subscriber_of_the_topic_receives_new_items(
    deployed: Deployment, news_subscriber: str, fired: list[dict[str, Any]]
) -> None:
    """Runner -> queue -> deliverer -> topic, each under its own role."""
    saved, received_messages = fired[0], list[dict[str, Any]]()
    sqs = deployed.aws.client("sqs")
    feed = deployed.caller.get(f"{PATH}/{saved['id']}/new?types=baseline&limit=100").json()["events"]

    def all_received() -> bool:
        got = sqs.receive_message(QueueUrl=news_subscriber, MaxNumberOfMessages=10, WaitTimeSeconds=1)
        for message in got.get("Messages", []):
            received_messages.append(json.loads(message["Body"]))
            sqs.delete_message(QueueUrl=news_subscriber, ReceiptHandle=message["ReceiptHandle"])
        return sum(len(message["data"]["events"]) for message in received_messages) >= len(feed)

    until(RUN_S, all_received)
    assert {message["type"] for message in received_messages} == {"saved_search.events"}
    assert {message["data"]["saved_search"]["id"] for message in received_messages} == {saved["id"]}
    assert {message["data"]["content_trust"] for message in received_messages} == {"untrusted_external"}
    events = sorted(
        (event for message in received_messages for event in message["data"]["events"]), key=lambda it: -it["number"]
    )
    assert events == feed


def test_the_daily_reconciliation_repairs_schedules(
    deployed: Deployment, both: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    client, lost = deployed.aws.client("scheduler"), both[1]["id"]
    reconcile = json.loads(reconciliation_schedule(deployed)["Target"]["Input"])
    before = schedules(deployed)
    client.delete_schedule(GroupName=GROUP, Name=lost)
    again = ("ScheduleExpression", "FlexibleTimeWindow", "Target")
    client.create_schedule(Name="0" * 20, GroupName=GROUP, **{name: before[lost][name] for name in again})
    done = deployed.invoke(RUNNER, reconcile)
    assert done.items() >= {"created": 1, "changed": 0, "removed": 1, "left": 0}.items(), done
    after = schedules(deployed)
    assert "0" * 20 not in after
    assert {name: after[lost][name] for name in again} == {name: before[lost][name] for name in again}


def test_a_schedule_that_still_invokes_the_dispatcher_runs_its_search_and_is_led_to_the_runner(
    deployed: Deployment, both: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    """The dispatcher forwards its event, under its own role."""
    client, daily = deployed.aws.client("scheduler"), both[1]
    last_run(deployed, daily)
    before = schedules(deployed)[daily["id"]]
    runner = before["Target"]["Arn"].rpartition(":function:")[2]
    former = before["Target"]["Arn"].replace(runner, f"{deployed.functions['dispatcher']}:live")
    kept = ("ScheduleExpression", "FlexibleTimeWindow")
    client.update_schedule(
        Name=daily["id"], GroupName=GROUP, **{name: before[name] for name in kept},
        Target={**before["Target"], "Arn": former},
    )  # fmt: skip
    event = json.loads(before["Target"]["Input"]) | {"id": "former", "time": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"}
    earlier = read(deployed.caller, daily)["last_run"]["run_id"]
    assert deployed.invoke("dispatcher", event) == {"forwarded": True}
    until(RUN_S, lambda: read(deployed.caller, daily)["last_run"]["run_id"] != earlier)
    deployed.invoke(RUNNER, json.loads(reconciliation_schedule(deployed)["Target"]["Input"]))
    assert schedules(deployed)[daily["id"]]["Target"]["Arn"] == before["Target"]["Arn"]


def test_deleting_a_search_removes_its_schedules_and_its_feed(deployed: Deployment) -> None:
    saved = save(deployed)
    assert saved["id"] in schedules(deployed)
    assert deployed.caller.delete(f"{PATH}/{saved['id']}").status_code == 204
    assert not [name for name in schedules(deployed) if name.startswith(saved["id"])]
    for path in (f"{PATH}/{saved['id']}", f"{PATH}/{saved['id']}/new"):
        assert deployed.caller.get(path).status_code == 404
