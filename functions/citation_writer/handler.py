"""Writes messages from SQS to the knowledge graph; only the messages that fail return to the queue."""

from __future__ import annotations

import shared.garbage_collection  # before the imports that make many objects

# isort: split
from typing import TYPE_CHECKING

import boto3

from shared.aws.dynamodb.errors import STORAGE_ERRORS
from shared.aws.dynamodb.graph_table import GraphTable
from shared.aws.messaging.received_messages import ReceivedMessage, ReceivedMessages, handle_each
from shared.aws.runtime.boto_configs import ESSENTIAL
from shared.aws.runtime.observability import error_code, logger
from shared.aws.runtime.settings import required
from shared.errors import MessageRefused
from shared.graph.messages import PapersMessage
from shared.graph.received import read_message
from shared.graph.writes import write_message

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
    from aws_lambda_powertools.utilities.typing import LambdaContext

papers = boto3.resource("dynamodb", config=ESSENTIAL).Table(required("PAPERS_TABLE"))


def handler(event: ReceivedMessages, context: LambdaContext) -> PartialItemFailureResponse:
    """Write a batch; returns the messages that SQS must redeliver or, at last, move to the dead-letter queue."""
    table = GraphTable(papers, lambda: context.get_remaining_time_in_millis() / 1000)
    return handle_each(event, lambda message: _written(message, table))


def _written(record: ReceivedMessage, table: GraphTable) -> bool:
    """Whether one message was written whole. No error stops the other messages of the batch.

    Of a message with invalid papers, the others are written; it fails nevertheless, so that it becomes a dead letter.
    """
    message_id = record["messageId"]
    try:
        message = read_message(record["body"])
        items = write_message(message, table)
        invalid = sum(it.invalid_in_text for it in message.papers) if isinstance(message, PapersMessage) else 0
        if invalid:
            logger.warning("in-text citations left out", invalid=invalid, message_id=message_id)
        if isinstance(message, PapersMessage) and message.refused:
            logger.error("papers refused", reason="; ".join(message.refused), items=items, message_id=message_id)
            return False
    except MessageRefused as error:
        logger.error("message refused", reason=error.message, message_id=message_id)
    except STORAGE_ERRORS as error:
        logger.warning("message will be redelivered", reason=error_code(error), message_id=message_id)
    except Exception as error:  # a bug; the text of the error may contain parts of the message
        logger.error("message failed", reason=error_code(error), message_id=message_id)
    else:
        logger.info("message written", items=items, message_id=message_id)
        return True
    return False


shared.garbage_collection.begin()
