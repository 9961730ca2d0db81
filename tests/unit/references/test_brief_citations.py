"""Citations of names, a year and a journal: nobody can say that there is no such paper, whatever was found.

The forms are those of APA 7 (section 8.10 to 8.17), Chicago's author and date, and numbered lists.
"""

from __future__ import annotations

from typing import Any

import pytest

from shared.papers.reference_request import Reference
from shared.query.question import Citation
from shared.references.reasons import TOO_SHORT
from shared.references.resolving import ResolvingReference
from tests.unit.references.known import judge

BRIEF: list[Any] = [
    "Jonsson 2013", "Jonsson (2013)", "Jonsson et al. 2013a", "Jonsson, 2013b", "(Jonsson et al., 2013)",
    "Jonsson T, 2013", "Jonsson, T. (2013)", "T. Jonsson 2013", "Thorlakur Jonsson 2013", "2013 Jonsson",
    "de Vries 2013", "van der Berg 2013", "O’Brien 2013", "O'Brien 2013", "Lloyd-Jones 2013", "Müller (2013)",
    "JONSSON 2013", "jonsson 2013", "watson and crick 1953", "de vries 2013", "WHO 2013", "WHO and UNICEF (2013)",
    "World Health Organization 2013", "Department of Health (2013)", "Иванов 2013", "王伟 2013",
    "Jonsson and Guerreiro 2013", "Jonsson & Guerreiro, 2013", "Jonsson, Guerreiro and Hardy, 2013",
    "Jonsson T, Stefansson H, Steinberg S, Jonsdottir I, Snaedal J. 2013",
    "Jonsson 2013; Guerreiro 2013", "(Jonsson et al., 2013; Guerreiro et al., 2013)", "Jonsson 2013, Guerreiro 2014",
    "[12] Jonsson 2013", "12. Jonsson 2013", "- Jonsson 2013",
    "Jonsson (2013) Nature", "Jonsson et al. 2013, N Engl J Med", "Jonsson T et al. N Engl J Med 2013", "Nature 2013",
    "Jonsson", "2013", "12", "123456789",
    {"journal": "Nature", "authors": ["Jonsson"], "year": 2013}, {"journal": "Nature"},
    {"reference": "Jonsson 2013", "journal": "Nature"}, {"reference": "Jonsson", "year": 2013},
    {"journal": "Nature", "volume": "495"},
]  # fmt: skip
# A title, words that may be one, a place, or an id.
ENOUGH: list[Any] = [
    "Nobody 2019 Deep Learning", "Nobody 2019 Deep Learning For Everything", "Attention is all you want 2017",
    "Deep Residual Learning Image Recognition 2016", "Nobody 2019, effects of nothing on microglia", "see above",
    "小胶质细胞与阿尔茨海默病 2013", "https://example.org/2013/jonsson",
    "Nobody A, Roe B. Title-like words of no paper at all. 2013", "Jonsson 2013 Nature 5:12", "Nature 2013 495:1",
    {"title": "Jonsson 2013"}, {"reference": "Jonsson 2013", "title": "A title of no paper"},
    {"reference": "Jonsson 2013", "journal": "Nature", "volume": "999", "pages": "1-2"},
    {"journal": "Nature", "volume": "999", "pages": "1-2"},
    {"journal": "Nature", "volume": "999", "authors": ["Nobody"], "year": 2013},
    {"reference": "Jonsson 2013", "doi": "10.9999/nobody"}, {"year": 2013, "doi": "10.9999/nobody"},
]  # fmt: skip


@pytest.mark.parametrize("written", BRIEF, ids=str)
def test_a_reference_of_names_and_a_year_is_ambiguous_and_lacks_its_title(written: Any) -> None:
    reference = ResolvingReference.of(Reference.model_validate(written))
    reference.judge_by([])
    assert (reference.judgement.status, reference.judgement.reason) == ("ambiguous", TOO_SHORT)


@pytest.mark.parametrize("written", ENOUGH, ids=str)
def test_a_reference_with_a_title_a_place_or_an_id_is_not_found(written: Any) -> None:
    reference = ResolvingReference.of(Reference.model_validate(written))
    reference.judge_by([])
    assert (reference.judgement.status, reference.judgement.reason) == ("not_found", None)


def test_no_source_is_sent_less_than_the_fields_beside_a_line() -> None:
    fields = {"reference": "Jonsson 2013", "journal": "Nature", "volume": "999", "pages": "1-2"}
    query = ResolvingReference.of(Reference.model_validate(fields)).query
    assert query == Citation(text="Jonsson 2013", year=2013, journal="Nature", volume="999", pages="1-2")


@pytest.mark.parametrize("text", ["Jonsson " * 200 + "2013", "Jonsson, " * 200 + "2013", "Jonsson 2013; " * 100])
def test_a_long_line_is_read_in_little_time_and_taken_for_more(text: str) -> None:
    assert judge(Citation(text=text), ()).status == "not_found"
