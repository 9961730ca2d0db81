"""The answer to a search, and the parts that other answers share with it.

These types are the one definition of each answer: the code that builds an answer is checked against them, and the
OpenAPI document is generated from them. Null means unknown. All fields are always present, except where `NotRequired`
or `total=False` says otherwise.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from shared.answers.fields import (
    Complete,
    Count,
    Day,
    Key,
    Moment,
    Ms,
    NextCursor,
    PaperType,
    RequestId,
    Share,
    Trust,
    Wait,
)
from shared.answers.in_text import InText
from shared.answers.paper_parts import OpenAccess, Version
from shared.bibliography.paper import RetractionStatus
from shared.field_schema import FieldSchema
from shared.json_types import JsonObject
from shared.outcomes import Outcome

CacheState = Annotated[
    Literal["hit", "partial", "miss", "stale", "coalesced"],
    FieldSchema("How much came from the cache; coalesced: from other callers' requests under way."),
]


class ExternalIds(TypedDict, total=False):
    """All ids of a paper; with detail=standard, those that are known and that no other field has."""

    doi: str | None
    pmid: str | None
    pmcid: str | None
    arxiv: str | None
    paper_id: Annotated[str | None, FieldSchema("Semantic Scholar's id.")]
    openalex: str | None
    nct: Annotated[str | None, FieldSchema("The number of a trial's registration at ClinicalTrials.gov.")]
    crossref: str | None
    europe_pmc: str | None
    paperclip: str | None


class Retraction(TypedDict):
    """The retraction status, with the notice that states it; with detail=compact, `status` alone."""

    status: Annotated[RetractionStatus, FieldSchema("unknown: a source that tracks retractions did not answer.")]
    notice_doi: NotRequired[str | None]
    date: NotRequired[Day | None]
    notice_pmid: NotRequired[str | None]


class Duplicate(TypedDict):
    """A near-duplicate that was not merged, and why."""

    key: Key
    reason: str


class Paper(TypedDict, total=False):
    """One paper, merged from all providers. `detail` and `fields` choose which of its fields are shown.

    With detail=full, all but `is_oa`. With detail=standard, `doi` to `authors`, `author_count`, `year`, `journal`,
    `abstract`, `tldr`, the counts, `citation_uri`, `key` and the scores always; any other where it says something.
    """

    doi: str | None
    pmid: str | None
    paper_id: Annotated[str | None, FieldSchema("Semantic Scholar's id.")]
    title: str
    authors: Annotated[list[str], FieldSchema("The first five; with detail=full all of them, with compact one.")]
    author_count: Count | None
    year: int | None
    publication_date: Day | None
    journal: str | None
    volume: str | None
    issue: str | None
    pages: Annotated[str | None, FieldSchema("First and last page, or the article number.")]
    type: PaperType | None
    language: Annotated[str | None, FieldSchema("ISO 639-1, or 639-3 where there is no shorter code.")]
    abstract: Annotated[
        str | None,
        FieldSchema("`…` where it is cut; with compact, the sentence that fits the query best, null without a query."),
    ]
    tldr: Annotated[str | None, FieldSchema("A summary written by a model.")]
    citation_count: Annotated[Count | None, FieldSchema("The largest of `citation_counts`; never an average.")]
    influential_citation_count: Count | None
    citation_counts: Annotated[dict[str, Count], FieldSchema("The count of each provider.")]
    citation_uri: Annotated[str | None, FieldSchema("The address to cite: a function of the ids alone.")]
    key: Key
    external_ids: ExternalIds
    open_access: OpenAccess
    retraction: Retraction
    versions: list[Version]
    provider_scores: Annotated[dict[str, Share], FieldSchema("How well the paper's rank and title match, by provider.")]
    best_provider: str | None
    best_score: Share | None
    score: Annotated[Share | None, FieldSchema("The relevance by which the results are ranked; null outside a search.")]
    score_parts: dict[str, float | None]
    provenance: Annotated[dict[str, list[str]], FieldSchema("For each field, the providers its value comes from.")]
    possible_duplicates: list[Duplicate]
    found_by: Annotated[list[str] | None, FieldSchema("Of several wordings, those that found the paper.")]
    registrations: Annotated[list[Key], FieldSchema("Of the trials that it reports, as sources state them: nct:…")]
    is_oa: Annotated[bool | None, FieldSchema("With detail=compact, in place of `open_access`: a free copy exists.")]


class AuthorParts(TypedDict):
    """A person (`family`, `given`) or a group (`name`), for exports."""

    family: str | None
    given: str | None
    name: str | None


class StoredPaper(Paper, total=False):
    """A paper of a stored result set: every field in full, with what only the graph and the exports use."""

    references: dict[str, list[str]]  # provider -> keys of the papers that it lists as cited
    in_text: dict[str, InText]  # key of a cited paper -> how it is cited
    author_parts: list[AuthorParts]


class LegReport(TypedDict):
    """How one provider answered. `empty` (nothing found) differs from not asked and from not answered.

    With detail=compact, a leg has its `outcome`, `returned`, warnings, and `source` only if stale. With
    detail=standard, what is unknown or empty is left out, long texts are cut (`…`), and only detail=full has
    `retrieved_at`.
    """

    outcome: Outcome
    source: NotRequired[Literal["live", "cache", "stale"]]
    returned: Count
    partial: NotRequired[
        Annotated[bool, FieldSchema("Whether it sent fewer records than it has, or many that cannot be read.")]
    ]
    relaxed: NotRequired[
        Annotated[Count, FieldSchema("How many of them only a wider form of the query found; they rank below.")]
    ]
    total_estimate: NotRequired[Annotated[Count | None, FieldSchema("How many results the provider reports.")]]
    elapsed_ms: NotRequired[Ms]
    effective_query: NotRequired[
        Annotated[
            str | None, FieldSchema("The query in the provider's own syntax; of several wordings, each on a line.")
        ]
    ]
    warnings: NotRequired[list[str]]
    unsupported_filters: NotRequired[
        Annotated[list[str], FieldSchema("Filters that its API did not apply, or only in part.")]
    ]
    retry_after_s: NotRequired[Wait]
    retrieved_at: NotRequired[Moment | None]


Providers = Annotated[dict[str, LegReport], FieldSchema("Every provider that was asked, and its outcome.")]


class Hint(TypedDict):
    """Why there is little or nothing, and what to try."""

    reason: str
    message: str


class Action(TypedDict):
    """A call that can be made as it stands."""

    tool: Annotated[str, FieldSchema("The `operationId` of the operation, or the tool for those who use tools.")]
    arguments: JsonObject
    why: str


class Queued(TypedDict):
    """How many papers were queued for the knowledge graph, and how many were not."""

    queued: Count
    skipped: Count


class Truncated(TypedDict):
    """What was cut from the answer."""

    results: Annotated[Count, FieldSchema("Left out because of `max_tokens`.")]
    abstracts: NotRequired[Annotated[Count, FieldSchema("Shortened; the same as `fields.abstract`.")]]
    fields: NotRequired[Annotated[dict[str, Count], FieldSchema("How many papers have a shortened value, by field.")]]
    reason: str


class LegSummary(TypedDict):
    """The reports and completeness of the legs behind an answer."""

    complete: Complete
    providers: Providers
    cache: CacheState


class _Work(TypedDict):
    kg: Queued
    search_time_ms: Ms


class Marks(TypedDict):
    """How an answer is identified, and how its texts must be read."""

    request_id: RequestId
    content_trust: Trust


class Envelope(LegSummary, _Work, Marks):
    """What every answer that comes from the providers says about itself."""


class SizedEnvelope(Envelope):
    """The envelope of an answer whose size the caller can choose, with hints."""

    hints: list[Hint]
    truncated: Truncated | None


class SearchAnswer(SizedEnvelope):
    """A page of a search's results."""

    query: str
    total_count: Annotated[Count, FieldSchema("Distinct papers in the result set.")]
    returned: Count
    results: list[Paper]
    providers_searched: list[str]
    result_set_id: str
    next_cursor: NextCursor
    next_actions: list[Action]
