"""The queue of one kind of job: a message for each next step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.aws.messaging.queues import message_attributes
from shared.aws.runtime.settings import required
from shared.jobs.job import JobKind, ProgressT

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

LONGEST_DELAY_S = 900  # of SQS


@dataclass(frozen=True, slots=True)
class JobQueue:
    """Messages `{<field>: <id of the job>}`. Methods raise botocore's errors."""

    sqs: SQSClient
    url: str
    field: str

    def send(self, job_id: str, *, delay_s: int = 0) -> None:
        """Queue the next step of a job."""
        self.sqs.send_message(
            QueueUrl=self.url,
            MessageBody=json.dumps({self.field: job_id}),
            MessageAttributes=message_attributes(),
            DelaySeconds=min(delay_s, LONGEST_DELAY_S),
        )

    def job_id(self, body: str) -> str | None:
        """The job that a message is about; None for any other message."""
        try:
            message = json.loads(body)
        except ValueError:
            return None
        job_id = message.get(self.field) if isinstance(message, Mapping) else None
        return job_id if isinstance(job_id, str) else None

    def hide(self, receipt_handle: str, seconds: int) -> None:
        """Let a message that was received be delivered once more after this time."""
        self.sqs.change_message_visibility(QueueUrl=self.url, ReceiptHandle=receipt_handle, VisibilityTimeout=seconds)


def job_queue(sqs: SQSClient, kind: JobKind[ProgressT]) -> JobQueue:
    """The queue of the next steps of one kind of job, which its setting names."""
    return JobQueue(sqs, required(kind.queue_setting), kind.id_field)
