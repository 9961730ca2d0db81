"""A reference is judged again when more records are known; what they do not change is not compared again."""

from __future__ import annotations

from typing import Any

import pytest

from shared.bibliography.paper import Paper
from shared.clock import Deadline
from shared.papers.reference_request import Reference
from shared.references.cited_fields import compare_fields
from shared.references.reference_state import Candidates, ReferenceState
from shared.references.same_citation import MAX_CANDIDATES
from tests.unit.records import record

NOW = Deadline(lambda: 0.0, 1_000)
AUTHORS = "Kober, Daniel; Brett, Tom"
TITLE = "TREM2-ligand interactions in health and disease"
TEXT = f"Kober D, Brett T. {TITLE}. J Mol Biol. 2017;429(11):1607-29."


def resolving(text: str) -> ReferenceState:
    return ReferenceState.of(Reference.model_validate(text))


def of_the_paper(**other: str) -> Paper:
    return record(TITLE, AUTHORS, 2017, "J Mol Biol 429:1607-29", **other)


def another(number: int) -> Paper:
    return record(f"Microglia and the genes of dementia in cohort {number}", "Doe, Jane", 2001)


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of the papers that references are compared with, as often as they are."""
    titles: list[str] = []

    def counted(reference: Any, records: Any) -> Any:
        titles.append(records[0].features.paper.title)
        return compare_fields(reference, records)

    monkeypatch.setattr("shared.references.same_citation.compare_fields", counted)
    return titles


def test_a_paper_is_compared_once_however_often_others_are_added(compared: list[str]) -> None:
    candidates, reference = Candidates(), resolving(TEXT)
    papers = [of_the_paper(), *(another(number) for number in range(4))]
    for paper in papers:
        candidates.add([reference], [paper])
        candidates.judge([reference], NOW)
    assert sorted(compared) == sorted(paper.title for paper in papers)
    assert reference.judgement.status == "matched"


def test_records_of_other_references_leave_a_judgement_as_it_is(compared: list[str]) -> None:
    candidates, reference, other = Candidates(), resolving(TEXT), resolving("Doe J. Microglia. Cell. 2001;1:1.")
    candidates.add([reference], [of_the_paper()])
    candidates.judge([reference, other], NOW)
    before = reference.judgement
    candidates.add([other], [another(1)])
    candidates.judge([reference, other], NOW)
    assert reference.judgement is before
    assert compared == [TITLE, another(1).title]


def test_a_paper_that_another_record_completes_is_compared_again(compared: list[str]) -> None:
    candidates, reference = Candidates(), resolving(TEXT)
    candidates.add([reference], [record(TITLE, "", 2017)])
    candidates.judge([reference], NOW)
    before = reference.judgement
    candidates.add([resolving(TEXT)], [of_the_paper()])  # found for another reference, and one paper with the first
    candidates.judge([reference], NOW)
    assert compared == [TITLE, TITLE]
    assert "authors" not in before.candidates[0].agrees
    assert "authors" in reference.judgement.candidates[0].agrees


@pytest.mark.parametrize("papers", [[], [of_the_paper(pmid="28432014")]])
def test_a_number_alone_may_be_a_pmid_and_is_surely_nothing(papers: list[Paper]) -> None:
    candidates, reference = Candidates(), resolving("28432014")
    assert reference.names == ("pmid:28432014",)
    candidates.add([reference], papers)
    candidates.judge([reference], NOW)
    to_write = "if it is a PMID, write PMID:28432014"
    assert (reference.judgement.status, reference.judgement.reason) == ("ambiguous", to_write)
    assert [one.reason for one in reference.judgement.candidates] == [to_write] * len(papers)


def test_a_citation_within_a_text_is_ambiguous_though_no_source_has_a_record_for_it() -> None:
    candidates, reference = Candidates(), resolving("Nobody 1987")
    candidates.judge([reference], NOW)
    assert reference.judgement.status == "ambiguous"


@pytest.mark.parametrize("text", ["28432014.", "(28432014)", "[28432014]", "0028432014", " 28432014, ", "“28432014”"])
def test_a_number_alone_has_marks_and_zeros_around_it(text: str) -> None:
    reference = resolving(text)
    assert (reference.names, reference.can_be_searched) == (("pmid:28432014",), False)
    reference.judge_by([])
    assert reference.judgement.status == "ambiguous"


@pytest.mark.parametrize(
    "text", ["28432014, 27797938", "28432014 27797938", "28432014;27797938", "(28432014, 27797938)."]
)
def test_several_numbers_alone_are_as_doubtful_as_one(text: str) -> None:
    candidates, reference = Candidates(), resolving(text)
    assert (reference.names, reference.can_be_searched) == (("pmid:28432014", "pmid:27797938"), False)
    candidates.add([reference], [of_the_paper(pmid="28432014")])
    candidates.judge([reference], NOW)
    (one,) = reference.judgement.candidates
    assert reference.judgement.status == "ambiguous"
    assert one.reason == "if they are PMIDs, write PMID:28432014, PMID:27797938"


def test_no_more_numbers_are_looked_up_than_candidates_are_shown() -> None:
    assert len(resolving(" ".join(str(28432014 + number) for number in range(200))).names) == MAX_CANDIDATES


def test_a_number_beside_other_fields_is_no_pmid() -> None:
    fields = {"reference": "12345678", "title": TITLE, "authors": ["Kober D"], "year": 2017}
    assert ReferenceState.of(Reference.model_validate(fields)).names == ()


@pytest.mark.parametrize(("ids", "name"), [
    ({"doi": "10.1000/x"}, "doi:10.1000/x"), ({"pmid": "27797938"}, "pmid:27797938"), ({"id": "PMC12"}, "pmcid:PMC12"),
])  # fmt: skip
def test_a_number_beside_an_id_is_that_of_a_record_in_a_list(ids: dict[str, str], name: str) -> None:
    candidates = Candidates()
    reference = ReferenceState.of(Reference.model_validate({"reference": "36107206", **ids}))
    assert reference.names == (name,)
    candidates.judge([reference], NOW)
    assert reference.judgement.status == "not_found"
    candidates.add([reference], [of_the_paper(doi="10.1000/x", pmid="27797938", pmcid="PMC12")])
    candidates.judge([reference], NOW)
    assert (reference.judgement.status, reference.judgement.candidates[0].agrees) == ("matched", ("id",))


@pytest.mark.parametrize("sign", ["\x00", "\x02", "\ufffe"])
@pytest.mark.parametrize("whole", [True, False], ids=["a line", "fields"])
def test_no_source_is_sent_what_a_pdf_file_has_in_place_of_a_hyphen(sign: str, whole: bool) -> None:
    title = TITLE.replace("inter", f"inter{sign}")
    written: Any = TEXT.replace(TITLE, title) if whole else {"title": title, "authors": f"Ko{sign}ber D", "year": 2017}
    query = resolving(written).query
    assert query.title == TITLE
    assert sign not in f"{query.title}{query.text}{query.authors}"
