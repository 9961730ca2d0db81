"""SQS -> knowledge graph: writes what each message says; a message that fails goes back alone."""

from __future__ import annotations

from typing import Any

import boto3
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext
from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.graph_table import BOUNDED, GraphTable, TableBusy
from shared.aws.graph_writes import write_message
from shared.aws.observability import code_of, logger
from shared.aws.settings import required
from shared.errors import MessageRefused
from shared.graph.messages import read_message

# A batch that fails whole is told message by message, as any other: raising would only hide which.
processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
papers = boto3.resource("dynamodb", config=BOUNDED).Table(required("PAPERS_TABLE"))


def write(record: SQSRecord, lambda_context: LambdaContext) -> None:
    """One message. Raises for one that is not ours, which ends in the dead-letter queue, and for one to come again."""
    table = GraphTable(papers, lambda: lambda_context.get_remaining_time_in_millis() / 1000)
    try:
        items = write_message(read_message(record.body), table)
    except MessageRefused as error:
        logger.error("message refused", reason=error.message, message_id=record.message_id)
        raise
    except (TableBusy, BotoCoreError, ClientError) as error:
        logger.warning("message comes again", reason=code_of(error), message_id=record.message_id)
        raise
    logger.info("message written", items=items, message_id=record.message_id)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """`{"batchItemFailures": […]}`: the messages that SQS shall show again."""
    return dict(process_partial_response(event=event, record_handler=write, processor=processor, context=context))
