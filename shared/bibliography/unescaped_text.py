"""Undoes escapes in a text: entities, percent signs, JSON and LaTeX backslashes, fullwidth forms, invisible marks."""

from __future__ import annotations

import html
import re
import unicodedata
from urllib.parse import unquote

from shared.bibliography.characters import INVISIBLE, JOINERS, VARIATIONS, pattern_of

_PLAIN = str.maketrans("‐‑–−﹣⁄∕\t\v\f\x85\u2028\u2029", "-----// \n\n\n\n\n")
# `{\textless}`, `\textless{}`, `$<$`, `\ensuremath{<}`
_LATEX_SIGN = r"""(?:\{\\text(?:less|greater|underscore)(?:\{\})?\}
    | \\text(?:less|greater|underscore)(?:\{\}|[ ]|(?![a-z]))
    | \{\$[<>]\$\} | \$[<>]\$ | \{\\ensuremath\{[<>]\}\} | \\ensuremath\{[<>]\})"""
# `\n` of a text inside a string, where an id or another break follows; elsewhere it may begin a command or a path
_LINE_BREAK = r"""\\{1,2}(?-i:[nrt])(?=\s|\\|10\.[0-9]{4}|(?:doi|https?|pmid|pmcid|arxiv|corpusid)[:\ /]|www\.)"""
_SIGNS = {"less": "<", "greater": ">", "underscore": "_"}
_WIDE = "０-９Ａ-Ｚａ-ｚ"
_ESCAPE = re.compile(
    rf"""[{pattern_of(INVISIBLE | JOINERS | VARIATIONS)}] | %[c-f][0-9a-f](?:%[89ab][0-9a-f]){{1,3}}
    | [\t\v\f\x85\u2028\u2029\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000‐‑−﹣⁄∕{_WIDE}．／－＿\U0001d400-\U0001d7ff]
    | (?<=[0-9])–(?=[0-9](?!0?\.[0-9]{{4}})) | (?<=[{_WIDE}])[\uff01-\uff5e]
    | &(?:amp;){{0,2}}(?:\#[0-9]{{1,6}}|\#x[0-9a-f]{{1,5}}|[a-z]{{2,8}}); | %(?:25)?[0-7][0-9a-f]
    | \\u[0-9a-f]{{4}} | \{{\\[_&%\#]\}} | {_LATEX_SIGN} | {_LINE_BREAK} | \\{{1,2}}[!-/:-@\[\]_~]""",
    re.IGNORECASE | re.ASCII | re.VERBOSE,
)


_LATEX = re.compile(r"(?<=\\text)(?:less|greater|underscore)|[<>]", re.IGNORECASE)


class UnescapedText:
    """A text with its escapes undone; `starts` and `ends` are the offsets of each character in the source."""

    def __init__(self, source: str) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        parts: list[str] = []
        done = 0
        for escape in _ESCAPE.finditer(source):
            meant = _meaning(escape[0])
            if len(meant) < 2:  # what is longer was not an escape and stays
                parts += source[done : escape.start()], meant
                self._copy(range(done, escape.start()))
                done = escape.end()
                self.starts += [escape.start()] * len(meant)
                self.ends += [done] * len(meant)
        self._copy(range(done, len(source)))
        self.text = "".join([*parts, source[done:]])

    def _copy(self, places: range) -> None:
        self.starts += places
        self.ends += range(places.start + 1, places.stop + 1)


def _meaning(escape: str) -> str:
    """The one character that an escape stands for; "" for an invisible mark."""
    if escape[0] == "\\" and len(escape) == 6:
        meant = chr(int(escape[2:], 16))
    elif escape[0] in "\\{$" and (sign := _LATEX.search(escape)):
        meant = _SIGNS.get(sign[0].lower(), sign[0])
    elif escape[0] == "\\" and escape[-1] in "nrt":
        meant = "\n"
    elif escape[0] in "\\{":
        meant = escape.strip("{}")[-1]
    else:
        meant = html.unescape(html.unescape(html.unescape(escape))) if escape[0] == "&" else unquote(unquote(escape))
    if len(meant) != 1:
        return meant
    if unicodedata.category(meant) == "Cf" or meant in VARIATIONS:
        return ""
    if "\uff01" <= meant <= "\uff5e" or "\U0001d400" <= meant <= "\U0001d7ff":  # not ¹, which is a footnote's
        return unicodedata.normalize("NFKC", meant)
    return " " if unicodedata.category(meant) == "Zs" else meant.translate(_PLAIN)
