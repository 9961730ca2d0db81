"""Titles with the year or the authors right behind them, as people type them: `Attention is all you need Vaswani`."""

from __future__ import annotations

import pytest

from shared.query.question import Citation
from tests.unit.records import merge_records, record
from tests.unit.references.known import judge

TITLE = "Attention is all you need"
PAPERS = merge_records(
    [
        record(TITLE, "Vaswani, Ashish; Shazeer, Noam; Parmar, Niki", 2017, "Neural Information Processing Systems"),
        record("Is attention all you need?", "Smith, Ann", 2019, "Journal of Questions"),
        record("Deep residual learning for image recognition", "He, Kaiming; van der Berg, Jan", 2016, "CVPR"),
        record("Global burden of rare diseases in children 2019", "Doe, Jane", 2020, "Lancet"),
        record("Global burden of rare diseases in children", "Roe, Richard", 2021, "Lancet"),
    ]
)


@pytest.mark.parametrize(
    "behind",
    [
        " 2017", ", 2017", ", 2017.", ". 2017.", " (2017).", " Vaswani", ", Vaswani", " - Vaswani", " Vaswani 2017",
        " vaswani et al. 2017", " Vaswani et al", " Ashish Vaswani", " A. Vaswani", " Vaswani and Shazeer, 2017",
        " Shazeer 2017", " Vaswani A, Shazeer N", " A Vaswani, N Shazeer… - 2017",
        " | Neural Information Processing Systems", " (Neural Information Processing Systems, 2017)",
        " - Neural Information Processing Systems 2017",
    ],
)  # fmt: skip
def test_a_year_and_authors_behind_a_title_are_no_words_of_it(behind: str) -> None:
    judgement = judge(Citation(text=TITLE + behind), PAPERS)
    assert judgement.status == "matched"
    assert judgement.candidates[0].paper.title == TITLE


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Deep residual learning for image recognition He 2016", "Deep residual learning for image recognition"),
        ("deep residual learning for image recognition van der Berg", "Deep residual learning for image recognition"),
        ("Global burden of rare diseases in children 2019", "Global burden of rare diseases in children 2019"),
        ("Global burden of rare diseases in children 2021", "Global burden of rare diseases in children"),
        ("Global burden of rare diseases in children 2019 (2020)", "Global burden of rare diseases in children 2019"),
    ],
)
def test_a_year_stays_with_the_title_that_has_it(text: str, title: str) -> None:
    judgement = judge(Citation(text=text), PAPERS)
    assert (judgement.status, judgement.candidates[0].paper.title) == ("matched", title)


@pytest.mark.parametrize(
    "text",
    [
        "Attention is all you need Smith", "Attention is all you need Smith 2017", "Attention is all you want Vaswani",
        "Attention is all you want 2017", "Attention is all you need Vaswani explained",
        "Attention is all you need less Vaswani 2017", "Deep residual learning for image generation He 2016",
        "Deep residual learning for image recognition Vaswani", "Attention is all you need et al",
    ],
)  # fmt: skip
def test_an_invented_title_before_a_real_author_is_not_found(text: str) -> None:
    assert judge(Citation(text=text), PAPERS).status == "not_found"


@pytest.mark.parametrize(
    "title",
    [
        "Show, Attend and Tell: Neural Captions with Visual Attention",
        "What Does BERT Look at? An Analysis of Attention", "A Receptor Is a Ligand for Cells of the Brain 2 (TREM2)",
        "Variant p.R47H as a risk factor for sclerosis",
        "Capital Regulation, Risk-Taking and Monetary Policy: A Missing Link in Transmission?",
    ],
)  # fmt: skip
@pytest.mark.parametrize("line", ["{}", "{}.", "{} (2015)", "{}, 2015", "{} - Doe et al. 2015", "{} (Brain, 2015)"])
def test_a_line_of_a_title_has_no_fields_within_it(title: str, line: str) -> None:
    papers = merge_records([record(title, "Doe, Jane; Roe, Kim", 2015, "Brain 7:12-34")])
    for written in (title, title.upper()):
        judgement = judge(Citation(text=line.format(written)), papers)
        assert (judgement.status, judgement.candidates[0].differs) == ("matched", ())


@pytest.mark.parametrize("behind", ["“{}” (Smith, 2003, {})", '"{}","Smith, Ann; Roe, Bo","{}",2003'])
def test_a_quoted_title_before_other_names_and_another_year_stays_open(behind: str) -> None:
    line = behind.format(TITLE, "Neural Information Processing Systems")
    assert judge(Citation(text=line), PAPERS).status == "ambiguous"


def test_a_journal_in_the_place_of_the_authors_is_none() -> None:
    judgement = judge(Citation(text=f"“{TITLE}” (Neural Information Processing Systems, 2017)"), PAPERS)
    assert (judgement.status, judgement.candidates[0].differs) == ("matched", ())


def test_an_undated_part_of_a_work_is_matched() -> None:
    title = "A coupled model of glacier hydrology 2. Application to a glacier in Yukon"
    papers = merge_records([record(title, "Flowers, Ann; Clarke, Bo", 2002, "J Geophys Res 107:2288")])
    line = f"Flowers, A., & Clarke, B. (n.d.). {title}. J Geophys Res."
    assert judge(Citation(text=line), papers).status == "matched"


def test_another_year_behind_a_title_leaves_it_open() -> None:
    judgement = judge(Citation(text=f"{TITLE} 2003"), PAPERS)
    assert (judgement.status, judgement.candidates[0].reason) == ("ambiguous", "year differs")
