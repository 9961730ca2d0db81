"""Records that one provider returned in several answers."""

from __future__ import annotations

import pytest

from shared.bibliography.paper import Paper
from shared.matching.features import features
from shared.matching.same_paper import Verdict, compare
from tests.unit.records import record

GLACIER = "Glacier mass balance of Hintereisferner"
VASWANI = "Vaswani, Ashish; Shazeer, Noam; Parmar, Niki"


def in_two_answers(a: Paper, b: Paper) -> Verdict:
    """Compare records that come from different answers, even if from one provider."""
    return compare(features(a, answer=0), features(b, answer=1))


APART_IN_TWO_ANSWERS: list[tuple[str, Paper, Paper, str]] = [
    (
        "one source's records of two titles",
        record("Rule management in object-oriented databases", "Diaz, O.; Paton, N.", provider="core"),
        record("Rule management in object-oriented databases: a uniform approach", "Diaz, O.; Paton, N.",
               provider="core"),
        "two records of one source",
    ),
    (
        "one source's records of two first authors",
        record("Temporal probabilistic object bases", "Subrahmanian, V. S.", provider="core"),
        record("Temporal probabilistic object bases", "Biazzo, V.; Giugno, R.; Subrahmanian, V. S.", 2003,
               provider="core"),
        "two records of one source",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    "a, b, reason", [case[1:] for case in APART_IN_TWO_ANSWERS], ids=[case[0] for case in APART_IN_TWO_ANSWERS]
)
def test_similar_papers_in_two_answers_of_one_source_stay_apart(a: Paper, b: Paper, reason: str) -> None:
    assert not in_two_answers(a, b)
    assert not in_two_answers(b, a)
    assert in_two_answers(a, b).reason == reason


def test_one_provider_queried_in_two_wordings_may_list_a_work_twice() -> None:
    first = record(GLACIER, VASWANI, 2020, provider="core")
    assert in_two_answers(first, record(GLACIER, VASWANI, 2020, provider="core"))


def test_one_provider_queried_in_two_wordings_may_list_a_paper_without_authors_twice() -> None:
    panel = "XML data management: go native or spruce up relational systems?"
    first = record(panel, "", 2001, "SIGMOD Record", provider="dblp")
    assert in_two_answers(first, record(panel, "", 2001, "SIGMOD Record", provider="dblp"))


def test_a_shared_page_joins_records_that_one_source_separates() -> None:
    title, authors = "Rule management in object-oriented databases", "Diaz, O.; Paton, N."
    first = record(title, authors, 1991, "Proc. VLDB 17:317-326", provider="core")
    cut = record(f"{title}: a uniform approach", authors, 1991, "VLDB 17:317", provider="core")
    assert in_two_answers(first, cut)
