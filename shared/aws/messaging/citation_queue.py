"""Queues search results for the graph. Answers do not wait for the graph, and do not fail because of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

import msgspec

from shared.aws.messaging.queues import send
from shared.canonical_json import digest
from shared.clock import timestamp
from shared.graph.messages import is_storable, messages
from shared.search.publishing import Publish

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

    from shared.answers.graph import ContextRef
    from shared.answers.search import Queued, StoredPaper


# Equal papers are queued once in this time: as long as their result set is found by its request. With a context they
# are queued again after a minute, since each time that a context shows a paper is a fact.
ONCE_S, ONCE_IN_CONTEXT_S = 24 * 3600.0, 60.0


class Claims(Protocol):
    """Of many processes that are about to do the same, one has the claim."""

    def claim(self, name: str, seconds: float) -> bool:
        """Whether this process has it, for so many seconds."""

    def release(self, name: str) -> None:
        """Give it up."""


def publisher(sqs: SQSClient, queue_url: str, now: Callable[[], datetime], claims: Claims) -> Publish:
    """A function that queues results and returns `{"queued": papers, "skipped": papers}`.

    A paper counts as queued if the queue accepted every message that has a part of it, now or before for an equal
    answer: many callers may ask the same, at once or later.
    """

    def publish(results: Sequence[StoredPaper], context: Mapping[str, str] | None) -> Queued:
        where: ContextRef | None = {"type": context["type"], "id": context["id"]} if context else None
        name = f"queued#{digest(msgspec.json.encode([where, results]))}"
        if not claims.claim(name, ONCE_IN_CONTEXT_S if where else ONCE_S):
            queued = sum(map(is_storable, results))
            return {"queued": queued, "skipped": len(results) - queued}
        rejected = send(sqs, queue_url, messages(results, where, timestamp(now())))
        if rejected:
            claims.release(name)
        lost = {paper["key"] for message in rejected for paper in message["papers"]}
        queued = sum(is_storable(paper) and paper["key"] not in lost for paper in results)
        return {"queued": queued, "skipped": len(results) - queued}

    return publish
