"""The graph's paper in the form of a result."""

from __future__ import annotations

from shared.answers.graph import GraphPaper
from shared.papers.graph_papers import GRAPH_FIELDS, graph_result
from shared.search.sizes.details import RESULT_FIELDS

STATE: GraphPaper = {
    "key": "doi:10.1000/a",
    "keys": ["doi:10.1000/a"],
    "ids": ["doi:10.1000/a"],
    "first_seen": "2026-11-28T00:00:00+00:00",
    "seen_at": "2026-11-28T00:00:00+00:00",
    "paper": {
        "key": "doi:10.1000/a", "title": "A title", "authors": ["Rita Guerreiro", "A Group"], "author_count": 3,
        "year": 2013, "publication_date": "2013-01", "journal": "Cell", "type": "review", "citation_count": 4,
        "citation_uri": "https://doi.org/10.1000/a", "is_oa": True,
        "external_ids": {"doi": "10.1000/a", "pmid": "5", "paper_id": "f" * 40},
        "retraction": {"status": "retracted", "notice_doi": "10.1000/b", "date": "2014", "notice_pmid": "7"},
    },
}  # fmt: skip


def test_it_has_every_field_of_a_result_and_says_something_only_in_those_of_the_graph() -> None:
    result = dict(graph_result(STATE))
    assert set(RESULT_FIELDS) <= set(result)
    assert result["open_access"] == {"is_oa": True, "url": None, "license": None, "locations": []}
    filled = {name for name in RESULT_FIELDS if result[name] not in (None, [], {})}
    assert filled - {"open_access"} <= GRAPH_FIELDS


def test_it_has_what_the_graph_knows() -> None:
    result, paper = graph_result(STATE), STATE["paper"]
    assert (result["key"], result["title"], result["authors"]) == (paper["key"], paper["title"], paper["authors"])
    assert (result["doi"], result["pmid"], result["paper_id"]) == ("10.1000/a", "5", "f" * 40)
    assert (result["year"], result["journal"], result["type"]) == (2013, "Cell", "review")
    assert result["retraction"] == paper["retraction"]
    assert result["open_access"]["is_oa"] is True
    assert "author_parts" not in result, "an export would take the displayed names for names of groups"
