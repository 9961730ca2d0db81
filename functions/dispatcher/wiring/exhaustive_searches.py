"""The adapters of exhaustive searches, built once per process: their table and their queue."""

from __future__ import annotations

from functions.dispatcher.wiring.legs import SQS
from functions.dispatcher.wiring.storage import TABLES
from shared.aws.dynamodb.jobs import JobStore
from shared.aws.dynamodb.large_items import LargeItems
from shared.aws.messaging.job_queue import JobQueue
from shared.aws.runtime.settings import required
from shared.clock import now
from shared.exhaustive_searches.progress import EXHAUSTIVE_JOBS

EXHAUSTIVE_SEARCHES = JobStore(LargeItems(TABLES, required("EXHAUSTIVE_SEARCHES_TABLE")), now, EXHAUSTIVE_JOBS)
QUEUE = JobQueue(SQS, required("EXHAUSTIVE_QUEUE_URL"), EXHAUSTIVE_JOBS.id_field)  # of the next steps of searches
