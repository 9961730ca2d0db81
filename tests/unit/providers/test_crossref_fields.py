"""Crossref's elements one by one: dates, names, abstracts, pages and licences, complete or not."""

from __future__ import annotations

from typing import Any

import pytest

from shared.bibliography.paper import Author, Location, OpenAccess
from tests.unit.providers.test_crossref_records import paper_of, papers


@pytest.mark.parametrize(
    ("doi", "published"),
    [
        pytest.param("10.14264/uql.2020.791", None, id="null"),
        pytest.param("10.2307/j.ctt5vkfh7.11", None, id="null-in-a-chapter"),
        pytest.param("10.1145/3184558.3186235", "2018", id="year"),
        pytest.param("10.1142/9789812701527_0069", "2005-10", id="month"),
        pytest.param("10.1155/2019/7803293", "2019-07-24", id="day"),
        pytest.param("10.1093/obo/9780199830060-0238", "2022-07-26", id="selected-without-issued"),
    ],
)
def test_a_date_is_as_exact_as_it_is_known(doi: str, published: str | None) -> None:
    paper = papers("dates.json")[doi]
    assert (paper.publication_date, paper.year) == (published, int(published[:4]) if published else None)


@pytest.mark.parametrize(
    ("parts", "published"),
    [
        pytest.param([[2019, 2, 30]], "2019-02", id="no-such-day"),
        pytest.param([[2019, 13]], "2019", id="no-such-month"),
        pytest.param([[2019, 0, 5]], "2019", id="month-zero"),
        pytest.param([["2019", "5"]], "2019-05", id="strings"),
        pytest.param([[0]], None, id="year-zero"),
        pytest.param([[]], None, id="no-parts"),
        pytest.param([], None, id="no-date"),
        pytest.param(None, None, id="null"),
    ],
)
def test_an_impossible_date_is_cut_to_what_is_possible(parts: Any, published: str | None) -> None:
    assert paper_of(issued={"date-parts": parts}).publication_date == published


@pytest.mark.parametrize("stated", ["null", "n/a", "N/A-N/A", "no-no", "-", "ahead-of-print", "Publish Ahead of Print"])
def test_a_sign_for_no_volume_issue_or_pages_is_none(stated: str) -> None:
    paper = paper_of(volume=stated, issue=stated, page=stated)
    assert (paper.volume, paper.issue, paper.pages) == (None, None, None)
    assert paper_of(**{"page": stated, "article-number": "e5"}).pages == "e5"


@pytest.mark.parametrize(
    ("doi", "authors", "count"),
    [
        pytest.param("10.1007/s40278-023-41815-2", (), None, id="none"),
        pytest.param(
            "10.1101/2025.04.10.647997",
            (Author(family="Many", given="Gina M."), Author(name="The MoTrPAC Study Group")),
            2,
            id="group",
        ),
        pytest.param(
            "10.4156/jdcta.vol6.issue1.50",
            (Author(name="Xuewen Ding"), Author(name="Guangquan Xu")),
            2,
            id="a-dash-for-a-family-name",
        ),
        pytest.param("10.4095/110861", (Author(name="Geological Survey of Canada"),), 1, id="group-alone"),
    ],
)
def test_authors_are_persons_or_groups(doi: str, authors: tuple[Author, ...], count: int | None) -> None:
    paper = papers("authors.json")[doi]
    assert (paper.authors, paper.author_count) == (authors, count)


def test_the_suffix_of_a_name_stands_behind_the_family_name_and_a_degree_is_left_out() -> None:
    people = [{"family": "Roe", "given": "Ada", "suffix": suffix} for suffix in ("Jr.", "III", "2nd", "M.D.", None, "")]
    families = [author.family for author in paper_of(author=people).authors]
    assert families == ["Roe Jr.", "Roe III", "Roe II", "Roe", "Roe", "Roe"]


def test_a_suffix_that_is_in_the_family_name_as_well_is_not_doubled() -> None:
    (author,) = paper_of(author=[{"family": "Roe Jr.", "given": "Ada", "suffix": "Jr."}]).authors
    assert author.family == "Roe Jr."


def test_an_author_may_have_a_family_name_only() -> None:
    authors = papers("titles.json")["10.1101/2023.07.06.547934"].authors
    assert authors == (Author(family="Neha"), Author(family="Das", given="Parimal"))


@pytest.mark.parametrize(
    ("doi", "abstract"),
    [
        pytest.param(
            "10.1038/s42256-024-00832-8", "A language model with tools plans syntheses at T < 300 K.", id="jats-heading"
        ),
        pytest.param(
            "10.2196/preprints.96189",
            "BACKGROUND Calls for an ambulance & their reasons are counted.",
            id="bare-sections-escaped-twice",
        ),
        pytest.param("10.2196/43211", None, id="empty-paragraph"),
        pytest.param("10.1103/physreva.106.022212", None, id="absent"),
    ],
)
def test_an_abstract_is_plain_text_or_none(doi: str, abstract: str | None) -> None:
    assert papers("abstracts.json")[doi].abstract == abstract


def test_an_article_number_replaces_missing_pages() -> None:
    assert papers("abstracts.json")["10.1103/physreva.106.022212"].pages == "022212"


def test_a_creative_commons_licence_makes_a_paper_open() -> None:
    page = "https://www.nature.com/articles/s42256-024-00832-8"
    place = Location(page, version="publishedVersion", license="cc-by-4.0", host="publisher")
    access = papers("abstracts.json")["10.1038/s42256-024-00832-8"].open_access
    assert access == OpenAccess(True, page, "cc-by-4.0", (place,))


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param({"URL": "https://www.elsevier.com/tdm/userlicense/1.0/", "delay-in-days": 0}, id="text-mining"),
        pytest.param({"URL": "http://creativecommons.org/licenses/by/4.0/", "delay-in-days": 365}, id="embargo"),
        pytest.param({"URL": "https://example.org/licence-cc-by-nc"}, id="publisher's-own"),
        pytest.param({"URL": "https://www.usa.gov/public-domain"}, id="public-domain-of-a-country"),
        pytest.param({}, id="nothing"),
    ],
)
def test_any_other_licence_says_nothing_of_open_access(entry: dict[str, Any]) -> None:
    assert paper_of(license=[entry]).open_access == OpenAccess()
