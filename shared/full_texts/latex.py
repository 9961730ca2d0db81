r"""LaTeX sources of arXiv as full texts: sections, paragraphs, formulas, floats, lists and the bibliography.

TeX is not run: what macros with arguments print is lost, and so are the numbers of formulas and floats that no `\tag`
states. Counters of tables and figures are counted here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from shared.bibliography.full_text import CitedWork, FullText, Kind
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.tex_text import CODE_ENVIRONMENTS
from shared.documents.latex_source import read_latex
from shared.errors import BadResponse, Unprocessable
from shared.full_texts.outline import ABSTRACT, Outline, one_line, table_text
from shared.full_texts.tex_archive import UnreadableArchive, tex_files
from shared.full_texts.tex_inline import TexInline
from shared.full_texts.tex_source import argument, closing_braces, document_of
from shared.full_texts.tex_unprinted import without_hidden

_LEVELS = {
    "part": 1,
    "chapter": 2,
    "section": 3,
    "subsection": 4,
    "subsubsection": 5,
    "paragraph": 6,
    "subparagraph": 7,
}
_FORMULAS = "equation|align|gather|multline|eqnarray|displaymath|flalign|alignat|math"
_FLOATS = {"figure": "figure", "wrapfigure": "figure", "table": "table", "wraptable": "table", "longtable": "table"}
_TOKEN = re.compile(
    r"\\(part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?\s{0,5}(?:\[[^\]]{0,500}\]\s{0,5})?(?=\{)"
    rf"|\\begin\s{{0,3}}\{{((?:{_FORMULAS})\*?)\}}"
    r"|\\begin\s{0,3}\{(figure|wrapfigure|table|wraptable|longtable)\*?\}"
    rf"|\\begin\s{{0,3}}\{{({CODE_ENVIRONMENTS})\}}"
    r"|\\begin\s{0,3}\{(abstract|acknowledge?ments?|thebibliography)\}"
    r"|\\end\s{0,3}\{(abstract|quote|quotation|itemize|enumerate|description)\}"
    r"|\\begin\s{0,3}\{(quote|quotation)\}"
    r"|\\(item)\b\s{0,3}(?:\[[^\]]{0,200}\])?"
    r"|(\$\$|\\\[)"
    r"|(\n[ \t]*\n\s*)"
    r"|\\(?:begin|end)\s{0,3}\{[A-Za-z]{1,40}\*?\}(?:\[[^\]\n]{0,100}\]|\{[^{}\n]{0,100}\}){0,2}"
    r"|\\(?:maketitle|appendix|tableofcontents|newpage|clearpage|centering|noindent|bigskip|medskip|smallskip)\b"
)
_BODY = re.compile(r"\\begin\s{0,3}\{document\}")
_TITLE = re.compile(r"\\title\s{0,3}(?:\[[^\]]{0,300}\]\s{0,3})?(?=\{)")
_ABSTRACT = re.compile(r"\\abstract\s{0,3}(?=\{)")
_CAPTION = re.compile(r"\\caption(?:of\{[a-z]{1,20}\})?\*?\s{0,3}(?:\[[^\]]{0,500}\]\s{0,3})?(?=\{)")
_TABULAR = re.compile(r"\\begin\s{0,3}\{(tabular[xy*]?|longtable)\}")
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|centering|small|footnotesize|(?:cmidrule|cline)(?:\([a-z]{0,4}\))?\{[^{}]{0,30}\})"
)
_TAG = re.compile(r"\\tag\*?\s{0,3}\{([^{}]{1,30})\}")
_NOT_IN_FORMULAS = re.compile(r"\\(?:label|tag\*?)\s{0,3}\{[^{}\n]{0,100}\}|\\(?:nonumber|notag)\b")
_MAX_ROWS = 2_000
MAX_PARAGRAPH_SOURCE = 40_000


def read_latex_text(source: str, package: bytes, url: str) -> FullText | None:
    """The full text of a source package; None if it has no LaTeX document (a PDF, plain TeX).

    `source` is named in messages. Raises BadResponse for a package that cannot be read.
    """
    try:
        text = document_of(tex_files(package))
    except UnreadableArchive as error:
        raise BadResponse(f"{source} sent {error}") from error
    text = without_hidden(text) if text else None
    opening = _BODY.search(text) if text else None
    if not text or not opening:
        return None
    cited, numbers = _bibliography(text)
    reader = _Reader(text, numbers)
    reader.read_front()
    reader.read(opening.end())
    if not reader.outline.has_text:
        return None
    return FullText(
        format="latex", url=url, title=reader.title, sections=reader.outline.sections(), cited=cited,
        is_cut=reader.outline.is_cut,
    )  # fmt: skip


def _bibliography(text: str) -> tuple[tuple[CitedWork, ...], Mapping[str, int]]:
    try:
        entries = read_latex(text).entries
    except Unprocessable:  # it has none
        return (), {}
    numbers: dict[str, int] = {}
    for entry in entries:
        numbers.setdefault(entry.label or "", entry.number + 1)
    cited = (
        CitedWork(
            number=it.number + 1, text=one_line(it.line)[:2_000] or "?",
            ids=Identifiers(doi=it.fields.doi, pmid=it.fields.pmid, arxiv=it.fields.arxiv),
        )
        for it in entries
    )  # fmt: skip
    return tuple(cited), numbers


class _Reader:
    def __init__(self, text: str, numbers: Mapping[str, int]) -> None:
        self.outline = Outline()
        self._text, self._numbers = text, numbers
        self._closings = closing_braces(text)
        self._never_closed: set[str] = set()
        self._kind: Kind = "paragraph"
        self._counts: Counter[str] = Counter()

    @property
    def title(self) -> str | None:
        """The argument of `\\title` as text."""
        found = _TITLE.search(self._text)
        source = self._argument(found.end()) if found else ""
        return one_line(self._inline(source.replace("\\\\", " ")).text) or None

    def read_front(self) -> None:
        """Read an abstract that is the argument of a command, as some classes have it."""
        found = _ABSTRACT.search(self._text)
        if found:
            self.outline.enter_apart(ABSTRACT, "Abstract")
            self._add(self._argument(found.end()))
            self.outline.leave()

    def _argument(self, opening: int) -> str:
        return argument(self._text, opening, self._closings) or ""

    def read(self, start: int) -> None:
        """Read the document from this place on, up to its end."""
        text, done = self._text, start
        end = text.find("\\end{document}", start)
        end = len(text) if end < 0 else end
        while found := _TOKEN.search(text, done, end):
            self._add(text[done : found.start()])
            done = self._read_token(found, end)
            if done >= end:
                return
        self._add(text[done:end])

    def _read_token(self, found: re.Match[str], end: int) -> int:
        """Read what begins here; returns where to go on."""
        section, formula, floating, code, part, closing, quote, item, display, _ = found.groups()
        if section:
            heading = self._argument(found.end())
            self._kind = "paragraph"
            self.outline.enter(_LEVELS[section], self._inline(heading).text)
            return found.end() + len(heading) + 2
        if part == "thebibliography":
            return end
        if part:
            self.outline.enter_apart(ABSTRACT, "Abstract") if part == ABSTRACT else self.outline.enter(
                3, "Acknowledgements"
            )
        elif closing:
            self._kind = "paragraph"
            if closing == ABSTRACT:
                self.outline.leave()
        elif quote or item:
            self._kind = "quote" if quote else "list_item"
        elif formula or floating or code or display:
            return self._read_environment(found, formula or floating or code, end)
        return found.end()

    def _read_environment(self, found: re.Match[str], name: str | None, end: int) -> int:
        starred = f"{name}*" if name and found[0].rstrip("}").endswith("*") and not name.endswith("*") else name
        closing = f"\\end{{{starred}}}" if name else {"$$": "$$", "\\[": "\\]"}[found[0]]
        at = -1 if closing in self._never_closed else self._text.find(closing, found.end(), end)
        if at < 0:  # its content is read as text
            self._never_closed.add(closing)
            return found.end()
        inside = self._text[found.end() : at]
        if found[3]:
            self._read_float(inside, _FLOATS[found[3]])
        elif found[4]:
            self.outline.add(inside, "code")
        else:
            tag = _TAG.search(inside)
            self.outline.add(_NOT_IN_FORMULAS.sub("", inside), "formula", f"({tag[1]})" if tag else None)
        return at + len(closing)

    def _read_float(self, inside: str, kind: str) -> None:
        self._counts[kind] += 1
        label = f"{kind.capitalize()} {self._counts[kind]}"
        caption = _CAPTION.search(inside)
        closings = closing_braces(inside)
        inline = self._inline((argument(inside, caption.end(), closings) or "") if caption else "")
        opening = _TABULAR.search(inside)
        if opening:
            rows = [[self._inline(cell) for cell in row] for row in _rows(inside, opening, closings)]
            text = table_text(([cell.text for cell in row] for row in rows), caption=inline.text)
            cites = [*inline.cites, *(number for row in rows for cell in row for number in cell.cites)]
            self.outline.add(text, "table", label, cites)
        else:
            self.outline.add(inline.text, "figure", label, inline.cites)
        self._add_notes(inline)

    def _inline(self, source: str) -> TexInline:
        inline = TexInline(self._numbers)
        inline.read(source)
        return inline

    def _add(self, source: str) -> None:
        if source and not source.isspace():
            inline = self._inline(source[:MAX_PARAGRAPH_SOURCE])
            self.outline.add(inline.text, self._kind, None, inline.cites)
            self._add_notes(inline)

    def _add_notes(self, inline: TexInline) -> None:
        for note in inline.notes:
            inside = self._inline(note)
            self.outline.add(inside.text, "footnote", None, inside.cites)


def _rows(inside: str, opening: re.Match[str], closings: Mapping[int, int]) -> list[list[str]]:
    """The cells of a tabular; its column declaration and its rules are left out."""
    start = opening.end()
    while (declared := argument(inside, start, closings)) is not None:
        start += len(declared) + 2
    end = inside.find(f"\\end{{{opening[1]}}}", start)
    body = _RULE.sub("", inside[start : end if end >= 0 else len(inside)])
    rows = [re.split(r"(?<!\\)&", row) for row in re.split(r"\\\\(?:\[[^\]\n]{0,20}\])?", body)[:_MAX_ROWS]]
    return [row for row in rows if "".join(row).strip()]
