"""TeX as the text that it prints, with the position of each piece, so that a piece can be replaced at its place.

pylatexenc knows what each command prints. It is given one command at a time, with a bounded argument: it reads
groups recursively, and a document from outside may nest them without end.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from typing import Any

from shared.bibliography.printed_source import PrintedText, print_tokens

# Arguments that are not printed, or are not text.
_TOKEN = re.compile(
    r"%[^\n]*(?:\n[ \t]*)?"
    r"|\\[`'^\"~=.](?:\{[^{}\n]{0,9}\}|\\[ij]\b|[A-Za-z])|\\[uvHtcdbkr](?:\{[^{}\n]{0,9}\}|[ ][A-Za-z](?![A-Za-z]))"
    r"|\\href\{[^{}\n]{0,500}\}(?=\{)|\\(?:url|doi)(?=\{)|\\[A-Za-z]{1,30}\*?[ \t]{0,9}|\\.|---?|~|``|''|[{}$]|\s+",
    re.S,
)
_PRINTED = {
    "---": "—", "--": "–", "~": " ", "``": "“", "''": "”", "{": "", "}": "", "$": "", "\\ ": " ", "\\\\": " ",
    # What pylatexenc does not know.
    r"\textbraceleft": "{", r"\textbraceright": "}", r"\textless": "<", r"\textgreater": ">", r"\textbar": "|",
    r"\textasciicircum": "^", r"\copyright": "©",
}  # fmt: skip
_KNOWN = re.compile(r"\\(?:[A-Za-z]+|.)", re.S)


def printed_tex(source: str) -> PrintedText:
    """What TeX prints: accents as letters, braces and commands dropped, comments left out; linear in the length."""
    return print_tokens(source, _TOKEN, lambda token: _print(token[0]))


def tex_to_text(source: str) -> str:
    """The text that TeX prints, on one line."""
    return printed_tex(source).text.strip()


def _print(token: str) -> str:
    if (printed := _PRINTED.get(token, _PRINTED.get(token.rstrip()))) is not None:
        return printed
    if token.isspace():
        return " "
    if token.startswith(("%", r"\href", r"\url", r"\doi")):
        return ""
    return _command(token)


@lru_cache(maxsize=2_000)
def _command(token: str) -> str:
    """What a command with its accent's argument prints; a blank for what prints nothing, such as `\\newblock`."""
    name = _KNOWN.match(token)
    if name and name[0] in (r"\newblock", r"\par", r"\and", r"\,", r"\;", r"\quad"):
        return " "
    if len(token) == 2 and not token[1].isalnum() and token[1] in "&%$#_{}-/@!":
        return "" if token[1] in "-/@!" else token[1]
    try:
        printed: str = _printer().latex_to_text(token, tolerant_parsing=True)
    except (LookupError, TypeError, AttributeError):  # pylatexenc needs the arguments of a few commands: \input
        return ""
    return printed.strip("\n")


@lru_cache(maxsize=1)
def _printer() -> Any:
    """pylatexenc's printer, which takes a millisecond to make."""
    from pylatexenc.latex2text import LatexNodes2Text

    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)  # it would log what others wrote
    return LatexNodes2Text()
