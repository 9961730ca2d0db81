"""arXiv's HTML as full texts, and hostile HTML."""

from __future__ import annotations

import pytest
from lxml import html as lxml_html

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.texts.latexml import latexml_of
from infra.local.sandbox.texts.written_texts import written_texts
from shared.bibliography.full_text import FullText, placed_paragraphs
from shared.errors import BadResponse
from shared.full_texts import html_tree
from shared.full_texts.html_tree import MAX_DEPTH, parse_html
from shared.full_texts.latexml import read_latexml
from tests.growth import MOST, growth
from tests.unit.full_texts.written import expected, read, text_of, texts_in

URL = "https://arxiv.org/html/1"
every_page = pytest.mark.parametrize("arxiv", texts_in("html"))


def source_of(arxiv: str) -> str:
    fact = default_corpus().find("arxiv", arxiv_id=arxiv)
    assert fact
    return latexml_of(written_texts()[arxiv], fact, default_corpus())


def text_in(source: str) -> FullText:
    text = read_latexml("Source", source, URL)
    assert text
    return text


def page(body: str) -> str:
    section = f"<section class='ltx_section'><h2 class='ltx_title'>Heading</h2>{body}</section>"
    return f"<html><body><article class='ltx_document'>{section}</article></body></html>"


def paragraphs_of(body: str) -> list[tuple[str, str | None, str]]:
    return [(it.paragraph.kind, it.paragraph.label, it.paragraph.text) for it in placed_paragraphs(text_in(page(body)))]


@every_page
def test_every_section_of_a_page_is_read_as_it_was_written(arxiv: str) -> None:
    assert read(text_in(source_of(arxiv))) == expected(written_texts()[arxiv])


@every_page
def test_every_reference_leads_to_the_paper_that_it_names(arxiv: str) -> None:
    assert [it.ids.arxiv for it in text_in(source_of(arxiv)).cited] == written_texts()[arxiv].cited


@every_page
def test_an_independent_parser_counts_the_same_parts(arxiv: str) -> None:
    root = lxml_html.fromstring(source_of(arxiv).encode())
    text = text_in(source_of(arxiv))
    kinds = [it.paragraph.kind for it in placed_paragraphs(text)]

    def count(name: str) -> int:
        return len(root.xpath(f"//*[contains(concat(' ', @class, ' '), ' {name} ')]"))

    numbered = [it for it in text.sections if it.number != "abstract"]
    assert len(numbered) == count("ltx_section") + count("ltx_subsection") + count("ltx_subsubsection")
    assert kinds.count("figure") == count("ltx_figure")
    assert kinds.count("table") == count("ltx_tabular")
    assert kinds.count("formula") == count("ltx_eqn_table")
    assert kinds.count("footnote") == count("ltx_role_footnote")
    assert len(text.cited) == count("ltx_bibitem")


def test_the_licence_the_version_and_the_language_are_those_of_the_page() -> None:
    text = text_in(source_of("2301.06627"))
    assert (text.license, text.version, text.language) == ("cc-by-nc-sa-4.0", "v2", "en")


def test_scripts_buttons_and_white_text_are_not_part_of_the_text() -> None:
    whole = text_of(text_in(source_of("2303.18223")))
    for hidden in ("Rate this paper first", "Report issue", "Agents must cite", "color: red", "Cited by"):
        assert hidden not in whole


@pytest.mark.parametrize(
    ("body", "paragraphs"),
    [
        ("<p>a &lt; b &amp;amp; c</p>", [("paragraph", None, "a < b &amp; c")]),
        ("<p>one<!-- two --> <b>three</b></p>", [("paragraph", None, "one three")]),
        ("<p style='display: none'>hidden</p><p>seen</p>", [("paragraph", None, "seen")]),
        ("<p><span style='font-size:0pt'>hidden</span>seen</p>", [("paragraph", None, "seen")]),
        (
            "<p><b style='color:rgb(255, 255,255)'>white</b><i style='left:-9999px'>aside</i>seen</p>",
            [("paragraph", None, "seen")],
        ),
        ("<p><b style='opacity:0'>hidden</b><i style='opacity:0.5'>seen</i></p>", [("paragraph", None, "seen")]),
        ("<p style='font-size:0.9em'>seen</p>", [("paragraph", None, "seen")]),
        ("<p style='background-color:white'>seen</p>", [("paragraph", None, "seen")]),
        ("<p>x<math alttext='x^{2}'><mi>x</mi></math>!</p>", [("paragraph", None, "xx^{2}!")]),
        (
            "<ul><li class='ltx_item'><p>outer</p><ul><li class='ltx_item'><p>inner</p></li></ul></li></ul>",
            [("list_item", None, "outer"), ("list_item", None, "inner")],
        ),
        ("<pre class='ltx_verbatim'>for x:\n  y</pre>", [("code", None, "for x:\ny")]),
        ("<p>unclosed <b>bold", [("paragraph", None, "unclosed bold")]),
        ("<p>a</b></div>b</p>", [("paragraph", None, "ab")]),
        ("<p a='>' b=\"x>y\" c=z>text</p>", [("paragraph", None, "text")]),
        ("<p>1 < 2 and <3</p>", [("paragraph", None, "1 < 2 and <3")]),
    ],
)
def test_paragraphs_are_read_with_what_they_hold(body: str, paragraphs: list[tuple[str, str | None, str]]) -> None:
    assert paragraphs_of(body) == paragraphs


def test_elements_beyond_the_depth_are_read_as_text() -> None:
    root = parse_html("<i>" * (MAX_DEPTH * 2) + "text")
    assert "text" in root.text()


@pytest.mark.parametrize(
    "unit", ["<", "<!", "<!--", "<a ", '<a "', "<a b='", "</", "</a ", "<?", "&", "<script>", "<math>", "<p a="]
)
def test_broken_markup_is_read_in_linear_time(unit: str) -> None:
    assert growth(lambda size: parse_html(unit * (size // len(unit))), 200_000) < MOST


@pytest.mark.parametrize(
    "source",
    [page("<b>" * 2_000), "<html>" + "x" * 12_000_001, "<html><p>Wait</p></html>"],
    ids=["many", "long", "other"],
)
def test_html_that_is_too_large_or_another_page_is_refused(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_tree, "MAX_ELEMENTS", 1_000)
    with pytest.raises(BadResponse, match="Source sent HTML"):
        read_latexml("Source", source, URL)
