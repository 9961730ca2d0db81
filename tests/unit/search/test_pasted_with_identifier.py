"""A whole printed reference as a query: what the answer says of its identifier, its volume and its pages."""

from __future__ import annotations

import pytest

from shared.search.hints.result_hints import Chosen, hints_for
from shared.search.hints.weak_match import absent_words
from shared.search.requests.search_request import SearchRequest
from tests.unit.records import merge_records, merged, record

TITLE = "Highly accurate protein structure prediction with AlphaFold"
PLACE = "Jumper J. {}. Nature 2021;596(7873):583-589."


@pytest.mark.parametrize(
    ("query", "absent"),
    [
        (f"{PLACE.format(TITLE)} doi:10.1038/s41586-021-03819-2", []),
        (PLACE.format(TITLE), []),
        (PLACE.format(f"{TITLE} zqx"), ["zqx"]),
        ("AlphaFold 596", ["596"]),
    ],
)
def test_a_volume_and_pages_are_no_words_that_papers_lack(query: str, absent: list[str]) -> None:
    papers = merge_records([record(TITLE, "Jumper, J", 2021, "Nature 596:583-589")])
    assert absent_words([query], papers) == absent


@pytest.mark.parametrize(
    ("query", "begins"),
    [
        ("10.1038/s41586-021-03819-2", "Looked up instead of searched for: doi:10.1038/s41586-021-03819-2"),
        ("AlphaFold 10.1038/s41586-021-03819-2", "Looked up, and the words beside it searched for: doi:10.1038"),
    ],
)
def test_the_hint_says_whether_the_words_beside_an_identifier_were_searched_for(query: str, begins: str) -> None:
    request = SearchRequest.model_validate({"query": query})
    (hint,) = hints_for(request, {}, Chosen(found=1), [merged(record(TITLE))])
    assert hint["message"].startswith(begins)
