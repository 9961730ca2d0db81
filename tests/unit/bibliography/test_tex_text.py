r"""What TeX prints, and where its comments are.

What each command does with a `%` is from the LaTeX2e reference manual (latexref.xyz) and the manuals of url, hyperref,
breakurl and doi (ctan.org).
"""

from __future__ import annotations

import pytest

from shared.bibliography.tex_text import active_tex, link_addresses, printed_tex, tex_to_text, without_comments
from tests.growth import MOST, growth

PRINTED = [
    ("A % secret\n  B", "A B"),
    ("A % secret\rB % secret\r\n C", "A B C"),
    ("\\url{https://e.org/%\r  a/\r\n  b%20} c", "https://e.org/a/b%20 c"),
    ("A \\\\% secret\nB", "A B"),
    ("A \\\\\\% B", "A % B"),
    (r"50\% of it", "50% of it"),
    (r"Garc\'\i a, {\`\i} b", "García, ì b"),
    (r"\url{https://e.org/a%20b} more", "https://e.org/a%20b more"),
    (r"\url{https://e.org/a\%20b\_c{\_}d} more", "https://e.org/a%20b_c_d more"),
    (r"\nolinkurl{e.org/a%20b} \path{a%b} \doi{10.1000/a%3Cb}", "e.org/a%20b a%b 10.1000/a%3Cb"),
    (r"\url {https://e.org/{a%20}b}", "https://e.org/a%20b"),
    (r"\url{https://e.org/~me/a--b\~{}c$d}", "https://e.org/~me/a--b~c$d"),
    ("\\url{https://e.org/%\n  a/\n  b} c", "https://e.org/a/b c"),
    (r"\href{https://e.org/a%20b}{text} more", "text more"),
    (r"\href{https://e.org/a%20b} more", "https://e.org/a%20b more"),
    (r"\url|https://e.org/a%20b_c| more", "https://e.org/a%20b_c more"),
    (r"\url !https://e.org/{a%20b! more", "https://e.org/{a%20b more"),
    (r"\path+a%b+ more", "a%b more"),
    (r"\burl{https://e.org/a%20b} more", "https://e.org/a%20b more"),
    (r"\href[page=2]{https://e.org/a%20b}{text} more", "text more"),
    (r"\href[page=2] {https://e.org/a%20b} more", "https://e.org/a%20b more"),
    ("\\def\\url#1{#1} % secret #\nB", "#1#1 B"),
    ("\\path (a) % secret (\n edge (b)", "(a) edge (b)"),
    (r"\verb|a%b| and \verb*+\a%{+ more", r"a%b and \a%{ more"),
    ("\\begin{verbatim}\n50% of\n  it\\end{verbatim} more", "50% of it more"),
    ("\\begin{lstlisting}a % b\\end{lstlisting} % secret", "a % b"),
    ("\\begin{alltt}a % b\\begin{x}\\end{alltt}", r"a % b\begin{x}"),
    ("% \\begin{verbatim}\nA % secret \\end{verbatim}\nB", "A B"),
    (r"\\url{a%b} c", "urla"),
    (r"\urlstyle{a%b} c", "a"),
]
NOT_PRINTED = [
    (r"596\penalty0 (7873):\penalty0 583", "596(7873):583"),
    (r"a\penalty-100b", "ab"),
    (r"\bibinfo {year} {1935} and \bibinfo{year}{\emph{1936}}", "1935 and 1936"),
    (r"\bibfield  {author} {\bibinfo {author} {A. Doe},\ }b", "A. Doe, b"),
    (r"\href@noop {} {a link}\BibitemShut {NoStop}", "a link"),
    (r"\bibinfo{a} b", "a b"),
    (r"\apj, \mnras\ and \apjl", "ApJ, MNRAS and ApJL"),
]
NEVER_CLOSED = [
    (r"\verb|a%b", "|a"),
    ("\\verb|a%b\n| c", "|a| c"),
    (r"\url{a%b", "a"),
    ("\\url{a%b\n\nc} d", "a c d"),
    ("\\url{a%b\r\n\r\nc} d", "a c d"),
    ("\\url{a%b\r\rc} d", "a c d"),
    ("\\verb|a%b\r| c", "|a| c"),
]


@pytest.mark.parametrize(("source", "printed"), NOT_PRINTED)
def test_kinds_of_fields_and_places_for_line_ends_are_left_out(source: str, printed: str) -> None:
    assert tex_to_text(source) == printed


@pytest.mark.parametrize(("source", "printed"), [*PRINTED, *NEVER_CLOSED])
def test_a_percent_sign_begins_a_comment_outside_of_addresses_and_code(source: str, printed: str) -> None:
    assert tex_to_text(source) == printed


@pytest.mark.parametrize("source", [source for source, _ in PRINTED])
def test_a_source_without_its_comments_prints_the_same(source: str) -> None:
    assert tex_to_text(without_comments(source)) == tex_to_text(source)


def test_a_comment_ends_where_the_text_of_the_next_line_begins() -> None:
    source = "a% b\n \t c \\\\% d\ne\\% \\url{f%g} % h"
    assert active_tex(source) == f"a{' ' * 7}c \\\\{' ' * 4}e\\% \\url{{f%g}} {' ' * 3}"
    assert without_comments(source) == "ac \\\\e\\% \\url{f%g} "


@pytest.mark.parametrize("blank", ["\n\n", "\n \t\n", "\r\n\r\n", "\r\r"])
def test_an_empty_line_behind_a_comment_ends_the_paragraph(blank: str) -> None:
    assert without_comments(f"a % b{blank}c") == f"a {blank}c"
    assert active_tex(f"a % b{blank}c") == f"a    {blank}c"


def test_code_has_neither_comments_nor_commands() -> None:
    code = "\\begin{verbatim}\\a%b\n{\\end{verbatim}"
    source = f"{code} \\cite{{a}} \\verb|\\b%| % {code[:-1]}\n\\cite{{d}}"
    assert without_comments(source) == f"{code} \\cite{{a}} \\verb|\\b%| {{\\end{{verbatim\n\\cite{{d}}"
    assert active_tex(source).replace(" ", "") == (
        "begin{verbatim}a%b\n{end{verbatim}\\cite{a}verb|b%|{\\end{verbatim\n\\cite{d}"
    )
    assert len(active_tex(source)) == len(source)
    assert without_comments("\\begin{verbatim}a%b\nc") == "\\begin{verbatim}ac"


def test_each_character_of_an_address_has_its_place_in_the_source() -> None:
    source = "See\n\\url{https://e.org/a%20b\\_c} and \\verb|d%e|."
    printed = printed_tex(source)
    for text in ("e.org", "%", "20b", "b", "c", "and", "d%e", "%e", "."):
        start = printed.text.rindex(text)
        found, end = printed.source_of(start, start + len(text))
        assert source[found:end] == text
    assert source[slice(*printed.source_of(*_span(printed.text, "_c")))] == r"\_c"


def _span(text: str, part: str) -> tuple[int, int]:
    return text.index(part), text.index(part) + len(part)


def test_links_lead_to_addresses_that_are_not_printed() -> None:
    source = (
        "\\href{https://e.org/a\\%20b\\_c}{text} % \\href{https://e.org/old}{text}\n\\href{https://e.org} \\url{e.org}"
        "\\href[pdfnewwindow]{https://e.org/d%20e}{text}"
    )
    assert [it.text for it in link_addresses(source)] == ["https://e.org/a%20b_c", "https://e.org/d%20e"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["\\url{", "%", "%\n", "\\\\", "\\url{{}", "\\url{a\n", "\\url{}\\url{", "\\href{a}", "\\verb|", "\\path{%\n",
     "\\url|", "\\href[a]{", "\\href[", "\\begin{verbatim}", "\\begin{verbatim}\\begin{minted}",
     "\\begin{alltt}\\end{verbatim}"],
)  # fmt: skip
def test_a_hundred_kilobytes_of_beginnings_take_linear_time(piece: str) -> None:
    def read(size: int) -> None:
        source = piece * (size // len(piece))
        printed_tex(source), without_comments(source), link_addresses(source)

    assert growth(read, 100_000) < MOST
