"""The retraction status: the gravest report counts, a notice stays whole, and no report means unknown."""

from __future__ import annotations

import pytest

from shared.bibliography.paper import MergedPaper, Paper, Retraction, RetractionStatus
from shared.search.integrity import with_integrity
from tests.unit.records import merge_records, record

NONE, RETRACTED, CORRECTED = RetractionStatus.NONE, RetractionStatus.RETRACTED, RetractionStatus.CORRECTED
NOTICE, ANOTHER = "10.1000/notice", "10.1000/another"


def record_of(provider: str, *retraction: object) -> Paper:
    standing = Retraction(*retraction)  # type: ignore[arg-type]
    return record("Stripes of the zebrafish", "Turing, A.", 1952, provider=provider, doi="10.1/z", retraction=standing)


def merged(*papers: Paper) -> MergedPaper:
    (paper,) = merge_records(papers)
    (same,) = merge_records(papers[::-1])
    assert same == paper
    return paper


def test_the_retraction_status_is_unknown_when_an_integrity_source_did_not_answer() -> None:
    paper = merged(record_of("openalex", NONE), record_of("pubmed", NONE))
    assert with_integrity(paper, []) == paper
    doubted = with_integrity(paper, ["crossref"])
    assert doubted.retraction == Retraction(RetractionStatus.UNKNOWN)
    assert "retraction" not in doubted.provenance
    assert doubted.provenance["retraction.none"] == ("openalex", "pubmed")


@pytest.mark.parametrize("status", [it for it in RetractionStatus if it is not NONE])
def test_a_reported_status_remains_when_other_providers_do_not_answer(status: RetractionStatus) -> None:
    paper = (
        merged(record_of("openalex", NONE), record_of("pubmed", status))
        if status != "unknown"
        else merged(record_of("arxiv"))
    )
    assert with_integrity(paper, ["crossref"]) == paper
    assert paper.retraction.status is status


def test_sources_that_deny_a_retraction_are_named() -> None:
    paper = merged(
        record_of("openalex", RETRACTED),
        record_of("pubmed", NONE),
        record_of("crossref", CORRECTED),
        record_of("arxiv"),
    )
    retraction_sources = {name: who for name, who in paper.provenance.items() if name.startswith("retraction")}
    assert retraction_sources == {
        "retraction": ("openalex",),
        "retraction.corrected": ("crossref",),
        "retraction.none": ("pubmed",),
    }


@pytest.mark.parametrize(
    "accounts, expected",
    [
        pytest.param(
            [("crossref", NOTICE, "2024-06"), ("pubmed", None, None, "99")],
            Retraction(RETRACTED, NOTICE, "2024-06", "99"), id="one-account-completes-the-other",
        ),
        pytest.param(
            [("crossref", NOTICE, None), ("pubmed", ANOTHER, None, "99")],
            Retraction(RETRACTED, NOTICE), id="a-PMID-of-another-notice-is-left",
        ),
        pytest.param(
            [("crossref", NOTICE, None), ("europe_pmc", None, None, "98"), ("pubmed", NOTICE, None, "99")],
            Retraction(RETRACTED, NOTICE, None, "99"), id="the-PMID-that-came-with-the-DOI-first",
        ),
        pytest.param(
            [("arxiv", None, "2019-01-01"), ("crossref", NOTICE, "2024-06"), ("pubmed", ANOTHER, "2018")],
            Retraction(RETRACTED, NOTICE, "2024-06"), id="the-notice's-own-date-first",
        ),
        pytest.param([("arxiv", None, "2019-01-01"), ("openalex", None, None)],
                     Retraction(RETRACTED, None, "2019-01-01"), id="a-date-without-a-notice"),
    ],
)  # fmt: skip
def test_the_notice_is_one_and_not_put_together_from_two(accounts: list[tuple[str, ...]], expected: Retraction) -> None:
    assert merged(*(record_of(provider, RETRACTED, *notice) for provider, *notice in accounts)).retraction == expected


def test_a_notice_of_a_lesser_update_is_not_the_retractions() -> None:
    paper = merged(record_of("crossref", CORRECTED, NOTICE, "2020"), record_of("openalex", RETRACTED))
    assert paper.retraction == Retraction(RETRACTED)
