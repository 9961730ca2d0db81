"""arXiv's HTML, which LaTeXML makes from the LaTeX source, as full texts.

Source: https://math.nist.gov/~BMiller/LaTeXML/manual/cssclasses/ (classes `ltx_…`); arXiv adds the licence
(`license-tr`), the version (`watermark-tr`) and buttons. What a style hides, or prints in white, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from shared.bibliography.full_text import CitedWork, FullText, Kind
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.licences import read_licence
from shared.documents.fields_read import ids_in
from shared.documents.xml_source import Element
from shared.errors import BadResponse
from shared.full_texts.html_tree import HtmlTooLarge, parse_html
from shared.full_texts.latexml_inline import HtmlInline, classes_of, is_left_out
from shared.full_texts.outline import ABSTRACT, Outline, one_line, table_text

_VERSION = re.compile(r"arXiv:\S{5,40}?(v\d{1,3})\b")
_LEVELS = {
    "ltx_part": 1, "ltx_chapter": 2, "ltx_section": 3, "ltx_appendix": 3, "ltx_subsection": 4, "ltx_subsubsection": 5,
    "ltx_paragraph": 6, "ltx_subparagraph": 7,
}  # fmt: skip


def read_latexml(source: str, text: str, url: str) -> FullText | None:
    """The full text of a document of LaTeXML; None if it has no text, as where the LaTeX source includes a PDF only.

    `source` is named in messages. Raises BadResponse for HTML that is not a document of LaTeXML.
    """
    try:
        root = parse_html(text)
    except HtmlTooLarge as error:
        raise BadResponse(f"{source} sent HTML with {error}") from error
    document = next((it for it in root.all("article", "div") if "ltx_document" in classes_of(it)), None)
    if document is None:
        raise BadResponse(f"{source} sent HTML that is not a document of LaTeXML")
    reader = _Reader({it.attributes.get("id", ""): number for number, it in enumerate(_items(document), start=1)})
    reader.read_children(document)
    if not any(it.paragraphs for it in reader.outline.sections() if it.path and it.number != ABSTRACT):
        return None
    title = next((it for it in document.all("h1") if "ltx_title_document" in classes_of(it)), None)
    html = next(root.all("html"), None)
    printed = one_line(_of_id(root, "license-tr")).removeprefix("License:").strip()
    version = _VERSION.search(_of_id(root, "watermark-tr"))
    return FullText(
        format="html", url=url, title=reader.inline(title).line if title else None,
        language=html.attributes.get("lang") or None if html else None, version=version[1] if version else None,
        license=read_licence(printed), license_text=printed or None, sections=reader.outline.sections(),
        cited=tuple(reader.cited), is_cut=reader.outline.is_cut,
    )  # fmt: skip


def _of_id(root: Element, name: str) -> str:
    return next((it.text() for it in root.all("a", "div", "span", "p") if it.attributes.get("id") == name), "")


def _items(document: Element) -> list[Element]:
    return [it for it in document.all("li", "div") if "ltx_bibitem" in classes_of(it)]


class _Reader:
    def __init__(self, numbers: Mapping[str, int]) -> None:
        self.outline = Outline()
        self.cited: list[CitedWork] = []
        self._numbers = numbers

    def inline(self, element: Element) -> HtmlInline:
        """The text of an element."""
        inline = HtmlInline(self._numbers)
        inline.read(element)
        return inline

    def read_children(self, element: Element) -> None:
        for child in element.children:
            if not is_left_out(child):
                self._read(child)

    def _read(self, element: Element) -> None:
        classes = classes_of(element)
        level = next((_LEVELS[it] for it in classes if it in _LEVELS), None)
        if "ltx_title" in classes:
            return
        if "ltx_abstract" in classes:
            self.outline.enter_apart(ABSTRACT, self._heading(element) or "Abstract")
            self.read_children(element)
            self.outline.leave()
        elif "ltx_bibliography" in classes:
            self.cited += [self._cited(it, number) for number, it in enumerate(_items(element), len(self.cited) + 1)]
        elif level is not None or "ltx_acknowledgements" in classes:
            usual = "Acknowledgements" if level is None else ""
            self.outline.enter(level or 3, self._heading(element) or usual)
            if level is None:
                self._add(element, "paragraph")
            else:
                self.read_children(element)
        elif element.name == "figure" or "ltx_float" in classes:
            self._read_float(element)
        elif "ltx_equation" in classes or "ltx_equationgroup" in classes:
            self._read_equation(element)
        elif element.name in ("p", "blockquote", "pre") or "ltx_listing" in classes:
            self._read_paragraph(element)
        elif element.name == "li" or (element.name == "dd" and "ltx_item" in classes):
            self._read_item(element)
        elif element.name == "table":
            self.outline.add(table_text(self._rows(element)), "table")
        else:
            self.read_children(element)

    def _heading(self, element: Element) -> str:
        title = next((it for it in element.children if "ltx_title" in classes_of(it)), None)
        if title is None:
            return ""
        inline = self.inline(title)
        return inline.line

    def _read_paragraph(self, element: Element) -> None:
        if "ltx_listing" in classes_of(element) or element.name == "pre":
            self.outline.add(element.text(), "code")
        else:
            self._add(element, "quote" if element.name == "blockquote" else "paragraph")

    def _read_item(self, element: Element) -> None:
        """An item's own paragraphs; lists, formulas and figures within it follow."""
        inner = list(_outermost(element))
        self._add(_without(element, {id(it) for it in inner}), "list_item")
        for it in inner:
            self._read(it)

    def _read_equation(self, element: Element) -> None:
        rows = [it for it in element.all("tr") if any(True for _ in it.all("math"))] or [element]
        for row in rows:
            tex = " ".join(it.attributes.get("alttext", "") for it in row.all("math"))
            tags = [one_line(it.text()) for it in row.all("span") if "ltx_tag" in classes_of(it)]
            self.outline.add(tex.replace("\\displaystyle", "").strip(), "formula", tags[0] if tags else None)

    def _read_float(self, element: Element) -> None:
        caption = next(element.all("figcaption", "caption"), None)
        inline = self.inline(caption) if caption else HtmlInline(self._numbers)
        tables = [it for it in element.all("table") if "ltx_equation" not in classes_of(it)]
        if tables:
            cells = self.inline(tables[0])
            rows = [row for table in tables[:1] for row in self._rows(table)]
            self.outline.add(
                table_text(rows, caption=inline.line), "table", inline.label, (*inline.cites, *cells.cites)
            )
        else:
            self.outline.add(inline.line, "figure", inline.label, inline.cites)
        self._add_notes(inline)

    def _rows(self, table: Element) -> list[list[str]]:
        return [
            [self.inline(cell).line for cell in row.children if cell.name in ("td", "th")] for row in table.all("tr")
        ]

    def _add(self, element: Element, kind: Kind) -> None:
        inline = self.inline(element)
        self.outline.add(inline.line, kind, None, inline.cites)
        self._add_notes(inline)

    def _add_notes(self, inline: HtmlInline) -> None:
        for note in inline.notes:
            inside = self.inline(note)
            self.outline.add(inside.line, "footnote", None, inside.cites)

    def _cited(self, item: Element, number: int) -> CitedWork:
        inline = self.inline(item)
        links = " ".join(it.attributes.get("href", "") for it in item.all("a"))
        doi, pmid, arxiv = ids_in(f"{inline.line} {links}")
        label = inline.label.strip("[]() ")
        text = inline.line or label or "?"
        ids = Identifiers(doi=doi, pmid=pmid, arxiv=arxiv)
        return CitedWork(
            number=number, text=text[:2_000], label=None if label == str(number) else label or None, ids=ids
        )


def _outermost(element: Element) -> Iterator[Element]:
    """The lists, tables and figures within an element, without those within them."""
    for child in element.children:
        if child.name in ("ul", "ol", "figure", "table"):
            yield child
        else:
            yield from _outermost(child)


def _without(element: Element, left_out: set[int]) -> Element:
    """The element without some that are within it, at any depth."""
    parts = [
        part if isinstance(part, str) else _without(part, left_out)
        for part in element.parts
        if isinstance(part, str) or id(part) not in left_out
    ]
    return Element(element.name, element.attributes, element.start, parts=parts)
