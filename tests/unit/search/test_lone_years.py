"""`TREM2 2022`: the year stays a word, and the answer says how to search for papers of that year."""

from __future__ import annotations

from typing import Any

import pytest

from shared.bibliography.paper import Paper
from shared.search.hints.result_hints import Chosen, hints_for
from shared.search.requests.search_request import SearchRequest
from shared.search.wording.lone_years import lone_year, year_actions, year_hints
from tests.unit.records import merged, record

TODAY = "2026-11-23T09:00:00Z"


@pytest.mark.parametrize(
    ("text", "year", "words"),
    [
        ("TREM2 2022", "2022", "TREM2"),
        ("2022 TREM2", "2022", "TREM2"),
        ("TREM2 (2016)", "2016", "TREM2"),
        ("microglia 2020", "2020", "microglia"),
        ("single cell sequencing 2021", "2021", "single cell sequencing"),
        ("TREM2 2026", "2026", "TREM2"),
    ],
)
def test_a_year_beside_a_few_words_may_be_that_of_the_papers(text: str, year: str, words: str) -> None:
    assert lone_year(text, TODAY) == (year, words)


@pytest.mark.parametrize(
    "text",
    [
        "TREM2", "2022", "TREM2 2050", "influenza 1918", "TREM2 2015 2020", "H1N1 2009 influenza",
        "2008 financial crisis", "TREM2 since 2015", "Vaswani 2017", "Nature 2021 AlphaFold",
        "TREM2 AND 2022", '"TREM2 2022"', "a long title that names a year at its end 2022", "Report: dementia 2022",
        "what happened in 2022",
    ],
)  # fmt: skip
def test_other_texts_have_no_such_year(text: str) -> None:
    assert lone_year(text, TODAY) is None


def test_the_action_of_the_hint_is_a_valid_search_for_that_year() -> None:
    request = SearchRequest.model_validate({"query": "TREM2 2022", "max_results": 5})
    hints = year_hints(request, TODAY)
    assert [it["reason"] for it in hints] == ["year"]
    same: Any = {"query": "TREM2 2022", "max_results": 5}
    (action,) = year_actions(same, request.wordings, hints, TODAY)
    wanted = {"query": "TREM2", "max_results": 5, "date_from": "2022", "date_to": "2022"}
    assert action["arguments"] == wanted
    SearchRequest.model_validate(action["arguments"])


def test_a_request_with_dates_of_its_own_has_no_such_hint() -> None:
    assert not year_hints(SearchRequest.model_validate({"query": "TREM2 2022", "date_from": "2020"}), TODAY)


def test_a_name_that_no_paper_has_in_its_text_is_a_citation_and_has_no_hint_on_the_year() -> None:
    def reasons(query: str, paper: Paper) -> list[str]:
        request = SearchRequest.model_validate({"query": query})
        return [it["reason"] for it in hints_for(request, {}, Chosen(found=1), [merged(paper)])]

    assert reasons("vaswani 2017", record("Attention is all you need", "Vaswani, A", 2017)) == ["reference"]
    assert reasons("microglia 2017", record("Microglia in the brain", year=2017)) == ["year"]


@pytest.mark.parametrize("queries", [["TREM2 microglia", "TREM2 2022"], ["TREM2 2022", "microglia 2021"]])
def test_several_wordings_have_no_such_hint(queries: list[str]) -> None:
    assert not year_hints(SearchRequest.model_validate({"queries": queries}), TODAY)
