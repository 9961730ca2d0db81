"""The operator's two commands for messages that were given up: look at them, and send them back.

They were for the graph's writer, or for the deliverer of saved searches. The queue is named by QUEUE_URL, else
CITATIONS_QUEUE_URL; its redrive policy names the dead-letter queue behind it.
Looking deletes nothing. Sending back is safe to repeat: a message that comes twice has its effect once.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from shared.delivery.deliveries import read_delivery
from shared.errors import MessageRefused
from shared.graph.received import read_message

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

SHOWN = 10
HIDDEN_S = 30  # from others, while it is looked at
MOVING_S = 120  # from others, while it is sent and deleted
POLL_S = 2.0
TOLD_EVERY = 100
REGION = re.compile(r"//(?:sqs\.([a-z0-9-]+)|([a-z0-9-]+)\.queue)\.amazonaws\.")
# How services that have no move tasks of their own say so.
NOT_OFFERED = {"InvalidAction", "UnknownOperationException", "AWS.SimpleQueueService.UnsupportedOperation"}


class NoQueue(Exception):
    """What is named is no queue with a dead-letter queue behind it."""


class RedriveStopped(Exception):
    """SQS ended its task before all was moved."""


@dataclass(frozen=True, slots=True)
class Queues:
    """A queue that a function reads, and the dead-letter queue behind it."""

    url: str
    dead_url: str
    dead_arn: str


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the status is 0 when it did what was asked, 1 when AWS refused, 2 when there is no queue."""
    parser = argparse.ArgumentParser(prog="python -m infra.local.dead_letters", description=__doc__)
    parser.add_argument("command", choices=("look", "redrive"))
    asked = parser.parse_args(arguments)
    url = os.environ.get("QUEUE_URL") or os.environ.get("CITATIONS_QUEUE_URL")
    try:
        if not url:
            raise NoQueue("there is no queue; write QUEUE_URL=https://sqs.… of the citations or the deliveries")
        region = REGION.search(url)
        sqs = boto3.client("sqs", region_name=region and (region[1] or region[2]))
        found = queues(sqs, url)
        lines = look(sqs, found) if asked.command == "look" else redrive(sqs, found)
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
    except NoQueue as error:
        return _fail(str(error), 2)
    except (BotoCoreError, ClientError, RedriveStopped) as error:
        return _fail(f"{error} (nothing is lost, and the command can be repeated)", 1)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _fail(message: str, status: int) -> int:
    sys.stderr.write(f"error: {message}\n")
    return status


def queues(sqs: SQSClient, url: str) -> Queues:
    """The queue and what is behind it. Raises NoQueue."""
    try:
        attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["RedrivePolicy"]).get("Attributes", {})
    except sqs.exceptions.QueueDoesNotExist:
        raise NoQueue(f"there is no queue {url} in this account and region") from None
    if "RedrivePolicy" not in attributes:
        raise NoQueue(f"{url} has no dead-letter queue behind it; name the queue that a function reads")
    arn = str(json.loads(attributes["RedrivePolicy"])["deadLetterTargetArn"])
    account, name = arn.split(":")[4:6]
    dead = sqs.get_queue_url(QueueName=name, QueueOwnerAWSAccountId=account)["QueueUrl"]
    return Queues(url, dead, arn)


def waiting(sqs: SQSClient, url: str) -> int:
    """About how many messages are in a queue, those included that someone is looking at."""
    attributes = sqs.get_queue_attributes(
        QueueUrl=url, AttributeNames=["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    )["Attributes"]
    return sum(map(int, attributes.values()))


def look(sqs: SQSClient, found: Queues) -> list[str]:
    """How many there are, then a line for each of the first ten: when, how often received, bytes, why; by tabs.

    Each look counts as a reception; what was looked at is there for others again at once.
    """
    lines = [f"{waiting(sqs, found.dead_url)} dead letters in {found.dead_url}"]
    seen: dict[str, Any] = {}
    try:
        while len(seen) < SHOWN and (some := _received(sqs, found.dead_url, SHOWN - len(seen), HIDDEN_S)):
            seen |= {message["MessageId"]: message for message in some}
    finally:
        for message in seen.values():
            sqs.change_message_visibility(
                QueueUrl=found.dead_url, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=0
            )
    if seen:
        lines.append("sent\treceived\tbytes\treason")
    by_time = sorted(seen.values(), key=lambda it: (int(it["Attributes"]["SentTimestamp"]), it["MessageId"]))
    return [*lines, *map(_line, by_time)]


def _received(sqs: SQSClient, url: str, most: int, hidden_s: int) -> list[Any]:
    """Asked with a second's patience, SQS looks at all its servers."""
    answer = sqs.receive_message(
        QueueUrl=url, MaxNumberOfMessages=most, VisibilityTimeout=hidden_s, WaitTimeSeconds=1,
        MessageSystemAttributeNames=["SentTimestamp", "ApproximateReceiveCount"], MessageAttributeNames=["All"],
    )  # fmt: skip
    return list(answer.get("Messages", []))


def _line(message: Any) -> str:
    sent = datetime.fromtimestamp(int(message["Attributes"]["SentTimestamp"]) / 1000, UTC)
    received = message["Attributes"]["ApproximateReceiveCount"]
    size = len(message["Body"].encode(errors="surrogatepass"))
    return f"{sent:%Y-%m-%dT%H:%M:%SZ}\t{received}\t{size}\t{reason(message['Body'])}"


def reason(body: str) -> str:
    """Why a message is here, in one line, without what it holds. One with a search's id is for the deliverer."""
    told = _object(body)
    try:
        if "search_id" in told:
            read_delivery(told)
            good, reader = "a good delivery that could not be made", "deliverer"
        else:
            read_message(body)
            good, reader = "a good message that could not be written", "writer"
    except MessageRefused as error:
        return " ".join(error.message.split())
    return f"{good}; redrive it when the cause is gone (see the {reader}'s log)"


def _object(body: str) -> dict[str, Any]:
    """A message as data; nothing when it is no object."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def redrive(sqs: SQSClient, found: Queues) -> Iterator[str]:
    """Send all back to the queue: by a task of SQS itself, or where there is none, one by one. Tells how many went."""
    total = waiting(sqs, found.dead_url)
    if not total:
        yield f"no dead letters in {found.dead_url}"
        return
    try:
        sqs.start_message_move_task(SourceArn=found.dead_arn)
    except NotImplementedError:
        moved = _one_by_one(sqs, found, total)
    except ClientError as error:
        if error.response["Error"]["Code"] not in NOT_OFFERED:
            raise
        moved = _one_by_one(sqs, found, total)
    else:
        moved = _watch(sqs, found, total)
    yield f"{moved} messages sent back to {found.url}"


def _watch(sqs: SQSClient, found: Queues, total: int) -> int:
    """Until the task is done; it goes on without us. Raises RedriveStopped."""
    while True:
        task: Any = sqs.list_message_move_tasks(SourceArn=found.dead_arn, MaxResults=1)["Results"][0]
        moved = int(task.get("ApproximateNumberOfMessagesMoved", 0))
        if task["Status"] == "COMPLETED":
            return moved
        if task["Status"] not in ("RUNNING", "CANCELLING"):
            raise RedriveStopped(
                f"{moved} of {total} messages sent back, then: {task.get('FailureReason') or task['Status']}"
            )
        _progress(moved, total)
        time.sleep(POLL_S)


def _one_by_one(sqs: SQSClient, found: Queues, total: int) -> int:
    """Each is sent before it is deleted, so that none is lost. Those that came back meanwhile are left."""
    sent: set[str] = set()
    while some := _received(sqs, found.dead_url, 10, MOVING_S):
        dead = [message for message in some if message["MessageId"] not in sent]
        if not dead:
            break
        for message in dead:
            attributes = message.get("MessageAttributes", {})
            answer = sqs.send_message(QueueUrl=found.url, MessageBody=message["Body"], MessageAttributes=attributes)
            sqs.delete_message(QueueUrl=found.dead_url, ReceiptHandle=message["ReceiptHandle"])
            sent.add(answer["MessageId"])
        if len(sent) % TOLD_EVERY < len(dead):
            _progress(len(sent), total)
    return len(sent)


def _progress(moved: int, total: int) -> None:
    sys.stderr.write(f"{moved} of about {total} messages sent back\n")


if __name__ == "__main__":
    sys.exit(main())
