"""Which ids mean one paper: records are joined when reading, in any order, and never across two PMIDs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import permutations, product
from typing import Any

import pytest

from shared.graph.identity import MAX_CANONICAL_KEYS, aliases, best_key, canonical_key, id_keys, is_id
from shared.graph.received import read_message
from shared.graph.store import GraphStore
from shared.graph.writes import write_message
from tests.unit.graph.examples import NOON, papers_body, result
from tests.unit.graph.memory_table import Crash, MemoryTable


def store_of(*bodies: str) -> GraphStore:
    table = MemoryTable()
    for body in bodies:
        write_message(read_message(body), table)
    return GraphStore(table)


def key_of(store: GraphStore, name: str) -> str | None:
    found = store.paper(name)
    return found["key"] if found else None


def title_of(store: GraphStore, name: str) -> str | None:
    found = store.paper(name)
    return found["paper"]["title"] if found else None


@pytest.mark.parametrize(
    ("text", "valid"),
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
def test_an_id_is_a_scheme_and_a_value_without_spaces(text: str, valid: bool) -> None:
    assert is_id(text) is valid


def test_a_doi_is_preferred_to_a_pmid_and_a_title_hash_comes_last() -> None:
    assert best_key({"pmid:1", "doi:10.1/b", "doi:10.1/a", "openalex:W1"}) == "doi:10.1/a"
    assert best_key({"title:abc", "pmid:1"}) == "pmid:1"


def test_ids_that_precede_the_key_are_shared_and_therefore_not_aliases() -> None:
    assert aliases(result(doi="10.1/s", pmid="1", arxiv="2011.00931", key="pmid:1")) == [
        "arxiv:2011.00931", "doi:10.48550/arxiv.2011.00931", "pmid:1",
    ]  # fmt: skip
    assert aliases(result(doi="10.1/s", pmid="1", key="title:abc")) == ["title:abc"]


def test_the_canonical_key_is_the_pmid_if_the_paper_has_its_own() -> None:
    assert canonical_key(result(pmid="1")) == "pmid:1"
    assert canonical_key(result(doi="10.1/a")) == "doi:10.1/a"
    assert canonical_key(result(doi="10.1/s", pmid="1", key="title:abc")) == "title:abc"


def test_an_article_is_found_by_the_doi_of_its_preprint_and_named_by_its_own() -> None:
    keys = id_keys({"doi": "10.5555/later", "arxiv": "1706.03762"})
    assert keys == ["doi:10.5555/later", "doi:10.48550/arxiv.1706.03762", "arxiv:1706.03762"]
    assert best_key(keys) == "doi:10.5555/later"


def test_two_canonical_keys_that_a_later_record_connects_are_one_paper() -> None:
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


def test_an_old_key_still_finds_a_paper_that_has_a_better_key_now() -> None:
    store = store_of(papers_body(result(doi=None, pmid="1")), papers_body(result(doi="10.1/a", pmid="1")))
    assert key_of(store, "pmid:1") == "doi:10.1/a"


def test_two_pmids_under_one_doi_stay_two_papers() -> None:
    store = store_of(
        papers_body(result(doi="10.1/s", pmid="1", title="First")),
        papers_body(result(doi="10.1/s", pmid="2", title="Second")),
    )
    titles = {name: title_of(store, name) for name in ("pmid:1", "pmid:2", "doi:10.1/s")}
    assert titles == {"pmid:1": "First", "pmid:2": "Second", "doi:10.1/s": "First"}
    assert key_of(store, "pmid:1") == "doi:10.1/s"
    assert key_of(store, "pmid:2") == "pmid:2"
    assert store.stats()["papers"] == 2


def test_an_ambiguous_doi_means_the_paper_that_has_no_other_id() -> None:
    store = store_of(*(papers_body(result(doi="10.1/s", pmid=pmid, title=pmid or "none")) for pmid in ("1", "2", None)))
    assert title_of(store, "doi:10.1/s") == "none"
    assert [key_of(store, name) for name in ("pmid:1", "pmid:2")] == ["pmid:1", "pmid:2"]


def test_papers_that_share_the_doi_of_a_supplement_stay_separate() -> None:
    keys = ("pmid:1", "pmid:2", "title:abc")
    shared = [result(doi="10.1/s", pmid=key[5:] if key[0] == "p" else None, key=key, title=key) for key in keys]
    store = store_of(papers_body(*shared))
    assert [title_of(store, key) for key in keys] == list(keys)
    assert store.paper("doi:10.1/s") is None


# Canonical keys that one id connects, and the papers that they are.
LIMITS = [(MAX_CANONICAL_KEYS, 1), (MAX_CANONICAL_KEYS + 1, MAX_CANONICAL_KEYS + 1)]


@pytest.mark.parametrize(("canonical_keys", "papers"), LIMITS)
def test_an_id_of_too_many_records_joins_none_of_them(canonical_keys: int, papers: int) -> None:
    store = store_of(
        *(papers_body(result(doi=f"10.1/{number}", arxiv="2011.00931")) for number in range(canonical_keys))
    )
    assert store.stats()["papers"] == papers
    assert len(store.papers().items) == papers


@pytest.mark.parametrize(("canonical_keys", "papers"), LIMITS)
def test_a_chain_of_shared_ids_is_one_paper_from_every_start_or_from_none(canonical_keys: int, papers: int) -> None:
    bodies = [papers_body(result(doi=f"10.1/{n}", arxiv=f"2011.{n:05}")) for n in range(canonical_keys)]
    bodies += [papers_body(result(doi=f"10.1/{n}", arxiv=f"2011.{n + 1:05}")) for n in range(canonical_keys - 1)]
    store = store_of(*bodies)
    assert len({key_of(store, f"doi:10.1/{n}") for n in range(canonical_keys)}) == papers


@pytest.mark.parametrize("name", ["doi:10.1/unknown", "", "what", "doi:10.1/a b", "pmid:" + "1" * 3000])
def test_an_unknown_id_finds_no_paper(name: str) -> None:
    store = store_of(papers_body(result()))
    assert store.paper(name) is None
    assert store.cites(name).items == store.cited_by(name).items == []
    assert store.contexts_of(name).items == []


def test_a_paper_without_its_aliases_is_in_no_answer() -> None:
    table = MemoryTable()
    table.crash_at = 1
    with pytest.raises(Crash):
        write_message(read_message(papers_body(result())), table)
    store = GraphStore(table)
    assert store.papers().items == []
    assert store.stats()["papers"] == 0
    assert store.paper("doi:10.7554/elife.20391") is None


RETRACTED = {"status": "retracted", "notice_doi": "10.1/notice", "date": "2020-02-03"}
NOT_RETRACTED = {"status": "none", "notice_doi": None, "date": None}
NOT_KNOWN = {"status": "unknown", "notice_doi": None, "date": None}
CORRECTED = {"status": "corrected", "notice_doi": "10.1/erratum", "date": "2019-01-01"}


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ((RETRACTED, NOT_KNOWN, NOT_KNOWN), RETRACTED),
        ((NOT_RETRACTED, RETRACTED, NOT_KNOWN), RETRACTED),
        ((RETRACTED, NOT_KNOWN, NOT_RETRACTED), NOT_RETRACTED),
        ((NOT_KNOWN, NOT_KNOWN, NOT_KNOWN), NOT_KNOWN),
        ((RETRACTED, CORRECTED, NOT_KNOWN), RETRACTED),  # a source that knows the erratum alone
        ((CORRECTED, RETRACTED, CORRECTED), RETRACTED),
        ((RETRACTED, NOT_RETRACTED, CORRECTED), CORRECTED),
        ((CORRECTED, RETRACTED, NOT_RETRACTED), NOT_RETRACTED),
    ],
)
@pytest.mark.parametrize("ids", [({}, {}, {}), ({"pmid": "1"}, {"pmid": "1"}, {"doi": None, "pmid": "1"})])
def test_a_state_that_does_not_know_of_a_retraction_undoes_none(
    order: Sequence[int], stated: Sequence[Any], shown: Any, ids: Sequence[Any]
) -> None:
    bodies = [
        papers_body(result(retraction=it, title=f"Title {day}", **ids[day]), seen_at=f"2026-11-1{day}T00:00:00Z")
        for day, it in enumerate(stated)
    ]
    store = store_of(*(bodies[number] for number in order))
    found = store.paper("pmid:1" if ids[2] else "doi:10.7554/elife.20391")
    assert found is not None
    assert found["paper"]["retraction"] == {**shown, "notice_pmid": None}
    assert found["paper"]["title"] == "Title 2"


@pytest.mark.parametrize("stated", list(product((RETRACTED, CORRECTED, NOT_RETRACTED, NOT_KNOWN), repeat=3)))
def test_a_stored_retraction_does_not_depend_on_the_order_of_messages(stated: Sequence[Any]) -> None:
    bodies = [
        papers_body(result(retraction=it, title=f"Title {day}"), seen_at=f"2026-11-1{day}T00:00:00Z")
        for day, it in enumerate(stated)
    ]
    stored = []
    for order in permutations(bodies):
        table = MemoryTable()
        for body in order:
            write_message(read_message(body), table)
        stored.append({key: item.get("retraction") for key, item in table.items.items()})
    assert all(it == stored[0] for it in stored)


def test_a_newer_state_of_an_older_version_counts_and_of_one_second_the_graver_status() -> None:
    table = MemoryTable()
    none, retracted = (papers_body(result(retraction=it), seen_at=NOON) for it in (NOT_RETRACTED, RETRACTED))
    for body in (retracted, none):
        write_message(read_message(body), table)
    found = GraphStore(table).paper("doi:10.7554/elife.20391")
    assert found is not None
    assert found["paper"]["retraction"]["status"] == "retracted"
    ((key, item),) = [(key, it) for key, it in table.items.items() if key[1] == "paper"]
    newer = {**json.loads(str(item["paper"])), "retraction": {**NOT_RETRACTED, "notice_pmid": None}}
    table.items[key] = {**item, "paper": json.dumps(newer), "seen_at": "2027-01-01T00:00:00Z"}
    found = GraphStore(table).paper("doi:10.7554/elife.20391")
    assert found is not None
    assert found["paper"]["retraction"]["status"] == "none"


def test_a_retraction_in_an_item_of_an_older_version_stays() -> None:
    table = MemoryTable()
    write_message(read_message(papers_body(result(retraction=RETRACTED), seen_at="2026-11-18T00:00:00Z")), table)
    ((key, item),) = [(key, it) for key, it in table.items.items() if key[1] == "paper"]
    table.items[key] = {name: value for name, value in item.items() if name != "retraction"}  # type: ignore[assignment]
    for seen_at in ("2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z"):
        found = GraphStore(table).paper("doi:10.7554/elife.20391")
        assert found is not None
        assert found["paper"]["retraction"]["status"] == "retracted"
        write_message(read_message(papers_body(result(retraction=NOT_KNOWN), seen_at=seen_at)), table)
