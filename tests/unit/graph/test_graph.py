"""What is one paper, by its ids: joined when reading, in any order, and never over two PMIDs."""

from __future__ import annotations

import pytest

from shared.graph.identity import MAX_HOMES, aliases, best_key, home, is_id
from shared.graph.received import read_message
from shared.graph.store import GraphStore
from shared.graph.writes import write_message
from tests.unit.graph.examples import papers_body, result
from tests.unit.graph.memory_table import Crash, MemoryTable


def store_of(*bodies: str) -> GraphStore:
    table = MemoryTable()
    for body in bodies:
        write_message(read_message(body), table)
    return GraphStore(table)


def key_of(store: GraphStore, name: str) -> str | None:
    found = store.paper(name)
    return found["key"] if found else None


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("doi:10.1000/x", True),
        ("doi:10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2", True),
        ("title:0a1b-2", True),
        ("pmid:1", True),
        ("doi:10.1000/x y", False),
        ("doi:", False),
        ("", False),
        ("isbn:1", False),
        ("doi:10.1000/" + "x" * 500, False),
        ("doi:10.1000/\ud800", False),
        ("doi:10.1000/x\n", False),
    ],
)
def test_an_id_is_a_scheme_and_a_name_without_spaces(text: str, kept: bool) -> None:
    assert is_id(text) is kept


def test_a_doi_is_a_better_name_than_a_pmid_and_a_title_is_the_last() -> None:
    assert best_key({"pmid:1", "doi:10.1/b", "doi:10.1/a", "openalex:W1"}) == "doi:10.1/a"
    assert best_key({"title:abc", "pmid:1"}) == "pmid:1"


def test_ids_better_than_its_key_are_shared_and_no_aliases() -> None:
    assert aliases(result(doi="10.1/s", pmid="1", arxiv="2011.00931", key="pmid:1")) == ["arxiv:2011.00931", "pmid:1"]
    assert aliases(result(doi="10.1/s", pmid="1", key="title:abc")) == ["title:abc"]


def test_a_paper_is_kept_under_its_pmid_where_it_has_one_of_its_own() -> None:
    assert home(result(pmid="1")) == "pmid:1"
    assert home(result(doi="10.1/a")) == "doi:10.1/a"
    assert home(result(doi="10.1/s", pmid="1", key="title:abc")) == "title:abc"


def test_two_homes_that_turn_out_to_be_one_paper_answer_as_one() -> None:
    store = store_of(
        papers_body(result(doi="10.1/a"), seen_at="2026-11-18T00:00:00Z"),
        papers_body(result(doi=None, pmid="1", title="Newest"), seen_at="2026-11-20T00:00:00Z"),
        papers_body(result(doi="10.1/a", pmid="1"), seen_at="2026-11-19T00:00:00Z"),
    )
    for name in ("doi:10.1/a", "pmid:1"):
        found = store.paper(name)
        assert found is not None
        assert found["key"] == "doi:10.1/a"
        assert found["keys"] == ["doi:10.1/a", "pmid:1"]
        assert found["paper"]["title"] == "Newest"
        assert found["first_seen"] == "2026-11-18T00:00:00Z"
        assert found["seen_at"] == "2026-11-20T00:00:00Z"
    assert store.stats()["papers"] == 1


def test_an_old_key_still_leads_to_a_paper_that_gained_a_better_one() -> None:
    store = store_of(papers_body(result(doi=None, pmid="1")), papers_body(result(doi="10.1/a", pmid="1")))
    assert key_of(store, "pmid:1") == "doi:10.1/a"


def test_two_pmids_under_one_doi_stay_two_papers() -> None:
    store = store_of(
        papers_body(result(doi="10.1/s", pmid="1", title="First")),
        papers_body(result(doi="10.1/s", pmid="2", title="Second")),
    )
    titles = {name: (store.paper(name) or {})["paper"]["title"] for name in ("pmid:1", "pmid:2", "doi:10.1/s")}
    assert titles == {"pmid:1": "First", "pmid:2": "Second", "doi:10.1/s": "First"}
    assert key_of(store, "pmid:1") == "doi:10.1/s"
    assert key_of(store, "pmid:2") == "pmid:2"
    assert store.stats()["papers"] == 2


def test_a_contested_doi_means_the_paper_that_has_nothing_else() -> None:
    store = store_of(*(papers_body(result(doi="10.1/s", pmid=pmid, title=pmid or "none")) for pmid in ("1", "2", None)))
    assert (store.paper("doi:10.1/s") or {})["paper"]["title"] == "none"
    assert [key_of(store, name) for name in ("pmid:1", "pmid:2")] == ["pmid:1", "pmid:2"]


def test_papers_that_share_a_supplements_doi_are_kept_apart() -> None:
    keys = ("pmid:1", "pmid:2", "title:abc")
    shared = [result(doi="10.1/s", pmid=key[5:] if key[0] == "p" else None, key=key, title=key) for key in keys]
    store = store_of(papers_body(*shared))
    assert [(store.paper(key) or {})["paper"]["title"] for key in keys] == list(keys)
    assert store.paper("doi:10.1/s") is None


@pytest.mark.parametrize(("homes", "papers"), [(MAX_HOMES, 1), (MAX_HOMES + 1, MAX_HOMES + 1)])
def test_an_id_that_too_many_have_joins_none_of_them(homes: int, papers: int) -> None:
    store = store_of(*(papers_body(result(doi=f"10.1/{number}", arxiv="2011.00931")) for number in range(homes)))
    assert store.stats()["papers"] == papers
    assert len(store.papers().items) == papers


@pytest.mark.parametrize(("homes", "papers"), [(MAX_HOMES, 1), (MAX_HOMES + 1, MAX_HOMES + 1)])
def test_a_chain_is_one_paper_or_none_from_whichever_end(homes: int, papers: int) -> None:
    bodies = [papers_body(result(doi=f"10.1/{n}", arxiv=f"2011.{n:05}")) for n in range(homes)]
    bodies += [papers_body(result(doi=f"10.1/{n}", arxiv=f"2011.{n + 1:05}")) for n in range(homes - 1)]
    store = store_of(*bodies)
    assert len({key_of(store, f"doi:10.1/{n}") for n in range(homes)}) == papers


@pytest.mark.parametrize("name", ["doi:10.1/unknown", "", "what", "doi:10.1/a b", "pmid:" + "1" * 3000])
def test_what_nobody_has_is_no_paper(name: str) -> None:
    store = store_of(papers_body(result()))
    assert store.paper(name) is None
    assert store.cites(name).items == store.cited_by(name).items == store.contexts_of(name).items == []


def test_a_paper_whose_ids_are_not_written_yet_is_in_no_answer() -> None:
    table = MemoryTable()
    table.dies_at = 1
    with pytest.raises(Crash):
        write_message(read_message(papers_body(result())), table)
    store = GraphStore(table)
    assert store.papers().items == []
    assert store.stats()["papers"] == 0
    assert store.paper("doi:10.7554/elife.20391") is None
