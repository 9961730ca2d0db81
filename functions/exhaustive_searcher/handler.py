"""Works through exhaustive searches: each message is one turn, in which pages are read or all records are merged.

Pages are legs as those of any search: with the same providers, cache, permits and circuit breakers. They yield to
searches that somebody waits for, as scheduled searches do.
"""

from __future__ import annotations

import shared.garbage_collection  # before the imports that make many objects

# isort: split
import time
from typing import TYPE_CHECKING

import boto3

from shared.aws.dynamodb.jobs import job_store
from shared.aws.lambda_functions.job_worker import JobWorker
from shared.aws.lambda_functions.leg_wiring import LegWiring
from shared.aws.messaging.job_queue import job_queue
from shared.aws.runtime.boto_configs import ESSENTIAL
from shared.aws.runtime.metrics import observe
from shared.aws.runtime.observability import logger
from shared.clock import now
from shared.exhaustive_searches.advance import advance
from shared.exhaustive_searches.progress import EXHAUSTIVE_JOBS, ExhaustiveSearch
from shared.exhaustive_searches.steps import StepDependencies

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

GAVE_UP = "its sources could not be read or merged; send the request again to resume"
# What is left of the function's time for storing the last round and sending the next message.
RESERVE_S = 5.0
LEGS = LegWiring()
QUEUE = job_queue(boto3.client("sqs", config=ESSENTIAL), EXHAUSTIVE_JOBS)
SEARCHES = job_store(boto3.resource("dynamodb", config=ESSENTIAL), EXHAUSTIVE_JOBS)
monotonic = time.monotonic


def _turn(search_id: str, context: LambdaContext) -> None:
    """Advance a search. One that is gone, or has ended, is left as it is."""
    search = SEARCHES.get(search_id)
    if search is None or search.progress.ended:
        return
    until = monotonic() + context.get_remaining_time_in_millis() / 1000 - RESERVE_S
    turn = advance(search, SEARCHES, _dependencies(search, context.aws_request_id), until=until)
    if turn is None:
        logger.info("another worker had this turn", search_id=search_id)
        return
    progress = turn.search.progress
    logger.info("sources read", search_id=search_id, records=progress.records, of=progress.expected)
    if not progress.ended:
        QUEUE.send(search_id, delay_s=turn.wait_s)


def _dependencies(search: ExhaustiveSearch, request_id: str) -> StepDependencies:
    return StepDependencies(
        legs=LEGS.dependencies(request_id, now, monotonic, scheduled=True, began_ms=search.created_at * 1000),
        listing={name for name, ability in LEGS.capabilities.items() if "listing" in ability.operations},
        tracks_integrity=LEGS.tracks_integrity,
        observe=observe,
        monotonic=monotonic,
        now=now,
    )


handler = JobWorker(store=SEARCHES, queue=QUEUE, step=_turn, gave_up=GAVE_UP).handle


shared.garbage_collection.begin()
