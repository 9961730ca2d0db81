"""Answers of the knowledge graph."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from shared.answers.fields import Count, Day, Key, Moment, NextCursor, PaperType, RequestId, Trust
from shared.answers.in_text import InText
from shared.answers.search import Hint, Truncated
from shared.bibliography.identifiers import IdName
from shared.field_schema import FieldSchema

CutByBudget = Annotated[Truncated, FieldSchema("Entries that `max_tokens` leaves to the next pages.")]


class ContextRef(TypedDict):
    """A context that cites papers: its type and the caller's name for it."""

    type: str
    id: str


class CitedPaper(TypedDict):
    """One mention of a paper."""

    id: Key
    key: Annotated[Key | None, FieldSchema("Null when the paper is unknown.")]
    title: str | None
    retraction: Annotated[str | None, FieldSchema("Its retraction status; null when the paper is unknown.")]
    status: Annotated[
        Literal["in_graph", "resolved", "not_found", "not_in_graph"],
        FieldSchema("not_found: no provider that answered has it; not_in_graph: it is not known whether one has it."),
    ]
    start: Annotated[Count, FieldSchema("In the text: the first character. In `papers`: the entry.")]
    end: Count
    text: str


class RecordedCitations(TypedDict):
    """The recorded citations."""

    context: ContextRef
    at: Moment
    recorded: Count
    mentions: list[CitedPaper]
    unresolved: Annotated[list[Key], FieldSchema("Ids that neither the graph nor a provider knows.")]
    hints: list[Hint]


class CitationsAnswer(RecordedCitations):
    """What was recorded."""

    truncated: NotRequired[Annotated[Truncated, FieldSchema("What `max_tokens` leaves out of this answer alone.")]]
    content_trust: Trust
    request_id: RequestId


class RetractionState(TypedDict):
    """The retraction status."""

    status: str
    notice_doi: str | None
    date: Day | None
    notice_pmid: NotRequired[str | None]


class PaperState(TypedDict):
    """What the graph stores about a paper."""

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
    is_oa: NotRequired[bool | None]
    external_ids: dict[IdName, str | None]
    retraction: RetractionState


class GraphEdge(TypedDict):
    """A paper that is cited, or cites."""

    key: Key
    paper: PaperState
    providers: Annotated[list[str], FieldSchema("The providers that state it.")]
    in_text: NotRequired[InText]


class Mention(TypedDict):
    """When, how and by whom a paper was cited or shown."""

    relation: Literal["cited_in", "shown_in"]
    at: Moment
    by: str | None
    text: str | None
    where: Annotated[int | None, FieldSchema("The position in the text.")]


class PaperMention(Mention):
    """A context in which the paper was cited or shown."""

    context: ContextRef


class ContextMention(Mention):
    """A paper that the context cited or was shown."""

    key: Key
    paper: Annotated[PaperState | None, FieldSchema("Null while it is not in the graph.")]


class GraphEdges(TypedDict):
    """A page of edges."""

    items: list[GraphEdge]
    next_cursor: NextCursor


class PaperMentions(TypedDict):
    """A page of contexts."""

    items: list[PaperMention]
    next_cursor: NextCursor


class GraphEdgesAnswer(GraphEdges):
    """A page of edges, alone."""

    content_trust: Trust
    truncated: NotRequired[CutByBudget]


class PaperMentionsAnswer(PaperMentions):
    """A page of contexts, alone."""

    content_trust: Trust
    truncated: NotRequired[CutByBudget]


class GraphPaper(TypedDict):
    """A paper of the graph."""

    key: Key
    keys: Annotated[list[Key], FieldSchema("The keys under which its facts are stored.")]
    ids: list[Key]
    paper: PaperState
    first_seen: Moment
    seen_at: Moment


class GraphPaperAnswer(GraphPaper):
    """A paper of the graph, with the first page of each of its lists."""

    cites: GraphEdges
    cited_by: GraphEdges
    contexts: PaperMentions
    content_trust: Trust
    truncated: NotRequired[CutByBudget]


class GraphContextAnswer(TypedDict):
    """The papers that a context cited or was shown, in order of time."""

    context: ContextRef
    items: list[ContextMention]
    next_cursor: NextCursor
    content_trust: Trust
    truncated: NotRequired[CutByBudget]


class GraphCounts(TypedDict):
    """The size of the graph. `cited_in` counts mentions of unknown ids as well, which exports leave out."""

    papers: Count
    cites: Count
    contexts: Count
    cited_in: Count
    shown_in: Count


class GraphStats(GraphCounts):
    """The size of the graph. `cited_in` counts mentions of unknown ids as well, which exports leave out."""

    complete: Annotated[bool, FieldSchema("False when counting stopped early.")]
