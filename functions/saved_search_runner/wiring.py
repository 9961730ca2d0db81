"""The adapters of runs, built once per process: providers and their cache, saved searches, the graph, queues, clock.

Legs yield to those of searches that somebody waits for.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import boto3

from shared import clock
from shared.aws.dynamodb.claims import Claims
from shared.aws.dynamodb.graph_table import GraphTable
from shared.aws.dynamodb.result_sets import DynamoResultSets
from shared.aws.dynamodb.saved_searches.searches import SavedSearches
from shared.aws.lambda_functions.leg_wiring import LegWiring
from shared.aws.messaging.citation_queue import CitationQueue
from shared.aws.messaging.schedules import Schedules
from shared.aws.runtime.boto_configs import BEST_EFFORT, ESSENTIAL
from shared.aws.runtime.metrics import observe
from shared.aws.runtime.settings import required
from shared.clock import timestamp
from shared.graph.pages import MAX_LIMIT
from shared.graph.store import GraphStore
from shared.legs.leg import LegDependencies
from shared.papers.dependencies import PaperDependencies
from shared.saved_searches.run import RunDependencies
from shared.saved_searches.watch import WatchDependencies

if TYPE_CHECKING:
    from shared.answers.graph import ContextRef, GraphPaper


now = clock.now
LEGS = LegWiring()
DISCIPLINES = LEGS.disciplines
SQS = boto3.client("sqs", config=BEST_EFFORT)
PUBLISH = CitationQueue(SQS, required("CITATIONS_QUEUE_URL"), now, Claims(LEGS.cache.table, now))
TABLES = boto3.resource("dynamodb", config=ESSENTIAL)
TABLE = TABLES.Table(required("SAVED_SEARCHES_TABLE"))
SEARCHES = SavedSearches(TABLE)
GRAPH = GraphTable(TABLES.Table(required("PAPERS_TABLE")))


@cache
def schedules(function_arn: str) -> Schedules:
    """Return the schedules that invoke this function; the client is created on first use.

    They invoke its alias, where SCHEDULED_ALIAS names one, however this invocation named the function: Scheduler's
    role may invoke nothing else.
    """
    alias = os.environ.get("SCHEDULED_ALIAS")
    function = ":".join(function_arn.split(":")[:7])  # without the version or the alias that was invoked
    return Schedules(
        boto3.client("scheduler", config=ESSENTIAL),
        group=required("SCHEDULE_GROUP"),
        role_arn=required("SCHEDULER_ROLE_ARN"),
        target_arn=f"{function}:{alias}" if alias else function_arn,
    )


def _leg_dependencies(run_id: str) -> LegDependencies:
    return LEGS.dependencies(run_id, now, time.monotonic, scheduled=True)


def run_dependencies(run_id: str) -> RunDependencies:
    """Return the dependencies of one run of a saved search."""
    return RunDependencies(
        legs=_leg_dependencies(run_id),
        disciplines=DISCIPLINES,
        tracks_integrity=LEGS.tracks_integrity,
        publish=PUBLISH,
        observe=observe,
        monotonic=time.monotonic,
        now=lambda: timestamp(now()),
        run_id=run_id,
    )


def watch_dependencies(context: ContextRef, owner: str, run_id: str) -> WatchDependencies:
    """Return the dependencies of one run of a watch; the context is read as its owner may read it."""
    store = GraphStore(GRAPH, owner)
    return WatchDependencies(
        papers=_paper_dependencies(run_id),
        read_context=lambda cursor: store.context(context["type"], context["id"], cursor, MAX_LIMIT),
        run_id=run_id,
    )


def _paper_dependencies(run_id: str) -> PaperDependencies:
    return PaperDependencies(
        legs=_leg_dependencies(run_id),
        capabilities=LEGS.capabilities,
        result_sets=DynamoResultSets(LEGS.cache, now),
        known=_unknown,
        publish=PUBLISH,
        observe=observe,
        monotonic=time.monotonic,
        now=lambda: timestamp(now()),
        request_id=run_id,
    )


def _unknown(_: Sequence[str]) -> Mapping[str, GraphPaper | None]:
    """A watch asks the sources what the graph does not know yet."""
    return {}
