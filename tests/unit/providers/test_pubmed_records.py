"""PubMed: what its records become, on hand-written bodies and, where they are stored, on the full recordings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring

from shared.bibliography.paper import Author, Paper, Retraction, RetractionStatus, Version
from shared.providers.records.medline import read_paper
from tests.recorded.every_recording import folder, needs_recordings
from tests.unit.providers.pubmed_replay import OWN, article, paper_of, replay_records

RETRACTED = RetractionStatus.RETRACTED
SAMPLE = "nlm-pubmedsample-2019-176-records.xml"
RECORDS = [
    pytest.param(own, full, pmid, expected, id=f"{pmid}-{quirk}")
    for own, full, pmid, quirk, expected in [
        # 1. The references' DOIs lie under the same tags as the paper's own.
        ("references", "efetch-30386702.xml", "30386702", "own-doi-beside-cited-ones", {
            "title": "Species diversity of drifting fish eggs in the Yangtze River using molecular identification",
            "ids.doi": "10.7717/peerj.5807", "ids.pmcid": "PMC6203937", "author_count": 7, "pages": "e5807",
            "authors": tuple(Author(family, given) for family, given in [
                ("Liu", "Mingdian"), ("Wang", "Dengqiang"), ("Gao", "Lei"), ("Tian", "Huiwu"), ("Liu", "Shaoping"),
                ("Chen", "Daqing"), ("Duan", "Xinbin"),
            ]),
        }),
        ("references", "efetch-35679569.xml", "35679569", "own-doi-beside-cited-ones", {
            "ids.doi": "10.2105/ajph.2022.306873", "type": "editorial", "publication_date": "2022-06",
            "issue": "S3", "pages": "S224-S225", "retraction.status": RetractionStatus.NONE,
        }),
        # 2. Text and markup are mixed.
        ("mixed-content", "efetch-28356292-title-b-sup-sub.xml", "28356292", "markup-in-title", {
            "title": "Responses of distal nephron Na+ transporters - to acute volume depletion and hyperkalemia",
            "ids.doi": "10.1152/ajprenal.00668.2016", "year": 2017, "pages": "F62-F73",
        }),
        ("mixed-content", "efetch-36176722.xml", "36176722", "italics-in-title", {
            "title": "Female social structure influences, and is influenced by, male introduction and integration "
            "success among captive rhesus macaques (Macaca mulatta)", "ids.doi": "10.1163/1568539x-bja10109",
        }),
        ("mixed-content", "efetch-29872490-title-italics.xml", "29872490", "line-breaks-in-title", {
            "title": "Genome-wide significant risk factors on chromosome 19 and the APOE locus",
        }),
        ("mixed-content", "efetch-29963580-mathml-collective.xml", "29963580", "group-beside-people", {
            "authors.8": Author(name="Canadian Respiratory Research Network"), "author_count": 9,
            "ids.doi": "10.1117/1.jmi.5.2.026002", "pages": "026002",
        }),
        # 3. and 4. Abstracts.
        ("abstracts", "efetch-23657305.xml", "23657305", "season", {
            "year": 2013, "publication_date": "2013", "ids.doi": "10.1590/s0004-28032013000100008",
        }),
        ("abstracts", "efetch-211-589-591-960-multi-old.xml", "211", "no-abstract-no-doi", {
            "abstract": None, "ids.doi": None, "year": 1975, "pages": "101-105", "volume": "4", "issue": None,
        }),
        # 5. Dates that are spans or seasons.
        ("dates", SAMPLE, "10188493", "span-over-two-years", {"year": 1998, "publication_date": "1998"}),
        ("dates", SAMPLE, "18122624", "span-of-years", {"year": 1947, "publication_date": "1947"}),
        ("dates", SAMPLE, "18941263", "year-as-a-span", {"year": 2008, "publication_date": "2008"}),
        ("dates", SAMPLE, "29635139", "span-of-months", {"year": 2018, "publication_date": "2018"}),
        ("dates", "efetch-12091962-9997-multi.xml", "12091962", "season", {"publication_date": "1990"}),
        # 6. Authors.
        ("authors", "efetch-34843274.xml", "34843274", "a-group-only", {
            "authors": (Author(name="Guideline Development Panel for the Treatment of Depressive Disorders"),),
            "author_count": 1,
        }),
        ("authors", "efetch-10000166-noforename.xml", "10000166", "initials-only", {
            "authors": (Author("Kostek", "S"), Author("Schwartz", "LM"), Author("Johnson", "DL")),
        }),
        ("authors", SAMPLE, "9634358", "misspelt-name-left-out", {
            "author_count": 6, "authors.3": Author("Whitley", "R J"), "authors.5": Author("Pavan-Langston", "D"),
            "type": "retraction-notice", "pages": "1778",
        }),
        ("authors", SAMPLE, "9626910", "list-cut-by-NLM", {
            "author_count": None, "authors.0": Author("Matsumori", "A"),
        }),
        ("authors", SAMPLE, "9575322", "suffix", {"authors": (Author("Alvarez", "J A"), Author("Hardy Jr", "R H"))}),
        ("authors", SAMPLE, "11525160", "no-list", {"authors": (), "author_count": None, "type": "conference-paper"}),
        # 7. Books.
        ("book", "efetch-20301577-book-genereviews.xml", "20301577", "chapter", {
            "title": "CACNA1C-Related Disorders", "journal": "GeneReviews®", "type": "book-chapter", "ids.doi": None,
            "authors": (Author("Napolitano", "Carlo"), Author("Priori", "Silvia G")), "publication_date": "2006-02-15",
            "retraction.status": RetractionStatus.UNKNOWN,
        }),
        # 8. Languages and translated titles.
        ("languages", "efetch-38048813.xml", "38048813", "translated", {
            "title": "A Broader Scope - Bio-Psycho-Social Medicine In Global Focus", "language": "de",
            "alternative_titles": ("A Broader Scope – Bio-psycho-soziale Medizin im globalen Fokus",),
            "publication_date": "2023-12-04", "type": "editorial",
        }),
        ("languages", "efetch-36987902.xml", "36987902", "two-languages", {
            "language": "en", "alternative_titles": (
                "Pasienter over 75 år innlagt ved Brannskadeavdelinga, Haukeland universitetssjukehus 2000–19",),
        }),
        ("languages", "efetch-26711635-lang-uppercase.xml", "26711635", "upper-case", {
            "language": "en", "type": "journal-article", "ids.doi": "10.1016/j.diagmicrobio.2015.11.017",
        }),
        ("languages", SAMPLE, "14817685", "undetermined", {"language": None, "title": "The beriberi heart"}),
        # 9. DOIs in one of two places.
        ("ids-and-versions", "efetch-12529422-eloc-missing.xml", "12529422", "doi-among-ids-only", {
            "ids.doi": "10.1091/mbc.e02-06-0327", "ids.pmcid": "PMC140223", "open_access.is_oa": True,
        }),
        # 10. Notices, and preprints with their articles.
        ("notices", SAMPLE, "8655018", "retracted", {"retraction": Retraction(RETRACTED, notice_pmid="9867474"),
            "type": "review",
            "title": "Effect of fetal and neonatal growth on the occurrence of some diseases in adults"}),
        ("notices", SAMPLE, "8863847", "twice-noticed", {"retraction": Retraction(RETRACTED, notice_pmid="9499167")}),
        ("notices", SAMPLE, "11543891", "retracted", {"retraction": Retraction(RETRACTED, notice_pmid="11600210")}),
        ("notices", SAMPLE, "11600210", "the-notice-itself", {
            "retraction.status": RetractionStatus.NONE, "type": "retraction-notice",
        }),
        ("notices", "efetch-38833988.xml", "38833988", "erratum-itself", {
            "retraction.status": RetractionStatus.NONE, "type": "erratum", "abstract": None,
        }),
        ("notices", "efetch-35649368.xml", "35649368", "corrected", {"retraction": Retraction(
            RetractionStatus.CORRECTED, notice_doi="10.1016/j.celrep.2022.111044", notice_pmid="35767954")}),
        ("ids-and-versions", "efetch-36156117.xml", "36156117", "article-of-a-preprint", {"versions": (
            Version("preprint", doi="10.21203/rs.3.rs-1800050/v1", pmid="35794888", journal="Res Sq"),),
            "ids.doi": "10.1093/cid/ciac769",
        }),
        # 11. Preprints.
        ("ids-and-versions", "efetch-36798302-37385249-preprint.xml", "36798302", "preprint", {
            "type": "preprint", "journal": "bioRxiv", "ids.doi": "10.1101/2023.02.07.527548",
            "versions": (Version("published", doi="10.1016/j.cell.2023.05.044", pmid="37385249", journal="Cell"),),
        }),
        ("ids-and-versions", "efetch-37398060-40119176-preprint-updatein.xml", "37398060", "preprint", {
            "type": "preprint", "journal": "Research square",
            "versions": (Version(
                "published", doi="10.1038/s41592-025-02621-6", pmid="40119176", journal="Nat Methods"),),
        }),
        ("ids-and-versions", SAMPLE, "11034741", "edition-of-a-review", {
            "type": "review", "ids.doi": "10.1002/14651858.cd002020",
            "versions": (Version("version", pmid="11406024", journal="Cochrane Database Syst Rev"),),
        }),
    ]
]  # fmt: skip


@cache
def papers_in(path: Path) -> tuple[Paper, ...]:
    return replay_records(path).papers


def record(path: Path, pmid: str) -> Paper:
    papers = [paper for paper in papers_in(path) if paper.ids.pmid == pmid]
    assert len(papers) == 1
    return papers[0]


def values(paper: Paper, names: Mapping[str, Any]) -> dict[str, Any]:
    """The values at `ids.doi`, `authors.3` and the like."""
    return {
        name: paper.authors[int(name[8:])] if name.startswith("authors.") else attrgetter(name)(paper)
        for name in names
    }  # fmt: skip


@pytest.mark.parametrize(("own", "full", "pmid", "expected"), RECORDS)
def test_a_record_is_read_as_it_is_meant(own: str, full: str, pmid: str, expected: dict[str, Any]) -> None:
    assert values(record(OWN / f"efetch-{own}.xml", pmid), expected) == expected


@needs_recordings
@pytest.mark.parametrize(("own", "full", "pmid", "expected"), RECORDS)
def test_the_recording_gives_the_same_answer(own: str, full: str, pmid: str, expected: dict[str, Any]) -> None:
    assert values(record(folder("pubmed") / full, pmid), expected) == expected


@pytest.mark.parametrize(
    ("pmid", "date"), [("10188493", "1998"), ("18122624", "1947")], ids=["completed-1999", "revised-2018"]
)
def test_the_days_of_indexing_are_no_publication_dates(pmid: str, date: str) -> None:
    assert record(OWN / "efetch-dates.xml", pmid).publication_date == date


def test_structured_abstracts_keep_their_labels_and_drop_empty_ones_and_the_copyright() -> None:
    assert record(OWN / "efetch-abstracts.xml", "23657305").abstract == (
        "CONTEXT: Livers may hold too much iron. OBJECTIVES: To count the mutations. Blood was taken once. "
        "It was kept cold. CONCLUSION: Iron and mutations go together at p < 0.05."
    )


@needs_recordings
@pytest.mark.parametrize(
    ("name", "pmid", "labels"),
    [
        ("efetch-23657305.xml", "23657305", ["CONTEXT", "OBJECTIVES", "METHODS", "RESULTS", "CONCLUSION"]),
        ("efetch-26858277-erratum-comment.xml", "26858277", ["OBJECTIVE", "DESIGN", "DATA SOURCES", "CONCLUSIONS"]),
    ],
    ids=["23657305", "26858277"],
)
def test_recorded_structured_abstracts_have_all_their_sections(name: str, pmid: str, labels: list[str]) -> None:
    abstract = record(folder("pubmed") / name, pmid).abstract or ""
    places = [abstract.find(f"{label}: ") for label in labels]
    assert places[0] == 0
    assert places == sorted(set(places))


def test_another_bodys_abstract_is_not_mixed_into_the_articles_own() -> None:
    own = record(OWN / "efetch-abstracts.xml", "11243089")
    assert own.abstract == "Children who sleep on pavements were weighed."


def test_an_abstract_by_a_third_party_is_used_when_there_is_no_other() -> None:
    assert record(OWN / "efetch-abstracts.xml", "11540070").abstract == "Plants send messages by calcium."


def test_formulas_leave_their_signs_and_no_tags() -> None:
    assert record(OWN / "efetch-mixed-content.xml", "29963580").abstract == (
        "Images of He 3 gas v < 1 show how lungs fill."
    )


@needs_recordings
def test_the_recorded_formula_leaves_no_tag() -> None:
    paper = record(folder("pubmed") / "efetch-29963580-mathml-collective.xml", "29963580")
    assert "inhaled He 3 / Xe 129 MRI" in (paper.abstract or "")
    assert "<" not in (paper.abstract or "")


def test_a_free_copy_in_pmc_is_open_access_without_a_licence() -> None:
    access = record(OWN / "efetch-ids-and-versions.xml", "12529422").open_access
    assert access.url == "https://pmc.ncbi.nlm.nih.gov/articles/PMC140223/"
    assert access.license is None


def test_without_a_pmcid_open_access_is_unknown() -> None:
    assert paper_of(article()).open_access.is_oa is None


def test_an_articles_references_are_listed_by_their_best_id() -> None:
    """A list of references may hold lists; a reference without an id of a paper is left out."""
    ids = (
        '<ArticleIdList><ArticleId IdType="pubmed">23150908</ArticleId>'
        '<ArticleId IdType="doi">10.1056/NEJMoa1211103</ArticleId></ArticleIdList>',
        '<ArticleIdList><ArticleId IdType="pubmed">25732305</ArticleId></ArticleIdList>',
        '<ArticleIdList><ArticleId IdType="pmc">PMC1</ArticleId></ArticleIdList>',
        "",
    )
    references = [f"<Reference><Citation>Some words.</Citation>{held}</Reference>" for held in ids]
    lists = f"<ReferenceList>{references[0]}<ReferenceList>{''.join(references[1:])}</ReferenceList></ReferenceList>"
    record = (
        f"<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>T</ArticleTitle></Article>"
        f"</MedlineCitation><PubmedData>{lists}</PubmedData></PubmedArticle>"
    )
    assert read_paper(fromstring(record), 1).references == ("doi:10.1056/nejmoa1211103", "pmid:25732305")
