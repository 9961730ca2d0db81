r"""What LaTeX does not print: arguments that are measures, colours or definitions, and text that is hidden.

    \textcolor{red}{word}      word           \multicolumn{2}{c}{0.96}   0.96
    \phantom{0}9               9              {\color{white} word}       nothing

Sources: LaTeX2e reference manual (latexref.xyz), manuals of xcolor, multirow, graphicx and verbatim (ctan.org).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from shared.full_texts.tex_source import closing_braces

# How many arguments print nothing; one behind them is printed.
_COUNTS = {
    0: "ensuremath footnotemark hyperref makebox framebox",
    1: "textcolor color colorbox cellcolor rowcolor columncolor pagecolor scalebox rotatebox raisebox parbox phantom "
    "hphantom vphantom theoremstyle bibliographystyle pagestyle thispagestyle pagenumbering hypertarget hypersetup "
    "captionsetup linespread setlist tikzset pgfplotsset arrayrulecolor",
    2: "fcolorbox multicolumn multirow resizebox setlength addtolength setcounter addtocounter colorlet fontsize rule "
    "newcommand renewcommand providecommand DeclareRobustCommand DeclareMathOperator newtheorem",
    3: "definecolor rowcolors",
}
_COUNT = {name: count for count, names in _COUNTS.items() for name in names.split()}
_COMMAND = re.compile(rf"\\\\|\\({'|'.join(sorted(_COUNT, key=len, reverse=True))})\*?(?![A-Za-z])")
_OPTION = re.compile(r"\s{0,3}\[[^\[\]\n]{0,300}\]")
# A name without braces; a macro in its place may have been expanded.
_OPENING = re.compile(r"\s{0,3}(?:(\\[A-Za-z]{1,30}|[^\s{}\\\[\]]{1,40}(?=[{\[]))|(?=\{))")
_OPTION_BEHIND = ("footnotemark", "hyperref", "makebox", "framebox", "newtheorem")
_SKIP = re.compile(r"\\[vh]skip\s{0,3}-?[\d.]{1,9}\s?(?:pt|em|ex|cm|mm|in)\b")
_WHITE = re.compile(
    r"\\(text)?color\s{0,3}(?:\{\s{0,3}white\s{0,3}\}"
    r"|\[rgb\]\s{0,3}\{\s{0,3}1(?:\.0{0,9})?(?:\s{0,3},\s{0,3}1(?:\.0{0,9})?){2}\s{0,3}\}"
    r"|\[HTML\]\s{0,3}\{[Ff]{6}\}|\[gray\]\s{0,3}\{1(?:\.0{0,9})?\})\s{0,3}"
)
_CONDITION = re.compile(r"\\(if(?!f?(?![A-Za-z])|thenelse)[A-Za-z]{1,30}|if|else|fi)(?![A-Za-z])")
_COMMENT_BEGIN, _COMMENT_END = "\\begin{comment}", "\\end{comment}"


def without_arguments(source: str) -> str:
    """A piece of LaTeX without commands that print nothing of their own, and the arguments that are not printed."""
    source = _SKIP.sub(" ", source)
    if not any(found[1] for found in _COMMAND.finditer(source)):
        return source
    closings, parts, done = closing_braces(source), list[str](), 0
    for found in _COMMAND.finditer(source):
        if found[1] and found.start() >= done:
            parts.append(source[done : found.start()])
            done = _behind(source, found, closings)
    return "".join([*parts, source[done:]])


def _behind(source: str, found: re.Match[str], closings: Mapping[int, int]) -> int:
    at = found.end()
    for _ in range(_COUNT[found[1]]):
        option = _OPTION.match(source, at)
        opening = _OPENING.match(source, option.end() if option else at)
        if opening is None:
            return at
        if opening[1]:
            at = opening.end()
        elif (closing := closings.get(opening.end())) is not None:
            at = closing + 1
        else:
            return at
    option = _OPTION.match(source, at)
    is_own = option and (found[1] in _OPTION_BEHIND or source.startswith("{", option.end()))
    return option.end() if option and is_own else at


def without_hidden(text: str) -> str:
    """A document without what its authors have taken out of it, and what it prints in white."""
    text = _cut(text, _comments(text))
    text = _cut(text, _false_parts(text))
    return _cut(text, _white_parts(text))


def _comments(text: str) -> Iterator[tuple[int, int]]:
    end = 0
    while (begin := text.find(_COMMENT_BEGIN, end)) >= 0 and (closing := text.find(_COMMENT_END, begin)) >= 0:
        end = closing + len(_COMMENT_END)
        yield begin, end


def _false_parts(text: str) -> Iterator[tuple[int, int]]:
    r"""From each `\iffalse` to its `\else` or `\fi`; none where it is never closed."""
    if "\\iffalse" not in text:
        return
    begin, depth = -1, 0
    for found in _CONDITION.finditer(text):
        if begin < 0:
            begin = found.start() if found[1] == "iffalse" else -1
            depth = 1
        elif found[1] == "fi" or (found[1] == "else" and depth == 1):
            depth -= 1
            if not depth:
                yield begin, found.end()
                begin = -1
        elif found[1] != "else":
            depth += 1


def _white_parts(text: str) -> Iterator[tuple[int, int]]:
    r"""The argument of each `\textcolor{white}`, and what follows `\color{white}` in its group."""
    found_all = list(_WHITE.finditer(text))
    if not found_all:
        return
    closings = closing_braces(text)
    groups = sorted(closings.items())
    open_groups: list[int] = []
    number = 0
    for found in found_all:
        while number < len(groups) and groups[number][0] < found.start():
            while open_groups and open_groups[-1] < groups[number][0]:
                open_groups.pop()
            open_groups.append(groups[number][1])
            number += 1
        while open_groups and open_groups[-1] < found.start():
            open_groups.pop()
        end = closings.get(found.end()) if found[1] else open_groups[-1] if open_groups else None
        if end is not None:
            yield found.start(), end + 1 if found[1] else end


def _cut(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts, done = list[str](), 0
    for start, end in spans:
        if start >= done:
            parts.append(text[done:start])
            done = end
    return "".join([*parts, text[done:]])
