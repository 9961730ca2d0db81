"""Plain text out of what the APIs send: no JATS, HTML, MathML or entities, while `a < b` survives."""

from __future__ import annotations

import html
import re
import unicodedata

from shared.bibliography.characters import INVISIBLE, pattern_of

# Only names that mark up text in JATS, HTML, MathML and PubMed count as tags: `<10 mg` is no tag.
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
_DROPPED = re.compile(
    r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[|\]\]>|<(script|style|(?:mml:|ns\d+:)?annotation(?:-xml)?)\b[^>]*>.*?</\1\s*>",
    re.I | re.S,
)
_INVISIBLE = re.compile(f"[{pattern_of(INVISIBLE)}]")
_SPACE = re.compile(r"\s+")
_ANY_TAG_START = re.compile(r"<[/!?A-Za-z]")
_MARKS = re.compile(r"[\u0300-\u036f]")
# XML 1.0 (2.2 Characters) says what a text may hold.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_WORD = re.compile(r"[^\w]+|_")


def xml_text(text: str) -> str:
    """The text without what no XML file may hold: control characters, halves of characters."""
    return _NO_XML.sub("", text)


def plain_text(markup: str | None) -> str | None:
    """Markup and entities removed (also when escaped once more), white space evened; None when nothing is left."""
    if not markup:
        return None
    text = markup
    for _ in range(3):
        stripped = html.unescape(_without_tags(text))
        if stripped == text:
            break
        text = stripped
    text = _SPACE.sub(" ", _INVISIBLE.sub("", unicodedata.normalize("NFC", text))).strip()
    return text or None


def _without_tags(text: str) -> str:
    if not _ANY_TAG_START.search(text):
        return text
    text = _DROPPED.sub(" ", text)
    text = _GLUED_END.sub(" ", _GLUED_START.sub(" ", text))
    return _INLINE_TAG.sub("", _BLOCK_TAG.sub(" ", text))


def fold(text: str) -> str:
    """Text for comparing: compatibility form, no case, no accents, words parted by one space."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return _NOT_WORD.sub(" ", _MARKS.sub("", decomposed)).strip()
