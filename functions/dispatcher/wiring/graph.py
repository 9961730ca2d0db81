"""The adapters of the graph's routes, built once a process: its table, its queue, the memory of repeated requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from functions.dispatcher.wiring.search import DYNAMODB, SQS
from functions.dispatcher.wiring.storage import TABLES
from shared.aws.dynamodb.graph_table import GraphTable
from shared.aws.messaging.queues import send
from shared.aws.runtime.settings import required
from shared.clock import timestamp
from shared.errors import StillUnderWay, StorageUnavailable
from shared.graph.store import GraphStore
from shared.idempotency import key_reused, scoped_key

REMEMBERED_S = 24 * 3600
STORE = GraphStore(GraphTable(TABLES.Table(required("PAPERS_TABLE"))))


def now() -> str:
    """This moment, ISO 8601."""
    return timestamp(datetime.now(UTC))


def queue(messages: Iterable[Mapping[str, Any]]) -> None:
    """Hand messages to the writer. Raises StorageUnavailable when one was not taken."""
    refused = send(SQS, required("CITATIONS_QUEUE_URL"), messages)
    if refused:
        raise StorageUnavailable("the citations could not be queued; send them again", retry_after_s=5.0)


def once(caller: str, key: str, body: Any, work: Callable[[], dict[str, Any]], lambda_context: Any) -> dict[str, Any]:
    """The answer of `work`, or of its first run under this caller's key. Raises Conflict for another body.

    Within a day; https://docs.aws.amazon.com/powertools/python/latest/utilities/idempotency/
    """
    from aws_lambda_powertools.utilities import idempotency  # only for callers who ask for it
    from aws_lambda_powertools.utilities.idempotency import exceptions

    layer = idempotency.DynamoDBPersistenceLayer(
        table_name=required("IDEMPOTENCY_TABLE"),
        key_attr="pk",
        sort_key_attr="sk",
        static_pk_value="citations",
        expiry_attr="expires_at",
        boto3_client=DYNAMODB,
    )
    config = idempotency.IdempotencyConfig(
        event_key_jmespath="key", payload_validation_jmespath="body", expires_after_seconds=REMEMBERED_S
    )
    config.register_lambda_context(lambda_context)

    @idempotency.idempotent_function(data_keyword_argument="asked", persistence_store=layer, config=config)
    def run(*, asked: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG001  Powertools reads it
        return work()

    try:
        return dict(run(asked={"key": scoped_key(caller, key), "body": body}))
    except exceptions.IdempotencyValidationError:
        raise key_reused() from None
    except exceptions.IdempotencyAlreadyInProgressError:
        raise StillUnderWay from None
    except exceptions.IdempotencyPersistenceLayerError as error:
        raise StorageUnavailable("the Idempotency-Key could not be kept; send it again", retry_after_s=5.0) from error
