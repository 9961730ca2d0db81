"""The text of an element of LaTeXML's HTML: its citations, its notes, its label, and what readers do not see.

Source: https://math.nist.gov/~BMiller/LaTeXML/manual/cssclasses/ (classes `ltx_…`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from shared.documents.xml_source import Element
from shared.full_texts.hidden_styles import is_hidden
from shared.full_texts.outline import one_line, with_range

_NOT_READ = frozenset((
    "ltx_ERROR", "ltx_note_mark", "ltx_note_type", "ltx_tag_note", "ltx_authors", "ltx_dates", "ltx_page_footer",
    "ltx_TOC", "ltx_bib_cited", "ltx_pagination", "ltx_page_navbar", "ltx_role_newpage", "ltx_rule", "ltx_tag_item",
    "ltx_classification", "ltx_keywords", "sr-only",
))  # fmt: skip


def classes_of(element: Element) -> list[str]:
    """The names in its attribute `class`."""
    return element.attributes.get("class", "").split()


def is_left_out(element: Element) -> bool:
    """Whether it is not part of the text: contents, buttons, marks of notes, and what a style hides."""
    return (
        element.name in ("nav", "footer", "header")
        or "hidden" in element.attributes
        or not _NOT_READ.isdisjoint(classes_of(element))
        or is_hidden(element.attributes.get("style", ""))
    )


@dataclass(slots=True)
class HtmlInline:
    """The text of an element, its citations, its notes, and its label apart from the text."""

    numbers: Mapping[str, int]
    parts: list[str] = field(default_factory=list)
    cites: list[int] = field(default_factory=list)
    notes: list[Element] = field(default_factory=list)
    label: str = ""

    @property
    def line(self) -> str:
        """The text on one line."""
        return one_line("".join(self.parts))

    def read(self, element: Element) -> None:
        """Read what is inside an element."""
        for part in element.parts:
            if isinstance(part, str):
                self.parts.append(part)
            elif not is_left_out(part):
                self._read_element(part)

    def _read_element(self, element: Element) -> None:
        classes = classes_of(element)
        if element.name == "math":
            self.parts.append(element.attributes.get("alttext", ""))
        elif "ltx_note" in classes:
            self.notes += [it for it in element.all("span") if "ltx_note_content" in classes_of(it)]
        elif "ltx_tag" in classes:
            self.label = self.label or one_line(element.text()).rstrip(":. ")
        elif element.name == "br":
            self.parts.append(" ")
        elif element.name == "sup" and re.fullmatch(r"\s*[-+−]?\d{1,4}\s*", element.text()):
            self.parts.append(f"^{element.text().strip()}")
        else:
            number = self.numbers.get(element.attributes.get("href", "").rpartition("#")[2])
            if element.name == "a" and number:
                self.cites = with_range(self.cites, number, self.parts[-1] if self.parts else "")
            self.read(element)
            if element.name in ("p", "div", "td", "th", "li"):
                self.parts.append(" ")
