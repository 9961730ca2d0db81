"""References as Markdown lists have them: the title in bold or as the text of a link, the journal in italics.

    - **Title**, Authors (2020). *Journal* 5, 1-9.
    1. [Title](https://doi.org/…) – Authors, *Journal*, 2020
    * Authors (2020). [Title](…). *Journal*, **5**, 1-9.

What is in bold or a link and reads like no title (a volume, a journal, an id) loses only its marks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.bibliography.identifiers import DOI_PREFIX
from shared.references.title_words import reads_like_names

_MARKER = re.compile(r"\A\s{0,20}(?:>\s{0,4})?(?:[-*+•‣–]\s+(?:\[[ xX]\]\s+)?|\[\^?[\w-]{1,20}\]:\s*)")
# The text of a link may have one pair of brackets in it, and its address one pair of parentheses.
_LINK = re.compile(
    r"[*_]{0,3}!?\[((?:[^\[\]]|\[[^\[\]]{0,200}\]){1,600})\]"
    r"(?:\((?:[^()\s]|\([^()\s]{0,200}\)){0,500}(?:\s\"[^\"]{0,200}\")?\)|\[[\w-]{0,20}\])[*_]{0,3}"
)
_BOLD = re.compile(r"(\*\*|__)(?=\S)([^*_]{2,600}?)\1")
_ITALIC = re.compile(r"(?<![\w*_])([*_])(?=[^\s*_])([^*_]{2,600}?)\1(?![\w*_])")
_ID = re.compile(rf"\A\W*(?:doi|pmid|pmcid?|arxiv|https?|www|{DOI_PREFIX})\b", re.I)
_YEAR = re.compile(r"[,.;]?\s?\(?(?:1[6-9]|20)\d\d[a-z]?\)?")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{3}")
_AROUND = " .,;:–—-“”\"'‘’()|"


@dataclass(frozen=True, slots=True)
class MarkedReference:
    """The parts that the marks tell apart, as texts without marks."""

    names: str  # "" where the marks do not tell: then the source begins with them
    title: str
    source: str  # journal, volume and pages


def without_marker(text: str) -> str:
    """The text without the bullet or footnote label that a list begins an item with."""
    return _MARKER.sub("", text, count=1)


def read_marked(text: str) -> MarkedReference | None:
    """The parts of a reference whose title is in bold or a link; None if no such part reads like a title."""
    for pattern in (_LINK, _BOLD):
        for found in pattern.finditer(text):
            title = _bare(found[1] if pattern is _LINK else found[2])
            before = _bare(text[: found.start()])
            if _is_title(title) and reads_like_names(_YEAR.sub("", before)):
                return _marked(before, title, text[found.end() :])
    first = _ITALIC.search(text)
    before = _bare(text[: first.start()]) if first else ""
    if first and _is_title(_bare(first[2])) and reads_like_names(_YEAR.sub("", before)):
        return _marked(before, _bare(first[2]), text[first.end() :])
    return None


def unmarked(text: str) -> str:
    """The text without the marks of links, bold and italic type."""
    text = _LINK.sub(lambda found: " " if _ID.match(found[1]) else found[1], text)
    for pattern in (_BOLD, _ITALIC):
        text = pattern.sub(lambda found: found[2], text)
    return text


def _marked(before: str, title: str, behind: str) -> MarkedReference:
    """The names stand before the title, or behind it as far as the journal in italics."""
    journal = _ITALIC.search(behind)
    names = before
    if journal and not before:
        following = unmarked(behind[: journal.start()])
        if reads_like_names(_YEAR.sub("", following)):
            names, behind = following, behind[journal.start() :]
    return MarkedReference(_YEAR.sub("", names).strip(_AROUND), title, unmarked(behind).lstrip(_AROUND))


def _bare(text: str) -> str:
    return unmarked(text).strip(_AROUND + "*_[]")


def _is_title(text: str) -> bool:
    """Whether it has the length of a title, and is not an id, journal or name."""
    words = re.findall(r"[^\W\d_]{2,}", text)
    return len(text) > 7 and not _ID.match(text) and (len(words) > 2 or _UNSPACED.search(text) is not None)
