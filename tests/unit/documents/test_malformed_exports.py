"""EndNote's, PubMed's and Web of Science's exports: what records may have, and what becomes of them by hand."""

from __future__ import annotations

import pytest

from shared.bibliography.paper import Author
from shared.documents.document import DocumentFormat, EntryFields
from shared.documents.reading import read_document
from shared.errors import Unprocessable
from tests.unit.documents.corpus_documents import read_unchanged

RECORD = "<record><titles><title>On mice</title></titles><dates><year>2016</year></dates>{}</record>"


def endnote(*insides: str, before: str = "") -> str:
    return f"{before}<xml><records>{''.join(map(RECORD.format, insides))}</records></xml>"


@pytest.mark.parametrize(
    ("inside", "fields"),
    [
        ("<accession-num>12345678</accession-num>", {"pmid": "12345678"}),
        ("<accession-num>WOS:000123</accession-num>", {}),
        (
            "<accession-num>12345678</accession-num><remote-database-name>Medline</remote-database-name>",
            {"pmid": "12345678"},
        ),
        ("<accession-num>12345678</accession-num><remote-database-name>CINAHL</remote-database-name>", {}),
        ("<electronic-resource-num>https://doi.org/10.1000/ONE</electronic-resource-num>", {"doi": "10.1000/one"}),
        ("<urls><related-urls><url>https://doi.org/10.1000/one</url></related-urls></urls>", {"doi": "10.1000/one"}),
        ("<periodical><full-title>eLife</full-title></periodical>", {"journal": "eLife"}),
        ("<periodical><abbr-1>J. Mice</abbr-1></periodical>", {"journal": "J. Mice"}),
        ("<periodical/><titles><secondary-title>A Book</secondary-title></titles>", {}),
        ("<pages><style face='normal'>12-</style><style face='bold'>19</style></pages>", {"pages": "12-19"}),
        ("<number>3</number><volume>5</volume>", {"issue": "3", "volume": "5"}),
        ("<contributors><secondary-authors><author>Roe, K</author></secondary-authors></contributors>", {}),
        (
            "<contributors><authors><author>Doe, Jane,</author><author>The Group</author><author/></authors>"
            "</contributors>",
            {"authors": (Author(family="Doe", given="Jane"), Author(name="The Group"))},
        ),
    ],
)
def test_the_values_of_endnote_are_those_of_its_places(inside: str, fields: dict[str, object]) -> None:
    (entry,) = read_unchanged(endnote(inside)).entries
    read = {name: getattr(entry.fields, name) for name in entry.fields.stated}
    assert read == {"title": "On mice", "year": 2016, **fields}


def test_the_year_of_endnote_may_stand_in_its_date() -> None:
    text = "<xml><records><record><titles><title>On mice</title></titles><dates>{}</dates></record></records></xml>"
    (entry,) = read_unchanged(text.format("<pub-dates><date>3 Mar 2011</date></pub-dates>")).entries
    assert entry.fields.year == 2011


@pytest.mark.parametrize("sign", ["\x02", "&#x2;", "&#31;", "\uffff"])
def test_a_sign_that_xml_may_not_contain_is_a_blank_and_no_other_moves(sign: str) -> None:
    (first, second) = read_unchanged(endnote("", "").replace("On mice", f"On{sign}müde mice", 1)).entries
    assert (first.fields.title, second.fields.title) == ("On müde mice", "On mice")
    assert (first.raw[:8], second.raw[:8]) == ("<record>", "<record>")


@pytest.mark.parametrize("record", ["<record/>", "<record><rec-number>7</rec-number></record>"])
def test_a_record_of_endnote_that_says_nothing_is_no_text_to_look_for(record: str) -> None:
    (entry,) = read_unchanged(f"<xml><records>{record}</records></xml>").entries
    assert (entry.line, entry.fields) == ("?", EntryFields())


@pytest.mark.parametrize(
    "before",
    [
        "",
        "\ufeff",
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        '<?xml version="1.0"?><!DOCTYPE xml SYSTEM "RSXML.dtd">\n',
    ],
)
def test_endnotes_xml_is_recognised_behind_its_declarations(before: str) -> None:
    document = read_unchanged(endnote("", "", before=before))
    assert (document.format, len(document.entries)) == (DocumentFormat.ENDNOTE_XML, 2)


ENTITIES = '<!DOCTYPE xml [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (endnote("&b;", before=ENTITIES), "declares XML entities"),
        (endnote("", before='<!DOCTYPE xml [<!ENTITY a SYSTEM "file:///etc/passwd">]>'), "declares XML entities"),
        (endnote("")[:-9], "is not well-formed XML"),
        (endnote("<a>"), "is not well-formed XML"),
        (endnote("AT&T"), "is not well-formed XML"),
        (endnote("<a>" * 200 + "</a>" * 200), "nested more than 100 deep"),
        ("<xml><records></records></xml>", "has no references"),
    ],
)
def test_xml_that_is_not_read_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(Unprocessable, match=reason):
        read_document(text, DocumentFormat.ENDNOTE_XML)


PUBMED = (
    "1. {source}\n\nOn mice:\nand men.\n\n{people}\n\nAuthor information:\n(1)University, 2015.\n\nWe counted mice.\n\n"
    "{ids}PMID: 12345678 [Indexed for MEDLINE]\n\nConflict of interest statement: none.\n"
)


def pubmed(source: str = "eLife. 2016;5:1-9.", people: str = "Doe J(1).", ids: str = "") -> EntryFields:
    document = read_unchanged(PUBMED.format(source=source, people=people, ids=ids))
    assert document.format is DocumentFormat.PUBMED
    (entry,) = document.entries
    assert (entry.label, entry.fields.title, entry.fields.pmid) == ("1", "On mice: and men", "12345678")
    return entry.fields


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        (
            "J Exp Med. 2022 Dec 5;219(12):e2. doi: \n10.1000/x. Epub 2021.",
            ("J Exp Med", 2022, "219", "12", "e2", "10.1000/x"),
        ),
        ("Plants (Basel). 2019 Feb 24;8(5):103-8.", ("Plants (Basel)", 2019, "8", "5", "103-8", None)),
        ("Genet Med. 2018 Mar-Apr;20 Suppl 1:S5.", ("Genet Med", 2018, "20", None, "S5", None)),
        (
            "bioRxiv [Preprint]. 2022 Dec 5:2022.12.05.5188. doi: 10.1101/x.",
            ("bioRxiv [Preprint]", 2022, None, None, None, "10.1101/x"),
        ),
        ("Nature. 2021. doi: 10.1038/x. Online ahead of print.", ("Nature", 2021, None, None, None, "10.1038/x")),
        ("Nature. 2021.", ("Nature", 2021, None, None, None, None)),
        ("In: StatPearls [Internet]. Treasure Island (FL): StatPearls \nPublishing; 2024 Jan–.", (None,) * 6),
    ],
)
def test_the_source_of_a_record_of_pubmed_is_divided(source: str, fields: tuple[object, ...]) -> None:
    read = pubmed(source)
    assert (read.journal, read.year, read.volume, read.issue, read.pages, read.doi) == fields


@pytest.mark.parametrize(
    ("people", "families"),
    [
        ("Doe J(1)(2), Roe KL(#)(1), van der Berg J(3).", ["Doe", "Roe", "van der Berg"]),
        ("Doe J Jr(1), Roe K 3rd; ADNI Consortium.", ["Doe", "Roe", None]),
        ("[Article in German]\n\nDoe J(1).", ["Doe"]),
        ("Mice and men live in houses, as everybody knows, and few count them.", []),
    ],
)
def test_the_authors_of_a_record_of_pubmed_are_its_paragraph_of_names(people: str, families: list[str | None]) -> None:
    assert [author.family for author in pubmed(people=people).authors] == families


@pytest.mark.parametrize(
    ("title", "read"),
    [
        ("On mice.", "On mice"),
        ("[On mice].", "On mice"),
        ("On mice [corrected].", "On mice [corrected]"),
        ("Do mice count?", "Do mice count?"),
    ],
)
def test_the_title_of_a_record_of_pubmed_is_without_its_marks(title: str, read: str) -> None:
    text = PUBMED.format(source="eLife. 2016;5:1-9.", people="Doe J(1).", ids="").replace("On mice:\nand men.", title)
    assert read_unchanged(text).entries[0].fields.title == read


def test_the_doi_of_a_record_of_pubmed_is_its_own() -> None:
    comment = "Comment in\n    eLife. 2017;6:1. doi: 10.1000/other.\n\nDOI: 10.1000/own\nPMCID: PMC123\n"
    assert pubmed("eLife. 2016;5:1-9. doi: 10.1000/own.", ids=comment).doi == "10.1000/own"


def test_a_numbered_paragraph_of_an_abstract_begins_no_record_of_pubmed() -> None:
    text = PUBMED.format(
        source="eLife. 2016;5:1-9.", people="Doe J(1).", ids="2. J Test. 2015. Results\n\n3. Methods\n\n"
    )
    assert [entry.label for entry in read_unchanged(f"{text}\n\n{text.replace('1.', '2.', 1)}").entries] == ["1", "2"]


@pytest.mark.parametrize(
    "text",
    [
        "1. Doe J. 2016. On mice and men. eLife 5:1-9.\nPMID: 12345678\n\n2. Roe K. 2017. On cells. Cell 1:2.\n",
        "1. Doe J. 2016. On mice and men. eLife 5:1-9.\n\nOf note.\n\nPMID: 1\n\n2. Roe K. 2017. On cells. Cell 1:2.\n",
        "1. Doe J. On mice and men. eLife. 2016;5:1-9.\n\nPMID: 12345678\n\n2. Roe K. On cells. Cell. 2017;1:2.\n",
        "1. Doe J. 2016. On mice and men in houses. eLife 5:1-9.\n\n2. Roe K. 2017. On cells. Cell 1:2.\n",
    ],
)
def test_a_numbered_list_with_pmids_is_no_export_of_pubmed(text: str) -> None:
    assert read_unchanged(text).format is DocumentFormat.TEXT


WOS = "PT J\nAU Doe, J\nTI On mice\nPY 2016\n{}ER\n"


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        (
            "AF Doe, Jane\n   Roe, Kim\n",
            {"authors": (Author(family="Doe", given="Jane"), Author(family="Roe", given="Kim"))},
        ),
        ("AB Words\n   PT J of 1999\n   ER\n", {}),
        ("BP 12\nEP 19\n", {"pages": "12-19"}),
        ("AR e12\n", {"pages": "e12"}),
        ("BP 12\nEP +\n", {"pages": "12"}),
        ("DI 10.1000/one\nCR Roe K, 2001, DOI 10.1000/other\n", {"doi": "10.1000/one"}),
        ("CR Roe K, 2001, DOI 10.1000/other\nD2 10.1000/book\n", {}),
        ("PM 12345678\nSO CELL\n", {"pmid": "12345678", "journal": "CELL"}),
    ],
)
def test_the_tags_of_web_of_science_are_read(lines: str, fields: dict[str, object]) -> None:
    document = read_unchanged(WOS.format(lines))
    assert document.format is DocumentFormat.WEB_OF_SCIENCE
    read = {name: getattr(document.entries[0].fields, name) for name in document.entries[0].fields.stated}
    assert read == {"title": "On mice", "year": 2016, "authors": (Author(family="Doe", given="J"),), **fields}


def test_a_record_of_web_of_science_without_its_end_goes_to_the_next_one() -> None:
    document = read_unchanged(WOS.format("").replace("ER\n", "") + WOS.format("VL 5\n"))
    assert [entry.fields.volume for entry in document.entries] == [None, "5"]


NBIB = "PMID- 12345678\nOWN - NLM\nTI  - On mice and\n      men.\nDP  - 2016 Dec 5\n{}\nSO  - eLife. 2017;6:7.\n"


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        ("IS  - 1540-9538\nVI  - 5\nIP  - 3\nPG  - 12-9", {"volume": "5", "issue": "3", "pages": "12-9"}),
        ("LID - e12 [pii]\nLID - 10.1000/one [doi]", {"doi": "10.1000/one"}),
        ("TA  - J Mice\nVI  - 5", {"journal": "J Mice", "volume": "5"}),
        ("LID - e12 [pii]\nAID - 10.1000/one [doi]\nAID - e12 [pii]", {"doi": "10.1000/one"}),
        ("AU  - Doe J\nAU  - Roe K", {"authors": (Author(family="Doe", given="J"), Author(family="Roe", given="K"))}),
        ("CN  - GBD 2019 Collaborators", {"authors": (Author(name="GBD 2019 Collaborators"),)}),
        ("FAU - Doe, Jane\nAU  - Doe J", {"authors": (Author(family="Doe", given="Jane"),)}),
        (
            "TA  - J Exp Med\nJT  - The Journal of experimental medicine",
            {"journal": "The Journal of experimental medicine"},
        ),
        ("AB  - 1. We counted.\n      PMID- 1\n      2. In 2001.\nCIN - eLife. 2018. doi: 10.1000/other. PMID: 5", {}),
    ],
)
def test_the_tags_of_nbib_are_read(lines: str, fields: dict[str, object]) -> None:
    document = read_unchanged(NBIB.format(lines))
    assert document.format is DocumentFormat.NBIB
    (entry,) = document.entries
    read = {name: getattr(entry.fields, name) for name in entry.fields.stated}
    cited = {"journal": "eLife", "volume": "6", "pages": "7"}  # by the record's own citation
    assert read == {"title": "On mice and men.", "year": 2016, "pmid": "12345678", **cited, **fields}


def test_the_tags_of_refer_are_read() -> None:
    text = (
        "%0 Journal Article\n%T On mice\n%A Doe, Jane\n%A Roe, Kim\n%B A Book\n%J eLife\n%D 2016\n%V 5\n%N 3\n%P 1-9\n"
    )
    document = read_unchanged(
        f"{text}%X We counted.\n\n1. In 2001\n%R 10.1000/one\n\n{text.replace('%P 1-9', '%] e12')}%F key\n%U https://doi.org/10.1000/two"
    )
    assert document.format is DocumentFormat.REFER
    one, two = document.entries
    assert one.fields == EntryFields(
        title="On mice", authors=(Author(family="Doe", given="Jane"), Author(family="Roe", given="Kim")), year=2016,
        journal="eLife", volume="5", issue="3", pages="1-9", doi="10.1000/one",
    )  # fmt: skip
    assert (two.label, two.fields.doi, two.fields.pages) == ("key", "10.1000/two", "e12")


@pytest.mark.parametrize(
    "text",
    [
        "  PMID- 1\nTI  - On mice 2016\n",
        "PMID- 12345678 OWN - NLM TI - On mice. DP - 2016",
        "%0 is a comment\n\\bibitem{a} On mice 2016",
    ],
)
def test_a_line_that_only_looks_like_a_tag_begins_no_record(text: str) -> None:
    assert read_document(text).format in (DocumentFormat.TEXT, DocumentFormat.LATEX)
