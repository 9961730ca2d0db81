"""Creates in moto what the stack creates in AWS (tables, bucket, queues, …), and sets the environment."""

from __future__ import annotations

import json
import os
from copy import deepcopy
from typing import Any
from urllib.parse import urlparse

import boto3
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.models import dynamodb_backends
from moto.s3.models import s3_backends
from moto.scheduler.models import scheduler_backends
from moto.sns.models import sns_backends
from moto.sqs.models import sqs_backends

from infra.functions import capabilities, provider_functions, providers_for
from infra.tables import NEWS_TOPIC, QUEUES, SCHEDULE_GROUP, TABLES, Queue, Table

PREFIX = "local"
REGION = "us-east-1"


_EMPTY_TABLES: dict[str, Any] = {}  # as moto made them first in this process, without items


def create_tables(session: boto3.Session) -> None:
    """Create the tables of `infra/tables.py`; later machines of a process get copies, which takes a tenth as long."""
    tables: dict[str, Any] = dynamodb_backends[DEFAULT_ACCOUNT_ID][REGION].tables
    if not _EMPTY_TABLES:
        for table in TABLES:
            _create_table(session, table)
        _EMPTY_TABLES.update(deepcopy(tables))
    tables.update(deepcopy(_EMPTY_TABLES))


def create_resources() -> None:
    """Create everything except the tables, and set the environment variables that name all resources.

    They are created in moto itself: by requests to it, that took half of the time of a test's machine.
    """
    for table in TABLES:
        os.environ[f"{table.name.upper().replace('-', '_')}_TABLE"] = f"{PREFIX}-{table.name}"
    for queue in QUEUES:
        os.environ[queue_variable(queue)] = _create_queue(queue)
    os.environ["SEARCH_CACHE_BUCKET"] = f"{PREFIX}-search-cache"
    files = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
    if os.environ["SEARCH_CACHE_BUCKET"] not in files.buckets:  # another machine of this process may have made it
        files.create_bucket(os.environ["SEARCH_CACHE_BUCKET"], REGION)
    os.environ["OAUTH_API_KEY"] = f"{PREFIX}-callers-with-access-tokens"
    os.environ["DISPATCHER_FUNCTION"] = f"{PREFIX}-dispatcher"
    os.environ["SEARCHED_PROVIDERS"] = ",".join(providers_for("search"))
    os.environ["PROVIDER_FUNCTIONS"] = provider_functions(PREFIX)
    os.environ["CAPABILITIES"] = capabilities()
    if os.environ.get("RERANKER_MODEL"):
        os.environ["RERANKER_FUNCTION"] = f"{PREFIX}-reranker"
    os.environ["SCHEDULED_FUNCTION"] = f"{PREFIX}-saved_search_runner"
    os.environ["SCHEDULE_GROUP"] = f"{PREFIX}-{SCHEDULE_GROUP}"
    os.environ["SCHEDULER_ROLE_ARN"] = f"arn:aws:iam::000000000000:role/{PREFIX}-scheduler"
    scheduler_backends[DEFAULT_ACCOUNT_ID][REGION].create_schedule_group(os.environ["SCHEDULE_GROUP"], [])
    os.environ["NEWS_TOPIC_ARN"] = sns_backends[DEFAULT_ACCOUNT_ID][REGION].create_topic(f"{PREFIX}-{NEWS_TOPIC}").arn


def queue_variable(queue: Queue) -> str:
    """Return the environment variable that contains a queue's URL."""
    return f"{queue.name.upper()}_QUEUE_URL"


def _create_table(session: boto3.Session, table: Table) -> None:
    name = f"{PREFIX}-{table.name}"
    dynamodb: Any = session.client("dynamodb")
    keys = {"pk", "sk"} | {key for index in table.indexes for key in (index.partition, index.sort)}
    indexes = [
        {
            "IndexName": index.name,
            "KeySchema": _keys(index.partition, index.sort),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(index.projected)},
        }
        for index in table.indexes
    ]
    dynamodb.create_table(
        TableName=name,
        KeySchema=_keys("pk", "sk"),
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in sorted(keys)],
        BillingMode="PAY_PER_REQUEST",
        **({"GlobalSecondaryIndexes": indexes} if indexes else {}),
    )
    if table.expires:
        dynamodb.update_time_to_live(
            TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires_at"}
        )


def _keys(partition: str, sort: str) -> list[dict[str, str]]:
    return [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]


def _create_queue(queue: Queue) -> str:
    """Create a queue and its dead letter queue; the address of the first."""
    sqs = sqs_backends[DEFAULT_ACCOUNT_ID][REGION]
    dead = sqs.create_queue(f"{PREFIX}-{queue.name}-dead")
    created = sqs.create_queue(
        f"{PREFIX}-{queue.name}",
        VisibilityTimeout=str(queue.visibility_timeout_s),
        MessageRetentionPeriod=str(queue.retention_s),
        RedrivePolicy=json.dumps({"deadLetterTargetArn": dead.queue_arn, "maxReceiveCount": queue.max_receive_count}),
    )
    return created.url(urlparse(f"https://sqs.{REGION}.amazonaws.com"))
