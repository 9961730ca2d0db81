"""Answers with papers like others."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from shared.answers.fields import Count, Key, Share
from shared.answers.search import Paper, SizedEnvelope
from shared.field_schema import FieldSchema

LeftOut = Literal["seeds", "notices", "unknown"]


class Vote(TypedDict):
    """One source's opinion of a paper."""

    rank: Annotated[int, FieldSchema("Its place in the source's list, from 1.", minimum=1)]
    score: Annotated[
        float | None,
        FieldSchema(
            "The source's own measure, where it has one: PubMed's score; the number of papers in common for "
            "co_citation and bibliographic_coupling."
        ),
    ]


class SimilarPaper(TypedDict):
    """A paper like the seeds, and who says so."""

    key: Key
    paper: Paper
    score: Annotated[Share, FieldSchema("Of the sources' joint vote, where the best paper of the answer has 1.")]
    votes: Annotated[
        dict[str, Vote],
        FieldSchema(
            "By source: a provider, or of the knowledge graph co_citation (cited by the same papers) and "
            "bibliographic_coupling (citing the same papers)."
        ),
    ]


class SimilarAnswer(SizedEnvelope):
    """The papers most like the seeds: never these themselves, their versions or notices."""

    seeds: Annotated[list[Key], FieldSchema("The seeds that were found.")]
    unlike: list[Key]
    seeds_not_found: Annotated[list[Key], FieldSchema("Of `seeds` and `unlike`.")]
    seeds_unanswered: list[Key]
    total_count: Annotated[Count, FieldSchema("Papers that some source names, before `max_results`.")]
    returned: Count
    results: list[SimilarPaper]
    graph: Annotated[
        Literal["ok", "empty", "unavailable", "timeout"],
        FieldSchema("How the knowledge graph answered; empty: it knows no paper with enough in common."),
    ]
    left_out: Annotated[
        dict[LeftOut, Count],
        FieldSchema(
            "Named by a source and not shown: seeds, with their versions; notices of retraction or correction; "
            "unknown: papers of which no source has a record."
        ),
    ]
