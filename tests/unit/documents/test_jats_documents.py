from __future__ import annotations

from html import escape

import pytest
from lxml import etree

from shared.bibliography.paper import Author
from shared.documents.document import DocumentFormat, EntryFields
from shared.errors import Unprocessable
from tests.unit.documents.corpus_documents import NEW, cited, corrected, names, read_unchanged, vancouver

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.3//EN" "JATS-archivearticle1-3.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink"><body><p>Größe:
as shown <xref ref-type="bibr" rid="B0 B1">1, 2</xref> and
 <xref rid="B99" ref-type="bibr"><sup>99</sup></xref>, see <xref ref-type="fig" rid="F1">fig. 1</xref>.</p></body>
<back><ref-list>
"""
TAIL = "</ref-list></back></article>\n"


def article() -> str:
    refs = [
        f'<ref id="B{number}"><label>{number + 1}</label><element-citation publication-type="journal">'
        '<person-group person-group-type="author">'
        + "".join(
            f"<name><surname>{family}</surname><given-names>{given}</given-names></name>"
            for family, given in names(fact)
        )
        + f"</person-group><article-title>{escape(fact.title)}</article-title>"
        f"<source>{escape(str(fact.journal))}</source>"
        f"<year>{fact.year}</year><volume>{fact.volume}</volume><fpage>{str(fact.pages).split('-')[0]}</fpage>"
        f'<pub-id pub-id-type="doi">{escape(str(fact.doi))}</pub-id></element-citation></ref>\n'
        for number, fact in enumerate(cited())
    ]
    return HEAD + "".join(refs) + TAIL


def texts(root: etree._Element, path: str) -> list[str]:
    return ["".join(element.itertext()) for element in root.iterfind(f".//{path}")]


def test_lxml_reads_the_same_references() -> None:
    document = read_unchanged(article())
    root = etree.fromstring(article().encode())
    assert document.format is DocumentFormat.JATS
    assert [entry.fields.title for entry in document.entries] == texts(root, "article-title")
    assert [str(entry.fields.year) for entry in document.entries] == texts(root, "year")
    assert [entry.fields.authors[0].family for entry in document.entries] == [
        person.findtext("name/surname") for person in root.iterfind(".//person-group")
    ]


def test_cross_references_name_their_entries() -> None:
    document = read_unchanged(article())
    assert [(it.marker, it.entries, it.missing) for it in document.citations] == [
        ("1, 2", (0, 1), ()),
        ("99", (), ("B99",)),
    ]
    assert document.text[document.citations[1].offset :].startswith('<xref rid="B99"')
    assert document.uncited == tuple(range(2, len(cited())))


def test_corrections_are_read_by_lxml() -> None:
    written = corrected(read_unchanged(article()), fields=NEW, comment="a--b -- <c> --->")
    root = etree.fromstring(written.text.encode())
    count = len(cited())
    assert texts(root, "article-title") == [NEW.title] * count
    assert texts(root, "year") == ["2001"] * count
    assert texts(root, "issue") == ["3"] * count
    assert texts(root, "fpage") == ["12"] * count
    assert texts(root, "lpage") == ["19"] * count
    assert texts(root, "pub-id") == [NEW.doi] * count
    assert texts(root, "surname") == ["Müller"] * count
    assert texts(root, "collab") == ["The TREM2 Group"] * count
    comments = list(root.iter(etree.Comment))
    assert [it.getparent().tag for it in comments] == ["element-citation"] * count


def test_a_printed_citation_is_read_as_text_and_gets_its_id_alone() -> None:
    line = vancouver(cited()[0])
    text = (
        f"<ref-list><ref id='a'><mixed-citation>{escape(line.rpartition(' doi:')[0])}</mixed-citation></ref></ref-list>"
    )
    document = read_unchanged(text)
    (entry,) = document.entries
    assert (entry.is_tagged, entry.fields.title, entry.fields.year) == (False, cited()[0].title, cited()[0].year)
    written = corrected(document, fields=EntryFields(year=2001, doi="10.1000/x"))
    assert written.not_placed == {0: ("year",)}
    assert "year: 2001" in written.text
    assert etree.fromstring(written.text).findtext(".//pub-id") == "10.1000/x"


def test_a_mixed_citation_with_names_keeps_its_punctuation() -> None:
    text = (
        '<ref id="r"><mixed-citation><string-name><surname>Kober</surname> <given-names>DL</given-names></string-name>'
        "; <string-name><surname>Brett</surname> <given-names>TJ</given-names></string-name>. "
        "<article-title>A <italic>b</italic></article-title>. <source>eLife</source>. "
        '<year iso-8601-date="2016">2016</year>;<volume/>.</mixed-citation></ref>'
    )
    document = read_unchanged(text)
    assert document.entries[0].fields.authors == (
        Author(family="Kober", given="DL"),
        Author(family="Brett", given="TJ"),
    )
    people = (Author(family="X", given="Y"), Author(family="Z", given="W"))
    written = corrected(document, fields=EntryFields(authors=people, volume="5"), comment="x").text
    assert "".join(etree.fromstring(written).itertext()) == "X Y; Z W. A b. eLife. 2016;5. "


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('<!DOCTYPE article [<!ENTITY b "c">]><ref-list>&b;</ref-list>', "declares XML entities"),
        (
            '<!DOCTYPE article [<!ENTITY b SYSTEM "file:///etc/hostname">]><ref-list>&b;</ref-list>',
            "declares XML entities",
        ),
        ("<ref-list><ref></ref-list>", "is not well-formed XML"),
        ("<ref-list>&unknown;</ref-list>", "is not well-formed XML"),
        ("<ref-list>" * 200, "nested more than"),
        ("<article><body/></article>", "has no references"),
    ],
)
def test_hostile_and_broken_xml_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Unprocessable, match=reason):
        read_unchanged(text)


def test_the_members_of_a_group_are_no_authors_of_their_own() -> None:
    text = (
        "<ref><element-citation><source>Gene Expression Omnibus</source><year>2014</year><collab>The Consortium"
        "<contrib-group><contrib><name><surname>Vissing</surname></name></contrib></contrib-group></collab></element-citation></ref>"
    )
    (entry,) = read_unchanged(text).entries
    assert [author.display for author in entry.fields.authors] == ["The Consortium"]


def test_of_alternatives_the_one_with_its_title_marked_is_read() -> None:
    tagged = "<element-citation><article-title>On mice</article-title><year>2016</year></element-citation>"
    text = (
        f"<ref-list><ref><citation-alternatives><mixed-citation>Doe J. On mice. Cell 2016;1:2.</mixed-citation>{tagged}"
    )
    (entry,) = read_unchanged(f"{text}</citation-alternatives></ref></ref-list>").entries
    assert (entry.raw, entry.fields.title, entry.is_tagged) == (tagged, "On mice", True)
