"""Queues search results for the graph. Answers do not wait for the graph, and do not fail because of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from shared.aws.messaging.queues import send
from shared.canonical_json import digest
from shared.clock import timestamp
from shared.graph.messages import is_storable, messages

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

    from shared.answers.graph import ContextRef
    from shared.answers.search import Queued, StoredPaper
    from shared.aws.dynamodb.claims import Claims

# Equal papers are queued once in this time: as long as their result set is found by its request. With a context they
# are queued again after a minute, since each time that a context shows a paper is a fact.
ONCE_S, ONCE_IN_CONTEXT_S = 24 * 3600.0, 60.0
# While they are sent, which takes seconds: if the process dies meanwhile, the next equal answer after this sends them.
SENDING_S = 60.0
# A process remembers so many answers that are queued. Those of another process it claims again after this: that gives
# its claim up when the queue refuses them.
REMEMBERED, OF_ANOTHER_S = 1_000, 60.0


class CitationQueue:
    """`shared.search.publishing.Publish`: queues results and returns `{"queued": papers, "skipped": papers}`.

    A paper counts as queued if the queue accepted every message that has a part of it, now or before for an equal
    answer: many callers may ask the same, at once or later.
    """

    def __init__(self, sqs: SQSClient, url: str, now: Callable[[], datetime], claims: Claims) -> None:
        self._sqs, self._url, self._now, self._claims = sqs, url, now, claims
        self._remembered: dict[str, tuple[float, Queued]] = {}  # until when, in epoch seconds

    def __call__(self, results: Sequence[StoredPaper], context: Mapping[str, str] | None) -> Queued:
        """Queue the results, unless they have been a short time ago."""
        where: ContextRef | None = {"type": context["type"], "id": context["id"]} if context else None
        name = f"queued#{digest(msgspec.json.encode([where, results]))}"
        moment, seconds = self._now().timestamp(), ONCE_IN_CONTEXT_S if where else ONCE_S
        until, known = self._remembered.get(name, (0.0, None))
        if known and moment < until:
            return {**known}
        claim = self._claims.claim(name, min(seconds, SENDING_S))
        if claim:
            rejected = send(self._sqs, self._url, messages(results, where, timestamp(self._now())))
        else:  # in a context its claim may end at any moment
            rejected, seconds = [], 0.0 if where else OF_ANOTHER_S
        lost = {paper["key"] for message in rejected for paper in message["papers"]}
        queued = sum(is_storable(paper) and paper["key"] not in lost for paper in results)
        counts: Queued = {"queued": queued, "skipped": len(results) - queued}
        if claim and rejected:
            claim.release()
            return {**counts}
        if claim and seconds > SENDING_S:
            claim.extend(seconds)
        self._remember(name, moment + seconds, counts)
        return {**counts}

    def _remember(self, name: str, until: float, counts: Queued) -> None:
        if len(self._remembered) >= REMEMBERED:
            self._remembered.clear()
        self._remembered[name] = until, counts
