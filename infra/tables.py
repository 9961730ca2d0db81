"""Every table and queue with its keys, lifetimes and limits: the one definition for the stack and for local runs."""

from __future__ import annotations

from dataclasses import dataclass

from shared.jobs.job import MAX_RECEIVES, STORED_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """A global secondary index: the items that have both of its keys, with the `projected` attributes."""

    name: str
    partition: str
    sort: str
    projected: tuple[str, ...]  # in addition to the keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A DynamoDB table with a string partition key `pk` and sort key `sk`, billed on demand."""

    name: str
    purpose: str
    expires: bool  # items have a TTL attribute, `expires_at` (epoch seconds)
    irreplaceable: bool  # not a cache: it can be recovered to any second of 35 days, and `prod` retains it
    indexes: tuple[Index, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """An SQS queue with a dead-letter queue."""

    name: str
    purpose: str
    visibility_timeout_s: int
    max_receive_count: int
    retention_s: int


SEARCH_CACHE = Table(name="search-cache", purpose="legs and result sets of searches", expires=True, irreplaceable=False)
PROVIDER_BUDGETS = Table(
    name="provider-budgets",
    purpose="the remaining requests of each provider, and the state of its circuit breaker",
    expires=False,
    irreplaceable=False,
)
# The contexts that contain a paper, all papers in order, and edges of the old form (shared/graph/items.py). A paper's
# state is not in the index, because it changes often.
BY_TARGET = Index(
    name="by_target", partition="target", sort="source", projected=("at", "relation", "where", "by", "text")
)
PAPERS = Table(
    name="papers",
    purpose="the knowledge graph: papers, their ids, who cites whom, and where",
    expires=False,
    irreplaceable=True,
    indexes=(BY_TARGET,),
)
IDEMPOTENCY = Table(
    name="idempotency",
    purpose="the responses to requests that callers may retry",
    expires=True,
    irreplaceable=False,
)
# Every saved search, and every one whose deletion was interrupted, for the daily reconciliation.
ALL_SEARCHES = Index(
    name="all_searches", partition="listed", sort="sk", projected=("id", "owner", "schedule", "enabled")
)
SAVED_SEARCHES = Table(
    name="saved-searches",
    purpose="saved searches, their events, and the ids by which papers already reported are recognised",
    expires=True,  # events, after 90 days
    irreplaceable=True,
    indexes=(ALL_SEARCHES,),
)
REFERENCE_CHECKS = Table(
    name="reference-checks",
    purpose="documents whose references are checked, and the results for a week",
    expires=True,
    irreplaceable=False,
)
EXHAUSTIVE_SEARCHES = Table(
    name="exhaustive-searches",
    purpose="searches of which every source is read to its end, and the results for a week",
    expires=True,
    irreplaceable=False,
)
TABLES = (
    SEARCH_CACHE, PROVIDER_BUDGETS, PAPERS, IDEMPOTENCY, SAVED_SEARCHES, REFERENCE_CHECKS, EXHAUSTIVE_SEARCHES,
)  # fmt: skip

# SQS counts a dead letter's age from its first sending. A source that keeps messages for less time leaves the operators
# ten days. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html
RETENTION_S, DEAD_LETTER_RETENTION_S = 4 * 24 * 3600, 14 * 24 * 3600
# The writer's timeout is 30 s; AWS recommends a visibility timeout of six times that.
CITATIONS = Queue(
    name="citations",
    purpose="papers to be written to the graph",
    visibility_timeout_s=180,
    max_receive_count=5,
    retention_s=RETENTION_S,
)
# A failed attempt hides its message until the next one is due (shared/delivery/webhook.py): nine within a day.
DELIVERIES = Queue(
    name="deliveries",
    purpose="new items of saved searches to be sent to webhooks and the topic",
    visibility_timeout_s=180,
    max_receive_count=15,
    retention_s=RETENTION_S,
)
# A little more than the dispatcher's timeout, and not six times that: three attempts fit into the time for which a
# result set is pending (shared.search.early_response.PENDING_S).
COMPLETIONS = Queue(
    name="completions",
    purpose="result sets whose last legs are under way",
    visibility_timeout_s=100,
    max_receive_count=3,
    retention_s=RETENTION_S,
)
# One message checks the next references of a document, and sends the next message. A worker that dies repeats its own.
CHECKS = Queue(
    name="checks",
    purpose="documents whose next references are to be checked",
    visibility_timeout_s=240,
    max_receive_count=MAX_RECEIVES,
    retention_s=RETENTION_S,
)
# One message is one turn of a search, of up to five minutes: pages of its sources, or the merging of all records.
EXHAUSTIVE = Queue(
    name="exhaustive",
    purpose="searches whose next pages are to be read",
    visibility_timeout_s=1800,
    max_receive_count=MAX_RECEIVES,
    retention_s=STORED_S,
)
QUEUES = (CITATIONS, DELIVERIES, COMPLETIONS, CHECKS, EXHAUSTIVE)
SCHEDULE_GROUP = "saved-searches"
NEWS_TOPIC = "news"
