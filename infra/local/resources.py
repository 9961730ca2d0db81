"""Creates in moto what the stack creates in AWS (tables, bucket, queues, …), and sets the environment."""

from __future__ import annotations

import json
import os
from copy import deepcopy
from typing import Any

import boto3
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.models import dynamodb_backends

from infra.functions import capabilities, provider_names, providers_for
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


def create_resources(session: boto3.Session) -> None:
    """Create everything except the tables, and set the environment variables that name all resources."""
    for table in TABLES:
        os.environ[f"{table.name.upper().replace('-', '_')}_TABLE"] = f"{PREFIX}-{table.name}"
    for queue in QUEUES:
        os.environ[queue_variable(queue)] = _create_queue(session, queue)
    os.environ["SEARCH_CACHE_BUCKET"] = f"{PREFIX}-search-cache"
    session.client("s3").create_bucket(Bucket=os.environ["SEARCH_CACHE_BUCKET"])
    os.environ["OAUTH_API_KEY"] = f"{PREFIX}-callers-with-access-tokens"
    os.environ["DISPATCHER_FUNCTION"] = f"{PREFIX}-dispatcher"
    os.environ["SEARCHED_PROVIDERS"] = ",".join(providers_for("search"))
    os.environ["PROVIDERS"] = json.dumps({name: f"{PREFIX}-{name}" for name in provider_names()})
    os.environ["CAPABILITIES"] = capabilities()
    os.environ["SCHEDULE_GROUP"] = f"{PREFIX}-{SCHEDULE_GROUP}"
    os.environ["SCHEDULER_ROLE_ARN"] = f"arn:aws:iam::000000000000:role/{PREFIX}-scheduler"
    session.client("scheduler").create_schedule_group(Name=os.environ["SCHEDULE_GROUP"])
    os.environ["NEWS_TOPIC_ARN"] = session.client("sns").create_topic(Name=f"{PREFIX}-{NEWS_TOPIC}")["TopicArn"]


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


def _create_queue(session: boto3.Session, queue: Queue) -> str:
    sqs = session.client("sqs")
    dead = f"{PREFIX}-{queue.name}-dead"
    sqs.create_queue(QueueName=dead)
    redrive = {
        "deadLetterTargetArn": f"arn:aws:sqs:{REGION}:{DEFAULT_ACCOUNT_ID}:{dead}",
        "maxReceiveCount": queue.max_receive_count,
    }
    return sqs.create_queue(
        QueueName=f"{PREFIX}-{queue.name}",
        Attributes={
            "VisibilityTimeout": str(queue.visibility_timeout_s),
            "MessageRetentionPeriod": str(queue.retention_s),
            "RedrivePolicy": json.dumps(redrive),
        },
    )["QueueUrl"]
