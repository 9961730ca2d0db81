"""Plain text out of what the APIs send: no JATS, HTML, MathML or entities, while `a < b` survives."""

from __future__ import annotations

import html
import re
import unicodedata

from shared.bibliography.characters import UNSEEN, pattern_of

# Only names that mark up text in JATS, HTML, MathML and PubMed count as tags: `<10 mg` is not a tag.
_INLINE = (
    "a|abbr|b|bold|em|ext-link|font|i|inf|inline-formula|italic|monospace|named-content|overline|roman|"
    "sans-serif|sc|scp|small|span|strike|strong|styled-content|sub|sup|tt|u|underline|xref|tex-math"
)
_BLOCK = (
    "abstract|article-title|aside|blockquote|body|br|center|caption|dd|def|disp-formula|disp-quote|div|dl|dt|fig|"
    "h[1-6]|head|hr|html|img|label|li|list|list-item|math|ol|p|pre|sec|section|table|tbody|td|tfoot|th|"
    "thead|title|tr|trans-abstract|ul|annotation|annotation-xml|semantics|none|m[a-z]{1,12}"
)
_PREFIX = r"(?:jats|mml|xhtml|ns\d+)?:?"
_ATTRIBUTES = r"(?:\s+[\w:.-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?)*\s*/?"
_INLINE_TAG = re.compile(rf"</?{_PREFIX}(?:{_INLINE}){_ATTRIBUTES}>", re.I)
_BLOCK_TAG = re.compile(rf"</?{_PREFIX}(?:{_BLOCK}){_ATTRIBUTES}>", re.I)
# Some publishers lose the blanks around italics: `structure in<i>PRCC-TFE3</i>fusion`. Short marks (`p<i>K</i>`)
# and plurals (`<i>Hox</i>s`) belong to the word.
_GLUED_START = re.compile(r"(?<=[a-z]{2})(?=<(?:i|em|italic|jats:italic)>[^<]{3,}</)")
_GLUED_END = re.compile(r"(?<=[^<>]{3})</(?:i|em|italic|jats:italic)>(?=[a-z]{2})")
# What is dropped with all that it holds begins with one of these. Each end is looked for separately: `<!--.*?-->` would
# read the whole text again for each beginning that has no end.
_DROPPED = r"script|style|(?:mml:|ns\d+:)?annotation(?:-xml)?"
_DROPPED_START = re.compile(rf"<!--|<\?|<!\[CDATA\[|\]\]>|<({_DROPPED})\b", re.I)
_DROPPED_END = re.compile(rf"</({_DROPPED})\s*>", re.I)
_ENDS = {"<!--": "-->", "<?": "?>"}
_UNSEEN = re.compile(f"[{pattern_of(UNSEEN)}]")
_ANY_TAG_START = re.compile(r"<[/!?A-Za-z]")
_MARKS = re.compile(r"[\u0300-\u036f]")
# What a text of XML 1.0 (2.2 Characters) may not contain: to compile the rest would take twenty times as long.
NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NO_CHARACTER = re.compile(r"&#\d{100,};?")
_NOT_WORD = re.compile(r"[^\w]+|_")


def xml_text(text: str) -> str:
    """The text without what no XML file may hold: control characters, halves of characters."""
    return NO_XML.sub("", text)


def plain_text(markup: str | None) -> str | None:
    """Markup and entities removed (also when escaped once more), white space evened; None when nothing is left."""
    if not markup:
        return None
    text = markup
    for _ in range(3):
        if "<" not in text and "&" not in text:
            break
        stripped = unescaped(_without_tags(text))
        if stripped == text:
            break
        text = stripped
    if not text.isascii():  # most texts are, and ASCII is composed and has nothing invisible
        text = _UNSEEN.sub("", unicodedata.normalize("NFC", text))
    return " ".join(text.split()) or None


def plain_title(markup: str | None) -> str | None:
    """The plain text of a publisher's title, without footnotes."""
    text = plain_text(markup)
    return without_footnotes(text) if text else None


def without_footnotes(title: str) -> str:
    """The title without the footnotes that Elsevier's titles have: a star, or the editor.

    Before the editor stands the number of the footnote, and before that the same number as the mark in the title:
    `profiles 1 1Edited by G. Hale`, `genomes11Edited by F. Cohen`.
    """
    before, footnote, editor = title.rpartition("dited by ")
    marked, number = before[:-2].rstrip(), before[-2:-1]
    is_marked = before[-1:] in "Ee" and number.isdigit() and marked.endswith(number)
    if footnote and is_marked and all(word[:1].isupper() for word in editor.split()):
        title = marked[:-1]
    return title.rstrip(" \N{WHITE STAR}") or title


def unescaped(text: str) -> str:
    """Entities resolved. A number of more digits than any character has would be a ValueError (html.unescape)."""
    return html.unescape(_NO_CHARACTER.sub("\ufffd", text))


def _without_tags(text: str) -> str:
    if not _ANY_TAG_START.search(text):
        return text
    text = _without_dropped(text)
    text = _GLUED_END.sub(" ", _GLUED_START.sub(" ", text))
    return _INLINE_TAG.sub("", _BLOCK_TAG.sub(" ", text))


def _without_dropped(text: str) -> str:
    """The text with a blank in place of comments, instructions, scripts and CDATA marks; linear in its length."""
    kept, at = [], 0
    find = _Finder(text)
    for start in _DROPPED_START.finditer(text):
        end = find.end_of(start) if start.start() >= at else None
        if end is not None:
            kept.append(text[at : start.start()])
            at = end
    return " ".join([*kept, text[at:]])


class _Finder:
    """Finds ends behind rising positions of one text, and reads the text at most once for each kind of end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next: dict[str, int] = {}  # end -> where it comes next; len(text) if it does not
        self._closing: dict[str, list[tuple[int, int]]] = {}  # name -> where its closing tags begin and end, last first
        for found in reversed(list(_DROPPED_END.finditer(text))):
            self._closing.setdefault(found[1].lower(), []).append(found.span())

    def end_of(self, start: re.Match[str]) -> int | None:
        """Where that ends which begins here; None if it does not end."""
        if start[1] is None:
            end = _ENDS.get(start[0])
            return start.end() if end is None else self._behind(end, start.end())
        opened = self._behind(">", start.end())
        if opened is None:
            return None
        name = start[1].lower()
        return self._closed(name, opened) or self._closed(name.removesuffix("-xml"), opened)

    def _closed(self, name: str, position: int) -> int | None:
        closing = self._closing.get(name, [])
        while closing and closing[-1][0] < position:
            closing.pop()
        return closing[-1][1] if closing else None

    def _behind(self, end: str, position: int) -> int | None:
        if self._next.get(end, -1) < position:
            found = self._text.find(end, position)
            self._next[end] = len(self._text) if found < 0 else found
        found = self._next[end]
        return None if found == len(self._text) else found + len(end)


def fold(text: str) -> str:
    """Text for comparing: compatibility form, no case, no accents, words parted by one space."""
    folded = text.casefold()
    if not folded.isascii():  # ASCII has no other form and no accents
        folded = _MARKS.sub("", unicodedata.normalize("NFKD", folded))
    return _NOT_WORD.sub(" ", folded).strip()


def without_full_stop(title: str) -> str:
    """A title without the full stop that some sources put behind each; `in the U.S.` and an ellipsis keep theirs."""
    return re.sub(r"(?<!\.)(?<!\b\w\.\w)\.$", "", title)


def without_medline_marks(title: str) -> str:
    """A title without MEDLINE's full stop and its brackets around a translation: `[Uses of [18F]FDG].`"""
    title = without_full_stop(title)
    inner = title[1:-1]
    if title.startswith("[") and title.endswith("]") and inner.find("]") >= inner.find("["):
        return without_full_stop(inner)
    return title


def number_of(count: int, noun: str) -> str:
    """The count and the noun, which has a regular plural: `1 record`, `2 records`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
