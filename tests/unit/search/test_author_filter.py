"""The author filter, from what a caller writes to the papers that remain."""

from __future__ import annotations

from collections import Counter

import pytest

from shared.bibliography.paper import Author, MergedPaper, Paper
from shared.query.query import query_from_json, query_to_json
from shared.search.filtering.filters import apply_filters
from shared.search.hints.result_hints import Chosen, hints_for
from shared.search.requests.search_request import SearchRequest, read_request
from tests.unit.records import merged, record

DOUDNA = (Author("Doudna", "Jennifer A"), Author("Charpentier", "E"))
MAATEN = (Author("van der Maaten", "Laurens"), Author("Hinton", "Geoffrey"))
ZHANG = (Author("Cong", "Le"), Author("Zhang", "Feng"))
OTHERS = (Author("Zhang", "Wei"), Author("Smith", "F."), Author("Maaten", "Karl"), Author("Jamal", "Doudna"))
CASES = [
    ("Doudna JA", DOUDNA), ("doudna ja", DOUDNA), ("DOUDNA JA", DOUDNA), ("J. A. Doudna", DOUDNA),
    ("Doudna, Jennifer A.", DOUDNA), ("Jennifer Doudna", DOUDNA), ("Doudna J.A.", DOUDNA), ("Doudna, J", DOUDNA),
    ("Zhang F", ZHANG), ("Zhang Feng", ZHANG), ("Feng Zhang", ZHANG), ("van der Maaten L", MAATEN),
    ("Laurens van der Maaten", MAATEN), ("L. van der Maaten", MAATEN),
]  # fmt: skip


def paper(authors: tuple[Author, ...]) -> MergedPaper:
    record = Paper(provider="europe_pmc", rank=1, title="A", authors=authors)
    return MergedPaper(
        key="doi:10.1/a", citation_uri=None, title="A", records=(record,), authors=authors, author_count=len(authors)
    )


@pytest.mark.parametrize("applied", [frozenset[str](), frozenset({"author"})], ids=["unfiltered", "filtered"])
@pytest.mark.parametrize(("typed", "authors"), CASES, ids=[typed for typed, _ in CASES])
def test_a_persons_papers_remain_and_no_others(
    typed: str, authors: tuple[Author, ...], applied: frozenset[str]
) -> None:
    """Also if the provider reports that it applied the filter: several match the parts of a name singly."""
    query = read_request({"query": "a", "author": typed}, ()).leg_query("a")
    received = query_from_json(query_to_json(query))
    wanted, others = paper(authors), paper(OTHERS)
    assert apply_filters([wanted, others], received, {"europe_pmc": applied})[0] == [wanted]


def test_a_name_in_another_script_is_left_to_the_provider() -> None:
    query = read_request({"query": "a", "author": "张锋"}, ()).leg_query("a")
    latin, chinese = paper(ZHANG), paper((Author("张", "锋"),))
    assert apply_filters([latin, chinese], query, {"europe_pmc": frozenset({"author"})})[0] == [latin, chinese]
    passed, undecided = apply_filters([latin, chinese, paper((Author("王", "芳"),))], query, {})
    assert (passed, undecided) == ([chinese], {"author": 1})


def test_a_list_without_the_person_that_is_cut_is_trusted_to_the_provider() -> None:
    query = read_request({"query": "a", "author": "Doudna JA"}, ()).leg_query("a")
    record = Paper(provider="pubmed", rank=1, title="A", authors=OTHERS)
    cut = MergedPaper(key="k", citation_uri=None, title="A", records=(record,), authors=OTHERS, author_count=400)
    assert apply_filters([cut], query, {"pubmed": frozenset({"author"})})[0] == [cut]
    assert apply_filters([cut], query, {})[1] == {"author": 1}


def test_a_hint_says_that_an_orcid_id_is_not_in_records() -> None:
    request = SearchRequest.model_validate({"query": "TREM2", "author": "0000-0002-1825-0097"})
    chosen = Chosen(found=2, undecided=Counter({"author": 1}))
    (hint,) = hints_for(request, {}, chosen, [merged(record("TREM2"))])
    assert hint["message"].startswith("1 paper was left out because records have no ORCID iDs")


def test_one_hint_says_for_which_filters_papers_lacked_data() -> None:
    request = SearchRequest.model_validate({"query": "TREM2", "language": "en"})
    chosen = Chosen(found=2, undecided=Counter({"language": 1, "field_of_study": 49}))
    (hint,) = hints_for(request, {}, chosen, [merged(record("TREM2"))])
    assert hint == {
        "reason": "undecided_filter",
        "message": "49 papers were left out because their field of study is not known; 1 because its language is not "
        "known",
    }
