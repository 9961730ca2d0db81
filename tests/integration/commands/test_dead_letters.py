"""The operator's commands for dead letters, on moto's queues: nothing is lost, and every reason is shown."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from botocore.stub import Stubber

from infra.local import dead_letters
from infra.local.dead_letters import Queues, main, queues, reason, redrive, waiting
from infra.local.machine import CREDENTIALS, Machine
from infra.local.resources import REGION
from infra.tables import CITATIONS
from tests.integration.saved_searches.faults import around_calls
from tests.unit.graph.examples import citations_body, papers_body, result

pytestmark = pytest.mark.slow  # messages that fail until they are given up

ROOT = Path(__file__).parents[3]
GOOD = papers_body(result())


@pytest.fixture
def found(local: Machine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Queues]:
    """The machine's queues; CITATIONS_QUEUE_URL names the first."""
    monkeypatch.setattr(dead_letters, "RECEIVE_S", 0)  # moto is one server, which knows at once what there is
    sqs = boto3.client("sqs")
    yield queues(sqs, sqs.get_queue_url(QueueName="local-citations")["QueueUrl"])


def put_dead_letters(found: Queues, *bodies: str) -> None:
    for body in bodies:
        boto3.client("sqs").send_message(QueueUrl=found.dead_url, MessageBody=body)


def own_client() -> Any:
    """A client that no other test gets, to be changed at will."""
    return boto3.Session(region_name=REGION).client("sqs")


def bodies_in(url: str) -> list[str]:
    """All that is there, taken."""
    sqs = boto3.client("sqs")
    bodies = []
    while some := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        bodies += [message["Body"] for message in some]
    return sorted(bodies)


def test_listing_shows_each_dead_letters_size_and_reason(found: Queues, capsys: pytest.CaptureFixture[str]) -> None:
    poison = ["{", json.dumps({"version": 99, "kind": "papers"})]
    put_dead_letters(found, *poison, GOOD)
    assert main(["look"]) == 0
    count, header, *lines = capsys.readouterr().out.splitlines()
    assert count == f"3 dead letters in {found.dead_url}"
    assert header == "sent\treceived\tbytes\treason"
    columns = {int(line.split("\t")[2]): line.split("\t") for line in lines}
    reasons = [columns[len(body)][3] for body in (*poison, GOOD)]
    assert reasons[0] == "invalid message (body: json_invalid)"
    assert reasons[1].startswith("invalid message (papers.version: literal_error")
    assert reasons[2].startswith("a valid message that could not be written")
    assert {line[1] for line in columns.values()} == {"1"}
    assert all(line[0].endswith("Z") for line in columns.values())


def test_listing_leaves_every_dead_letter_visible_in_its_queue(found: Queues) -> None:
    put_dead_letters(found, "{", GOOD)
    assert main(["look"]) == main(["look"]) == 0
    assert bodies_in(found.dead_url) == sorted(["{", GOOD])


def test_looking_shows_ten_of_many_each_once(found: Queues, capsys: pytest.CaptureFixture[str]) -> None:
    put_dead_letters(found, *("x" * (number + 1) for number in range(25)))
    assert main(["look"]) == 0
    count, _, *lines = capsys.readouterr().out.splitlines()
    assert count.startswith("25 dead letters")
    assert len({line.split("\t")[2] for line in lines}) == len(lines) == 10


def test_a_reason_contains_nothing_of_the_message(found: Queues, capsys: pytest.CaptureFixture[str]) -> None:
    put_dead_letters(found, json.dumps({"version": 2, "kind": "citations", "by": "a secret", "at": "another secret\n"}))
    assert main(["look"]) == 0
    assert "secret" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "line"),
    [("look", "0 dead letters in "), ("redrive", "no dead letters in ")],
    ids=["look", "redrive"],
)
def test_an_empty_dead_letter_queue_is_reported(
    found: Queues, capsys: pytest.CaptureFixture[str], command: str, line: str
) -> None:
    assert main([command]) == 0
    assert capsys.readouterr().out == f"{line}{found.dead_url}\n"


def test_redrive_sends_all_back_and_the_writer_writes_them(
    local: Machine, found: Queues, capsys: pytest.CaptureFixture[str]
) -> None:
    put_dead_letters(
        found, *(papers_body(result(doi=f"10.1000/{number}")) for number in range(25)), citations_body("doi:10.1000/3")
    )
    assert main(["redrive"]) == 0
    assert capsys.readouterr().out == f"26 messages sent back to {found.url}\n"
    assert waiting(boto3.client("sqs"), found.dead_url) == 0
    assert local.drain_queue() == 26
    stats = local.graph_store().stats()
    assert (stats["papers"], stats["cited_in"]) == (25, 1)


def test_an_invalid_message_sent_back_becomes_a_dead_letter_again(local: Machine, found: Queues) -> None:
    sqs = boto3.client("sqs")
    put_dead_letters(found, "{")
    assert main(["redrive"]) == 0
    for _ in range(CITATIONS.max_receive_count + 1):
        for message in sqs.receive_message(QueueUrl=found.url, VisibilityTimeout=0).get("Messages", []):
            event = {"Records": [{"messageId": "m", "body": message["Body"], "eventSource": "aws:sqs"}]}
            assert local.invoke("citation_writer", event)["batchItemFailures"] == [{"itemIdentifier": "m"}]
    assert bodies_in(found.dead_url) == ["{"]


def test_dead_letters_that_return_during_a_redrive_are_not_sent_again(found: Queues) -> None:
    """A writer so fast that each message is a dead letter again at once, under its id, as in SQS."""
    put_dead_letters(found, "{", "[")
    sqs = own_client()
    send = sqs.send_message

    def bounce(**request: Any) -> Any:
        return send(**{**request, "QueueUrl": found.dead_url})

    sqs.send_message = bounce
    assert list(redrive(sqs, found)) == [f"2 messages sent back to {found.url}"]


@pytest.mark.parametrize("operation", ["SendMessage", "DeleteMessage"])
def test_a_dead_letter_is_never_lost_when_sending_fails(
    found: Queues, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    bodies = [json.dumps(number) for number in range(5)]
    put_dead_letters(found, *bodies)
    calls = 0

    def fail_third(called: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        nonlocal calls
        calls += called == operation
        if called == operation and calls == 3:
            raise ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, operation)
        return call()

    with monkeypatch.context() as patch:
        around_calls(patch, fail_third)
        assert main(["redrive"]) == 1
    error = capsys.readouterr().err
    assert "AccessDenied" in error
    assert "nothing is lost" in error
    dead = boto3.client("sqs")
    held = set(bodies_in(found.url))
    hidden = waiting(dead, found.dead_url)
    assert len(held) == (2 if operation == "SendMessage" else 3)
    assert hidden == 3


def stubbed(found: Queues, *tasks: dict[str, Any]) -> tuple[Any, Stubber]:
    """A client of a service that has move tasks, which says this of the one it began."""
    sqs = own_client()
    stub = Stubber(sqs)
    counts = {"ApproximateNumberOfMessages": "7", "ApproximateNumberOfMessagesNotVisible": "0"}
    stub.add_response("get_queue_attributes", {"Attributes": counts})
    stub.add_response("start_message_move_task", {"TaskHandle": "t"}, {"SourceArn": found.dead_arn})
    for task in tasks:
        stub.add_response(
            "list_message_move_tasks", {"Results": [task]}, {"SourceArn": found.dead_arn, "MaxResults": 1}
        )
    stub.activate()
    return sqs, stub


def test_an_sqs_redrive_task_is_followed_to_its_end(
    found: Queues, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dead_letters, "POLL_S", 0)
    running = {"Status": "RUNNING", "ApproximateNumberOfMessagesMoved": 3}
    sqs, stub = stubbed(found, running, {"Status": "COMPLETED", "ApproximateNumberOfMessagesMoved": 7})
    assert list(redrive(sqs, found)) == [f"7 messages sent back to {found.url}"]
    assert capsys.readouterr().err == "3 of about 7 messages sent back\n"
    stub.assert_no_pending_responses()


def test_a_task_that_fails_is_an_error_with_its_reason(found: Queues) -> None:
    failed = {"Status": "FAILED", "ApproximateNumberOfMessagesMoved": 3, "FailureReason": "AccessDenied"}
    sqs, _ = stubbed(found, failed)
    with pytest.raises(dead_letters.RedriveStopped, match="3 of 7 messages sent back, then: AccessDenied"):
        list(redrive(sqs, found))


def _none(found: Queues) -> str:
    return ""


def _unknown(found: Queues) -> str:
    return f"{found.url}-nowhere"


def _the_dead_one(found: Queues) -> str:
    return found.dead_url


@pytest.mark.parametrize("command", ["look", "redrive"])
@pytest.mark.parametrize(
    ("url", "message"),
    [
        (_none, "QUEUE_URL is not set; write QUEUE_URL="),
        (_unknown, "there is no queue https://"),
        (_the_dead_one, "has no dead-letter queue; use the queue"),
    ],
    ids=["none", "unknown", "the dead-letter queue itself"],
)
def test_with_an_invalid_queue_the_error_says_what_to_write(
    found: Queues, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    command: str, url: Callable[[Queues], str], message: str,
) -> None:  # fmt: skip
    monkeypatch.delenv("CITATIONS_QUEUE_URL")
    monkeypatch.setenv("QUEUE_URL", url(found))
    assert main([command]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: ")
    assert message in shown.err


def test_the_region_is_that_of_the_queues_address(found: Queues, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    boto3.DEFAULT_SESSION = None
    assert main(["look"]) == 0


def test_make_dead_letters_without_a_queue_is_one_line_and_no_traceback() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "infra.local.dead_letters", "look"],
        cwd=ROOT, env=CREDENTIALS, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr.count("\n") == 1


def test_of_a_letter_with_one_invalid_paper_the_others_are_in_the_graph(
    local: Machine, found: Queues, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    message = json.loads(papers_body(*(result(doi=f"10.1000/{number}") for number in range(10))))
    message["papers"][4]["citation_count"] = True
    body = json.dumps(message)
    event = {"Records": [{"messageId": "m", "body": body, "eventSource": "aws:sqs"}]}
    for _ in range(CITATIONS.max_receive_count):
        assert local.invoke("citation_writer", event)["batchItemFailures"] == [{"itemIdentifier": "m"}]
    assert local.graph_store().stats()["papers"] == 9
    reported = [vars(record).get("reason") for record in caplog.records if record.getMessage() == "papers refused"]
    assert reported == ["papers.papers.4.citation_count: int_type"] * CITATIONS.max_receive_count
    put_dead_letters(found, body)
    assert main(["look"]) == 0
    assert "papers.papers.4.citation_count: int_type" in capsys.readouterr().out


def test_the_reason_of_a_check_says_how_it_goes_on() -> None:
    said = reason('{"check_id": "0123456789abcdef0123456789abcdef"}')
    assert said == "references that could not be checked; their owner resumes the check by sending the document again"
