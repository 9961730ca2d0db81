"""Preprints and their articles: one paper by ids and links, or by title and authors where nothing contradicts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.records import preprint, published, record, same_paper

HERGER = "Herger, Michael; Kajba, Christina M.; Buckley, Megan; Cunha, Ana"
PRIME = "High-throughput screening of human genetic variants by pooled prime editing"


@pytest.mark.parametrize("provider", ["openalex", None], ids=["one provider", "two providers"])
def test_a_preprint_and_its_article_are_one_under_equal_titles(provider: str | None) -> None:
    named: dict[str, Any] = {"provider": provider} if provider else {}
    early = record(PRIME, HERGER, 2024, "bioRxiv", doi="10.1101/2024.04.01.587366", **named)
    late = record(PRIME, HERGER, 2025, "Cell Genomics 5:100814", doi="10.1016/j.xgen.2025.100814", **named)
    assert same_paper(early, late)


def test_a_preprint_and_its_article_are_one_by_a_link_under_other_titles() -> None:
    early = record("Prime editing screens", HERGER, 2021, doi="10.1101/2024.04.01.587366")
    late = record(
        PRIME, HERGER, 2025, doi="10.1016/j.xgen.2025.100814", versions=preprint(doi="10.1101/2024.04.01.587366")
    )
    assert same_paper(early, late).reason == "linked versions"


def test_a_wrong_link_to_another_teams_paper_does_not_join() -> None:
    early = record(
        "Glacier mass balance", "Marzeion, Ben", 2012, arxiv="2011.00931", versions=published(doi="10.1000/x")
    )
    assert not same_paper(early, record(PRIME, HERGER, 2025, doi="10.1000/x"))


def test_the_arxiv_doi_does_not_contradict_the_publishers() -> None:
    early = record("Proof in the time of machines", "Granville, Andrew", 2023, doi="10.48550/arXiv.2305.02329")
    assert same_paper(early, record("Proof in the time of machines", "Granville, A.", 2024, doi="10.1090/bull/1826"))


def test_biorxivs_two_prefixes_name_one_preprint() -> None:
    title = "Host infection selects for sRNA variants that drive bacterial social cheating"
    assert same_paper(record(title, doi="10.64898/2025.12.19.695336"), record(title, doi="10.1101/2025.12.19.695336"))


@pytest.mark.parametrize("work", ["10.12688/f1000research.29032", "10.7554/eLife.90000"])
def test_the_versions_of_an_article_reviewed_in_public_are_one(work: str) -> None:
    first = record("Data analysis with snakes", "Roe, A.; Poe, B.", 2021, doi=f"{work}.1")
    second = record("Sustainable data analysis with snakes", "Roe, A.; Poe, B.", 2023, doi=f"{work}.2", pmid="34035898")
    assert same_paper(first, second).reason == "same doi"


def test_versions_of_a_preprint_are_one() -> None:
    title = "Neuronal Connectivity as a Determinant of Cell Types and Subtypes"
    one, two = record(title, doi="10.21203/rs.3.rs-2960606/v1"), record(title, doi="10.21203/rs.3.rs-2960606/v2")
    assert same_paper(one, two).reason == "same doi"


def test_a_journal_of_cold_spring_harbor_is_no_preprint_server() -> None:
    early = record(PRIME, HERGER, 2024, doi="10.1101/gr.278070.123")
    assert same_paper(early, record(PRIME, HERGER, 2025, doi="10.1016/j.xgen.2025.100814")).reason == "different DOIs"


def test_a_preprint_with_a_pmid_of_its_own_joins_its_article_by_id() -> None:
    early = record(PRIME, HERGER, 2023, type="preprint", doi="10.1101/2023.02.07.527548", pmid="36798302",
                   versions=published(doi="10.1016/j.cell.2023.05.044"))  # fmt: skip
    assert same_paper(early, record("Another title", HERGER, 2023, doi="10.1016/j.cell.2023.05.044", pmid="37385249"))


def test_a_preprint_with_a_pmid_of_its_own_does_not_join_by_title() -> None:
    early = record(PRIME, HERGER, 2024, type="preprint", pmid="36798302")
    assert not same_paper(early, record(PRIME, HERGER, 2025, pmid="40120586"))
