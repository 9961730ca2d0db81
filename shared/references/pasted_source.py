r"""What a pasted reference prints, where its source was pasted: lines of a PDF, LaTeX, a row of a table.

    \bibitem[Doe(2015)]{key} J.~Doe. \newblock Title. \newblock \emph{Journal}, 12:34--56, 2015.
    | 7 | Doe et al. | Title | Journal | 2015 |

Everything is bounded by the length of a reference, and linear in it.
"""

from __future__ import annotations

import re

from shared.bibliography.characters import ZERO_WIDTH, pattern_of
from shared.bibliography.tex_text import tex_to_text

FEWEST_CELLS = 4
_BROKEN_WORD = re.compile(rf"(?<=[^\W\d_])[-\u2010{pattern_of(ZERO_WIDTH)}][ \t]?\r?\n[ \t]{{0,20}}(?=[^\W\d_])")
_LATEX = re.compile(r"\\(?:bibitem|newblock|emph|text(?:it|bf|sc|sl|rm)|(?:it|em|bf|sc|penalty)\b)")
_LABEL = re.compile(r"\\bibitem\s{0,3}(?:\[[^\]]{0,200}\]\s{0,3})?\{[^{}]{0,200}\}")
_PENALTY = re.compile(r"\\penalty\s?\d{1,5}\s?")
_NUMBER = re.compile(r"[\s#.()\[\]]{0,10}\d{0,4}[\s.()\[\]]{0,10}")


def as_printed(text: str) -> str:
    """The text as a reader of the paper, web page or table would see it; most texts are returned as they are."""
    text = _BROKEN_WORD.sub("", text)
    if _LATEX.search(text):
        return tex_to_text(_PENALTY.sub("", _LABEL.sub("", text)))
    return _row(text, "\t") or _row(text, "|") or text


def _row(text: str, between: str) -> str | None:
    """The cells of a row of a table as sentences, without its number; None if it is no such row."""
    line = text.strip()
    if line.count(between) < FEWEST_CELLS - 1 or "\n" in line or "=" in line:
        return None
    cells = [cell.strip(" .") for cell in line.strip(between).split(between)]
    return ". ".join(cell for place, cell in enumerate(cells) if cell and (place or not _NUMBER.fullmatch(cell)))
