"""Filters on merged papers: passed, excluded, or excluded and counted for missing data."""

from __future__ import annotations

from typing import Any

import pytest

from shared.bibliography.paper import Author, MergedPaper, OpenAccess, Paper, Retraction, RetractionStatus
from shared.query.query import Query
from shared.search.filtering.filters import apply_filters, left_out_by_fewest
from shared.search.wording.worded_years import WordedYears

NO_PROVIDERS: dict[str, frozenset[str]] = {}


def paper(**fields: Any) -> MergedPaper:
    """A merged paper of one record with these fields."""
    fields = {"title": "TREM2 in microglia", **fields}
    record = Paper(
        provider="crossref", rank=1,
        **{name: fields[name] for name in ("title", "journal", "authors", "language") if name in fields},
    )  # fmt: skip
    return MergedPaper(key="doi:10.1/a", citation_uri=None, records=(record,), **fields)


def verdict(query: Query, subject: MergedPaper, applied: dict[str, frozenset[str]] = NO_PROVIDERS) -> str:
    passing, undecided = apply_filters([subject], query, applied)
    return "kept" if passing else "undecided" if undecided else "dropped"


YEAR = Query(text="a", date_from="2020", date_to="2020-06")
ELIFE = Query(text="a", journal="Journal of Biological Chemistry")
DOUDNA = Query(text="a", author="Doudna JA")
CASES = [
    pytest.param(YEAR, {"publication_date": "2020-06-30"}, "kept", id="last day of the range"),
    pytest.param(YEAR, {"publication_date": "2020-07-01"}, "dropped", id="day after the range"),
    pytest.param(YEAR, {"publication_date": "2019-12-31"}, "dropped", id="day before the range"),
    pytest.param(YEAR, {"publication_date": "2020"}, "kept", id="a year that overlaps"),
    pytest.param(YEAR, {"year": 2020}, "kept", id="only a year"),
    pytest.param(YEAR, {"year": 2021}, "dropped", id="another year"),
    pytest.param(YEAR, {}, "undecided", id="no date"),
    pytest.param(ELIFE, {"journal": "The Journal of Biological Chemistry"}, "kept", id="the journal, with article"),
    pytest.param(ELIFE, {"journal": "J. Biol. Chem."}, "kept", id="the journal's abbreviation"),
    pytest.param(ELIFE, {"journal": "Journal of Chemistry"}, "dropped", id="another journal"),
    pytest.param(ELIFE, {}, "undecided", id="no journal"),
    pytest.param(DOUDNA, {"authors": (Author("Doudna", "Jennifer A"),)}, "kept", id="initials against full names"),
    pytest.param(DOUDNA, {"authors": (Author("Doudna", "JA"),)}, "kept", id="initials"),
    pytest.param(DOUDNA, {"authors": (Author("Smith", "J"),), "author_count": 1}, "dropped", id="somebody else"),
    pytest.param(DOUDNA, {"authors": (Author("Smith", "J"),), "author_count": 99}, "undecided", id="a cut list"),
    pytest.param(DOUDNA, {}, "undecided", id="no authors"),
    pytest.param(Query(text="a", open_access=True), {"open_access": OpenAccess(True)}, "kept", id="open"),
    pytest.param(Query(text="a", open_access=True), {"open_access": OpenAccess(False)}, "dropped", id="closed"),
    pytest.param(Query(text="a", open_access=True), {}, "undecided", id="access unknown"),
    pytest.param(Query(text="a", min_citations=5), {"citation_count": 5}, "kept", id="enough citations"),
    pytest.param(Query(text="a", min_citations=5), {"citation_count": 4}, "dropped", id="too few citations"),
    pytest.param(Query(text="a", min_citations=5), {}, "undecided", id="citations unknown"),
    pytest.param(Query(text="a", publication_types=("review",)), {"type": "review"}, "kept", id="the type"),
    pytest.param(Query(text="a", publication_types=("review",)), {"type": "letter"}, "dropped", id="another type"),
    pytest.param(Query(text="a", publication_types=("review",)), {}, "undecided", id="type unknown"),
    pytest.param(Query(text="a", language="de"), {"language": "de"}, "kept", id="the language"),
    pytest.param(Query(text="a", language="de"), {"language": "en"}, "dropped", id="another language"),
    pytest.param(Query(text="a", language="de"), {}, "undecided", id="language unknown"),
    pytest.param(Query(text="a", field_of_study="law"), {}, "undecided", id="a field that no record states"),
    pytest.param(Query(text="a", exclude_preprints=True), {"type": "preprint"}, "dropped", id="a preprint"),
    pytest.param(Query(text="a", exclude_preprints=True), {"type": "review"}, "kept", id="no preprint"),
    pytest.param(
        Query(text="a", exclude_retracted=True),
        {"retraction": Retraction(RetractionStatus.RETRACTED)},
        "dropped",
        id="retracted",
    ),
    pytest.param(Query(text="a", exclude_retracted=True), {}, "kept", id="standing unknown"),
    pytest.param(Query(text='"innate immunity" AND (TREM2 OR APOE)'), {
        "title": "APOE variants", "abstract": "On innate immunity."}, "kept", id="operators that hold"),
    pytest.param(Query(text="TREM2 AND microgli*"), {"abstract": "Cells."}, "kept", id="a wildcard that holds"),
    pytest.param(Query(text="cells NOT microgli*"), {"abstract": "Cells."}, "dropped", id="a wildcard under NOT"),
    pytest.param(Query(text="TREM2 AND astro*"), {"abstract": "Cells."}, "dropped", id="a wildcard of other words"),
    pytest.param(Query(text='"innate immunity" AND (TREM2 OR APOE)'), {
        "title": "APOE variants", "abstract": "On immunity that is innate."}, "dropped", id="a phrase that is none"),
    pytest.param(
        Query(text="TREM2 AND tau"), {"title": "TREM2", "abstract": "On taurine."}, "dropped", id="a missing term"
    ),
    pytest.param(Query(text="TREM2 AND tau"), {"title": "TREM2"}, "undecided", id="a term, no abstract to look in"),
    pytest.param(Query(text="role of receptors AND TREM2"), {"title": "TREM2, a receptor: role"}, "kept", id="plurals"),
    pytest.param(Query(text="TREM2 NOT of"), {"title": "TREM2 in mice"}, "kept", id="an excluded small word"),
    pytest.param(Query(text="TREM2 NOT mouse"), {"title": "TREM2 in the mouse"}, "dropped", id="an excluded word"),
    pytest.param(Query(text="TREM2 NOT mouse"), {"abstract": "TREM2 in mouse."}, "dropped", id="excluded in abstract"),
    pytest.param(Query(text="TREM2 NOT mouse"), {"title": "TREM2 in mousetraps"}, "kept", id="a longer word"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "fields", "expected"), CASES)
def test_a_filter_decides_by_the_merged_data(query: Query, fields: dict[str, Any], expected: str) -> None:
    assert verdict(query, paper(**fields)) == expected


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        pytest.param(Query(text="a", author="Doudna"), {}, id="author"),
        pytest.param(Query(text="a", journal="Cell"), {}, id="journal that the record does not tell"),
        pytest.param(YEAR, {}, id="date that the record does not tell"),
    ],
)
def test_a_filter_that_the_api_applied_is_trusted(query: Query, fields: dict[str, Any]) -> None:
    applied = {"crossref": frozenset(query.filters)}
    assert verdict(query, paper(**fields), applied) == "kept"


@pytest.mark.parametrize(("is_oa", "expected"), [(True, "kept"), (False, "dropped"), (None, "undecided")])
def test_open_access_is_what_the_answer_says_even_if_the_api_applied_the_filter(
    is_oa: bool | None, expected: str
) -> None:
    """Else a search by `open_access` has papers that the same filter of its result set leaves out."""
    applied = {"crossref": frozenset({"open_access"})}
    assert verdict(Query(text="a", open_access=True), paper(open_access=OpenAccess(is_oa)), applied) == expected


def test_a_date_filter_is_decided_by_the_merged_record_even_if_the_api_applied_it() -> None:
    assert verdict(YEAR, paper(year=2019), {"crossref": frozenset({"date"})}) == "dropped"


@pytest.mark.parametrize(
    ("typed", "written"),
    [("Nature", "Nature Medicine"), ("Science", "Science Advances"), ("Science", "Nature Reviews Neuroscience")],
)
def test_another_journal_is_left_out_even_if_the_api_applied_the_filter(typed: str, written: str) -> None:
    applied = {"crossref": frozenset({"journal"})}
    assert verdict(Query(text="a", journal=typed), paper(journal=written), applied) == "dropped"


def test_papers_excluded_for_missing_data_are_counted_by_filter() -> None:
    _, undecided = apply_filters(
        [paper(), paper(year=2020)], Query(text="a", date_from="2020", open_access=True), NO_PROVIDERS
    )
    assert undecided == {"date": 1, "open_access": 2}


def test_without_filters_all_papers_remain() -> None:
    assert apply_filters([paper()], Query(text="TREM2"), NO_PROVIDERS)[0] == [paper()]


@pytest.mark.parametrize(
    ("fields", "is_admitted"),
    [
        ({"year": 2021}, True),
        ({"publication_date": "2020-12-31"}, False),
        ({"publication_date": "2022-01-01"}, False),
        ({}, True),
        ({"year": 1998, "title": "What changed in the last 20 years?"}, True),
        ({"year": 1998, "title": "What changed in 20 years"}, False),
    ],
)
def test_years_in_words_admit_papers_of_them_without_date_or_with_the_words(
    fields: dict[str, Any], is_admitted: bool
) -> None:
    assert WordedYears("2021", "2021", ("last 20 years",)).admits(paper(**fields)) is is_admitted


def test_the_fewest_filters_to_blame_are_those_without_which_some_paper_passes() -> None:
    query = Query(text="a", journal="Cell", date_from="2020", exclude_preprints=True)
    old, elsewhere = paper(journal="Cell", year=2001), paper(journal="Gut", year=2021)
    both = paper(journal="Gut", year=2001)
    assert left_out_by_fewest([old, elsewhere, elsewhere, both], query, NO_PROVIDERS) == {("date",): 1, ("journal",): 2}
    assert left_out_by_fewest([both], query, NO_PROVIDERS) == {("date", "journal"): 1}


def test_where_all_filters_are_to_blame_none_is() -> None:
    query = Query(text="a", journal="Cell", date_from="2020")
    assert not left_out_by_fewest([paper(journal="Gut", year=2001)], query, NO_PROVIDERS)
    assert not left_out_by_fewest([paper(year=2001)], Query(text="a", date_from="2020"), NO_PROVIDERS)
    assert not left_out_by_fewest([], query, NO_PROVIDERS)
