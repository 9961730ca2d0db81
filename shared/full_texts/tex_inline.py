r"""The text of a LaTeX paragraph: formulas as TeX, citations with their numbers, footnotes apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from shared.bibliography.tex_text import OPTIONS, tex_to_text
from shared.full_texts.tex_source import argument, closing_braces
from shared.full_texts.tex_unprinted import without_arguments

# No formula begins at an escaped dollar: in a text of those, each would read on to its end.
_FORMULA = r"(?<!(?<!\\)\\)\$((?:\\.|[^$\\]){1,1000})\$|\\\(([^\\]{0,300}(?:\\(?![()])[^\\]{0,300}){0,60})\\\)"
_CITE = (
    r"\\(?:[Cc]ite|(?:paren|text|foot|auto|smart|super|full)[Cc]ite|[Cc]ite(?:t|p|alt|alp))[a-z]{0,8}\*?[ \t]{0,3}"
    r"(?:\[[^\[\]]{0,300}\][ \t]{0,3}){0,2}\{([^{}]{1,2000})\}"
)
_NOTE = r"(\\footnote(?:text)?|\\thanks)(?:\[[^\]]{0,20}\])?(?=\{)"
_LINK = (
    r"\\(?:label|ref|eqref|autoref|[cC]ref|pageref|vspace|hspace|index|includegraphics)\*?"
    r"(?:\[[^\]\n]{0,300}\])?\{[^{}\n]{0,300}\}"
)
_SPECIAL = re.compile(f"{_FORMULA}|{_CITE}|{_NOTE}|({_LINK})", re.S)
_HREF = re.compile(rf"\\href(?:{OPTIONS})?\s{{0,3}}\{{[^{{}}\n]{{0,500}}\}}\s{{0,3}}(?=\{{)")


@dataclass(slots=True)
class TexInline:
    """The text of a piece of LaTeX, the numbers of the works that it cites, and its footnotes as LaTeX."""

    numbers: Mapping[str, int]  # key -> number
    parts: list[str] = field(default_factory=list)
    cites: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What was read so far."""
        return "".join(self.parts)

    def read(self, source: str) -> None:
        """Read a piece of LaTeX without environments."""
        source = without_arguments(_HREF.sub("", source))
        done = 0
        closings = closing_braces(source) if "\\footnote" in source or "\\thanks" in source else {}
        for found in _SPECIAL.finditer(source):
            if found.start() < done:
                continue  # within a footnote
            self._print(source[done : found.start()])
            done = found.end()
            if formula := found[1] or found[2]:
                self.parts.append(formula.strip())
            elif found[3]:
                self._cite(found[3])
            elif found[4]:
                note = argument(source, found.end(), closings)
                if note is not None:
                    self.notes.append(note)
                    done = found.end() + len(note) + 2
        self._print(source[done:])

    def _print(self, source: str) -> None:
        if not source:
            return
        printed = tex_to_text(source)
        before, after = source[0].isspace() or source[0] == "~", source[-1].isspace() or source[-1] == "~"
        self.parts.append(f"{' ' * before}{printed}{' ' * after}" if printed else " " * (before or after))

    def _cite(self, keys: str) -> None:
        shown = []
        for key in (it.strip() for it in keys.split(",")):
            number = self.numbers.get(key)
            if number:
                self.cites.append(number)
            if key:
                shown.append(str(number or key))
        self.parts.append(f"[{', '.join(shown)}]")
