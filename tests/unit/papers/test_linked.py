"""Lists of references from many sources put together: what joins, what stays apart, and that order does not matter."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper, Pointer
from shared.papers.links.merging import LinkedItem, LinkList, merge_listings
from shared.papers.links.order import ORDERS
from tests.growth import MOST, growth
from tests.unit.papers.known_papers import paper

HEAD = "doi:10.1/head"
APES, KIN, SONGS = "Sleep of great apes in captivity", "Kin recognition among macaques", "Songs of wild gibbons at dawn"
NOISE = "Sign up to receive free email-alerts"


def listing(provider: str, *entries: Paper | Pointer, relation: str = "references", head: str = HEAD) -> LinkList:
    """A provider's list; places are given in order to what has none."""
    placed = [replace(it, rank=rank) if it.rank == 0 else it for rank, it in enumerate(entries, start=1)]
    return LinkList(
        head, relation, provider,
        [it for it in placed if isinstance(it, Paper)], [it for it in placed if isinstance(it, Pointer)],
    )  # fmt: skip


def known(provider: str, title: str, **ids: Any) -> Paper:
    return paper(provider, title, rank=0, **{"authors": (title[:5],), **ids})


def at(text: str | None = None, **ids: str) -> Pointer:
    return Pointer(0, Identifiers(**ids), text)


def summary(items: Sequence[LinkedItem]) -> list[tuple[str | None, str | None, list[str]]]:
    return [(it.key, it.text, it.asserted_by) for it in items]


def test_records_and_ids_of_one_paper_are_one_item_asserted_by_all() -> None:
    items = merge_listings([
        listing("openalex", known("openalex", APES, doi="10.1/a", openalex="W1")),
        listing("semantic_scholar", known("semantic_scholar", APES, doi="10.1/a")),
        listing("crossref", at("Adams. Sleep of apes. 2019", doi="10.1/a")),
        listing("opencitations", at(openalex="W1")),
    ])  # fmt: skip
    assert summary(items) == [("doi:10.1/a", None, ["crossref", "openalex", "opencitations", "semantic_scholar"])]
    assert items[0].paper


def test_an_id_joins_a_record_by_way_of_another_pointers_ids() -> None:
    items = merge_listings([
        listing("crossref", known("crossref", APES, doi="10.1/a")),
        listing("opencitations", at(doi="10.1/a", pmid="7")),
        listing("pubmed", at(pmid="7")),
        listing("europe_pmc", at(pmid="7", pmcid="PMC9")),
    ])  # fmt: skip
    assert summary(items) == [("doi:10.1/a", None, ["crossref", "europe_pmc", "opencitations", "pubmed"])]


def test_ids_without_a_record_that_share_a_name_are_one_item_with_all_names_and_the_longest_line() -> None:
    pointers = [at("short", pmid="7"), at(doi="10.1/a", pmcid="PMC9"), at("a longer line", pmid="7", pmcid="PMC9")]
    items = merge_listings([listing(f"source{n}", pointer) for n, pointer in enumerate(pointers)])
    assert summary(items) == [("doi:10.1/a", "a longer line", ["source0", "source1", "source2"])]
    assert items[0].ids == Identifiers(doi="10.1/a", pmid="7", pmcid="PMC9")


def test_ids_of_different_papers_stay_apart() -> None:
    assert [it.key for it in merge_listings([listing("crossref", at(doi="10.1/a"), at(doi="10.1/b"))])] == [
        "doi:10.1/a", "doi:10.1/b",
    ]  # fmt: skip


def test_a_line_joins_the_paper_whose_title_it_contains() -> None:
    line = f"Adams A, Brown B. {APES.upper()}: a survey. J Sleep 2019;4:1-9."
    items = merge_listings([listing("openalex", known("openalex", APES, doi="10.1/a")), listing("crossref", at(line))])
    assert summary(items) == [("doi:10.1/a", None, ["crossref", "openalex"])]


def test_a_line_that_names_no_known_title_stays_text_and_equal_lines_are_one() -> None:
    items = merge_listings([
        listing("crossref", at("Brown, B. A book of  1962."), at("Brown B; a book of 1962")),
        listing("europe_pmc", at("BROWN B. A BOOK OF 1962.")),
    ])  # fmt: skip
    assert summary(items) == [(None, "Brown, B. A book of  1962.", ["crossref", "europe_pmc"])]
    assert [it.position for it in items[0].assertions] == [1, 2, 1]


@pytest.mark.parametrize(("line", "key", "text"), [
    ("Anon. Untitled. doi: 10.1000/A.", "doi:10.1000/a", None),
    ("https://doi.org/10.1000/b (PMID: 77)", "doi:10.1000/b", "https://doi.org/10.1000/b (PMID: 77)"),
    ("10.1000/a and 10.1000/b", None, "10.1000/a and 10.1000/b"),
], ids=["of a record", "of no record", "of two papers"])  # fmt: skip
def test_a_line_counts_as_the_id_that_it_names(line: str, key: str | None, text: str | None) -> None:
    items = merge_listings([listing("openalex", known("openalex", APES, doi="10.1000/a")), listing("pubmed", at(line))])
    assert (key, text, ["pubmed"] if text else ["openalex", "pubmed"]) in summary(items)
    assert sum(len(it.assertions) for it in items) == 2


@pytest.mark.parametrize(("years", "items"), [((2019,), 1), ((None,), 1), ((2019, 2019), 1), ((1961,), 2)])
def test_a_record_without_ids_is_of_the_one_paper_with_its_title_and_year(
    years: tuple[int | None, ...], items: int
) -> None:
    bare = [known("semantic_scholar", APES, authors=(), year=year) for year in years]
    twice = [known("semantic_scholar", APES, doi="10.1/a"), *bare]
    assert (
        len(merge_listings([listing("crossref", known("crossref", APES, doi="10.1/a")), listing("s2", *twice)]))
        == items
    )


def test_of_two_spellings_of_one_line_the_same_is_shown_whichever_comes_first() -> None:
    lines = [at("Brown B. A book"), at("BROWN B. A BOOK")]
    assert {merge_listings([listing("crossref", *some)])[0].text for some in (lines, lines[::-1])} == {
        "Brown B. A book"
    }


def test_of_two_titles_in_a_line_the_longer_one_is_meant_and_short_titles_are_none() -> None:
    longer = f"{APES} and of lesser apes in the wild"
    records = [known("openalex", title, doi=f"10.1/{n}") for n, title in enumerate((APES, longer, "Sleep", "On apes"))]
    items = merge_listings([listing("openalex", *records), listing("crossref", at(f"Adams. {longer}. 2019"))])
    assert {it.key: it.asserted_by for it in items}["doi:10.1/1"] == ["crossref", "openalex"]
    assert sum(len(it.assertions) for it in items) == 5


def test_of_two_papers_with_one_title_a_line_means_that_of_its_year() -> None:
    records = [known("openalex", APES, doi=f"10.1/{year}", year=year, authors=(f"A{year}",)) for year in (2001, 2015)]
    items = merge_listings([listing("openalex", *records), listing("crossref", at(f"Adams. {APES}. J Sleep (2015)"))])
    assert {it.key: it.asserted_by for it in items} == {
        "doi:10.1/2001": ["openalex"], "doi:10.1/2015": ["crossref", "openalex"],
    }  # fmt: skip


def test_a_boilerplate_title_matches_no_longer_line() -> None:
    noise = known("semantic_scholar", NOISE, authors=(), year=None)
    line = f"Adams. An unknown book. {NOISE}"
    items = merge_listings([listing("semantic_scholar", noise), listing("crossref", at(line), at(NOISE))])
    assert {it.text: it.asserted_by for it in items} == {None: ["crossref", "semantic_scholar"], line: ["crossref"]}


def test_a_duplicate_in_a_list_is_one_item_at_both_places() -> None:
    items = merge_listings([
        listing("crossref", at(doi="10.1/a"), at("a line of no paper"), at(doi="10.1/a")),
        listing("openalex", known("openalex", APES, doi="10.1/b"), known("openalex", APES, doi="10.1/b")),
    ])  # fmt: skip
    places = {it.key: [assertion.position for assertion in it.assertions] for it in items}
    assert places == {"doi:10.1/a": [1, 3], "doi:10.1/b": [1, 2], None: [2]}


def test_a_paper_is_no_item_of_its_own_list_but_may_be_one_of_another() -> None:
    own: list[Paper | Pointer] = [at(doi="10.1/head"), known("openalex", APES, doi="10.1/head"), at(doi="10.1/b")]
    assert [it.key for it in merge_listings([listing("crossref", *own)])] == ["doi:10.1/b"]
    items = merge_listings([listing("crossref", own[0]), listing("openalex", own[1], head="doi:10.1/other")])
    assert summary(items) == [("doi:10.1/head", None, ["openalex"])]
    assert [assertion.head for assertion in items[0].assertions] == ["doi:10.1/other"]


def test_records_in_no_list_are_no_items_but_complete_the_items() -> None:
    pointers = [listing("opencitations", at(doi="10.1/a"), at(pmid="7"))]
    records = [known("semantic_scholar", APES, doi="10.1/a", pmid="7"), known("semantic_scholar", KIN, doi="10.1/k")]
    (item,) = merge_listings(pointers, records)
    assert item.paper
    assert (item.key, item.asserted_by) == ("doi:10.1/a", ["opencitations"])
    assert {it.position for it in item.assertions} == {1, 2}


def test_an_empty_pointer_is_no_item() -> None:
    assert merge_listings([listing("crossref", at(), at(""), at(" — "))]) == []
    assert merge_listings([]) == []


RECORDS = st.builds(
    lambda provider, title, ids: known(provider, title, **ids),
    st.just("x"), st.sampled_from([APES, KIN, SONGS, NOISE]),
    st.dictionaries(st.sampled_from(["doi", "pmid", "openalex"]), st.sampled_from(["10.1/a", "10.1/b"]), max_size=2),
)  # fmt: skip
POINTERS = st.builds(
    lambda ids, text: at(text, **ids),
    st.dictionaries(st.sampled_from(["doi", "pmid", "pmcid"]), st.sampled_from(["10.1/a", "10.1/b", "10.1/c"])),
    st.sampled_from([None, f"Adams. {APES}. 2019", "Brown B. A book", "BROWN B. A BOOK", f"{KIN}; {SONGS}", NOISE]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(RECORDS | POINTERS, max_size=6), min_size=1, max_size=4), st.integers(0, 10**6), st.booleans())
def test_in_any_order_of_lists_and_pointers_the_items_are_the_same(
    lists: list[list[Paper | Pointer]], seed: int, one_source: bool
) -> None:
    whole = [
        listing("crossref" if one_source else f"source{n}", *entries, head=f"doi:10.1/head{n}")
        for n, entries in enumerate(lists)
    ]
    whole = [it._replace(papers=[replace(paper, provider=it.provider) for paper in it.papers]) for it in whole]
    shuffled = [it._replace(papers=_shuffled(it.papers, seed), pointers=_shuffled(it.pointers, seed)) for it in whole]
    items, again = merge_listings(whole), merge_listings(_shuffled(shuffled, seed))
    assert again == items
    names = [it.key for it in items if it.key]
    assert len(names) == len(set(names))
    made = [assertion for it in items for assertion in it.assertions]
    wanted = {(it.head, place) for it in whole for place in _places(it)}
    assert {(it.head, it.position) for it in made} == wanted
    assert len(made) == len(wanted)


def _shuffled(entries: Sequence[Any], seed: int) -> list[Any]:
    mixed = list(entries)
    random.Random(seed).shuffle(mixed)
    return mixed


def _places(listing: LinkList) -> list[int]:
    """Of all that says something."""
    pointers = [it.rank for it in listing.pointers if it.text or it.ids != Identifiers()]
    return [*pointers, *(it.rank for it in listing.papers)]


@pytest.mark.slow
@pytest.mark.parametrize("start", ["A systematic review of the", ""], ids=["titles that begin alike", "titles"])
def test_time_grows_with_the_lists_and_not_with_their_square(start: str) -> None:
    def link(size: int) -> None:
        records = [known("openalex", f"{start} word{n} in number {n} of many", doi=f"10.1/{n}") for n in range(size)]
        lines = [at(f"Adams A. {it.title}. Journal {n}") for n, it in enumerate(records)]
        ids = [at(doi=f"10.1/{n}", pmid=str(n + 1)) for n in range(size)] + [at(pmid=str(n + 1)) for n in range(size)]
        lists = [listing("openalex", *records), listing("crossref", *lines), listing("opencitations", *ids)]
        assert len(merge_listings(lists)) == size

    assert growth(link, 1_200) < MOST


def test_items_have_the_requested_order() -> None:
    items = merge_listings([
        listing("crossref", at(doi="10.1/c"), known("crossref", APES, doi="10.1/a", year=2001, citation_count=5)),
        listing("openalex", known("openalex", SONGS, doi="10.1/s", publication_date="2020-05", citation_count=None),
                known("openalex", KIN, doi="10.1/k", publication_date="2020-06-02", citation_count=9)),
    ])  # fmt: skip
    orders = {name: [it.key[-1] for it in sorted(items, key=order) if it.key] for name, order in ORDERS.items()}
    assert orders == {
        "bibliography": ["c", "a", "s", "k"], "citations": ["k", "a", "s", "c"], "date": ["k", "s", "a", "c"],
    }  # fmt: skip
