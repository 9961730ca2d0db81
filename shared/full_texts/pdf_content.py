"""Follows the operators of a page's content, with those of the forms in it, and collects the text that is seen.

Source: ISO 32000-2, annex A (operators).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from pypdf.errors import PyPdfError
from pypdf.generic import ContentStream, DictionaryObject

from shared.full_texts.pdf_fonts import PdfFont, font_of
from shared.full_texts.pdf_pages import WORD_GAP, TextRun
from shared.full_texts.pdf_state import IDENTITY, GraphicsState, Matrix, TextPlace, matrix_of, numbers, product

MAX_OPERATORS = 300_000  # of a file: some seconds, or three hundred pages of text
MAX_CHARS = 2_000_000  # of a file
MAX_FAILURES = 4  # each may take seconds
MAX_FORMS = 2_000  # of a page, each time that one is drawn
MAX_DEPTH = 8  # of forms within forms, and of saved states
MAX_SAVED = 500
RUN_GAP = 0.9  # a run ends before a gap of a blank or more
_TEXT_STATE = frozenset({b"Tc", b"Tw", b"Tz", b"TL", b"Ts", b"Tr"})
_FILL_COLOUR = frozenset({b"g", b"rg", b"k", b"sc", b"scn"})


@dataclass(slots=True)
class Bounds:
    """What was read of one file so far, with its fonts, which pages share."""

    operators: int = 0
    chars: int = 0
    failures: int = 0  # pages and forms that could not be read
    fonts: dict[int, tuple[Any, PdfFont]] = field(default_factory=dict)  # by their resource, which stays in memory

    @property
    def are_reached(self) -> bool:
        """Whether no more is read."""
        return self.operators >= MAX_OPERATORS or self.chars >= MAX_CHARS or self.failures >= MAX_FAILURES


class Content:
    """The runs of one page. `edges` are the left, lower, right and upper edge of what is shown of it."""

    def __init__(
        self, reader: Any, bounds: Bounds, place: Matrix, edges: tuple[float, ...], hidden: frozenset[int]
    ) -> None:
        self.runs: list[TextRun] = []
        self._reader, self._bounds, self._edges, self._hidden = reader, bounds, edges, hidden
        self._open_forms: list[int] = []
        self._forms = 0
        self._resources: Any = {}
        self._state, self._place = GraphicsState(place), TextPlace()
        self._saved: list[GraphicsState] = []
        self._layers: list[bool] = []  # of each open marked content, whether it is hidden

    def read(self, content: ContentStream, resources: Any) -> None:
        """Follow all operators. Raises what pypdf raises for broken content."""
        outer, self._resources = self._resources, resources.get_object() if resources is not None else self._resources
        for operands, operator in content.operations:
            self._bounds.operators += 1
            if self._bounds.are_reached:
                break
            self._follow(bytes(operator), operands)
        self._resources = outer

    def _follow(self, operator: bytes, operands: Any) -> None:
        match operator:
            case b"Tj" | b"TJ" | b"'" | b'"':
                self._show(operator, operands)
            case b"BT":
                self._place.begin()
            case b"Td" | b"TD" | b"T*" | b"Tm":
                self._move(operator, numbers(operands))
            case b"Tf" if len(operands) > 1:
                self._state.font, self._state.size = str(operands[0]), next(iter(numbers(operands[1:])), 0.0)
            case b"q" if len(self._saved) < MAX_SAVED:
                self._saved.append(self._state.saved())
            case b"Q" if self._saved:
                self._state = self._saved.pop()
            case b"cm":
                self._state.place = product(matrix_of(operands), self._state.place)
            case b"gs" if operands:
                look = self._resource("/ExtGState", operands[0])
                if isinstance(look, dict) and "/ca" in look:
                    self._state.is_transparent = numbers([look["/ca"]])[:1] == [0.0]
            case b"cs" if operands:
                self._set_space(operands[0])
            case b"Do" if operands:
                self._draw(operands[0])
            case b"BMC" | b"BDC":
                self._layers.append(self._is_hidden_layer(operands))
            case b"EMC" if self._layers:
                self._layers.pop()
            case _ if operator in _TEXT_STATE:
                self._state.set_number(operator, operands)
            case _ if operator in _FILL_COLOUR:
                self._state.set_colour(operator, operands)

    def _move(self, operator: bytes, operands: Sequence[float]) -> None:
        if operator == b"Tm":
            self._place.set(matrix_of(operands))
        elif operator == b"T*":
            self._place.move(0.0, -self._state.leading)
        elif len(operands) == 2:
            if operator == b"TD":
                self._state.leading = -operands[1]
            self._place.move(operands[0], operands[1])

    def _show(self, operator: bytes, operands: Any) -> None:
        if operator == b'"' and len(operands) == 3:
            self._state.set_number(b"Tw", operands[:1])
            self._state.set_number(b"Tc", operands[1:2])
        if operator in (b"'", b'"'):
            self._place.move(0.0, -self._state.leading)
        if not operands:
            return
        shown = operands[-1]
        font = self._font()
        run = _OpenRun(self, font)
        for part in shown if isinstance(shown, list) else (shown,):
            if isinstance(part, int | float):
                self._place.advance(-numbers([part])[0] / 1000 * self._state.size * self._state.stretch)
            elif isinstance(part, bytes | str):
                run.add(part if isinstance(part, bytes) else part.encode("latin-1", "replace"))
        run.end()

    def on_page(self) -> Matrix:
        """Where the next glyph begins, and how it is scaled."""
        shift: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, self._state.rise)
        return product(product(shift, self._place.text), self._state.place)

    def is_seen(self, place: Matrix) -> bool:
        """Whether a glyph that begins there is seen."""
        left, lower, right, upper = self._edges
        is_inside = left <= place[4] <= right and lower <= place[5] <= upper
        return is_inside and not any(self._layers) and self._state.shows(place)

    def advance(self, width: float, *, is_blank_byte: bool) -> None:
        """Move behind a glyph of this width, in units of the font size."""
        state = self._state
        extra = state.char_space + (state.word_space if is_blank_byte else 0.0)
        self._place.advance((width * state.size + extra) * state.stretch)

    def take(self, run: TextRun) -> None:
        """Add a run that is complete."""
        self._bounds.chars += len(run.text)
        self.runs.append(run)

    @property
    def size(self) -> float:
        """The font size before any scaling."""
        return self._state.size

    def _font(self) -> PdfFont:
        resource = self._resource("/Font", self._state.font)
        if resource is None:
            return PdfFont(None)
        known = self._bounds.fonts.get(id(resource))
        if known is None:
            known = self._bounds.fonts[id(resource)] = (resource, font_of(resource))
        return known[1]

    def _resource(self, kind: str, name: object) -> Any:
        group = self._resources.get(kind) if isinstance(self._resources, dict) else None
        group = group.get_object() if group is not None else None
        found = group.get(name) if isinstance(group, dict) else None
        return found.get_object() if found is not None else None

    def _set_space(self, name: object) -> None:
        """Name the family of the fill's colour space; an ICC profile says how many parts its colours have."""
        space = self._resource("/ColorSpace", name)
        family, *more = space if isinstance(space, list) and space else (name if space is None else space,)
        profile = more[0].get_object() if more and family == "/ICCBased" else None
        parts = profile.get("/N") if isinstance(profile, dict) else 0
        self._state.set_space(str(family), parts if isinstance(parts, int) else 0)

    def _draw(self, name: object) -> None:
        """Follow a form; one that draws itself is drawn once."""
        form = self._resource("/XObject", name)
        if not isinstance(form, dict) or form.get("/Subtype") != "/Form" or id(form) in self._open_forms:
            return
        self._forms += 1
        if self._forms > MAX_FORMS or len(self._open_forms) >= MAX_DEPTH:
            return
        outer, saved, layers, place = self._state.saved(), self._saved, self._layers, self._place
        self._open_forms.append(id(form))
        self._state.place = product(matrix_of(form.get("/Matrix", ())), self._state.place)
        self._saved, self._layers, self._place = [], [any(layers)], TextPlace()
        resources = self._resources
        try:
            self.read(ContentStream(form, self._reader, "bytes"), form.get("/Resources"))
        except PyPdfError:  # a drawing of too many operators, mostly: the text around it can be read
            self._bounds.failures += 1
        self._open_forms.pop()
        self._state, self._saved, self._layers, self._place = outer, saved, layers, place
        self._resources = resources

    def _is_hidden_layer(self, operands: Any) -> bool:
        if len(operands) < 2 or operands[0] != "/OC":
            return False
        group = self._resources.get("/Properties") if isinstance(self._resources, dict) else None
        named = group.get_object() if group is not None else None
        layer = named.raw_get(operands[1]) if isinstance(named, DictionaryObject) and operands[1] in named else None
        return getattr(layer, "idnum", None) in self._hidden


class _OpenRun:
    """Collects the glyphs of one operator into runs: a new one begins behind a wide gap, and when text gets unseen."""

    def __init__(self, content: Content, font: PdfFont) -> None:
        self._content, self._font = content, font
        self._parts: list[str] = []
        self._start: Matrix = IDENTITY
        self._end = 0.0

    def add(self, string: bytes) -> None:
        """Add the glyphs of a string at the place that the content has reached."""
        content = self._content
        for glyph in self._font.glyphs(string):
            place = content.on_page()
            content.advance(glyph.width, is_blank_byte=glyph.is_blank_byte)
            if not content.is_seen(place):
                self.end()
                continue
            em = content.size * place[0]
            gap = place[4] - self._end
            if self._parts and (gap > RUN_GAP * em or gap < -em):
                self.end()
            elif self._parts and gap > WORD_GAP * em and not self._parts[-1].endswith(" "):
                self._parts.append(" ")
            if not self._parts:
                self._start = place
            self._parts.append(glyph.text)
            self._end = place[4] + glyph.width * em

    def end(self) -> None:
        """Hand the run over, if there is text in it."""
        text = "".join(self._parts)
        if text.strip():
            size = self._content.size * self._start[3]
            run = TextRun(text, self._start[4], self._start[5], self._end, size, self._font.is_bold)
            if all(map(isfinite, (run.x, run.y, run.end, run.size))):
                self._content.take(run)
        self._parts = []
