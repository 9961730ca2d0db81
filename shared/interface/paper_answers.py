"""Answers about known papers: by id, their references and citations, networks of them, references resolved."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from shared.errors import Outcome
from shared.interface.answers import (
    Count,
    Envelope,
    ExternalIds,
    Hint,
    Key,
    NextCursor,
    Paper,
    Share,
    Shown,
    Told,
)

Unanswered = Annotated[dict[str, Outcome], Field(description="Who did not answer, and how that ended.")]
AnsweredBy = Annotated[list[str], Field(description="The providers that answered.")]


class PaperEntry(Told):
    """What became of one id that was asked for."""

    id: Annotated[str, Field(description="As it was asked.")]
    name: Annotated[Key | None, Field(description="The id in its normal form; null when it is none.")]
    status: Literal["found", "not_found", "unanswered", "not_asked"]
    paper: Annotated[Paper | None, Field(description="Null as well where `truncated` says so.")]
    source: Literal["graph", "providers"] | None
    answered_by: AnsweredBy
    unanswered: Unanswered
    reason: Annotated[str | None, Field(description="Why it was not asked.")]


class PapersAnswer(Shown):
    """An entry for each id, in the order asked."""

    papers: list[PaperEntry]
    found: Count
    not_found: Count
    unanswered: Count
    not_asked: Count


class PaperAnswer(PaperEntry, Shown):
    """The paper of one id."""


class LinkedPaper(Told):
    """One entry of a list of references or citations."""

    key: Annotated[Key | None, Field(description="Null where only a line of text is known.")]
    paper: Annotated[Paper | None, Field(description="Null where only ids or a line of text are known.")]
    external_ids: ExternalIds
    text: Annotated[str | None, Field(description="The reference as it is printed.")]
    asserted_by: Annotated[list[str], Field(description="The providers that list it.")]


class LinksAnswer(Shown):
    """A page of what a paper cites, or of who cites it."""

    relation: Literal["references", "citations"]
    paper: Paper
    total_count: Annotated[Count, Field(description="Entries of the merged list.")]
    totals: Annotated[dict[str, Count | None], Field(description="How many each provider says there are.")]
    returned: Count
    results: list[LinkedPaper]
    result_set_id: str
    next_cursor: NextCursor


Role = Literal["key", "bridge", "rising"]


class NetworkNode(Told):
    """A paper of a network."""

    key: Key
    seed: Annotated[bool, Field(description="Whether it was asked for.")]
    depth: Annotated[int, Field(ge=0, le=2, description="Citations away from the nearest seed.")]
    cited_within: Annotated[Count, Field(description="How many papers of the network cite it.")]
    betweenness: Annotated[Share, Field(description="The share of shortest paths that lead through it.")]
    citations_a_year: Annotated[float | None, Field(ge=0)]
    roles: list[Role]
    paper: Annotated[Paper | None, Field(description="Null where only the key is known, or `truncated` says so.")]


class NetworkEdge(Told):
    """`source` cites `target`."""

    source: Key
    target: Key
    asserted_by: list[str]


class NetworkCounts(Told):
    """The size of a network."""

    nodes: Count
    edges: Count


class NetworkRoles(Told):
    """The keys of the papers that stand out."""

    key: Annotated[list[Key], Field(description="Cited by the most papers of the network.")]
    bridge: Annotated[list[Key], Field(description="Between parts that would else be far apart.")]
    rising: Annotated[list[Key], Field(description="Of the last years, the most citations a year.")]


class NetworkAnswer(Envelope):
    """Who cites whom around some papers."""

    nodes: list[NetworkNode]
    edges: list[NetworkEdge]
    counts: NetworkCounts
    roles: NetworkRoles
    seeds_not_found: list[Key]
    seeds_unanswered: list[Key]
    truncated: Annotated[
        dict[Literal["nodes", "not_expanded", "only_text", "papers"], Count] | None,
        Field(description="How many did not fit (nodes, papers), were not followed, or are only a line of text."),
    ]
    hints: list[Hint]


Compared = Literal["title", "authors", "year", "journal", "volume", "pages", "id"]


class Match(Told):
    """A paper that a reference may mean."""

    paper: Paper
    score: Annotated[Share, Field(description="Comparable among the candidates of one reference.")]
    agrees: list[Compared]
    differs: list[Compared]


class ResolvedReference(Told):
    """What became of one reference."""

    reference: Annotated[dict[str, Any], Field(description="The reference as it was read.")]
    status: Annotated[
        Literal["matched", "ambiguous", "not_found", "unanswered"],
        Field(description="not_found only when somebody who was asked has answered."),
    ]
    paper: Annotated[Paper | None, Field(description="The paper meant, when matched.")]
    score: Share | None
    agrees: list[Compared]
    differs: list[Compared]
    candidates: Annotated[list[Match], Field(max_length=5, description="When ambiguous: the best first.")]
    answered_by: AnsweredBy
    unanswered: Unanswered


class ResolveAnswer(Envelope):
    """An entry for each reference, in the order asked."""

    references: list[ResolvedReference]
    matched: Count
    ambiguous: Count
    not_found: Count
    unanswered: Count
