"""The text of a JATS paragraph: formulas as TeX, citations with their numbers, and what it holds besides text.

Source: JATS 1.3 (jats.nlm.nih.gov), <xref>, <inline-formula>, <fn>, <alternatives>.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shared.documents.xml_source import Element
from shared.full_texts.hidden_styles import is_hidden
from shared.full_texts.outline import with_range

# What stands within a paragraph and is read as one of its own.
BLOCKS = frozenset((
    "p", "table-wrap", "table-wrap-group", "fig", "fig-group", "list", "def-list", "disp-quote", "boxed-text", "fn",
    "fn-group", "preformat", "code", "statement", "supplementary-material", "sec", "title", "verse-group", "speech",
    "array",
))  # fmt: skip
_NOT_PRINTED = frozenset((
    "object-id", "alt-text", "long-desc", "permissions", "graphic", "inline-graphic", "media", "index-term",
    "processing-meta", "private-char", "related-object",
))  # fmt: skip
# Displayed formulas within a paragraph are parts of its sentences.
_FORMULAS = ("inline-formula", "disp-formula", "tex-math", "math", "alternatives")
_NUMBER = re.compile(r"[\[(]?\s*\d{1,4}[a-z]?\s*[\])]?")
_SHORT_POWER = re.compile(r"[-+−–]?[0-9]{1,4}[+−-]?|[a-z]")


@dataclass(slots=True)
class Inline:
    """The text of an element, the numbers of the works that it cites, and the blocks within it."""

    numbers: Mapping[str, Sequence[int]]  # of an entry's id
    parts: list[str] = field(default_factory=list)
    cites: list[int] = field(default_factory=list)
    blocks: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What was read so far."""
        return "".join(self.parts)

    def read(self, element: Element) -> None:
        """Read what is inside an element."""
        for part in element.parts:
            if isinstance(part, str):
                self.parts.append(part)
            else:
                self._read_child(part)

    def _read_child(self, child: Element) -> None:
        if child.name in BLOCKS:
            self.blocks.append(child)
        elif child.name == "xref":
            self._cite(child)
        elif child.name in _FORMULAS and (tex := formula_of(child)):
            self.parts.append(f" {tex} " if child.name == "disp-formula" else tex)
        elif child.name in ("sup", "sub"):
            self._raise(child)
        elif child.name == "break":
            self.parts.append(" ")
        elif child.name not in _NOT_PRINTED and not is_hidden(child.attributes.get("style", "")):
            self.read(child)

    def _cite(self, xref: Element) -> None:
        is_cited = xref.attributes.get("ref-type") == "bibr"
        numbers = [it for name in xref.attributes.get("rid", "").split() for it in self.numbers.get(name, ())]
        for number in numbers if is_cited else ():
            self.cites = with_range(self.cites, number, self.parts[-1] if self.parts else "")
        inside = Inline(self.numbers)
        inside.read(xref)
        label = inside.text.strip()
        if is_cited and _NUMBER.fullmatch(label):
            self.parts.append(f"[{label.strip('[]() ')}]")
        else:
            self.parts.append(inside.text)

    def _raise(self, element: Element) -> None:
        """Superscripts: `10^6`, and citations in brackets, so that no number is read as part of a word."""
        inside = Inline(self.numbers)
        inside.read(element)
        self.cites += inside.cites
        self.blocks += inside.blocks
        text = inside.text.strip()
        if inside.cites and not inside.text.startswith("["):
            text = f"[{text}]"
        elif element.name == "sup" and not inside.cites and _SHORT_POWER.fullmatch(text):
            text = f"^{text}"
        self.parts.append(text)


def formula_of(element: Element) -> str:
    """A formula as TeX where the document has it, else as the characters of its MathML."""
    tex = element if element.name == "tex-math" else next(element.all("tex-math"), None)
    if tex:
        source = tex.text()
        _, begun, rest = source.partition(r"\begin{document}")
        body, ended, _ = rest.partition(r"\end{document}")
        return (body if begun and ended else source).strip().strip("$").strip()
    math = element if element.name == "math" else next(element.all("math"), None)
    hidden = {id(it) for it in math.all("annotation", "annotation-xml")} if math else set()
    return " ".join(_leaves(math, hidden)) if math else ""


def _leaves(element: Element, hidden: set[int]) -> list[str]:
    if id(element) in hidden:
        return []
    return [
        text
        for part in element.parts
        for text in ([part.strip()] if isinstance(part, str) else _leaves(part, hidden))
        if text
    ]
