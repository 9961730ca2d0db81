"""Identifiers in every form that people and services write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.bibliography.identifiers import (
    Identifiers,
    arxiv_of_doi,
    citation_uri,
    paper_key,
    read_arxiv,
    read_doi,
    read_openalex,
    read_paper_id,
    read_pmcid,
    read_pmid,
)
from shared.bibliography.paper_ids import key_of

SICI = "10.1890/0012-9658(2006)87[2832:tiopma]2.0.co;2"
DOIS = [
    ("10.1038/NATURE12373", "10.1038/nature12373"),
    ("https://doi.org/10.1038/nature12373", "10.1038/nature12373"),
    ("http://dx.doi.org/10.1038/nature12373", "10.1038/nature12373"),
    ("doi:10.1038/nature12373", "10.1038/nature12373"),
    ("DOI: https://doi.org/10.1038/nature12373", "10.1038/nature12373"),
    ("doi.org/10.1038/nature12373", "10.1038/nature12373"),
    ("10.1038/nature12373.", "10.1038/nature12373"),
    ("10.1016/j.cell.2015.01.049)", "10.1016/j.cell.2015.01.049"),
    ("10.1890/0012-9658(2006)87%5B2832:TIOPMA%5D2.0.CO;2", SICI),
    ("10.1890/0012-9658(2006)87[2832:TIOPMA]2.0.CO;2", SICI),
    (
        "10.1002/(SICI)1097-0258(19980815)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
        "10.1002/(sici)1097-0258(19980815)17:15/16<1661::aid-sim968>3.0.co;2-2",
    ),
    (
        "10.1002/(SICI)1097-0258(19980815)17:15/16&lt;1661::AID-SIM968&gt;3.0.CO;2-2",
        "10.1002/(sici)1097-0258(19980815)17:15/16<1661::aid-sim968>3.0.co;2-2",
    ),
    (
        "10.1002/(SICI)1097-0258(19980815)17:15/16%3C1661::AID-SIM968%3E3.0.CO;2-2",
        "10.1002/(sici)1097-0258(19980815)17:15/16<1661::aid-sim968>3.0.co;2-2",
    ),
    ("10.1023/a:1007154515475", "10.1023/a:1007154515475"),
    ("10.1000.10/123", "10.1000.10/123"),
]


@pytest.mark.parametrize(("written", "doi"), DOIS)
def test_a_doi_is_read_however_it_is_written(written: str, doi: str) -> None:
    assert read_doi(written) == doi


@pytest.mark.parametrize(
    "text", ["", None, "10.1038", "11.1038/x", "10.12/x", "nature12373", "10.1038/a b", "https://doi.org/"]
)
def test_a_text_that_is_not_a_doi_yields_none(text: str | None) -> None:
    assert read_doi(text) is None


@pytest.mark.parametrize(
    ("reader", "written", "form"),
    [
        (read_pmid, "PMID: 26374899", "26374899"),
        (read_pmid, "MED/26374899", "26374899"),
        (read_pmid, "Med/12", None),
        (read_pmid, 26374899, "26374899"),
        (read_pmid, "026374899", "26374899"),
        (read_pmid, "https://pubmed.ncbi.nlm.nih.gov/26374899/", "26374899"),
        (read_pmid, "https://www.ncbi.nlm.nih.gov/pubmed/26374899", "26374899"),
        (read_pmid, "PMC26374899", None),
        (read_pmid, "0", None),
        (read_pmid, None, None),
        (read_pmid, "12a", None),
        (read_pmcid, "pmc5122160", "PMC5122160"),
        (read_pmcid, "PMC5122160.1", "PMC5122160"),
        (read_pmcid, "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC5122160/", "PMC5122160"),
        (read_pmcid, "PMC/PMC5122160", "PMC5122160"),
        (read_pmcid, "5122160", None),
        (read_pmcid, "", None),
        (read_arxiv, "arXiv:1706.03762v7", "1706.03762"),
        (read_arxiv, "http://arxiv.org/abs/1706.03762v1", "1706.03762"),
        (read_arxiv, "https://arxiv.org/pdf/2104.12255v1.pdf", "2104.12255"),
        (read_arxiv, "http://arxiv.org/abs/hep-ex/0307015v1", "hep-ex/0307015"),
        (read_arxiv, "math.GT/0309136", "math/0309136"),
        (read_arxiv, "https://arxiv.org/abs/cs.DS/0101001v2", "cs/0101001"),
        (read_arxiv, "10.48550/arXiv.1706.03762", "1706.03762"),
        (read_arxiv, "1706.037", None),
        (read_arxiv, "10.1038/nature12373", None),
        (read_openalex, "https://openalex.org/W2741809807", "W2741809807"),
        (read_openalex, "w2741809807", "W2741809807"),
        (read_openalex, "https://openalex.org/T11948", None),
        (read_paper_id, "649DEF34F8BE52C8B66281AF98AE884C09AEF38B", "649def34f8be52c8b66281af98ae884c09aef38b"),
        (
            read_paper_id,
            "https://www.semanticscholar.org/paper/A-Title/649def34f8be52c8b66281af98ae884c09aef38b",
            "649def34f8be52c8b66281af98ae884c09aef38b",
        ),
        (read_paper_id, "649def34", None),
    ],
)
def test_other_identifiers_are_read_in_their_forms(
    reader: Callable[[Any], str | None], written: str | int | None, form: str | None
) -> None:
    assert reader(written) == form


def test_an_arxiv_doi_holds_an_arxiv_id() -> None:
    assert arxiv_of_doi("10.48550/arxiv.2201.06719") == "2201.06719"
    assert arxiv_of_doi("10.1038/nature12373") is None


FULL = Identifiers(doi="10.1/a", pmid="7", arxiv="1706.03762", paper_id="ab", openalex="W12")
ORDER = [
    (FULL, "https://doi.org/10.1/a", "doi:10.1/a"),
    (Identifiers(pmid="7", paper_id="ab", openalex="W12"), "https://pubmed.ncbi.nlm.nih.gov/7", "pmid:7"),
    (
        Identifiers(pmid="7", arxiv="1706.03762", paper_id="ab", openalex="W12"),
        "https://doi.org/10.48550/arxiv.1706.03762",
        "doi:10.48550/arxiv.1706.03762",
    ),
    (Identifiers(paper_id="ab", openalex="W12"), "https://www.semanticscholar.org/paper/ab", "s2:ab"),
    (Identifiers(openalex="W12"), "https://openalex.org/W12", "openalex:W12"),
]


@pytest.mark.parametrize(("ids", "uri", "key"), ORDER)
def test_the_best_id_names_the_paper(ids: Identifiers, uri: str, key: str) -> None:
    assert citation_uri(ids) == uri
    assert paper_key(ids, "A title") == key


def test_a_paper_without_ids_is_named_by_its_folded_title() -> None:
    assert citation_uri(Identifiers()) is None
    key = paper_key(Identifiers(), "Étude des Glaciers", 1990)
    assert key.startswith("title:")
    assert key == paper_key(Identifiers(), "étude des glaciers.", 1990)
    assert key != paper_key(Identifiers(), "étude des glaciers", 1991)


def test_a_citation_uri_escapes_what_a_uri_may_not_hold() -> None:
    doi = "10.1002/(sici)1097-0258(19980815)17:15/16<1661::aid-sim968>3.0.co;2-2#x"
    uri = citation_uri(Identifiers(doi=doi))
    assert uri == "https://doi.org/10.1002/(sici)1097-0258(19980815)17:15/16%3C1661::aid-sim968%3E3.0.co;2-2%23x"
    assert read_doi(uri) == doi


def test_an_arxiv_id_and_its_doi_are_one_key() -> None:
    by_id, by_doi = Identifiers(arxiv="1706.03762"), Identifiers(doi="10.48550/arxiv.1706.03762")
    assert paper_key(by_id, "A title") == paper_key(by_doi, "Another") == key_of("arxiv:1706.03762")
    assert citation_uri(by_id) == citation_uri(by_doi)
