"""Every table and queue: keys, lifetimes and limits, in one definition that the stack and the local run both read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """A global secondary index; it holds the items that have both its keys, and of these what is `projected`."""

    name: str
    partition: str
    sort: str
    projected: tuple[str, ...]  # besides the keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A DynamoDB table with a string partition key `pk` and sort key `sk`, billed on demand."""

    name: str
    purpose: str
    expires: bool  # items die by the attribute `expires_at` (epoch seconds)
    point_in_time_recovery: bool  # for what cannot be made again
    indexes: tuple[Index, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """An SQS queue with a dead-letter queue behind it."""

    name: str
    purpose: str
    visibility_timeout_s: int
    max_receive_count: int
    retention_s: int


SEARCH_CACHE = Table(
    name="search-cache", purpose="legs and result sets of searches", expires=True, point_in_time_recovery=False
)
PROVIDER_BUDGETS = Table(
    name="provider-budgets",
    purpose="what each provider still allows, and whether its circuit is open",
    expires=False,
    point_in_time_recovery=False,
)
# Who cites a paper, in which contexts it is, and all papers in order (shared/graph/items.py); a paper's state, which
# changes often, is not in it.
BY_TARGET = Index(
    name="by_target", partition="target", sort="source", projected=("at", "relation", "where", "by", "text")
)
PAPERS = Table(
    name="papers",
    purpose="the knowledge graph: papers, their ids, who cites whom, and where",
    expires=False,
    point_in_time_recovery=True,
    indexes=(BY_TARGET,),
)
IDEMPOTENCY = Table(
    name="idempotency",
    purpose="the answers to requests that may be sent again",
    expires=True,
    point_in_time_recovery=False,
)
# Every saved search, and every one whose deletion broke off, for the daily look.
ALL_SEARCHES = Index(
    name="all_searches", partition="listed", sort="sk", projected=("id", "owner", "schedule", "enabled")
)
SAVED_SEARCHES = Table(
    name="saved-searches",
    purpose="what callers have saved, what they were told of, and how each paper is known again",
    expires=True,  # events, after 90 days
    point_in_time_recovery=True,
    indexes=(ALL_SEARCHES,),
)
TABLES = (SEARCH_CACHE, PROVIDER_BUDGETS, PAPERS, IDEMPOTENCY, SAVED_SEARCHES)

# The writer's time-out is 30 s; AWS asks for six times that before a message shows again.
CITATIONS = Queue(
    name="citations",
    purpose="papers on their way into the graph",
    visibility_timeout_s=180,
    max_receive_count=5,
    retention_s=14 * 24 * 3600,
)
# An attempt that fails hides its message until the next is due (shared/delivery/webhook.py): nine within a day.
DELIVERIES = Queue(
    name="deliveries",
    purpose="news of saved searches on their way to webhooks and to the topic",
    visibility_timeout_s=180,
    max_receive_count=15,
    retention_s=14 * 24 * 3600,
)
QUEUES = (CITATIONS, DELIVERIES)
SCHEDULE_GROUP = "saved-searches"
NEWS_TOPIC = "news"
