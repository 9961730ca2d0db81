"""One rule for preprints, on the cases where its former copies disagreed.

`yes`, `no` and `-` (not asked) are the former answers of matching, Semantic Scholar's reader and MEDLINE's reader.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from shared.bibliography.preprints import (
    cites_preprint_server,
    is_preprint,
    is_preprint_doi,
    is_preprint_server,
    work_doi,
)
from shared.providers.records import paperclip
from tests.unit.records import record

# DOI, matching, Semantic Scholar, is it a preprint, why
DOIS = [
    ("10.31235/osf.io/ab12c", "no", "yes", True, "SocArXiv"),
    ("10.31219/osf.io/ab12c", "no", "yes", True, "OSF Preprints"),
    ("10.31223/x5abcd", "no", "no", True, "EarthArXiv"),
    ("10.31237/osf.io/ab12c", "no", "no", False, "Thesis Commons holds theses"),
    ("10.1002/essoar.10500000.1", "yes", "no", True, "ESSOAr under Wiley's prefix"),
    ("10.1002/anie.201900001", "no", "no", False, "a journal of Wiley's"),
    ("10.22541/essoar.167000000.00000000/v1", "no", "no", True, "ESSOAr since it moved to Authorea"),
    ("10.22541/au.159000000.00000000", "yes", "yes", True, "Authorea"),
    ("10.36227/techrxiv.12345678.v1", "yes", "no", True, "TechRxiv"),
    ("10.2196/preprints.12345", "yes", "no", True, "JMIR Preprints"),
    ("10.2196/12345", "no", "no", False, "a journal of JMIR's"),
    ("10.7287/peerj.preprints.27295v1", "no", "no", True, "PeerJ Preprints"),
    ("10.7717/peerj.4375", "no", "no", False, "the journal PeerJ"),
    ("10.1590/scielopreprints.100", "no", "no", True, "SciELO Preprints"),
    ("10.1101/087969384.22.1", "no", "yes", False, "a chapter of a Cold Spring Harbor monograph"),
    ("10.1101/gr.229102", "no", "no", False, "Genome Research"),
    ("10.1101/123456", "yes", "yes", True, "bioRxiv until 2019"),
    ("10.1101/123456v2", "no", "yes", True, "the same with its version"),
    ("10.1101/2024.04.01.587366", "yes", "yes", True, "bioRxiv since 2019"),
    ("10.64898/2025.12.01.123456", "yes", "yes", True, "openRxiv's prefix"),
    ("10.48550/arxiv.2205.02150", "yes", "yes", True, "arXiv"),
    ("10.21203/rs.3.rs-1800050/v1", "yes", "yes", True, "Research Square"),
    ("10.2139/ssrn.2250500", "yes", "yes", True, "SSRN"),
    ("10.20944/preprints201612.0036.v1", "yes", "yes", True, "Preprints.org"),
    ("10.26434/chemrxiv-2021-abcde", "yes", "yes", True, "ChemRxiv"),
    ("10.1038/s41586-020-2649-2", "no", "no", False, "Nature"),
]

# name, matching, Semantic Scholar, MEDLINE, is it a server
SERVERS = [
    ("Authorea", "no", "yes", "no", True),
    ("OSF Preprints", "yes", "no", "no", True),
    ("Open Science Framework", "no", "no", "no", True),
    ("ESSOAr", "yes", "no", "no", True),
    ("ESS Open Archive", "no", "no", "no", True),
    ("Res Sq", "no", "no", "yes", True),
    ("Research Square", "yes", "yes", "yes", True),
    ("bioRxiv : the preprint server for biology", "yes", "no", "yes", True),
    ("arXiv (Cornell University)", "yes", "no", "yes", True),
    ("EarthArXiv", "yes", "no", "no", True),
    ("AgriXiv", "no", "no", "no", True),
    ("SSRN Electronic Journal", "yes", "yes", "yes", True),
    ("Preprints.org", "yes", "yes", "yes", True),
    ("Cold Spring Harbor Laboratory", "yes", "no", "no", True),
    ("Cold Spring Harbor Laboratory Press", "no", "no", "no", False),
    ("Cold Spring Harbor perspectives in biology", "no", "no", "no", False),
    ("Proceedings of EUSIPCO XXIV", "no", "no", "no", False),
    ("Research in Science & Technological Education", "no", "no", "no", False),
    ("JMIR mHealth and uHealth", "no", "no", "no", False),
]


@pytest.mark.parametrize(("doi", "_matching", "_semantic_scholar", "right", "why"), DOIS)
def test_a_preprint_is_known_by_its_doi(
    doi: str, _matching: str, _semantic_scholar: str, right: bool, why: str
) -> None:
    assert is_preprint_doi(doi) is right, why
    assert is_preprint(record("A title", doi=doi)) is right, why


@pytest.mark.parametrize(("name", "_matching", "_semantic_scholar", "_medline", "right"), SERVERS)
def test_a_preprint_is_known_by_its_server(
    name: str, _matching: str, _semantic_scholar: str, _medline: str, right: bool
) -> None:
    assert is_preprint_server(name) is right
    assert is_preprint(record("A title", place=name)) is right


@pytest.mark.parametrize(
    ("citation", "cites"),
    [
        ("Res Sq. 2022 Jun 29:rs.3.rs-1800050. doi: 10.21203/rs.3.rs-1800050/v1.", True),
        ("SocArXiv. 2020 May 1. doi: 10.31235/osf.io/ab12c.", True),
        ("Cochrane Database Syst Rev. 2001;(2):CD002020", False),
        ("Learned Publishing. 2021;34:3. Who reads a preprint?", False),  # Europe PMC's reader took it for a preprint
    ],
)
def test_a_citation_is_of_a_preprint_by_its_journal(citation: str, cites: bool) -> None:
    assert cites_preprint_server(citation) is cites


def test_a_record_with_an_articles_doi_and_a_server_as_journal_counts_as_a_preprint() -> None:
    assert is_preprint(record("A title", place="arXiv.org", doi="10.1109/cvpr.2016.90"))
    assert not is_preprint(record("A title", doi="10.1109/cvpr.2016.90", arxiv="1512.03385"))
    assert is_preprint(record("A title", arxiv="1512.03385"))
    assert is_preprint(replace(record("A title"), type="preprint"))


@pytest.mark.parametrize(
    ("doi", "work"),
    [
        ("10.64898/2025.12.01.123456v2", "10.1101/2025.12.01.123456"),
        ("10.31235/osf.io/ab12c_v3", "10.31235/osf.io/ab12c"),
        ("10.31234/osf.io/qm3v2", "10.31234/osf.io/qm3v2"),  # no version, an id of five characters
        ("10.21203/rs.3.rs-1800050/v1", "10.21203/rs.3.rs-1800050"),
        ("10.48550/arxiv.2205.02150", None),
        ("10.7717/peerj.4375/v1", "10.7717/peerj.4375/v1"),
        ("10.12688/f1000research.29032.2", "10.12688/f1000research.29032"),
        ("10.12688/f1000research.2-127.v2", "10.12688/f1000research.2-127"),
        ("10.12688/wellcomeopenres.15191.1", "10.12688/wellcomeopenres.15191"),
        ("10.7554/elife.90000.2", "10.7554/elife.90000"),
        ("10.7554/elife.90000", "10.7554/elife.90000"),
        ("10.7554/elife.01567.002", "10.7554/elife.01567.002"),  # a part of an article
        ("10.7554/elife.55167.sa2", "10.7554/elife.55167.sa2"),
        (None, None),
    ],
)
def test_versions_of_a_preprint_are_joined_under_one_doi(doi: str | None, work: str | None) -> None:
    assert work_doi(doi) == work


@pytest.mark.parametrize(
    ("document", "doi", "published"),
    [
        ("bio_1", "10.1101/gr.229102", "10.1101/gr.229102"),  # was taken for bioRxiv's own, by its prefix
        ("bio_1", "10.1101/2024.04.01.587366", None),
        ("arx_2205.02150", "10.21203/rs.3.rs-1800050/v1", None),  # was called the published article
        ("arx_2205.02150", "10.1038/s41586-020-2649-2", "10.1038/s41586-020-2649-2"),
    ],
)
def test_paperclip_distinguishes_an_articles_doi_from_a_preprints(
    document: str, doi: str, published: str | None
) -> None:
    paper = paperclip.read_paper({"document_id": document, "title": "A title", "doi": doi}, 1)
    assert [version.doi for version in paper.versions] == ([published] if published else [])
    assert paper.ids.doi == (None if published else doi)
