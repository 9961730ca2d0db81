"""JATS articles, as Europe PMC and PubMed Central send them, as full texts.

Source: JATS 1.3 (jats.nlm.nih.gov); https://pmc.ncbi.nlm.nih.gov/tagging-guidelines/article/style/.
Decision letters and other documents within an article (`sub-article`, `response`) are not read: they are other texts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from shared.bibliography.full_text import CitedWork, FullText, Kind
from shared.bibliography.identifiers import Identifiers
from shared.documents.document import Entry
from shared.documents.jats_source import entries_of
from shared.documents.xml_source import Element, parse_xml
from shared.errors import BadResponse, Unprocessable
from shared.full_texts.jats_inline import Inline, formula_of
from shared.full_texts.jats_licence import licence_of_article
from shared.full_texts.outline import ABSTRACT, Outline, one_line, table_text

MAX_CHARS = 12_000_000  # of the XML
_NO_TEXT_OF_THE_PAPER = ("graphical", "toc", "teaser", "key-images", "video")  # kinds of abstracts
FLOATS = "floats"
_WITHIN = ("p", "title", "sec")


def read_jats_text(source: str, text: str, url: str) -> FullText | None:
    """The full text of an article; None if there is no article, or it has no body: only its metadata is open.

    `source` is named in messages. Raises BadResponse for XML that cannot be read.
    """
    if len(text) > MAX_CHARS:
        raise BadResponse(f"{source} sent a text of more than {MAX_CHARS:,} characters")
    try:
        root = parse_xml(text)
        article = root if root.name == "article" else next(root.all("article"), None)
        body = _child(article, "body") if article else None
        if article is None or body is None:
            return None
        entries, _ = entries_of(text, _child(article, "back") or article)
    except Unprocessable as error:
        raise BadResponse(f"{source} sent a text that {error.message.partition(': ')[2]}") from error
    reader = _Reader(entries)
    reader.read(article, body)
    if not reader.outline.has_text:
        return None
    front = _child(article, "front") or article
    licence, printed = licence_of_article(front)
    return FullText(
        format="jats", url=url, title=_title(front), language=article.attributes.get("lang"), license=licence,
        license_text=printed, sections=reader.outline.sections(), cited=tuple(map(_cited, entries)),
        version=next((one_line(it.text()) or None for it in front.all("article-version")), None),
        is_cut=reader.outline.is_cut,
    )  # fmt: skip


def _child(element: Element, *names: str) -> Element | None:
    return next((child for child in element.children if child.name in names), None)


def _title(front: Element) -> str | None:
    group = next(front.all("title-group"), None)
    title = _child(group, "article-title") if group else None
    return one_line(_text(title)) or None if title else None


def _text(element: Element) -> str:
    inline = Inline({})
    inline.read(element)
    return inline.text


def _cited(entry: Entry) -> CitedWork:
    ids = Identifiers(doi=entry.fields.doi, pmid=entry.fields.pmid, arxiv=entry.fields.arxiv)
    return CitedWork(number=entry.number + 1, text=one_line(entry.line), ids=ids)


class _Reader:
    def __init__(self, entries: Sequence[Entry]) -> None:
        self.outline = Outline()
        numbers: dict[str, list[int]] = {}
        for entry in entries:
            numbers.setdefault(entry.label or "", []).append(entry.number + 1)
        self._numbers: Mapping[str, Sequence[int]] = numbers

    def read(self, article: Element, body: Element) -> None:
        front = _child(article, "front")
        for abstract in front.all("abstract", "trans-abstract") if front else ():
            if abstract.attributes.get("abstract-type") not in _NO_TEXT_OF_THE_PAPER:
                self._read_abstract(abstract)
        self.outline.leave()
        self._read_blocks(body, 1)
        back = _child(article, "back")
        for part in back.children if back else ():
            if part.name != "ref-list":
                self._read_back(part)
        floats = _child(article, "floats-group")
        if floats:
            self.outline.enter_apart(FLOATS, "Figures and tables")
            self._read_blocks(floats, 1)

    def _read_abstract(self, abstract: Element) -> None:
        title = _child(abstract, "title")
        self.outline.enter_apart(ABSTRACT, _text(title) if title else "Abstract", abstract.attributes.get("lang"))
        for block in abstract.children:
            if block.name == "sec":  # Background, Methods: they are paragraphs of one section
                heading = _child(block, "title")
                self._read_blocks(block, 1, f"{one_line(_text(heading)).rstrip(':.')}: " if heading else "")
            elif block is not title:
                self._read_block(block, 1)

    def _read_back(self, part: Element) -> None:
        if part.name in ("sec", "app"):
            self._read_section(part, 1)
        elif part.name == "app-group":
            for child in part.children:
                self._read_back(child)
        elif part.name in ("ack", "notes", "fn-group", "glossary", "bio"):
            title = _child(part, "title")
            usual = {"ack": "Acknowledgements", "fn-group": "Footnotes", "glossary": "Glossary"}.get(part.name, "Notes")
            self.outline.enter(1, _text(title) if title else usual)
            self._read_blocks(part, 2)

    def _read_section(self, section: Element, level: int) -> None:
        title, label = _child(section, "title"), _child(section, "label")
        heading = " ".join(one_line(_text(it)) for it in (label, title) if it)
        self.outline.enter(level, heading)
        self._read_blocks(section, level + 1)

    def _read_blocks(self, element: Element, level: int, before: str = "") -> None:
        for part in element.children:
            if part.name == "sec":
                self._read_section(part, level)
            elif part.name not in ("title", "label", "ref-list"):
                self._read_block(part, level, before)
                before = ""

    def _read_block(self, block: Element, level: int, before: str = "") -> None:
        match block.name:
            case "table-wrap":
                self._read_table(block)
            case "fig" | "supplementary-material":
                self._add(_captions(block), "figure", block)
            case "list":
                for item in block.children:
                    if item.name == "list-item":
                        self._add([it for it in item.children if it.name != "label"], "list_item", None)
            case "def-list":
                for item in block.all("def-item"):
                    self._add(item.children, "list_item", None, between=": ")
            case "disp-formula":
                self.outline.add(formula_of(block) or _text(block), "formula", _label(block))
            case "disp-quote" | "verse-group" | "speech":
                self._add([block], "quote", None)
            case "preformat" | "code":
                self.outline.add(block.text(), "code", None)
            case "fn":
                self._add([it for it in block.children if it.name != "label"], "footnote", block)
            case "p":
                self._add([block], "paragraph", None, before=before)
            case "boxed-text" | "statement":
                self._read_box(block, level)
            case "permissions" | "object-id" | "alternatives" | "graphic" | "media" | "sec-meta":
                pass
            case _:
                self._read_blocks(block, level)

    def _read_box(self, block: Element, level: int) -> None:
        heading = next((it for it in block.all("title")), None)
        if heading:
            self.outline.add(_text(heading), "paragraph", _label(block))
        for part in block.children:
            if part.name == "sec":
                self._read_blocks(part, level)
            elif part.name == "caption":
                self._add([it for it in part.children if it.name == "p"], "paragraph", None)
            elif part.name not in ("title", "label"):
                self._read_block(part, level)

    def _read_table(self, block: Element) -> None:
        rows = [[_text(cell) for cell in row.children if cell.name in ("td", "th")] for row in block.all("tr")]
        caption, notes = Inline(self._numbers), Inline(self._numbers)
        _read_into(caption, _captions(block))
        foot = _child(block, "table-wrap-foot")
        _read_into(notes, [foot] if foot else [], within=(*_WITHIN, "fn", "fn-group"))
        cells = Inline(self._numbers)
        for cell in block.all("td", "th"):
            cells.read(cell)
        text = table_text(rows, caption=caption.text, notes=notes.text)
        self.outline.add(text, "table", _label(block), (*caption.cites, *cells.cites, *notes.cites))

    def _add(
        self, elements: Sequence[Element], kind: Kind, labelled: Element | None, *, between: str = " ", before: str = ""
    ) -> None:
        """A paragraph from these elements; tables, figures and footnotes within them follow it."""
        inline = Inline(self._numbers)
        _read_into(inline, elements, between)
        label = _label(labelled) if labelled else None
        self.outline.add(before + inline.text, kind, label, inline.cites)
        for block in inline.blocks:
            self._read_block(block, 12)


def _read_into(
    inline: Inline, elements: Sequence[Element], between: str = " ", *, within: Collection[str] = _WITHIN
) -> None:
    """Read elements; those of the names `within` are part of the same text."""
    for number, element in enumerate(elements):
        if number:
            inline.parts.append(between)
        before = len(inline.blocks)
        inline.read(element)
        inner = [it for it in inline.blocks[before:] if it.name in within]
        inline.blocks[before:] = [it for it in inline.blocks[before:] if it not in inner]
        for block in inner:
            inline.parts.append(" ")
            _read_into(inline, [block], within=within)


def _captions(block: Element) -> list[Element]:
    return [it for it in block.children if it.name == "caption"]


def _label(block: Element) -> str | None:
    label = _child(block, "label")
    return _text(label) if label else None
