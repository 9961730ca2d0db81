"""The full text of a paper in the shape of `fetch`: below the abstract, or one section alone."""

from __future__ import annotations

from urllib.parse import quote

from .document_size import GIVE_MORE_TOKENS, tokens_of, within
from .documents import Document
from .errors import ToolError, bad_request, of_budget
from .json_types import ToolAnswer
from .resources import TEXT_TOKENS
from .transport import read

STATE_TOKENS = 250  # for where a text comes from, and the first of its headings
LEAST_TOKENS = 300  # of a text; an answer with fewer shows no paragraph
SERVER_ERROR, TOO_FEW_TOKENS = 500, 422


def with_full_text(found: Document, section: str, max_tokens: int | None) -> Document:
    """The paper with its text, within `max_tokens`. Raises ToolError.

    Without a section, a text that cannot be had now, or that the abstract leaves no room for, is left out.
    """
    if max_tokens is None:
        return _with_text(found, section, TEXT_TOKENS)
    around: Document = {**found, "text": ""} if section else found
    left = max_tokens - tokens_of(around) - STATE_TOKENS
    if left >= LEAST_TOKENS:
        try:
            joined = _with_text(found, section, left)
        except ToolError as error:
            raise of_budget(error, lambda least: least + max_tokens - left) from None
        return _with_fewer_headings(joined, max_tokens)
    if section:
        least = max_tokens - left + LEAST_TOKENS
        raise bad_request("max_tokens", f"too few: a section takes {least} or more", GIVE_MORE_TOKENS)
    return within(found, max_tokens)


def _with_fewer_headings(joined: Document, max_tokens: int) -> Document:
    """A text with as many headings of the whole as fit beside it."""
    state = joined["metadata"].get("full_text")
    while isinstance(state, dict) and state.get("sections") and tokens_of(joined) > max_tokens:
        state = {**state, "sections": state["sections"][:-1]}
        joined = {**joined, "metadata": {**joined["metadata"], "full_text": state}}
    return joined


def _with_text(found: Document, section: str, max_tokens: int) -> Document:
    path = f"/v1/papers/{quote(found['id'], safe='', errors='replace')}/fulltext"
    try:
        text = read(path, {"section": section, "max_tokens": max_tokens})
        outline = read(path, {"outline": "true"}) if text.get("next_start") is not None else None
    except ToolError as error:
        status = error.problem["status"]
        if section or (status < SERVER_ERROR and status != TOO_FEW_TOKENS):
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
