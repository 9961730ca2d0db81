"""The adapters of reference checks, built once per process: their table and their queue."""

from __future__ import annotations

import time

from functions.dispatcher.wiring.legs import SQS
from functions.dispatcher.wiring.storage import TABLES
from shared.aws.dynamodb.jobs import JobStore
from shared.aws.dynamodb.large_items import LargeItems
from shared.aws.messaging.job_queue import JobQueue
from shared.aws.runtime.settings import required
from shared.clock import now
from shared.reference_checks.stored_checks import CHECK_JOBS

CHECKS = JobStore(LargeItems(TABLES, required("REFERENCE_CHECKS_TABLE")), now, CHECK_JOBS)
QUEUE = JobQueue(SQS, required("CHECKS_QUEUE_URL"), CHECK_JOBS.id_field)  # of the next steps of checks
monotonic = time.monotonic
