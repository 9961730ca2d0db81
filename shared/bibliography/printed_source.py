"""What a reader sees of a source, with the place of each part, so that a part can be replaced where it stands."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable

from shared.bibliography.characters import ZERO_WIDTH, pattern_of
from shared.bibliography.identifiers import DOI_START

_CJK = r"[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]"
# A word in small letters that goes on behind a hyphen at the end of a line: not `short-` before `and long-term`.
WORD_GOES_ON = r"(?!(?:and|or|to|und|oder|bis|og|och|eller)\b)"
# A word divided at the end of a line, white space, ligatures; `10.1016/` and `https://` go on in the next line.
_INVISIBLE = pattern_of(ZERO_WIDTH)
_PLAIN = re.compile(
    rf"(?<=[^\W\d_])[-\u2010{_INVISIBLE}][ \t]{{0,9}}\r?[\n\f][ \t]{{0,99}}{WORD_GOES_ON}(?=[a-zß-öø-ÿ])|[{_INVISIBLE}]"
    rf"|(?<={_CJK})\s+(?={_CJK})|\s+|[\ufb00-\ufb06]"
)
_ADDRESS = re.compile(rf"(?:https?://|doi\.org/|\b{DOI_START})\S{{0,200}}\Z")
_LIGATURE = re.compile(r"[\ufb00-\ufb06]")
_GOES_ON = re.compile(r"\s+(?:(?=[a-z0-9(])\S{0,80})")


class PrintedText:
    """A source as it is printed: `text` on one line, and for each part of it the place in the source."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._from: list[int] = []  # where each part begins in the text
        self._at: list[tuple[int, int]] = []  # and where it lies in the source
        self._length = 0

    def add(self, printed: str, start: int, end: int) -> None:
        """Append what the source prints between these positions; blanks do not follow one another."""
        if printed.isspace():
            printed = " " if self._parts and not self._parts[-1].endswith(" ") else ""
        if printed:
            self._parts.append(printed)
            self._from.append(self._length)
            self._at.append((start, end))
            self._length += len(printed)

    def add_tokens(
        self, source: str, token: re.Pattern[str], print_token: Callable[[re.Match[str]], str], start: int, end: int
    ) -> None:
        """Append this part of the source: each token as what it prints, and what is not a token as itself."""
        for found in token.finditer(source, start, end):
            if found.start() > start:
                self.add(source[start : found.start()], start, found.start())
            self.add(print_token(found), found.start(), found.end())
            start = found.end()
        if start < end:
            self.add(source[start:end], start, end)

    @property
    def text(self) -> str:
        """The printed text; positions in it are those that `source_of` takes."""
        return "".join(self._parts)

    def source_of(self, start: int, end: int) -> tuple[int, int]:
        """The place in the source that prints `text[start:end]`, which is not empty."""
        return self._source(start), self._source(end - 1, is_end=True)

    def _source(self, position: int, *, is_end: bool = False) -> int:
        number = bisect_right(self._from, position) - 1
        start, end = self._at[number]
        if end - start != len(self._parts[number]):  # a command, which is whole or not there
            return end if is_end else start
        return start + position - self._from[number] + is_end


def printed_as_written(source: str) -> PrintedText:
    """A source of which every sign is printed."""
    printed = PrintedText()
    printed.add(source, 0, len(source))
    return printed


def print_tokens(source: str, token: re.Pattern[str], print_token: Callable[[re.Match[str]], str]) -> PrintedText:
    """The source with each token as what it prints; what is not a token prints itself."""
    printed = PrintedText()
    printed.add_tokens(source, token, print_token, 0, len(source))
    return printed


def printed_plain(source: str) -> PrintedText:
    """Plain text on one line: divided words joined, addresses too, ligatures as letters; linear in the length."""
    return print_tokens(source, _PLAIN, print_blank)


def print_blank(token: re.Match[str]) -> str:
    """What white space, a divided word or a ligature prints."""
    text = token[0]
    if not text.isspace():
        return unicodedata.normalize("NFKC", text) if _LIGATURE.match(text) else ""
    source, start, end = token.string, token.start(), token.end()
    if re.match(_CJK, source[start - 1 : start]) and re.match(_CJK, source[end : end + 1]):
        return ""
    if "\n" in text and source[start - 1 : start] in "/_-." and _ADDRESS.search(source[max(0, start - 250) : start]):
        following = _GOES_ON.match(source, start)
        is_open = source[start - 1] != "." or (following and any(map(str.isdigit, following[0])))
        return "" if following and is_open else " "
    return " "
