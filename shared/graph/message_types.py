"""The JSON of the graph's queue messages, as types; `messages` writes it, `received` validates it.

Imported for type checking alone: a cold function does not load the types of the answers.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from shared.answers.graph import ContextRef, PaperState
from shared.answers.in_text import InText


class MentionJson(TypedDict):
    """One mention of a paper: its id, its position in the text or None, and the quoted text or None."""

    id: str
    where: int | None
    text: str | None


class QueuedPaper(PaperState):
    """The state of a paper, by provider ids of papers that it cites, and how it cites some of them in its text."""

    references: dict[str, list[str]]
    in_text: NotRequired[dict[str, InText]]


class QueuedPapers(TypedDict):
    """Papers that a search found; with a context, that were shown there."""

    version: int
    kind: Literal["papers"]
    seen_at: str
    context: ContextRef | None
    papers: list[QueuedPaper]


class QueuedCitations(TypedDict):
    """Papers that a context cites."""

    version: int
    kind: Literal["citations"]
    context: ContextRef
    by: str | None
    at: str
    mentions: list[MentionJson]
