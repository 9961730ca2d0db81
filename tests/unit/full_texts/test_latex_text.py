"""LaTeX sources as full texts, and hostile packages."""

from __future__ import annotations

import gzip
import io
import tarfile

import pytest

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.texts.latex import package_of
from infra.local.sandbox.texts.written_texts import written_texts
from shared.bibliography.full_text import FullText, placed_paragraphs
from shared.errors import BadResponse
from shared.full_texts.latex import read_latex_text
from tests.unit.full_texts.written import expected, read, texts_in

URL = "https://arxiv.org/abs/1"
every_package = pytest.mark.parametrize("arxiv", texts_in("latex"))


def source_of(arxiv: str) -> bytes:
    fact = default_corpus().find("arxiv", arxiv_id=arxiv)
    assert fact
    return package_of(written_texts()[arxiv], fact, default_corpus())


def text_in(package: bytes) -> FullText:
    text = read_latex_text("Source", package, URL)
    assert text
    return text


def document(body: str, preamble: str = "") -> bytes:
    return f"\\documentclass{{article}}{preamble}\\begin{{document}}{body}\\end{{document}}".encode()


def paragraphs_of(body: str, preamble: str = "") -> list[tuple[str, str | None, str]]:
    placed = placed_paragraphs(text_in(document(body, preamble)))
    return [(it.paragraph.kind, it.paragraph.label, it.paragraph.text) for it in placed]


def archive(*members: tarfile.TarInfo, **files: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as opened:
        for member in members:
            opened.addfile(member)
        for name, content in files.items():
            member = tarfile.TarInfo(name.replace("_", "."))
            member.size = len(content)
            opened.addfile(member, io.BytesIO(content.encode()))
    return packed.getvalue()


@every_package
def test_every_section_of_a_source_is_read_as_it_was_written(arxiv: str) -> None:
    assert read(text_in(source_of(arxiv))) == expected(written_texts()[arxiv])


@every_package
def test_every_reference_leads_to_the_paper_that_it_names(arxiv: str) -> None:
    assert [it.ids.arxiv for it in text_in(source_of(arxiv)).cited] == written_texts()[arxiv].cited


def test_the_title_is_read_without_its_thanks() -> None:
    assert text_in(source_of("1409.3215")).title == "Sequence to Sequence Learning with Neural Networks"


@pytest.mark.parametrize(
    ("body", "paragraphs"),
    [
        ("One % not printed\nline.\n\nTwo.", [("paragraph", None, "One line."), ("paragraph", None, "Two.")]),
        ("One % not printed\n\nTwo.", [("paragraph", None, "One"), ("paragraph", None, "Two.")]),
        ("One\n% not printed\n  \nTwo.", [("paragraph", None, "One"), ("paragraph", None, "Two.")]),
        ("\\begin{lstlisting}\na % b\nc % d\\end{lstlisting}", [("code", None, "a % b\nc % d")]),
        ("\\begin{verbatim}a % b\\end{verbatim} One", [("code", None, "a % b"), ("paragraph", None, "One")]),
        ("One \\\\% \\section{Secret}\nline.", [("paragraph", None, "One line.")]),
        ("See \\url{https://x.org/a%20b} and\nmore.", [("paragraph", None, "See https://x.org/a%20b and more.")]),
        ("\\verb|50% of| it", [("paragraph", None, "50% of it")]),
        ("100\\% of $x_{1}$ \\emph{words}", [("paragraph", None, "100% of x_{1} words")]),
        ("\\[E = mc^2\\] holds", [("formula", None, "E = mc^2"), ("paragraph", None, "holds")]),
        ("\\begin{align*}a &= b\\\\ c&=d\\label{x}\\end{align*}", [("formula", None, "a &= b\\\\ c&=d")]),
        ("\\begin{verbatim}a\n  b\\end{verbatim}", [("code", None, "a\nb")]),
        ("See \\href{https://a.example}{this} and \\url{https://b.example}.", [("paragraph", None, "See this and https://b.example.")]),
        ("See \\href[page=2]{https://a.example/$b%20$}{this} and it.", [("paragraph", None, "See this and it.")]),
        ("\\begin{equation} never closed", [("paragraph", None, "never closed")]),
        ("text \\unknowncommand{inside}", [("paragraph", None, "text inside")]),
    ],
)  # fmt: skip
def test_paragraphs_are_read_with_what_they_hold(body: str, paragraphs: list[tuple[str, str | None, str]]) -> None:
    assert paragraphs_of(f"\\section{{A}}{body}") == paragraphs


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_end_as_tex_ends_them(end: str) -> None:
    body = "\\section{A}One % not printed\nline.\n\nTwo.\n\\section{B}Three.".replace("\n", end)
    assert paragraphs_of(body) == [("paragraph", None, text) for text in ("One line.", "Two.", "Three.")]


def test_macros_without_arguments_are_expanded_and_never_without_end() -> None:
    assert paragraphs_of("\\ours wins", "\\newcommand{\\ours}{Our method}") == [("paragraph", None, "Our method wins")]
    loop = "\\newcommand{\\aa}{\\bb\\bb\\bb\\bb\\bb\\bb\\bb\\bb}\\newcommand{\\bb}{\\aa\\aa\\aa\\aa\\aa\\aa\\aa\\aa}"
    text = read_latex_text("Source", document("\\section{A}" + "\\aa" * 100, loop), URL)
    assert text is None or sum(len(it.paragraph.text) for it in placed_paragraphs(text)) < 3_000_000


def test_a_file_that_includes_itself_is_read_once() -> None:
    loop = document("\\section{A}once \\input{main}").decode()
    assert [it.paragraph.text for it in placed_paragraphs(text_in(archive(main_tex=loop)))] == ["once"]


def test_links_out_of_the_archive_lead_nowhere() -> None:
    link = tarfile.TarInfo("secret.tex")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    hard = tarfile.TarInfo("hard.tex")
    hard.type, hard.linkname = tarfile.LNKTYPE, "../../etc/passwd"
    device = tarfile.TarInfo("device.tex")
    device.type = tarfile.CHRTYPE
    main = document(
        "\\section{A}text \\input{secret}\\input{hard}\\input{/etc/passwd}\\input{../../etc/passwd}"
    ).decode()
    text = text_in(archive(link, hard, device, main_tex=main))
    assert [it.paragraph.text for it in placed_paragraphs(text)] == ["text"]


@pytest.mark.parametrize(
    "package",
    [
        gzip.compress(b"\0" * 50_000_000),
        gzip.compress(gzip.compress(b"x"))[:-9],
        b"\x1f\x8bnot gzip",
        gzip.compress(b"\0" * 257 + b"ustar" + b"\xff" * 600),
    ],
    ids=["bomb", "cut off", "no gzip", "no tar"],
)
def test_a_hostile_package_is_refused(package: bytes) -> None:
    with pytest.raises(BadResponse, match="Source sent a"):
        read_latex_text("Source", package, URL)


def test_a_package_without_a_latex_document_has_no_text() -> None:
    assert read_latex_text("Source", b"%PDF-1.5", URL) is None
    assert read_latex_text("Source", gzip.compress(b"plain \\TeX \\bye"), URL) is None
    assert read_latex_text("Source", b"", URL) is None


@pytest.mark.parametrize(
    "unit",
    ["\\section{", "\\footnote{", "{", "\\begin{equation}", "$", "\\(", "\\cite{", "\\item", "\\input{a}", "&", "\n\n",
     "\\url{", "\\verb|", "\\\\%"],
)  # fmt: skip
def test_broken_latex_is_read_in_bounded_time(unit: str) -> None:
    """A reader of quadratic time would take hours."""
    read_latex_text("Source", document("\\section{A}" + unit * (60_000 // len(unit))), URL)
