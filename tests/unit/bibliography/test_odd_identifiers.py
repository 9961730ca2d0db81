"""Identifiers that look like ones and are none: other digits, invisible characters, and lengths made to cost time."""

from __future__ import annotations

import pytest

from shared.bibliography.identifiers import read_arxiv, read_doi, read_openalex, read_pmcid, read_pmid
from shared.bibliography.paper_ids import ids_of, read_id
from shared.bibliography.reference_text import read_references
from shared.query.identifiers import read_identifiers
from tests.growth import growth

ARABIC = "\u0661\u0662\u0663\u0664"


@pytest.mark.parametrize(
    "identifier",
    [
        read_pmid(f"1{ARABIC}"), read_pmcid(f"PMC1{ARABIC}"), read_openalex(f"W1{ARABIC}"), read_doi(f"10.{ARABIC}/x"),
        read_arxiv(f"{ARABIC}.12345"), read_doi("10.1234/x\u202e"), read_doi("10.1234/a\x07b"),
    ],
)  # fmt: skip
def test_other_digits_and_invisible_characters_are_in_no_identifier(identifier: str | None) -> None:
    assert identifier is None


@pytest.mark.parametrize("piece", [")", ">.", "]"])
def test_an_endless_doi_takes_linear_time(piece: str) -> None:
    assert growth(lambda size: read_doi("10.1234/" + piece * size), 4_000) < 6


@pytest.mark.parametrize(
    "text", ["see 10.1038/s41586-", "10.1016/S0140-6736(20", "10.1007/s00220-0[...]", "10.1016/j.cell.2019.\n01.001."]
)
def test_a_doi_that_is_cut_names_no_paper(text: str) -> None:
    assert read_references(text) == []


@pytest.mark.parametrize(
    "written",
    [
        "10.7554/eLife.20391/",
        "doi:10.7554/eLife.20391/",
        "https://doi.org/10.7554/eLife.20391/",
        "10.7554/elife.20391/.",
    ],
)
def test_a_doi_has_no_slash_at_its_end(written: str) -> None:
    assert read_id(written) == "doi:10.7554/elife.20391"
    assert read_identifiers(f"{written} tau").names == ("doi:10.7554/elife.20391",)


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("[Kober 2016](https://doi.org/10.7554/eLife.20391)", "doi:10.7554/elife.20391"),
        ("[Mehra, 2020](https://doi.org/10.1016/S0140-6736(20)31180-6).", "doi:10.1016/s0140-6736(20)31180-6"),
        ('[a](<https://pubmed.ncbi.nlm.nih.gov/29618526/> "title")', "pmid:29618526"),
        ("[a, b](PMC5938574)", "pmcid:PMC5938574"),
        ("[10.1000/a](https://example.org/about)", None),
        ("[10.1000/a](https://doi.org/10.1000/b) and more", None),
    ],
)
def test_a_link_of_markdown_is_the_id_that_it_leads_to(link: str, name: str | None) -> None:
    assert read_id(link) == name
    assert not name or ids_of(link) == (link,)


def test_an_endless_link_takes_linear_time() -> None:
    assert growth(lambda size: read_id("[a](" + "(1" * size), 700) < 6


def test_our_key_of_a_doi_with_a_slash_at_its_end_stays() -> None:
    assert read_id("doi:10.1000/x/") == "doi:10.1000/x/"


@pytest.mark.parametrize("text", ["See {} for it.", "see {}", "doi:{}, and", "https://doi.org/{}", "({})", "doi: {}\n"])
@pytest.mark.parametrize(
    "doi",
    [
        "10.1641/0006-3568(2001)051[0933:TEOTWA]2.0.CO;2-?",
        "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-?",
    ],
)
def test_a_question_mark_may_end_a_sici(text: str, doi: str) -> None:
    assert [it.id for it in read_references(text.format(doi))] == [doi.lower()]
    assert read_id(f"https://doi.org/{doi}") == f"doi:{doi.lower()}"


def test_a_question_mark_behind_a_whole_sici_is_the_sentences() -> None:
    doi = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"
    assert [it.id for it in read_references(f"Is it {doi}?")] == [doi.lower()]
