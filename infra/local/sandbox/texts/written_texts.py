"""The full texts that the sandbox serves, written for this project: they say nothing that the papers of these ids say.

`full_texts.txt` has a line for each paragraph:

    === id | format | language | licence      a text; the id is a PMCID or an arXiv id
    cited: name, name                         its bibliography: papers of the corpus, numbered from 1
    @abstract [language] Heading              an abstract; @ack: acknowledgements; @quote text
    # Heading, ## Heading                     sections
    - text                                    an item of a list
    || Label | caption                        a table, followed by its rows, `| cell | cell`
    !! Label | caption                        a figure
    $$ (1) | TeX                              a formula, with or without a number

In a text `[1,2]` cites, `$…$` is a formula, `^[…]` a footnote and `10^6` has a superscript.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_name("full_texts.txt")
_INLINE = re.compile(r"\[(\d+(?:,\d+)*)\]|\$([^$]+)\$|\^\[([^\]]+)\]|(?<=\d)\^(\d+)")
_KINDS = {"- ": "item", "$$": "formula", "!!": "figure", "||": "table", "@quote": "quote"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a paragraph: text, or what `kind` names: cite, formula, footnote, power."""

    kind: str
    text: str


@dataclass(slots=True)
class Block:
    """A paragraph, item, quote, formula, figure or table; the first row of a table has its headings."""

    kind: str
    text: str
    label: str = ""
    rows: list[list[str]] = field(default_factory=list)


@dataclass(slots=True)
class Part:
    """A section, or an abstract (level 0), or the acknowledgements (level -1)."""

    level: int
    heading: str
    language: str = ""
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Written:
    """One text."""

    id: str
    format: str
    language: str
    licence: str
    cited: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)


def pieces(text: str) -> list[Piece]:
    """Return the pieces of a paragraph."""
    found, done = [], 0
    for match in _INLINE.finditer(text):
        found.append(Piece("text", text[done : match.start()]))
        number = next(n for n in range(1, 5) if match[n] is not None)
        found.append(Piece(("cite", "formula", "footnote", "power")[number - 1], match[number]))
        done = match.end()
    return [it for it in (*found, Piece("text", text[done:])) if it.text]


@cache
def written_texts() -> dict[str, Written]:
    """Return the texts of `full_texts.txt` by their ids."""
    return read_written(SOURCE)


def read_written(source: Path) -> dict[str, Written]:
    """Return the texts of a file in this form by their ids."""
    texts: dict[str, Written] = {}
    for line in filter(None, source.read_text(encoding="utf-8").splitlines()):
        if line.startswith("=== "):
            name, form, language, licence = (part.strip() for part in line[4:].split(" | "))
            text = Written(name, form, language, licence)
            texts[text.id] = text
        else:
            _read_line(text, line)
    return texts


def _read_line(text: Written, line: str) -> None:
    if line.startswith("cited:"):
        text.cited = [name for name in line.removeprefix("cited:").strip().split(", ") if name]
    elif line.startswith("@abstract "):
        language, _, heading = line.removeprefix("@abstract ").rpartition(" ")
        text.parts.append(Part(0, heading, language))
    elif line.startswith("@ack"):
        text.parts.append(Part(-1, "Acknowledgements"))
    elif line.startswith("#"):
        marks, _, heading = line.partition(" ")
        text.parts.append(Part(len(marks), heading))
    elif line.startswith("| "):
        text.parts[-1].blocks[-1].rows.append([cell.strip() for cell in line[2:].split(" | ")])
    else:
        text.parts[-1].blocks.append(_block(line))


def _block(line: str) -> Block:
    mark = next((mark for mark in _KINDS if line.startswith(mark)), "")
    rest = line.removeprefix(mark).strip()
    if mark in ("$$", "!!", "||"):
        label, _, rest = rest.partition("|")
        return Block(_KINDS[mark], rest.strip(), label.strip())
    return Block(_KINDS.get(mark, "paragraph"), rest)
