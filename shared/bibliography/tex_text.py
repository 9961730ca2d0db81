"""TeX as the text that it prints, with the position of each piece, so that a piece can be replaced at its place.

pylatexenc knows what each command prints. It is given one command at a time, with a bounded argument: it reads
groups recursively, and a document from outside may nest them without end. What a comment is, is decided here alone.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from typing import Any

from shared.bibliography.printed_source import PrintedText
from shared.bibliography.tex_journals import JOURNALS

# The commands whose (first) argument is an address or a path, in which a `%` begins no comment: of url, breakurl, doi
# and hyperref, whose `\href` may have options.
_ADDRESS_COMMANDS = ("url", "nolinkurl", "path", "burl", "doi", "href")
OPTIONS = r"\s{0,3}\[[^\[\]\r\n]{0,300}\]"
ADDRESS_COMMAND = rf"\\(?:{'|'.join(_ADDRESS_COMMANDS)}(?:(?<=href){OPTIONS})?)\s{{0,3}}\{{"  # with the opening brace
# As url has it, any sign may enclose an address. Those behind `\url` in its definitions, `\def\url#1`, enclose none;
# TikZ has another `\path (a) -- (b)`.
_CODE_COMMAND = r"\\(?:verb\*?|url[ \t]{0,3}(?![#%=\[])|path(?=[!+|]))"
_LINE_END = r"(?:\r\n?|\n)"
_SIGNS = rf"[^{{}}\\\r\n]++|\\[^\r\n]|{_LINE_END}(?![ \t]*[\r\n])"  # no paragraph ends in an argument
# Environments whose content is printed as it stands; one that is never closed is read as text.
CODE_ENVIRONMENTS = r"(?:verbatim|lstlisting|minted|alltt)\*?"
_CODE_BLOCK = (
    rf"\\begin\s{{0,3}}\{{(?P<environment>{CODE_ENVIRONMENTS})\}}"
    r"(?P<block>(?:[^\\]++|\\(?!(?:begin|end)\{(?P=environment)\}))*+)\\end\{(?P=environment)\}"
)
_VERBATIM = (
    rf"(?P<command>{ADDRESS_COMMAND})(?P<address>(?:{_SIGNS}|\{{(?:{_SIGNS})*+\}})*+)\}}"
    r"(?P<text_behind>(?=\s{0,3}\{))?"
    rf"|{_CODE_COMMAND}(?P<sign>[!-)+-@\[\]-`|~])(?P<code>[^\r\n]*?)(?P=sign)|{_CODE_BLOCK}"
)
# An address, code or an address between two signs, a comment, or an escaped character: what is read first decides on
# the signs in it.
_PIECE = re.compile(rf"{_VERBATIM}|(?P<comment>%[^\r\n]*(?:{_LINE_END}[ \t]*+(?![\r\n]))?)|\\.", re.S)
_PIECE_OF_VALUE = re.compile(rf"{_VERBATIM}|\\.", re.S)
# What a style of BibTeX writes into its .bbl and TeX does not print: REVTeX's and ACM's kinds of fields, as
# `\bibinfo {year} {1935}`, a link that leads nowhere, the end of an entry, and natbib's places for line ends.
_NOT_PRINTED = (
    r"\\(?:bibinfo|bibfield)\s{0,3}\{[^{}]{0,40}\}\s{0,3}(?=\{)|\\(?:href@noop|BibitemShut)\s{0,3}\{[^{}]{0,40}\}"
    r"|\\penalty\s{0,3}-?\d{1,5} ?"
)
_TOKEN = re.compile(
    rf"(?P<not_printed>{_NOT_PRINTED})"
    r"|\\[`'^\"~=.](?:\{[^{}\n]{0,9}\}|\\[ij]\b[ \t]?|[A-Za-z])"
    r"|\\[uvHtcdbkr](?:\{[^{}\n]{0,9}\}|[ ][A-Za-z](?![A-Za-z]))"
    r"|\\[A-Za-z]{1,30}\*?[ \t]{0,9}|\\.|---?|~|``|''|[{}$]|\s+",
    re.S,
)
# BibTeX breaks a long line behind a `%`; TeX leaves the break out.
_IN_ADDRESS = re.compile(rf"%[ \t]{{0,9}}{_LINE_END}[ \t]*|\s+|\\[A-Za-z]{{1,30}}[ \t]{{0,9}}|\\.|[{{}}]", re.S)
_PRINTED = {
    "---": "—", "--": "–", "~": " ", "``": "“", "''": "”", "{": "", "}": "", "$": "", "\\ ": " ", "\\\\": " ",
    # What pylatexenc does not know.
    r"\textbraceleft": "{", r"\textbraceright": "}", r"\textless": "<", r"\textgreater": ">", r"\textbar": "|",
    r"\textasciicircum": "^", r"\textunderscore": "_", r"\copyright": "©", **JOURNALS,
}  # fmt: skip
_BLANK = re.compile(r"\s+")
_BRACE = re.compile(r"\\.|[{}]", re.S)
# The argument of a command, or a sign.
_NO_GROUP = re.compile(r"(?:\\[A-Za-z]{1,30}\*?\s{0,9}|\\.|\\|[\]}]\s{0,3})\{\Z", re.S)
_KNOWN = re.compile(r"\\(?:[A-Za-z]+|.)", re.S)


def printed_tex(source: str, *, has_comments: bool = True) -> PrintedText:
    """What TeX prints: accents as letters, braces and commands dropped, comments left out; linear in the length.

    The values of BibTeX have no comments: a `%` is a sign as every other.
    """
    printed = PrintedText()
    done = 0
    for piece in (_PIECE if has_comments else _PIECE_OF_VALUE).finditer(source):
        if piece.lastgroup is None:  # an escaped character is text
            continue
        printed.add_tokens(source, _TOKEN, _print, done, piece.start())
        if piece["code"]:
            printed.add(piece["code"], *piece.span("code"))
        elif piece["block"]:
            printed.add_tokens(source, _BLANK, _print, *piece.span("block"))
        elif piece["address"] and not _is_hidden(piece):
            _add_address(printed, piece)
        done = piece.end()
    printed.add_tokens(source, _TOKEN, _print, done, len(source))
    return printed


def tex_to_text(source: str, *, has_comments: bool = True) -> str:
    """The text that TeX prints, on one line."""
    return printed_tex(source, has_comments=has_comments).text.strip()


def without_comments(source: str) -> str:
    """The source without its comments: each joins the text of the next line, but not over an empty line."""
    return _PIECE.sub(lambda piece: "" if piece["comment"] else piece[0], source)


def active_tex(source: str) -> str:
    """The source with blanks in place of its comments, and of the backslashes in code, where there are no commands."""
    return _PIECE.sub(_active, source)


def _active(piece: re.Match[str]) -> str:
    if piece["comment"]:
        return " " * len(piece[0])
    return piece[0] if piece["code"] is None and piece["block"] is None else piece[0].replace("\\", " ")


def whole_groups(source: str, start: int, end: int) -> tuple[int, int] | None:
    """The place with the braces at its edges, so that none of them loses its partner by what is written there.

    None if there is text between the place and a brace, or if what they enclose is the argument of a command.
    """
    opened = closed = 0
    for brace in _BRACE.finditer(source, start, end):
        if brace[0] == "{":
            opened += 1
        elif brace[0] == "}":
            opened, closed = (opened - 1, closed) if opened else (0, closed + 1)
    while opened and source.startswith("}", end):
        opened, end = opened - 1, end + 1
    while closed and source[:start].endswith("{") and not _NO_GROUP.search(source[max(0, start - 50) : start]):
        closed, start = closed - 1, start - 1
    return None if opened or closed else (start, end)


def link_addresses(source: str) -> list[PrintedText]:
    """The addresses of the links that show a text in their place."""
    found = (piece for piece in _PIECE.finditer(source) if _is_hidden(piece))
    return [_add_address(PrintedText(), piece) for piece in found]


def is_verbatim(source: str, position: int) -> bool:
    """Whether this place lies in an address or in code, where no sign is escaped."""
    pieces = (piece for piece in _PIECE.finditer(source) if piece.start() < position < piece.end())
    return any(piece[name] is not None for piece in pieces for name in ("address", "code", "block"))


def _is_hidden(piece: re.Match[str]) -> bool:
    """Whether this is the address of a link that shows a text in its place."""
    return (piece["command"] or "").startswith("\\href") and piece["text_behind"] is not None


def _add_address(printed: PrintedText, piece: re.Match[str]) -> PrintedText:
    printed.add_tokens(piece.string, _IN_ADDRESS, _print_in_address, *piece.span("address"))
    return printed


def _print(found: re.Match[str]) -> str:
    token = found[0]
    if found.lastgroup:
        return ""
    if (printed := _PRINTED.get(token, _PRINTED.get(token.rstrip()))) is not None:
        return printed
    if token.isspace():
        return " "
    if token.strip("\\ \t") in _ADDRESS_COMMANDS:  # with an argument that is never closed
        return ""
    return _command(token)


def _print_in_address(found: re.Match[str]) -> str:
    r"""What a break, a command or a brace in an address prints; exporters write an underscore as `{\_}`."""
    token = found[0]
    if token.isspace():
        return "" if "\n" in token or "\r" in token else " "
    if token.startswith("\\"):
        return "~" if token[1] == "~" else _print(found)
    return ""


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
