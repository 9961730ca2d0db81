"""The adapters of the graph's routes, built once per process: its table, its queue, and the stored answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from functions.dispatcher.wiring.legs import LEGS, SQS
from functions.dispatcher.wiring.storage import TABLES
from shared.aws.dynamodb.graph_table import GraphTable
from shared.aws.messaging.queues import send
from shared.aws.runtime.settings import required
from shared.errors import StillUnderWay, StorageUnavailable
from shared.graph.store import GraphStore
from shared.idempotency import key_reused, scoped_key

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

    from shared.answers.graph import RecordedCitations
    from shared.graph.message_types import QueuedCitations
    from shared.json_types import JsonObject

ANSWER_TTL_S = 24 * 3600
# Powertools makes the keys of stored answers from the module and the name of the decorated function. These are the
# names under which answers are stored; with others, a repeated request would be recorded twice.
STORED_MODULE, STORED_NAME = "functions.dispatcher.graph_world", "once.<locals>.run"
TABLE = GraphTable(TABLES.Table(required("PAPERS_TABLE")))
STORE = GraphStore(TABLE)


def queue(messages: Iterable[QueuedCitations]) -> None:
    """Send messages to the citation writer. Raises StorageUnavailable if the queue did not accept them all."""
    rejected = send(SQS, required("CITATIONS_QUEUE_URL"), messages)
    if rejected:
        raise StorageUnavailable("the citations could not be queued; send them again", retry_after_s=5.0)


def once(
    caller: str, key: str, body: JsonObject, work: Callable[[], RecordedCitations], lambda_context: LambdaContext
) -> RecordedCitations:
    """The answer of `work`, or the stored answer to the first request with this key of the caller within a day.

    Raises Conflict for another body, StillUnderWay while the first request runs, and StorageUnavailable.
    https://docs.aws.amazon.com/powertools/python/latest/utilities/idempotency/
    """
    from aws_lambda_powertools.utilities import idempotency  # on first use: reads of the graph do without
    from aws_lambda_powertools.utilities.idempotency import exceptions

    layer = idempotency.DynamoDBPersistenceLayer(
        table_name=required("IDEMPOTENCY_TABLE"),
        key_attr="pk",
        sort_key_attr="sk",
        static_pk_value="citations",
        expiry_attr="expires_at",
        boto3_client=LEGS.dynamodb,
    )
    config = idempotency.IdempotencyConfig(
        event_key_jmespath="key", payload_validation_jmespath="body", expires_after_seconds=ANSWER_TTL_S
    )
    config.register_lambda_context(lambda_context)

    def run(*, request: JsonObject) -> RecordedCitations:  # noqa: ARG001  Powertools reads the argument
        return work()

    run.__module__, run.__qualname__ = STORED_MODULE, STORED_NAME
    run_once: Any = idempotency.idempotent_function(
        run, data_keyword_argument="request", persistence_store=layer, config=config
    )
    try:
        answer: RecordedCitations = run_once(request={"key": scoped_key(caller, key), "body": body})
    except exceptions.IdempotencyValidationError:
        raise key_reused() from None
    except exceptions.IdempotencyAlreadyInProgressError:
        raise StillUnderWay from None
    except exceptions.IdempotencyPersistenceLayerError as error:
        message = "the answer could not be stored under its Idempotency-Key; send the request again"
        raise StorageUnavailable(message, retry_after_s=5.0) from error
    return answer
