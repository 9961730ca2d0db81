"""Hands what searches found to the graph's queue; an answer never waits for the graph, nor fails because of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shared.aws.messaging.queues import send
from shared.clock import timestamp
from shared.graph.messages import belongs, messages
from shared.search.publishing import Publish

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

    from shared.answers.search import Queued


def publisher(sqs: SQSClient, queue_url: str, now: Callable[[], datetime]) -> Publish:
    """A function that queues results and tells `{"queued": n, "skipped": m}`, in papers.

    A paper is queued when the queue took every message that has a part of it.
    """

    def publish(results: Sequence[Mapping[str, Any]], context: Mapping[str, str] | None) -> Queued:
        refused = send(sqs, queue_url, messages(results, context, timestamp(now())))
        lost = {paper["key"] for message in refused for paper in message["papers"]}
        queued = sum(belongs(result) and result["key"] not in lost for result in results)
        return {"queued": queued, "skipped": len(results) - queued}

    return publish
