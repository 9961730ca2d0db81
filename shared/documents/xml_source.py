"""XML with the place of every element, so that one can be replaced and the rest stays as it was.

defusedxml parses, and refuses entity declarations and external entities; expat says where each element begins.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from shared.bibliography.text import NO_XML
from shared.documents.bounds import MAX_DEPTH, unreadable

_TAG = re.compile(r"<[^<>\"']*(?:\"[^\"]*\"[^<>\"']*|'[^']*'[^<>\"']*)*>")
_PREFIX = re.compile(r"[<\s/]([A-Za-z_][\w.-]{0,30}):(?=[A-Za-z])")
MAX_ELEMENTS = 200_000
_STEP = 1_000
_NO_REFERENCE = r"&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bceBCEF]|1[0-9a-fA-F]));"
# What XML may not contain, such as the signs that EndNote keeps from a PDF.
_UNREADABLE = re.compile(rf"{NO_XML.pattern}|{_NO_REFERENCE}")


@dataclass(slots=True)
class Element:
    """An element with its place: `start` to `end` with its tags, `inner_start` to `inner_end` without."""

    name: str  # without namespace
    attributes: Mapping[str, str]
    start: int
    inner_start: int = 0
    inner_end: int = 0
    end: int = 0
    parts: list[str | Element] = field(default_factory=list)

    @property
    def children(self) -> list[Element]:
        """The elements directly inside."""
        return [part for part in self.parts if isinstance(part, Element)]

    def text(self) -> str:
        """All text inside."""
        return "".join(part if isinstance(part, str) else part.text() for part in self.parts)

    def all(self, *names: str) -> Iterator[Element]:
        """The elements of these names inside, in their order, at any depth."""
        for child in self.children:
            if child.name in names:
                yield child
            yield from child.all(*names)


def parse_xml(text: str) -> Element:
    """The root of an XML text. Raises Unprocessable for anything else, for entity declarations and deep nesting."""
    target = _Target()
    try:
        parser = DefusedXMLParser(target=target, encoding="utf-8")
        target.offset = lambda: parser.parser.CurrentByteIndex
        parser.feed(_UNREADABLE.sub(_blanks, text).encode("utf-8", "surrogatepass"))
        parser.close()
    except (ParseError, UnicodeError, LookupError) as error:
        raise unreadable(f"is not well-formed XML: {str(error)[:200]}") from error
    except DefusedXmlException as error:
        raise unreadable("declares XML entities, which are not read") from error
    if target.root is None:
        raise unreadable("has no XML element")
    _place(target.all, text)
    return target.root


def _blanks(found: re.Match[str]) -> str:
    """As many as there are bytes, so that all others keep their places."""
    return " " * len(found[0].encode("utf-8", "surrogatepass"))


def parse_fragment(text: str) -> Element:
    """An element that stood in a document, whose namespaces are declared outside of it."""
    prefixes = sorted(set(_PREFIX.findall(text)) - {"xml", "xmlns"})
    declared = "".join(f' xmlns:{prefix}="urn:x"' for prefix in prefixes)
    opening = f"<x{declared}>"
    root = parse_xml(f"{opening}{text}</x>")
    inside = root.children[0]
    _move([inside], -len(opening))
    return inside


class _Target:
    """Builds elements; positions are counted in bytes until the whole text was read."""

    def __init__(self) -> None:
        self.offset: Callable[[], int] = lambda: 0
        self.root: Element | None = None
        self.all: list[Element] = []
        self._open: list[Element] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise unreadable(f"has elements nested more than {MAX_DEPTH} deep")
        if len(self.all) >= MAX_ELEMENTS:
            raise unreadable(f"has more than {MAX_ELEMENTS:,} elements; send its reference list alone")
        named = {name.rpartition("}")[2]: value for name, value in attributes.items()}
        element = Element(tag.rpartition("}")[2], named, self.offset())
        if self._open:
            self._open[-1].parts.append(element)
        self.root = self.root or element
        self.all.append(element)
        self._open.append(element)

    def end(self, _: str) -> None:
        self._open.pop().inner_end = self.offset()

    def data(self, text: str) -> None:
        if self._open:
            self._open[-1].parts.append(text)

    def close(self) -> None:
        return None


def _place(elements: list[Element], text: str) -> None:
    """Turn positions in bytes into positions in characters, and find where the tags end."""
    position: Callable[[int], int] = int if text.isascii() else _Positions(text).of
    for element in elements:
        element.start, element.inner_end = position(element.start), position(element.inner_end)
        tag = _TAG.match(text, element.start)
        element.inner_start = tag.end() if tag else element.inner_end
        if tag and tag[0].endswith("/>"):
            element.inner_end = element.end = tag.end()
        else:
            element.end = text.index(">", element.inner_end) + 1


class _Positions:
    """The position in characters of a position in bytes of UTF-8."""

    def __init__(self, text: str) -> None:
        self._chunks = [text[at : at + _STEP] for at in range(0, len(text), _STEP)]
        self._bytes = [0]
        for chunk in self._chunks:
            self._bytes.append(self._bytes[-1] + len(chunk.encode("utf-8", "surrogatepass")))

    def of(self, byte: int) -> int:
        """A byte within a character does not occur: elements begin at characters."""
        number = min(bisect_right(self._bytes, byte) - 1, len(self._chunks) - 1)
        inside = self._chunks[number].encode("utf-8", "surrogatepass")[: byte - self._bytes[number]]
        return number * _STEP + len(inside.decode("utf-8", "surrogatepass"))


def _move(elements: list[Element], by: int) -> None:
    for element in elements:
        element.start += by
        element.inner_start += by
        element.inner_end += by
        element.end += by
        _move(element.children, by)
