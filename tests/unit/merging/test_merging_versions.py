"""Ids and versions of a merged paper: a preprint and its article are one result that shows both."""

from __future__ import annotations

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Version
from tests.unit.records import merge_records, merged, preprint, record

TITLE = "High-throughput screening of human genetic variants by pooled prime editing"
AUTHORS = "Herger, Michael; Kajba, Christina M.; Buckley, Megan; Cunha, Ana"
EARLY, LATE = "10.1101/2024.04.01.587366", "10.1016/j.xgen.2025.100814"
PREPRINT = record(TITLE, AUTHORS, 2024, "bioRxiv", provider="openalex", doi=EARLY, type="preprint",
                  publication_date="2024-04-01", abstract="A preprint's long abstract of many words.")  # fmt: skip
ARTICLE = record(TITLE, AUTHORS, 2025, "Cell Genomics 5:100814", provider="crossref", doi=LATE, pmid="40120586",
                 type="journal-article", abstract="An abstract.")  # fmt: skip


def test_a_preprint_and_its_article_are_one_result_with_both_versions() -> None:
    paper = merged(PREPRINT, ARTICLE)
    assert [(version.relation, version.doi, version.pmid) for version in paper.versions] == [
        ("published", LATE, "40120586"),
        ("preprint", EARLY, None),
    ]
    assert paper.provenance["versions"] == ("crossref", "openalex")


def test_the_articles_fields_win_over_the_preprints() -> None:
    paper = merged(PREPRINT, ARTICLE)
    assert (paper.ids.doi, paper.year, paper.journal, paper.type) == (LATE, 2025, "Cell Genomics", "journal-article")
    assert paper.abstract == "An abstract."


def test_the_preprint_provides_fields_that_the_article_lacks() -> None:
    bare = record(TITLE, AUTHORS, 2025, provider="crossref", doi=LATE)
    paper = merged(PREPRINT, bare)
    assert (paper.abstract, paper.provenance["abstract"]) == (PREPRINT.abstract, ("openalex",))


def test_a_linked_preprint_that_no_provider_returned_is_a_version_too() -> None:
    paper = merged(record(TITLE, AUTHORS, 2025, doi=LATE, versions=preprint(doi=EARLY)))
    assert [(version.relation, version.doi) for version in paper.versions] == [("published", LATE), ("preprint", EARLY)]


def test_one_record_with_an_arxiv_id_and_a_publishers_doi_knows_two_versions() -> None:
    paper = merged(
        record("Point Transformer", "Engel, Nico", 2021, doi="10.1109/ACCESS.2021.3116304", arxiv="2011.00931")
    )
    assert [(version.relation, version.doi, version.arxiv) for version in paper.versions] == [
        ("published", "10.1109/access.2021.3116304", None),
        ("preprint", None, "2011.00931"),
    ]


def test_arxivs_own_doi_is_the_doi_of_a_paper_only_where_there_is_no_other() -> None:
    early = record("Proof in the time of machines", "Granville, Andrew", 2023, doi="10.48550/arXiv.2305.02329")
    late = record("Proof in the time of machines", "Granville, Andrew", 2024, doi="10.1090/bull/1826")
    assert merged(early).ids == Identifiers(doi="10.48550/arxiv.2305.02329", arxiv="2305.02329")
    assert merged(early, late).ids == Identifiers(doi="10.1090/bull/1826", arxiv="2305.02329")


def test_a_paper_known_in_one_version_lists_none() -> None:
    assert merged(ARTICLE, record(TITLE, doi=LATE)).versions == ()


def test_a_preprint_of_two_records_and_its_link_back_is_listed_once() -> None:
    linked = record(TITLE, AUTHORS, 2024, doi=EARLY, versions=(Version("published", doi=LATE),), type="preprint")
    relations = [version.relation for version in merged(PREPRINT, linked, ARTICLE).versions]
    assert relations == ["published", "preprint"]


def test_a_second_published_version_is_called_a_version() -> None:
    first = record(TITLE, AUTHORS, 2025, doi=LATE)
    paper = merged(first, record(TITLE, AUTHORS, 2025, doi="10.1016/j.z", versions=(Version("version", doi=LATE),)))
    assert [(version.relation, version.doi) for version in paper.versions] == [
        ("published", LATE), ("version", "10.1016/j.z"),
    ]  # fmt: skip


def test_the_crossref_id_is_the_doi_where_crossref_returned_the_record() -> None:
    assert merged(ARTICLE).ids.crossref == LATE
    assert merged(PREPRINT).ids.crossref is None


def test_an_id_that_two_results_claim_stays_with_the_better_supported_one() -> None:
    one = [record(TITLE, pmid="11", pmcid="PMC9", provider=name) for name in ("pubmed", "europe_pmc")]
    other = record("Glacier mass balance", pmid="12", pmcid="PMC9", provider="openalex")
    papers = merge_records([*one, other])
    assert [(paper.key, paper.ids.pmcid) for paper in papers] == [("pmid:11", "PMC9"), ("pmid:12", None)]
    assert "pmcid" not in papers[1].provenance


def test_abstracts_of_a_supplement_keep_the_doi_that_they_share() -> None:
    doi = "10.1007/s00125-018-4693-0"
    titles = "Liraglutide and reverse cholesterol transport", "Immune populations during early atherosclerosis"
    papers = merge_records([record(title, doi=doi) for title in titles])
    assert [paper.ids.doi for paper in papers] == [doi, doi]
