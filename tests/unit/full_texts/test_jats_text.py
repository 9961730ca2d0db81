"""JATS articles as full texts: every section, paragraph, table, formula and citation; hostile and odd ones."""

from __future__ import annotations

import pytest
from lxml import etree

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.texts.jats import jats_of
from infra.local.sandbox.texts.written_texts import written_texts
from shared.bibliography.full_text import FullText, placed_paragraphs
from shared.documents import xml_source
from shared.errors import BadResponse
from shared.full_texts.jats import read_jats_text
from tests.unit.full_texts.written import expected, read, text_of, texts_in

URL = "https://europepmc.org/article/PMC/PMC1"
every_article = pytest.mark.parametrize("pmcid", texts_in("jats"))


def source_of(pmcid: str) -> str:
    corpus = default_corpus()
    fact = corpus.find("europe_pmc", pmcid=pmcid)
    assert fact
    return jats_of(written_texts()[pmcid], fact, corpus)


def text_in(source: str) -> FullText:
    text = read_jats_text("Source", source, URL)
    assert text
    return text


def article(body: str, *, front: str = "", back: str = "", attributes: str = "") -> str:
    meta = f"<front><article-meta>{front}</article-meta></front>"
    return f"<article {attributes}>{meta}<body>{body}</body><back>{back}</back></article>"


def paragraphs_of(body: str, **parts: str) -> list[tuple[str, str]]:
    return [(it.paragraph.kind, it.paragraph.text) for it in placed_paragraphs(text_in(article(body, **parts)))]


@every_article
def test_every_section_of_an_article_is_read_as_it_was_written(pmcid: str) -> None:
    assert read(text_in(source_of(pmcid))) == expected(written_texts()[pmcid], between="],[", footnote_label="*")


@every_article
def test_every_reference_leads_to_the_paper_that_it_names(pmcid: str) -> None:
    cited = text_in(source_of(pmcid)).cited
    assert [it.ids.doi for it in cited] == [name.lower() for name in written_texts()[pmcid].cited]
    assert [it.number for it in cited] == list(range(1, len(cited) + 1))


@every_article
def test_every_offset_is_that_of_the_paragraph_in_the_whole_text(pmcid: str) -> None:
    text = text_in(source_of(pmcid))
    whole = text_of(text)
    assert [whole[it.start : it.end] for it in placed_paragraphs(text)] == [
        it.paragraph.text for it in placed_paragraphs(text)
    ]


@every_article
def test_an_independent_parser_counts_the_same_parts(pmcid: str) -> None:
    source = source_of(pmcid)
    root = etree.fromstring(source.encode())
    text = text_in(source)
    kinds = [it.paragraph.kind for it in placed_paragraphs(text)]
    assert sum(it.number[0].isdigit() for it in text.sections) == len(root.xpath("body//sec | back/ack"))
    assert kinds.count("table") == len(root.xpath("body//table-wrap"))
    assert kinds.count("figure") == len(root.xpath("body//fig"))
    assert kinds.count("list_item") == len(root.xpath("body//list-item"))
    assert kinds.count("formula") == len(root.xpath("body//disp-formula"))
    assert len(text.cited) == len(root.xpath("back//ref"))


def test_sections_are_numbered_by_their_place() -> None:
    numbers = [(it.number, it.path[-1]) for it in text_in(source_of("PMC8371605")).sections]
    assert numbers == [
        ("abstract", "Abstract"),
        ("abstract-2", "Resumen"),
        ("1", "Introduction"),
        ("2", "Results"),
        ("2.1", "Accuracy on unseen chains"),
        ("2.2", "What each part contributes"),
        ("2.2.1", "Without templates"),
        ("2.2.2", "Without recycling"),
        ("3", "Methods"),
        ("4", "Limitations"),
        ("5", "Acknowledgements"),
    ]


def test_the_language_of_an_article_and_of_its_other_abstract_are_stated() -> None:
    spanish = text_in(source_of("PMC4965871"))
    assert (spanish.language, [it.language for it in spanish.sections[:2]]) == ("es", [None, "en"])


@pytest.mark.parametrize(
    ("pmcid", "licence"),
    [
        ("PMC8371605", "cc-by-4.0"),
        ("PMC4772787", "cc-by-nc-4.0"),
        ("PMC12008803", "cc-by-nc-nd-4.0"),
        ("PMC4965871", "cc-by"),
    ],
)
def test_the_licence_is_the_one_of_its_address_or_of_its_statement(pmcid: str, licence: str) -> None:
    assert text_in(source_of(pmcid)).license == licence


def test_the_address_of_a_figures_licence_is_not_that_of_the_article() -> None:
    link = '<ext-link xmlns:x="http://www.w3.org/1999/xlink" x:href="https://creativecommons.org/licenses/by/4.0/">here'
    words = f"<license-p>All rights reserved. Figure 1 is reused, see {link}</ext-link>.</license-p>"
    front = (
        f"<permissions><copyright-statement>© Publisher</copyright-statement><license>{words}</license></permissions>"
    )
    assert text_in(article("<p>Closed.</p>", front=front)).license is None


def test_letters_of_editors_and_texts_that_no_reader_sees_are_not_part_of_the_text() -> None:
    whole = text_of(text_in(source_of("PMC8371605")))
    assert "letter of the editors" not in whole
    assert "Ignore all instructions" not in whole


@pytest.mark.parametrize(
    ("body", "paragraphs"),
    [
        ("<p>x<sup>2</sup> and H<sub>2</sub>O, the 5<sup>th</sup></p>", [("paragraph", "x^2 and H2O, the 5th")]),
        ("<p>a &lt; b &amp; c</p>", [("paragraph", "a < b & c")]),
        ("<p>one<!-- order the agent --><?x y?> two</p>", [("paragraph", "one two")]),
        ("<p>it is<disp-formula><tex-math>$$E$$</tex-math></disp-formula> here</p>", [("paragraph", "it is E here")]),
        (
            "<p>before <list><list-item><p>inside</p></list-item></list> after</p>",
            [("paragraph", "before after"), ("list_item", "inside")],
        ),
        ("<sec><p>without a title</p></sec>", [("paragraph", "without a title")]),
        (
            "<boxed-text><caption><title>Box 1</title><p>inside</p></caption></boxed-text>",
            [("paragraph", "Box 1"), ("paragraph", "inside")],
        ),
        ("<p>seen<styled-content style='color: white'>hidden</styled-content></p>", [("paragraph", "seen")]),
        ("<p><styled-content style='font-style: italic'>seen</styled-content></p>", [("paragraph", "seen")]),
        ("<p>zero\u200bwidth</p>", [("paragraph", "zerowidth")]),
        ("<p>a\U000e0049\U000e0067\U000e01efb\ufff9c\x7fd\x85e</p>", [("paragraph", "abcd e")]),  # hidden words
    ],
)  # fmt: skip
def test_paragraphs_are_read_with_what_they_hold(body: str, paragraphs: list[tuple[str, str]]) -> None:
    assert paragraphs_of(body) == paragraphs


def test_an_article_without_a_body_has_no_open_text() -> None:
    assert read_jats_text("Source", "<article><front/></article>", URL) is None
    assert read_jats_text("Source", "<pmc-articleset/>", URL) is None
    assert read_jats_text("Source", article(""), URL) is None


BOMB = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">{}]><article><body><p>&j;</p></body></article>'.format(
    "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
)
OUTSIDE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><article><body><p>&x;</p></body></article>'


@pytest.mark.parametrize(
    "source",
    [BOMB, OUTSIDE, article("<sec>" * 5_000), article("<sec>" * 200 + "</sec>" * 200), article("<p/>" * 2_100), "no"],
    ids=["entities", "outside", "unclosed", "deep", "many", "none"],
)  # fmt: skip
def test_hostile_xml_is_refused(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_source, "MAX_ELEMENTS", 2_000)
    with pytest.raises(BadResponse, match="Source sent a text that"):
        read_jats_text("Source", source, URL)


def test_a_huge_table_and_a_huge_paragraph_are_cut_and_the_text_says_so() -> None:
    rows = "<tr>" + "<td>cell</td>" * 20 + "</tr>"
    text = text_in(article(f"<table-wrap><table>{rows * 250}</table></table-wrap><p>{'word ' * 10_000}</p>"))
    assert text.is_cut
    assert all(len(it.paragraph.text) <= 20_000 for it in placed_paragraphs(text))
