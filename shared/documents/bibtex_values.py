"""The values of BibTeX fields: parts that `#` joins, and the names of strings for which their texts stand.

As in BibTeX, a string knows the strings that are defined before it: none can hold itself, and each is put together
once. What is put in is bounded for each value and for the whole document, which may name a string as often as it likes.
"""

from __future__ import annotations

import re

from shared.documents.bounds import MAX_TEXT_CHARS, MAX_VALUE_CHARS

_PART = re.compile(r'\{|"|[^\s#{}",]+')


class Values:
    """The strings of a document, and its values with them put in."""

    def __init__(self) -> None:
        self._strings: dict[str, str] = {}
        self._room = MAX_TEXT_CHARS
        self.lacks_some = False  # for lack of room, a text was left out where the document names it

    def define(self, name: str, value: str) -> None:
        """Keep what a `@string` stands for; one that is defined again has its new text from here on."""
        self._strings[name.lower()] = self.joined(value)

    def joined(self, value: str) -> str:
        """The parts of a value without their delimiters, at most MAX_VALUE_CHARS; a name without a string stays."""
        value = value[:MAX_VALUE_CHARS]
        parts: list[str] = []
        at = length = 0
        while length < MAX_VALUE_CHARS and (found := _PART.search(value, at)):
            if found[0] in '{"':
                at = closing(value, found.start())
                parts.append(value[found.start() + 1 : at - 1])
            else:
                at = found.end()
                parts.append(self._named(found[0]))
            length += len(parts[-1])
        return "".join(parts)[:MAX_VALUE_CHARS]

    def may_repeat(self, text: str) -> bool:
        """Whether a text of the document may stand at one place more: all that stand so have MAX_TEXT_CHARS."""
        if len(text) > self._room:
            self.lacks_some = True
            return False
        self._room -= len(text)
        return True

    def _named(self, name: str) -> str:
        text = self._strings.get(name.lower())
        if text is None:
            return name
        return text if self.may_repeat(text) else ""


def closing(value: str, start: int) -> int:
    """The position behind the part in braces or quotation marks that begins here."""
    depth = 0
    for position in range(start, len(value)):
        char = value[position]
        depth += (char == "{") - (char == "}")
        if depth == 0 and position > start and char == ('"' if value[start] == '"' else "}"):
            return position + 1
    return len(value) + 1
