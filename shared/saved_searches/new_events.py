"""The form of an event before it is numbered and stored, apart from the runs that make most of them.

What stores or delivers an event so does not import what merges papers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict, TypeVar

if TYPE_CHECKING:
    from shared.answers.search import Paper

PaperEventType = Literal["new_paper", "now_published", "retracted", "corrected", "expression_of_concern", "baseline"]
EventType = PaperEventType | Literal["delivery_disabled"]
# The longest titles have a few hundred characters; a longer text is not a title.
MAX_CHARS, MAX_ITEMS = 1_000, 10
Json = TypeVar("Json")


class NewEvent(TypedDict):
    """An event about a paper, or about the saved search itself; its id and number are assigned when it is stored."""

    type: EventType
    at: str  # ISO 8601
    run_id: str | None
    key: str | None  # of the paper
    preprint_key: str | None  # of now_published: the key under which the preprint was reported
    paper: Paper | None
    message: str | None  # the text of a notice
    at_start: NotRequired[bool]  # of a watch: whether it was so already when the paper was first looked up


def bounded(value: Json, chars: int = MAX_CHARS) -> Json:
    """Shorten every text in JSON-ready data to `chars` characters, and every list to MAX_ITEMS entries."""
    shortened: Any = value
    match value:
        case str():
            shortened = value if len(value) <= chars else value[: chars - 1] + "…"
        case Mapping():
            shortened = {name: bounded(it, chars) for name, it in value.items()}
        case list() | tuple():
            shortened = [bounded(it, chars) for it in value[:MAX_ITEMS]]
    return shortened  # type: ignore[no-any-return]  # JSON of the same form
