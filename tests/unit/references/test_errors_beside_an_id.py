"""A right DOI beside an error: another author first, one word of the title exchanged, no title."""

from __future__ import annotations

from typing import Any

import pytest

from shared.papers.reference_request import Reference
from shared.references.field_verdicts import field_verdicts
from shared.references.judgement import Judgement
from shared.references.reference_state import ReferenceState
from tests.unit.references.known import known
from tests.unit.references.test_labelled_references import by_name

DOI, VARIANTS = "10.1038/nature21029", "10.1056/nejmoa1211851"
TITLE = "Neurotoxic reactive astrocytes are induced by activated microglia"
EXCHANGED = TITLE.replace("induced", "inhibited")


def judged(reference: Any) -> tuple[ReferenceState, Judgement]:
    read = ReferenceState.of(Reference.model_validate(reference))
    read.judge_by(known([by_name()[read.names[0]]]))
    return read, read.judgement


@pytest.mark.parametrize(
    "reference",
    [
        f"Guttenplan KA. {TITLE}. Nature 2017;541:481-487. doi:{DOI}",
        f"Guttenplan KA. Nature 2017. doi:{DOI}",
        f"Guttenplan KA et al. (2017). doi:{DOI}",
        f"Clarke LE, Guttenplan KA. Nature. 2017;541:481. doi:{DOI}",
        {"authors": ["Guttenplan KA"], "year": 2017, "doi": DOI},
        {"authors": ["Clarke LE"], "title": TITLE, "doi": DOI},
        {"authors": ["Clarke LE"], "year": 2017, "doi": DOI},
    ],
)
def test_a_later_author_alone_beside_a_right_doi_differs(reference: Any) -> None:
    _, judgement = judged(reference)
    assert (judgement.status, judgement.candidates[0].differs) == ("matched", ("authors",))


@pytest.mark.parametrize(
    "reference",
    [
        f"Guttenplan KA. doi:{DOI}",
        f"Guttenplan KA. Cell 2011. doi:{DOI}",
        f"Guttenplan KA. Whales sing in dialects of the sea. Nature 2017. doi:{DOI}",
        {"authors": ["Guttenplan KA"], "doi": DOI},
        {"authors": ["Guttenplan KA"], "year": 2011, "doi": DOI},
        {"authors": ["Clarke LE"], "title": EXCHANGED, "year": 2017, "doi": DOI},
        {"authors": ["Smith J"], "year": 2017, "doi": DOI},
    ],
)
def test_a_doi_whose_paper_shares_one_author_is_mismatched(reference: Any) -> None:
    assert judged(reference)[1].status == "mismatched"


@pytest.mark.parametrize(
    "reference",
    [
        f"Liddelow SA et al. {EXCHANGED}. Nature. 2017;541:481-487. doi:{DOI}",
        f"Liddelow SA, Guttenplan KA. {EXCHANGED} (2017) doi:{DOI}",
        f"Liddelow SA et al. {EXCHANGED}. doi:{DOI}",
        f"Guerreiro R. TREM2 variants in Parkinson's disease. N Engl J Med 2013. doi:{VARIANTS}",
        {"title": "TREM2 variants in Parkinson's disease", "authors": ["Guerreiro R"], "year": 2013, "doi": VARIANTS},
    ],
)
def test_one_word_exchanged_in_a_title_beside_a_right_doi_differs(reference: Any) -> None:
    read, judgement = judged(reference)
    assert (judgement.status, judgement.candidates[0].differs) == ("matched", ("title",))
    title = field_verdicts(read.query, read.names, judgement.candidates[0])["title"]
    assert (title["verdict"], title["cited"] == title["found"]) == ("differs", False)


def test_one_word_exchanged_without_a_second_field_is_mismatched() -> None:
    reference = {"title": "TREM2 variants in Parkinson's disease", "authors": ["Guerreiro R"], "doi": VARIANTS}
    assert judged(reference)[1].status == "mismatched"


@pytest.mark.parametrize(
    "reference",
    [
        f"{{{{cite journal|doi={DOI}}}}}",
        f"{{{{cite journal |doi={DOI} |last=Liddelow |year=2017}}}}",
        f"TY  - JOUR\nDO  - {DOI}\nER  -",
        f"@article{{k2017,\n author={{Liddelow, SA}}, year=2017, doi = {{{DOI}}}}}",
        f"Ref: {DOI}",
        f"DOI {DOI} (2017)",
    ],
)
def test_a_record_without_a_title_and_a_label_differ_in_nothing(reference: str) -> None:
    _, judgement = judged(reference)
    assert (judgement.status, judgement.candidates[0].differs) == ("matched", ())


@pytest.mark.parametrize(
    "reference",
    [
        f"{{{{cite journal |last=Smith |first=J |year=2011 |doi={DOI}}}}}",
        f"@article{{k, author={{Smith, J}}, doi={{{DOI}}}}}",
        f'{{"DOI": "{DOI}", "headline": "Whales sing in dialects beneath northern oceans"}}',
    ],
)
def test_a_record_of_another_paper_is_mismatched(reference: str) -> None:
    assert judged(reference)[1].status == "mismatched"
