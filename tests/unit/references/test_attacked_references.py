"""References made to mislead: half of a real title and an invented half, one word exchanged, all else right."""

from __future__ import annotations

import pytest
from rapidfuzz import fuzz, process

from shared.papers.request import Reference
from shared.references.judgement import Judgement
from shared.references.resolving import ResolvingReference
from tests.unit.references.known import known
from tests.unit.references.test_labelled_references import by_name, titles
from tests.unit.references.test_same_citation import corpus, names_in


def judged(text: str) -> Judgement:
    """Judged among the papers with the nearest titles, and those that its ids name."""
    reference = ResolvingReference.of(Reference.model_validate(text))
    places = {
        place
        for scorer in (fuzz.partial_ratio, fuzz.token_set_ratio)
        for *_, place in process.extract(text.lower(), titles(), scorer=scorer, limit=8)
    }
    named = [paper for name in reference.names if (paper := by_name().get(name))]
    papers = {id(paper): paper for paper in (*(corpus()[place] for place in sorted(places)), *named)}
    reference.judge_by(known(papers.values()))
    return reference.judgement


SECOND_SENTENCES = (
    "Hong S, Beja-Glasser VF. Complement and microglia mediate early synapse loss. Results of a phase 2 trial of "
    "eculizumab. Science 2016.",
    "Wang Y, Cella M. TREM2 lipid sensing sustains the microglial response. A proteomic atlas of the spleen. "
    "Cell 2015;160:1061-1071.",
    "Wang Y, Cella M. TREM2 lipid sensing sustains the microglial response. A Proteomic Atlas of the Spleen. Cell 2015",
    "Asai H, Ikezu S. Depletion of microglia and inhibition of exosome synthesis. Effects on sleep in mice. "
    "Nat Neurosci 2015.",
    "Montagne A, Nation DA. APOE4 leads to blood-brain barrier dysfunction. Response to statins. "
    "Nature 2020;581:71-76.",
)


@pytest.mark.parametrize("text", SECOND_SENTENCES)
def test_half_a_title_and_an_invented_sentence_are_not_matched(text: str) -> None:
    assert judged(text).status in ("ambiguous", "not_found")


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("Asai H, Ikezu S. Depletion of microglia and inhibition of exosome synthesis. Nat Neurosci 2015.",
         "doi:10.1038/nn.4132"),
        ("Hong S, Beja-Glasser VF. Complement and microglia mediate early synapse loss. Science 2016.",
         "doi:10.1126/science.aad8373"),
    ],
)  # fmt: skip
def test_half_a_title_before_the_journal_is_matched(text: str, doi: str) -> None:
    judgement = judged(text)
    assert (judgement.status, doi in names_in(judgement)) == ("matched", True)
