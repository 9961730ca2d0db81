"""The copies of one paper: each once, completed by each account of it, and in a fixed order of worth."""

from __future__ import annotations

import random

import pytest

from shared.bibliography.licences import spelled_alike
from shared.bibliography.paper import Location, MergedPaper, OpenAccess, Paper
from shared.merging.open_access import address_of, best_first
from tests.unit.records import merge_records, record

PUBLISHED, SUBMITTED = "publishedVersion", "submittedVersion"
PAGE = "https://publisher.example/1"


def paper_of(provider: str, *copies: Location, is_oa: bool | None = True, url: str | None = None) -> Paper:
    access = OpenAccess(is_oa, url or (copies[0].url if copies else None), None, copies)
    return record("Stripes of the zebrafish", "Turing, A.", 1952, provider=provider, doi="10.1/z", open_access=access)


def merged(*papers: Paper) -> MergedPaper:
    (paper,) = merge_records(papers)
    (same,) = merge_records(papers[::-1])
    assert same.open_access == paper.open_access
    assert same.provenance == paper.provenance
    return paper


def test_one_address_from_two_providers_is_one_copy_with_what_both_know() -> None:
    paper = merged(
        paper_of("openalex", Location(PAGE, PUBLISHED)),
        paper_of("unpaywall", Location(PAGE, None, "cc-by", "publisher")),
    )
    assert paper.open_access.locations == (Location(PAGE, PUBLISHED, "cc-by", "publisher"),)
    assert (paper.open_access.url, paper.open_access.license) == (PAGE, "cc-by")


def test_where_accounts_of_a_copy_differ_most_sources_win() -> None:
    accounts = {"a": SUBMITTED, "b": PUBLISHED, "c": SUBMITTED}
    paper = merged(*(paper_of(name, Location(PAGE, version)) for name, version in accounts.items()))
    assert paper.open_access.locations == (Location(PAGE, SUBMITTED),)


@pytest.mark.parametrize(
    "shown, other",
    [
        ("https://www.publisher.example/1/", "http://publisher.example/1"),
        ("https://doi.org/10.1016/J.JFS.2011", "http://dx.doi.org/10.1016/j.jfs.2011"),
        ("https://doi.org/10.1016/j.jfs.2011", "https://dx.doi.org/10.1016/j.jfs.2011"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC4221854/", "https://www.ncbi.nlm.nih.gov/pmc/articles/4221854"),
    ],
)
def test_two_ways_of_writing_an_address_are_one_copy_under_the_shorter_secure_one(shown: str, other: str) -> None:
    (copy,) = merged(paper_of("a", Location(other)), paper_of("b", Location(shown))).open_access.locations
    assert copy.url == shown


@pytest.mark.parametrize(
    "one, other",
    [
        ("https://a.example/Paper", "https://a.example/paper"),
        ("https://a.example/?id=1", "https://a.example/?id=2"),
        ("https://arxiv.org/abs/1706.03762", "https://arxiv.org/pdf/1706.03762"),
        ("https://europepmc.org/articles/PMC1", "https://pmc.ncbi.nlm.nih.gov/articles/PMC1"),
        ("http://[broken", "http://[broken/too"),
    ],
)
def test_other_addresses_are_other_copies(one: str, other: str) -> None:
    assert address_of(one) != address_of(other)
    assert len(merged(paper_of("a", Location(one)), paper_of("b", Location(other))).open_access.locations) == 2


def test_the_best_copy_is_published_then_the_publishers_then_licensed_then_first_by_its_address() -> None:
    order = [
        Location("https://z.example/1", PUBLISHED, "cc-by", "publisher"),
        Location("https://a.example/2", PUBLISHED, None, "publisher"),
        Location("https://b.example/3", PUBLISHED, None, "publisher"),
        Location("https://z.example/4", PUBLISHED, "cc-by", "repository"),
        Location("https://a.example/5", PUBLISHED, None, None),
        Location("https://a.example/6", "acceptedVersion", "cc-by", "repository"),
        Location("https://a.example/7", SUBMITTED, "cc-by", "repository"),
        Location("https://a.example/8", None, "cc-by", "publisher"),
    ]
    shuffled = random.Random(7).sample(order, len(order))
    paper = merged(*(paper_of(f"p{number}", copy) for number, copy in enumerate(shuffled)))
    assert paper.open_access == OpenAccess(True, order[0].url, "cc-by", tuple(order))
    assert best_first(Location(PAGE, "a version of their own")) == best_first(Location(PAGE, None))


def test_a_licence_is_never_reported_for_another_copy() -> None:
    copies = (Location("https://repository.example/1", SUBMITTED, "cc-by", "repository"), Location(PAGE, PUBLISHED))
    assert (merged(paper_of("a", *copies)).open_access.url, merged(paper_of("a", *copies)).open_access.license) == (
        PAGE,
        None,
    )


def test_an_address_outside_the_list_of_copies_is_a_copy() -> None:
    other = Location("https://repository.example/1", SUBMITTED)
    assert merged(paper_of("a", other, url=PAGE)).open_access.locations == (other, Location(PAGE))
    assert merged(paper_of("a", Location(PAGE), url=f"{PAGE}/")).open_access.locations == (Location(PAGE),)


def test_a_source_that_names_a_copy_outweighs_all_that_report_closed_and_they_are_named() -> None:
    paper = merged(
        paper_of("a", is_oa=False),
        paper_of("b", Location(PAGE)),
        paper_of("c", is_oa=False),
        paper_of("d", is_oa=None),
    )
    assert (paper.open_access.is_oa, paper.open_access.url) == (True, PAGE)
    assert paper.provenance["open_access"] == ("b",)
    assert paper.provenance["open_access.closed"] == ("a", "c")


def test_a_paper_that_all_call_closed_has_no_copy_even_with_a_link() -> None:
    paper = merged(paper_of("a", is_oa=False), paper_of("b", Location(PAGE, license="cc-by"), is_oa=False))
    assert paper.open_access == OpenAccess(False, None, None, ())
    assert paper.provenance["open_access"] == ("a", "b")


@pytest.mark.parametrize(("others", "is_oa"), [([], None), ([False], False)], ids=["alone", "against-closed"])
def test_a_source_that_reports_open_access_without_a_copy_does_not_make_it_open(
    others: list[bool], is_oa: bool | None
) -> None:
    flag = paper_of("s2", Location(""))
    paper = merged(flag, *(paper_of(f"p{number}", is_oa=it) for number, it in enumerate(others)))
    assert paper.open_access == OpenAccess(is_oa, None, None, ())
    assert paper.provenance["open_access.open"] == ("s2",)
    assert ("open_access" in paper.provenance) is bool(others)


@pytest.mark.parametrize(
    "spelled, licence",
    [("CCBY", "cc-by"), ("CCBYNCND", "cc-by-nc-nd"), ("cc by-nc", "cc-by-nc"), ("cc_by_sa", "cc-by-sa"),
     ("CC BY 4.0", "cc-by-4.0"), ("pd", "public-domain"),
     ("CC0", "cc0"), ("other-oa", "other-oa"), ("publisher-specific-oa", "publisher-specific-oa")],
)  # fmt: skip
def test_one_licence_has_one_name(spelled: str, licence: str) -> None:
    assert spelled_alike(spelled) == licence
    assert merged(paper_of("a", Location(PAGE, license=spelled))).open_access.license == licence


@pytest.mark.parametrize(
    "named, licence",
    [
        (["cc-by", "cc-by-4.0"], "cc-by-4.0"),
        (["cc-by-4.0", "CCBY", "CC BY"], "cc-by-4.0"),
        (["cc-by-3.0", "cc-by-4.0", "cc-by-4.0"], "cc-by-4.0"),
        (["cc-by-nc", "cc-by", "cc-by-4.0"], "cc-by-4.0"),
        (["cc-by-nc-4.0", "cc-by-nc", "cc-by-4.0"], "cc-by-nc-4.0"),
        (["cc-by", "cc-by"], "cc-by"),
    ],
)
def test_a_name_without_a_version_agrees_with_each_version(named: list[str], licence: str) -> None:
    records = [paper_of(f"p{place}", Location(PAGE, license=name)) for place, name in enumerate(named)]
    assert merged(*records).open_access.license == licence
    assert merged(*records[::-1]).open_access.license == licence
