"""Answers of the knowledge graph."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from shared.graph.messages import IdName
from shared.interface.answers import Count, Day, Key, Moment, NextCursor, PaperType, RequestId, Told, Trust, always


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
    content_trust: Trust
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


class GraphEdgesAnswer(GraphEdges):
    """A page of edges, alone."""

    content_trust: Trust


class PaperMentionsAnswer(PaperMentions):
    """A page of contexts, alone."""

    content_trust: Trust


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
    content_trust: Trust


class GraphContextAnswer(Told):
    """What a context cited or was shown, in order of time."""

    context: ContextAnswer
    items: list[ContextMention]
    next_cursor: NextCursor
    content_trust: Trust


class GraphStats(Told):
    """How much the graph holds."""

    papers: Count
    cites: Count
    contexts: Count
    cited_in: Count
    shown_in: Count
    complete: Annotated[bool, Field(description="False where counting had to stop.")]
