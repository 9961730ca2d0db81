"""The worker of one kind of job: each message is one step of a job, which queues the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from shared.aws.dynamodb.errors import STORAGE_ERRORS
from shared.aws.dynamodb.jobs import JobStore
from shared.aws.messaging.job_queue import JobQueue
from shared.aws.messaging.received_messages import ReceivedMessage, ReceivedMessages, handle_each
from shared.aws.runtime.observability import error_code, logger
from shared.jobs.job import MAX_RECEIVES, RETRY_S, ProgressT

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
    from aws_lambda_powertools.utilities.typing import LambdaContext


@dataclass(frozen=True, slots=True, kw_only=True)
class JobWorker(Generic[ProgressT]):
    """Handles the messages of a queue. `step` does the next step of the job with this id.

    `expected` are the errors of a step, besides the storage's, that are not bugs; `gave_up` is what the owner reads of
    a job whose last attempt failed.
    """

    store: JobStore[ProgressT]
    queue: JobQueue
    step: Callable[[str, LambdaContext], None]
    gave_up: str
    expected: tuple[type[Exception], ...] = ()

    def handle(self, event: ReceivedMessages, context: LambdaContext) -> PartialItemFailureResponse:
        """Do the next step of each message's job; returns the messages that failed."""
        return handle_each(event, lambda message: self._handled(message, context))

    def _handled(self, record: ReceivedMessage, context: LambdaContext) -> bool:
        """Whether a message needs no further attempt."""
        job_id = self.queue.job_id(record["body"])
        if job_id is None:
            logger.error("message refused", reason="it names no job", message_id=record["messageId"])
            return False
        try:
            self.step(job_id, context)
        except self.expected + STORAGE_ERRORS as error:
            logger.warning("a step of a job failed", job_id=job_id, reason=error_code(error))
        except Exception as error:  # a bug; the text of the error may contain parts of the document
            logger.error("a step of a job failed", job_id=job_id, reason=type(error).__name__)
        else:
            return True
        self._give_up_or_wait(job_id, record)
        return False

    def _give_up_or_wait(self, job_id: str, record: ReceivedMessage) -> None:
        """Hide the message for a short time; at its last attempt, end the job as failed."""
        try:
            if int(record.get("attributes", {}).get("ApproximateReceiveCount", 1)) >= MAX_RECEIVES:
                if job := self.store.get(job_id):
                    self.store.change(job, job.progress.failed(self.gave_up))
                return
            self.queue.hide(record["receiptHandle"], RETRY_S)
        except STORAGE_ERRORS as error:
            logger.error("a failed message could not be handled", job_id=job_id, reason=error_code(error))
