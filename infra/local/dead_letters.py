"""Lists the messages in a dead-letter queue (`look`), or moves them back to their queue (`redrive`).

QUEUE_URL, or else CITATIONS_QUEUE_URL, is the queue that the citation writer or the deliverer reads; its redrive policy
names the dead-letter queue. Listing deletes nothing. A redrive may be repeated: the consumers are idempotent.
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
    from mypy_boto3_sqs.type_defs import MessageTypeDef

SHOWN = 10
LISTING_S = 30  # visibility timeout while a message is listed
MOVING_S = 120  # visibility timeout while a message is sent and deleted
POLL_S = 2.0
RECEIVE_S = 1  # of long polling, which queries all of SQS's servers
PROGRESS_EVERY = 100  # messages
REGION = re.compile(r"//(?:sqs\.([a-z0-9-]+)|([a-z0-9-]+)\.queue)\.amazonaws\.")
# Error codes of SQS-compatible services without message move tasks.
NOT_OFFERED = {"InvalidAction", "UnknownOperationException", "AWS.SimpleQueueService.UnsupportedOperation"}


class NoQueue(Exception):
    """The URL is missing, or does not name a queue with a dead-letter queue."""


class RedriveStopped(Exception):
    """The message move task of SQS failed or was cancelled."""


@dataclass(frozen=True, slots=True)
class Queues:
    """A queue that a function reads, and its dead-letter queue."""

    url: str
    dead_url: str
    dead_arn: str


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Exit status: 0 success, 1 AWS returned an error, 2 there is no such queue."""
    parser = argparse.ArgumentParser(prog="python -m infra.local.dead_letters", description=__doc__)
    parser.add_argument("command", choices=("look", "redrive"))
    options = parser.parse_args(arguments)
    url = os.environ.get("QUEUE_URL") or os.environ.get("CITATIONS_QUEUE_URL")
    try:
        if not url:
            raise NoQueue(
                "QUEUE_URL is not set; write QUEUE_URL=https://sqs.…, the URL of the queue of citations or deliveries"
            )
        region = REGION.search(url)
        sqs = boto3.client("sqs", region_name=region and (region[1] or region[2]))
        found = queues(sqs, url)
        lines = list_dead_letters(sqs, found) if options.command == "look" else redrive(sqs, found)
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
    except NoQueue as error:
        return _fail(str(error), 2)
    except (BotoCoreError, ClientError, RedriveStopped) as error:
        return _fail(f"{error} (nothing is lost; the command can be repeated)", 1)
    except BrokenPipeError:  # the reader of the pipe, such as `head`, has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _fail(message: str, status: int) -> int:
    sys.stderr.write(f"error: {message}\n")
    return status


def queues(sqs: SQSClient, url: str) -> Queues:
    """Return a queue and its dead-letter queue. Raises NoQueue."""
    try:
        attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["RedrivePolicy"]).get("Attributes", {})
    except sqs.exceptions.QueueDoesNotExist:
        raise NoQueue(f"there is no queue {url} in this account and region") from None
    if "RedrivePolicy" not in attributes:
        raise NoQueue(f"{url} has no dead-letter queue; use the queue that a function reads")
    arn = str(json.loads(attributes["RedrivePolicy"])["deadLetterTargetArn"])
    account, name = arn.split(":")[4:6]
    dead = sqs.get_queue_url(QueueName=name, QueueOwnerAWSAccountId=account)["QueueUrl"]
    return Queues(url, dead, arn)


def waiting(sqs: SQSClient, url: str) -> int:
    """Return about how many messages are in a queue, including those in flight."""
    attributes = sqs.get_queue_attributes(
        QueueUrl=url, AttributeNames=["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    )["Attributes"]
    return sum(map(int, attributes.values()))


def list_dead_letters(sqs: SQSClient, found: Queues) -> list[str]:
    """Return the number of dead letters, then a tab-separated line for each of the first ten.

    Its columns: when it was sent, how often it was received (listing counts too), its bytes, and why it failed. The
    messages become visible again at once.
    """
    lines = [f"{waiting(sqs, found.dead_url)} dead letters in {found.dead_url}"]
    listed: dict[str, MessageTypeDef] = {}
    try:
        while len(listed) < SHOWN and (batch := _receive(sqs, found.dead_url, SHOWN - len(listed), LISTING_S)):
            listed |= {message["MessageId"]: message for message in batch}
    finally:
        for message in listed.values():
            sqs.change_message_visibility(
                QueueUrl=found.dead_url, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=0
            )
    if listed:
        lines.append("sent\treceived\tbytes\treason")
    by_time = sorted(listed.values(), key=lambda it: (int(it["Attributes"]["SentTimestamp"]), it["MessageId"]))
    return [*lines, *map(_line, by_time)]


def _receive(sqs: SQSClient, url: str, max_count: int, visibility_s: int) -> list[MessageTypeDef]:
    answer = sqs.receive_message(
        QueueUrl=url, MaxNumberOfMessages=max_count, VisibilityTimeout=visibility_s, WaitTimeSeconds=RECEIVE_S,
        MessageSystemAttributeNames=["SentTimestamp", "ApproximateReceiveCount"], MessageAttributeNames=["All"],
    )  # fmt: skip
    return list(answer.get("Messages", []))


def _line(message: MessageTypeDef) -> str:
    sent = datetime.fromtimestamp(int(message["Attributes"]["SentTimestamp"]) / 1000, UTC)
    received = message["Attributes"]["ApproximateReceiveCount"]
    size = len(message["Body"].encode(errors="surrogatepass"))
    return f"{sent:%Y-%m-%dT%H:%M:%SZ}\t{received}\t{size}\t{reason(message['Body'])}"


def reason(body: str) -> str:
    """Say in one line, without the message's content, why it failed; its ids tell which function it is for."""
    message = _object(body)
    try:
        if "search_id" in message:
            read_delivery(message)
            failure, reader = "a valid delivery that failed", "deliverer"
        elif "result_set_id" in message:
            return "a result set that was not completed: it says what is missing (see the log of the dispatcher)"
        elif "check_id" in message:
            return "references that could not be checked; their owner resumes the check by sending the document again"
        else:
            refused = getattr(read_message(body), "refused", ())
            if refused:
                return f"invalid papers, beside valid ones that were written ({'; '.join(refused)})"
            failure, reader = "a valid message that could not be written", "citation_writer"
    except MessageRefused as error:
        return " ".join(error.message.split())
    return f"{failure}; redrive it when the cause is fixed (see the log of {reader})"


def _object(body: str) -> dict[str, Any]:
    """Parse a message; return an empty object if it is not a JSON object."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def redrive(sqs: SQSClient, found: Queues) -> Iterator[str]:
    """Move all messages back to their queue, with a task of SQS or, if that is not supported, one by one.

    Yields a line that says how many were moved.
    """
    total = waiting(sqs, found.dead_url)
    if not total:
        yield f"no dead letters in {found.dead_url}"
        return
    try:
        sqs.start_message_move_task(SourceArn=found.dead_arn)
    except NotImplementedError:
        moved = _move_one_by_one(sqs, found, total)
    except ClientError as error:
        if error.response["Error"]["Code"] not in NOT_OFFERED:
            raise
        moved = _move_one_by_one(sqs, found, total)
    else:
        moved = _wait_for_task(sqs, found, total)
    yield f"{moved} messages sent back to {found.url}"


def _wait_for_task(sqs: SQSClient, found: Queues, total: int) -> int:
    """Wait until the task has ended; it continues if this process stops. Raises RedriveStopped."""
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


def _move_one_by_one(sqs: SQSClient, found: Queues, total: int) -> int:
    """Send each message before deleting it, so that none is lost. Messages that fail again in the meantime are left."""
    sent: set[str] = set()
    while batch := _receive(sqs, found.dead_url, 10, MOVING_S):
        dead = [message for message in batch if message["MessageId"] not in sent]
        if not dead:
            break
        for message in dead:
            attributes = message.get("MessageAttributes", {})
            answer = sqs.send_message(QueueUrl=found.url, MessageBody=message["Body"], MessageAttributes=attributes)
            sqs.delete_message(QueueUrl=found.dead_url, ReceiptHandle=message["ReceiptHandle"])
            sent.add(answer["MessageId"])
        if len(sent) % PROGRESS_EVERY < len(dead):
            _progress(len(sent), total)
    return len(sent)


def _progress(moved: int, total: int) -> None:
    sys.stderr.write(f"{moved} of about {total} messages sent back\n")


if __name__ == "__main__":
    sys.exit(main())
