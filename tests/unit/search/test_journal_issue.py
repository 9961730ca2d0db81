"""Queries that begin with a journal and a year, as people type them who remember where a paper appeared."""

from __future__ import annotations

import pytest

from shared.search.wording.pasted_reference import (
    ShortIssue,
    journal_issue,
    reference_actions,
    reference_hints,
    short_citation,
)


@pytest.mark.parametrize(
    ("typed", "issue"),
    [
        ("Nature 2021 AlphaFold", ShortIssue("Nature", "2021", "AlphaFold")),
        ("Science (2012) CRISPR", ShortIssue("Science", "2012", "CRISPR")),
        ("N Engl J Med 2013 TREM2 variants", ShortIssue("New England Journal of Medicine", "2013", "TREM2 variants")),
        ("NEJM 2013, TREM2 variants", ShortIssue("New England Journal of Medicine", "2013", "TREM2 variants")),
    ],
)
def test_a_journal_and_a_year_become_filters(typed: str, issue: ShortIssue) -> None:
    assert journal_issue(typed) == issue
    assert short_citation(typed) is None, "nobody is called so"
    (hint,) = reference_hints([typed])
    assert f"papers in {issue.journal} of {issue.year}" in hint["message"]
    (action,) = reference_actions([typed])
    year = {"date_from": issue.year, "date_to": issue.year}
    assert action["arguments"] == {"query": issue.query, "journal": issue.journal, **year}


@pytest.mark.parametrize(
    "typed",
    ["cancer 2020 screening", "Nature 2021", "Smith 2019 Nature", "2021 Nature AlphaFold", "AlphaFold Nature", ""],
)
def test_other_queries_name_no_journal(typed: str) -> None:
    assert journal_issue(typed) is None


def test_a_printed_reference_has_one_hint() -> None:
    assert len(reference_hints(["Nature 2021;596:583-589"])) == 1


def test_a_name_with_et_al_is_a_person() -> None:
    found = short_citation("Pain et al. 2019")
    assert found
    assert found.author == "Pain"
