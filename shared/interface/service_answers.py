"""Answers of the knowledge graph, answers about the service itself, and what every refusal looks like."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from shared.graph.messages import IdName
from shared.interface.answers import Count, Day, Key, Moment, NextCursor, PaperType, RequestId, Told, always


class ContextAnswer(Told):
    """What cites papers."""

    type: str
    id: str


class CitedPaper(Told):
    """One place where a paper is named."""

    id: Key
    key: Annotated[Key | None, Field(description="Null when nobody knows the paper.")]
    title: str | None
    status: Literal["in_graph", "resolved", "not_in_graph"]
    start: Annotated[Count, Field(description="In the text: the first character. In `papers`: the entry.")]
    end: Count
    text: str


class CitationsAnswer(Told):
    """What was recorded."""

    context: ContextAnswer
    at: Moment
    recorded: Count
    mentions: list[CitedPaper]
    unresolved: Annotated[list[Key], Field(description="Ids that neither the graph nor a provider knows.")]
    request_id: RequestId


class KeptRetraction(Told):
    """The paper's standing."""

    model_config = always("status", "notice_doi", "date")

    status: str
    notice_doi: str | None
    date: Day | None
    notice_pmid: str | None


class KeptPaper(Told):
    """What the graph keeps of a paper."""

    key: Key
    title: str
    authors: list[str]
    author_count: int | None
    year: int | None
    publication_date: str | None
    journal: str | None
    type: PaperType | None
    citation_count: int | None
    citation_uri: str | None
    external_ids: dict[IdName, str | None]
    retraction: KeptRetraction


class GraphEdge(Told):
    """A paper that is cited, or cites."""

    key: Key
    paper: KeptPaper
    providers: Annotated[list[str], Field(description="Who says so.")]


class Mention(Told):
    """When, how and by whom a paper was cited or shown."""

    relation: Literal["cited_in", "shown_in"]
    at: Moment
    by: str | None
    text: str | None
    where: Annotated[int | None, Field(description="The place in the text.")]


class PaperMention(Mention):
    """A context in which the paper was cited or shown."""

    context: ContextAnswer


class ContextMention(Mention):
    """A paper that the context cited or was shown."""

    key: Key
    paper: Annotated[KeptPaper | None, Field(description="Null while it is not in the graph.")]


class GraphEdges(Told):
    """A page of edges."""

    items: list[GraphEdge]
    next_cursor: NextCursor


class PaperMentions(Told):
    """A page of contexts."""

    items: list[PaperMention]
    next_cursor: NextCursor


class GraphPaperAnswer(Told):
    """A paper of the graph, with the first page of each of its lists."""

    key: Key
    keys: Annotated[list[Key], Field(description="Where its facts are kept.")]
    ids: list[Key]
    paper: KeptPaper
    first_seen: Moment
    seen_at: Moment
    cites: GraphEdges
    cited_by: GraphEdges
    contexts: PaperMentions


class GraphContextAnswer(Told):
    """What a context cited or was shown, in order of time."""

    context: ContextAnswer
    items: list[ContextMention]
    next_cursor: NextCursor


class GraphStats(Told):
    """How much the graph holds."""

    papers: Count
    cites: Count
    contexts: Count
    cited_in: Count
    shown_in: Count
    complete: Annotated[bool, Field(description="False where counting had to stop.")]


class Circuit(Told):
    """Whether the provider is given a rest."""

    state: Literal["closed", "open", "half_open"]
    reason: Literal["outage", "key_refused"] | None
    retry_after_s: float | None


class Budget(Told):
    """What all callers together may still ask the provider."""

    requests: Annotated[Count, Field(description="In any window.")]
    window_s: float
    left_now: Count
    concurrency: Count | None
    under_way: Count | None
    credits_left: Count | None
    credits_reset_at: Moment | None


class Provider(Told):
    """What a provider can do, and how it is doing."""

    available: bool
    title: str
    manual: str
    filters: Annotated[list[str], Field(description="Filters that its own API applies.")]
    sorts: list[str]
    disciplines: list[str]
    needs_key: bool
    has_key: bool
    page_limit: Count
    requests_per_second: float
    concurrency: Count | None
    timeout_s: float
    circuit: Circuit | None
    budget: Budget | None


class SilentProvider(Told):
    """A provider whose own function does not answer."""

    available: Literal[False]
    error: str


class ProvidersAnswer(Told):
    """Each provider by its name."""

    providers: dict[str, Provider | SilentProvider]


class Tool(Told):
    """A tool for agents, in the forms that their makers want."""

    name: str
    title: str
    description: str
    category: Literal["literature_search"]
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    annotations: dict[str, Any]
    openai: dict[str, Any]
    anthropic: dict[str, Any]


class ToolsAnswer(Told):
    """The registry of tools."""

    tools: list[Tool]


class HealthAnswer(Told):
    """That the front door is open."""

    status: Literal["ok"]


class FieldFault(Told):
    """What is wrong with one field, and what would be valid."""

    field: str
    message: str


class Problem(Told):
    """Every refusal (RFC 9457)."""

    type: Literal["about:blank"]
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    detail: str
    code: Annotated[str, Field(description="For programs: one of a fixed list.")]
    retryable: Annotated[bool, Field(description="Whether the same request may succeed later.")]
    retry_after_s: Annotated[float | None, Field(ge=0)]
    hint: Annotated[str | None, Field(description="What to do instead.")]
    errors: Annotated[list[FieldFault], Field(description="Each field at fault.")]
    request_id: RequestId
