"""Queues search results for the graph. Answers do not wait for the graph, and do not fail because of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from shared.aws.messaging.queues import send
from shared.clock import timestamp
from shared.graph.messages import is_storable, messages
from shared.search.publishing import Publish

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

    from shared.answers.graph import ContextRef
    from shared.answers.search import Queued, StoredPaper


def publisher(sqs: SQSClient, queue_url: str, now: Callable[[], datetime]) -> Publish:
    """A function that queues results and returns `{"queued": papers, "skipped": papers}`.

    A paper counts as queued if the queue accepted every message that has a part of it.
    """

    def publish(results: Sequence[StoredPaper], context: Mapping[str, str] | None) -> Queued:
        where: ContextRef | None = {"type": context["type"], "id": context["id"]} if context else None
        rejected = send(sqs, queue_url, messages(results, where, timestamp(now())))
        lost = {paper["key"] for message in rejected for paper in message["papers"]}
        queued = sum(is_storable(paper) and paper["key"] not in lost for paper in results)
        return {"queued": queued, "skipped": len(results) - queued}

    return publish
