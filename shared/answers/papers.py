"""Answers about known papers: by id, their references and citations, citation networks, resolved references."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from shared.answers.fields import Count, Key, NextCursor, Share
from shared.answers.in_text import InText
from shared.answers.search import Envelope, ExternalIds, Hint, Paper, SizedEnvelope, Truncated
from shared.field_schema import FieldSchema
from shared.json_types import JsonObject
from shared.outcomes import Outcome

Unanswered = Annotated[dict[str, Outcome], FieldSchema("The providers that did not answer, with their outcomes.")]
AnsweredBy = Annotated[list[str], FieldSchema("The providers that answered.")]


class PaperEntry(TypedDict):
    """The outcome for one requested id."""

    id: Annotated[str, FieldSchema("As it was sent.")]
    name: Annotated[Key | None, FieldSchema("The id in its normalised form; null when it is not a valid id.")]
    status: Literal["found", "not_found", "unanswered", "not_asked"]
    paper: Annotated[Paper | None, FieldSchema("Also null where `truncated` says so.")]
    source: Literal["graph", "providers"] | None
    answered_by: AnsweredBy
    unanswered: Unanswered
    reason: Annotated[str | None, FieldSchema("Why it was not asked.")]


class PapersAnswer(SizedEnvelope):
    """An entry for each id, in the order of the request."""

    papers: list[PaperEntry]
    found: Count
    not_found: Count
    unanswered: Count
    not_asked: Count


class PaperAnswer(PaperEntry, SizedEnvelope):
    """The paper of one id."""


class LinkedPaper(TypedDict):
    """One entry of a list of references or citations."""

    key: Annotated[Key | None, FieldSchema("Null where only the printed reference is known.")]
    paper: Annotated[Paper | None, FieldSchema("Null where only ids or the printed reference are known.")]
    external_ids: Annotated[ExternalIds, FieldSchema("With detail=compact, those that are known.")]
    text: Annotated[str | None, FieldSchema("The reference as printed.")]
    asserted_by: Annotated[list[str], FieldSchema("The providers that list it.")]
    in_text: Annotated[InText | None, FieldSchema("Null where no source has the text.")]


class LinksAnswer(SizedEnvelope):
    """A page of the papers that a paper cites, or that cite it."""

    relation: Literal["references", "citations"]
    paper: Paper
    total_count: Annotated[Count, FieldSchema("Entries of the merged list.")]
    totals: Annotated[dict[str, Count | None], FieldSchema("How many each provider reports.")]
    returned: Count
    results: list[LinkedPaper]
    result_set_id: str
    next_cursor: NextCursor


Role = Literal["key", "bridge", "rising"]


class NetworkNode(TypedDict):
    """A paper of a network."""

    key: Key
    seed: Annotated[bool, FieldSchema("Whether the request named it.")]
    depth: Annotated[int, FieldSchema("Distance in citations from the nearest seed.", minimum=0, maximum=2)]
    cited_within: Annotated[Count, FieldSchema("How many papers of the network cite it.")]
    betweenness: Annotated[
        Share, FieldSchema("The share of shortest paths that pass through it (betweenness centrality).")
    ]
    citations_a_year: Annotated[float | None, FieldSchema(minimum=0)]
    roles: list[Role]
    paper: Annotated[Paper | None, FieldSchema("Null where only the key is known, or `truncated` says so.")]


class NetworkEdge(TypedDict):
    """`source` cites `target`; with detail=full, how."""

    source: Key
    target: Key
    asserted_by: list[str]
    in_text: NotRequired[InText]


class NetworkCounts(TypedDict):
    """The size of a network."""

    nodes: Count
    edges: Count


class NetworkRoles(TypedDict):
    """The keys of the papers with a role."""

    key: Annotated[list[Key], FieldSchema("Cited by the most papers of the network.")]
    bridge: Annotated[list[Key], FieldSchema("They connect parts of the network that are otherwise far apart.")]
    rising: Annotated[list[Key], FieldSchema("Recent papers with the most citations per year.")]


NotShown = Literal["nodes", "not_expanded", "only_text", "papers"]


class NetworkAnswer(Envelope):
    """The citations between the papers around some seeds."""

    nodes: list[NetworkNode]
    edges: list[NetworkEdge]
    counts: NetworkCounts
    roles: NetworkRoles
    seeds_not_found: list[Key]
    seeds_unanswered: list[Key]
    truncated: Annotated[
        dict[NotShown, Count] | None,
        FieldSchema(
            "How many nodes and papers did not fit, were not expanded, or are only known as printed references."
        ),
    ]
    hints: list[Hint]


Compared = Literal["title", "authors", "year", "journal", "volume", "pages", "id"]
CheckedField = Literal["title", "authors", "year", "journal", "volume", "pages", "doi", "id"]


class FieldVerdict(TypedDict):
    """What a reference says in one field, and what is true of the paper."""

    verdict: Annotated[
        Literal["agrees", "differs", "missing"], FieldSchema("missing: the reference or every source lacks it.")
    ]
    cited: str | None
    found: str | None
    note: NotRequired[Annotated[str, FieldSchema("What explains the verdict.")]]


Fields = Annotated[
    dict[CheckedField, FieldVerdict], FieldSchema("The verdict on each field. `id`: one that is not a DOI.")
]


class Match(TypedDict):
    """A paper that a reference may refer to."""

    paper: Paper
    score: Annotated[Share, FieldSchema("Comparable within one reference.")]
    agrees: list[Compared]
    differs: list[Compared]
    fields: Fields
    reason: Annotated[str | None, FieldSchema("Why it is not the paper, or not surely.")]


ReferenceStatus: TypeAlias = Literal["matched", "mismatched", "ambiguous", "not_found", "unanswered"]


class ResolvedReference(TypedDict):
    """The outcome for one reference."""

    index: Annotated[Count, FieldSchema("The place in `references`, from 0.")]
    reference: Annotated[JsonObject, FieldSchema("The reference as it was parsed.")]
    status: Annotated[
        ReferenceStatus,
        FieldSchema(
            "mismatched: its id names another paper than its text. not_found: every source that would hold it answered;"
            " else unanswered."
        ),
    ]
    paper: Annotated[
        Paper | None,
        FieldSchema("When mismatched, what the text describes, if found."),
    ]
    score: Share | None
    agrees: list[Compared]
    differs: list[Compared]
    fields: Annotated[Fields, FieldSchema("Of `paper`; of `named_by_id` where that is null.")]
    named_by_id: Annotated[Paper | None, FieldSchema("What the id names, when mismatched.")]
    candidates: Annotated[list[Match], FieldSchema("Unless matched, the nearest papers, the best first.", maxItems=5)]
    reason: NotRequired[Annotated[str, FieldSchema("What to add, if ambiguous.")]]
    answered_by: AnsweredBy
    unanswered: Unanswered


class ResolveAnswer(Envelope):
    """An entry for each reference, in the order of the request."""

    references: list[ResolvedReference]
    truncated: Annotated[Truncated | None, FieldSchema("References whose papers have only key, title and year.")]
    matched: Count
    mismatched: Count
    ambiguous: Count
    not_found: Count
    unanswered: Count
