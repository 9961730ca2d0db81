"""HTML as elements, in time linear in its length; Python's html.parser takes quadratic time on open tags and comments.

Only what documents of LaTeXML need of the standard (https://html.spec.whatwg.org/multipage/parsing.html): void
elements, raw text, comments, attributes, entities; an end tag closes the nearest open element of its name. Scripts,
styles, drawings and controls are left out; of a formula only its TeX (`alttext`) is read.
"""

from __future__ import annotations

import re

from shared.bibliography.text import unescaped
from shared.documents.xml_source import Element

MAX_CHARS = 12_000_000
MAX_DEPTH = 120  # deeper elements are read as part of the last one
MAX_ELEMENTS = 250_000
_VOID = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
))  # fmt: skip
_SKIPPED = frozenset((
    "script", "style", "svg", "button", "iframe", "object", "template", "noscript", "select", "textarea", "video",
    "audio", "canvas",
))  # fmt: skip
_MARKUP = re.compile(r"<(?=[A-Za-z/!?])")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9:-]{0,50}")
_ATTRIBUTE = re.compile(r"[\s/]*([^\s=>/\"'<]{1,100})(?:[ \t\n]{0,10}=[ \t\n]{0,10})?")
_BARE_VALUE = re.compile(r"[^\s>\"']{0,2000}")
_NOTHING = re.compile(r"[\s/\"'<=]*")


class HtmlTooLarge(ValueError):
    """The document has more characters or elements than are read."""


def parse_html(text: str) -> Element:
    """The root, which has all elements in it. What is not closed ends with the text. Raises HtmlTooLarge."""
    if len(text) > MAX_CHARS:
        raise HtmlTooLarge(f"more than {MAX_CHARS:,} characters")
    return _Scanner(text).run()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._open = [Element("", {}, 0)]
        self._count = 0

    def run(self) -> Element:
        text, end = self._text, len(self._text)
        while self._at < end:
            found = _MARKUP.search(text, self._at)
            opening = found.start() if found else end
            self._data(text[self._at : opening])
            self._at = opening
            if opening < end:
                self._markup()
        return self._open[0]

    def _data(self, text: str) -> None:
        if text:
            self._open[-1].parts.append(unescaped(text))

    def _markup(self) -> None:
        """Read what begins with `<`."""
        text, at = self._text, self._at
        if text.startswith("<!--", at):
            self._skip_behind("-->", at + 4)
        elif text.startswith(("<!", "<?"), at):
            self._skip_behind(">", at)
        elif text.startswith("</", at):
            name = _NAME.match(text, at + 2)
            self._skip_behind(">", at)
            if name:
                self._close(name[0].lower())
        elif name := _NAME.match(text, at + 1):
            self._at = name.end()
            self._start(name[0].lower())

    def _skip_behind(self, ending: str, start: int) -> None:
        found = self._text.find(ending, start)
        self._at = len(self._text) if found < 0 else found + len(ending)

    def _start(self, name: str) -> None:
        attributes = self._attributes()
        if name in _SKIPPED:
            self._skip_element(name)
            return
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise HtmlTooLarge(f"more than {MAX_ELEMENTS:,} elements")
        element = Element(name, attributes, self._at)
        if name == "math":
            self._skip_element(name)
        if len(self._open) < MAX_DEPTH:
            self._open[-1].parts.append(element)
            if name not in _VOID and name != "math":
                self._open.append(element)

    def _attributes(self) -> dict[str, str]:
        """Read up to behind the tag's `>`; the first of two attributes of one name counts."""
        text, attributes = self._text, dict[str, str]()
        while self._at < len(text):
            if text[self._at] == ">":
                self._at += 1
                break
            found = _ATTRIBUTE.match(text, self._at)
            if not found:
                self._at = max(self._at + 1, _at_end(_NOTHING.match(text, self._at), self._at))
                continue
            self._at = found.end()
            value = self._value() if "=" in found[0] else ""
            attributes.setdefault(found[1].lower(), value)
        return attributes

    def _value(self) -> str:
        text, at = self._text, self._at
        if text[at : at + 1] in ('"', "'"):
            self._skip_behind(text[at], at + 1)
            return unescaped(text[at + 1 : self._at - 1])
        bare = _BARE_VALUE.match(text, at)
        self._at = _at_end(bare, at)
        return unescaped(bare[0]) if bare else ""

    def _skip_element(self, name: str) -> None:
        """Leave out everything up to the end tag, which may stand anywhere behind."""
        ending = re.compile(f"</{name}\\b", re.IGNORECASE).search(self._text, self._at)
        self._at = ending.start() if ending else len(self._text)
        if ending:
            self._skip_behind(">", self._at)

    def _close(self, name: str) -> None:
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].name == name:
                del self._open[depth:]
                return


def _at_end(found: re.Match[str] | None, otherwise: int) -> int:
    return found.end() if found else otherwise
