"""Changes at exact places of a text, so that everything else stays as it was."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from shared.bibliography.characters import CONTROLS, INVISIBLE, SEPARATORS, SURROGATES, pattern_of

MAX_COMMENT_CHARS = 2_000
_UNFIT = re.compile(f"[{pattern_of(CONTROLS | SEPARATORS | INVISIBLE | SURROGATES)}]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `text[start:end]` by `replacement`; an insertion has no length."""

    start: int
    end: int
    replacement: str

    def moved(self, by: int) -> Edit:
        """The same edit of a text that contains this one from the position `by`."""
        return Edit(self.start + by, self.end + by, self.replacement)


@dataclass(frozen=True, slots=True)
class EntryEdits:
    """The edits of one entry, at positions of the document, and the fields for which there is no place."""

    edits: tuple[Edit, ...]
    not_placed: tuple[str, ...] = ()


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits, which must not overlap; insertions at one place keep their order."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [text[at : edit.start], edit.replacement]
        at = edit.end
    return "".join([*parts, text[at:]])


def comment_line(comment: str) -> str:
    """`checked: …` on one line without control characters, cut to MAX_COMMENT_CHARS."""
    return "checked: " + " ".join(_UNFIT.sub(" ", comment).split())[:MAX_COMMENT_CHARS]


def comment_before(text: str, start: int, comment: str) -> list[Edit]:
    """A comment as TeX has it, in a line of its own before this place; none if the comment is empty."""
    if not comment:
        return []
    end = line_end_of(text)
    begins_line = start == 0 or text[start - 1] in "\r\n"
    return [Edit(start, start, ("" if begins_line else end) + f"% {comment_line(comment)}{end}")]


def line_end_of(text: str) -> str:
    """The line ending that the text uses."""
    return "\r\n" if "\r\n" in text else "\n"
