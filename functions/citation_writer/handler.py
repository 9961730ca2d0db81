"""SQS -> knowledge graph: upserts the papers of each message; a message that fails goes back alone."""

from __future__ import annotations

from typing import Any

import boto3
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from shared.aws.graph_store import GraphStore
from shared.aws.observability import logger
from shared.aws.settings import required
from shared.errors import BadRequest
from shared.graph import read_message

# A batch that fails whole is told message by message, as any other: raising would only hide which.
processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
store = GraphStore(boto3.resource("dynamodb").Table(required("PAPERS_TABLE")))


def write(record: SQSRecord) -> None:
    """One message: all its papers. Raises for a message that is not ours, which ends in the dead-letter queue."""
    try:
        seen_at, papers = read_message(record.body)
    except BadRequest as error:
        logger.error("message refused", reason=error.message, message_id=record.message_id)
        raise
    for paper in papers:
        store.upsert(paper, seen_at)
    logger.info("papers written", papers=len(papers), message_id=record.message_id)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """`{"batchItemFailures": […]}`: the messages that SQS shall show again."""
    return dict(process_partial_response(event=event, record_handler=write, processor=processor, context=context))
