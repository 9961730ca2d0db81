"""The full text of a paper in the shape of `fetch`: below the abstract, or one section alone."""

from __future__ import annotations

from urllib.parse import quote

from .documents import Document
from .errors import ToolError
from .json_types import ToolAnswer
from .transport import read

TEXT_TOKENS = 6_000  # of a text that is fetched whole; the rest by sections
SERVER_ERROR = 500


def with_full_text(found: Document, section: str, max_tokens: int | None) -> Document:
    """The paper with its text. Raises ToolError; without a section, a text that cannot be had now is left out."""
    path = f"/v1/papers/{quote(found['id'], safe='')}/fulltext"
    try:
        text = read(path, {"section": section, "max_tokens": max_tokens or TEXT_TOKENS})
        outline = read(path, {"outline": "true"}) if text.get("next_start") is not None else None
    except ToolError as error:
        if section or error.problem["status"] < SERVER_ERROR:
            raise
        return found
    return _joined(found, text, outline, section)


def _joined(found: Document, answer: ToolAnswer, outline: ToolAnswer | None, section: str) -> Document:
    """`answer` is that of the full text; `outline` has its headings where not all of it is shown."""
    state = {name: answer.get(name) for name in ("status", "reason", "source", "next_start")}
    if outline:
        state["sections"] = [f"{it['section']} {' / '.join(it['path'])}" for it in outline["outline"]]
    parts = [] if section else [found["text"]]
    for it in answer["sections"]:
        parts.append(f"## {it['section']} {' / '.join(it['path'])}".rstrip())
        parts += [" ".join(filter(None, (each["label"], each["text"]))) for each in it["paragraphs"]]
    complete = None if found["complete"] is None else found["complete"] and bool(answer.get("complete"))
    return {
        **found,
        "text": "\n\n".join(parts),
        "metadata": {**found["metadata"], "full_text": state},
        "complete": complete,
    }
