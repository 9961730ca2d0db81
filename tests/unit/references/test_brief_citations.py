"""Citations of names, a year and a journal: nobody can say that there is no such paper, whatever was found.

The forms are those of APA 7 (section 8.10 to 8.17), Chicago's author and date, and numbered lists.
"""

from __future__ import annotations

from typing import Any

import pytest

from shared.papers.reference_request import Reference
from shared.query.question import Citation
from shared.references.reasons import TOO_SHORT
from shared.references.reference_state import ReferenceState
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
    "Tim Hunt 2013", "J. Smith 2013", "J. A. Smith and K. Jones 2013", "J. A. van der Berg 2013",
    "Thorlakur J. Jonsson 2013", "Garcia Marquez G. 2013", "Department of Health and Human Services 2013",
    "Alzheimer's Association 2013", "Centers for Disease Control and Prevention 2020", "Smith J. Nature 2013",
    "Smith J, Jones K. Nature 2019", "Smith J, Jones K. N Engl J Med 2019", "Smith et al. and Jones et al. 2013",
    "Smith, J., & Jones, K. (2013)", "Smith, J., Jones, K., et al. (2013). Nature", '"Jonsson 2013"',
    "“Tim Hunt 2013”", "Jonsson et al, Nature, 2013", "Smith et al.: Nature 2013", "IPCC 2021", "Петров П. 2013",
    "UNICEF 2013", "Brown and Green 2013", "UK Biobank 2013", "Jon Harkness 2013", "Spencer Tracy 2013",
    "David Lawrence 2013", "Marios Politis 2013", "Alexander Fleming 1929",
    "Smith, J. (n.d.)", "Smith n.d.", "Smith (n. d.)", "(Smith, n.d.-a)", "Smith, in press", "Smith (in press)",
    "Smith et al., in press", "Smith, J., & Jones, K. (in press-b)", "Smith, forthcoming", "Smith, submitted",
    "Smith & Jones, in preparation", "Smith, unpublished", "Smith (under review)", "Smith 2013; Jones, in press",
    "Smith, J. (in press). Nature", "WHO (n.d.)", "in press",
    "TREM2", "GPT-4", "GPT-3.5", "p53", "IL-6", "COVID-19", "CRISPR-Cas9", "5-HT2A", "TREM2 2013", "(GPT-4, 2023)",
]  # fmt: skip
# Of an earlier citation.
EARLIER: list[Any] = [
    "ibid.", "Ibid., p. 12", "Ibid 45–47", "12. Ibid.", "Id.", "Id. at 45", "Idem", "op. cit.",
    "Smith, op. cit., p. 45",
    "Smith (2013), op. cit., p. 45", "Foucault, op. cit. p. 12", "loc. cit.", "Smith et al., loc. cit., pp. 3-4",
    "supra note 5", "Smith, supra note 5, at 12", "Smith & Jones, supra note 3", "Wang (n 12) 34", "Smith, n 5",
    "see above", "See note 5 above", "See supra, note 12.", "above, n. 5", "infra note 3", "see [12]", "see ref. 12",
    "same as above", "[Note 3]", "a. a. O.", "Müller 2010, a. a. O., S. 12 ff.", "ebd.", "Ebd., S. 45", "siehe Anm. 5",
    "s. o.", "cf. supra", "voir ci-dessus", "voir note 3", "ver nota 3", "Ver nota 3, p. 45", "ibíd.", "ivi, p. 34",
    "Rossi, op. cit., p. 3", "Там же. С. 12", "см. выше", "同上", "前掲",
]  # fmt: skip
# A title, words that may be one, a place, or an id.
ENOUGH: list[Any] = [
    "Nobody 2019 Deep Learning", "Nobody 2019 Deep Learning For Everything", "Attention is all you want 2017",
    "Deep Residual Learning Image Recognition 2016", "Nobody 2019, effects of nothing on microglia",
    "小胶质细胞与阿尔茨海默病 2013", "https://example.org/2013/jonsson",
    "Nobody A, Roe B. Title-like words of no paper at all. 2013", "Jonsson 2013 Nature 5:12", "Nature 2013 495:1",
    {"title": "Jonsson 2013"}, {"reference": "Jonsson 2013", "title": "A title of no paper"},
    {"reference": "Jonsson 2013", "journal": "Nature", "volume": "999", "pages": "1-2"},
    {"journal": "Nature", "volume": "999", "pages": "1-2"},
    {"journal": "Nature", "volume": "999", "authors": ["Nobody"], "year": 2013},
    {"reference": "Jonsson 2013", "doi": "10.9999/nobody"}, {"year": 2013, "doi": "10.9999/nobody"},
    "Smith J, Jones K. Quantum Hippocampal Coding. Nature 2019",
    "Chen L, Wang Q. Microglial Lipid Signaling. Nature 2021",
    "World Health Organization. Global Tuberculosis Report 2020", "TREM2 Microglia Alzheimer 2019",
    'Smith J. "Invented Random Hedges." Lancet 2001', "Smith J et al. Invented Random Hedges. Lancet 2001",
    "Smith J: Invented Random Hedges. Lancet 2001", "Goodfellow I. Generative Adversarial Networks. Commun ACM 2020",
    "Quantum Supremacy 2019", "deep learning 2015", "Graph Attention Networks 2018",
    "Smith J 2001 Invented Random Hedges", "Invented Random Hedges 2001", "WHO. Global Tuberculosis Report 2020",
    "WHO: Tuberculosis Report 2020", "Smith J. “Invented Random Hedges.” Lancet 2001",
    "Smith J. ‘Invented Random Hedges.’ Lancet 2001", "Smith J, Jones K. Hippocampal Coding. Nature 2019",
    "Smith, J. Hippocampal Coding. Nature 2019", "Smith J & Jones K. Microglial Lipids. Nature 2019",
    "Smith et al., Invented Random Hedges, 2001", "Smith, Invented Random Hedges, 2001",
    "Smith J, Invented Random Hedges, Lancet 2001", "Smith J; Jones K. Quantum Hippocampal Coding. Nature 2019",
    "Smith J, Jones K (2019) Quantum Hippocampal Coding. Nature",
    "Smith J, Jones K. Quantum, Hippocampal and Cortical Coding. Nature 2019",
    "World Health Organization Global Tuberculosis Report 2020", "Deep Neural Network 2015",
    "Smith J. Microglia, Lipids. Nature 2019", "WHO. World Malaria Report 2020", "Smith J. et al. Random Hedges 2001",
    "UK Biobank Proteomics 2023", "Smith J. Neuroinflammation. Nature 2019", "Smith et al. Neuroinflammation 2019",
    "Machine learning and deep learning 2015", "Smith, J. (n.d.). Invented Random Hedges.",
    "Invented Random Hedges in press", "Effects of nothing, in press", "TREM2 microglia", "GPT-4 in medicine",
    "TREM2 Alzheimer n.d.", "TREM2; microglia in mice", "Smith J. (in press). GPT-4 hedges",
    "See above for details of the method", "see above, microglia in mice", "A note on two problems in graphs",
    "Note 3 on microglia", "Smith J. Above and below the threshold. Nature 2013", "ID proteins in development",
    "Supra microglia", "Smith J, Notes 1998;5:12-19.", "Ivi J, Smith K. Nature 2019;5:12-19.",
    {"reference": "ibid.", "journal": "Nature", "volume": "999", "pages": "1-2"},
]  # fmt: skip


@pytest.mark.parametrize("written", [*BRIEF, *EARLIER], ids=str)
def test_a_reference_of_names_and_a_year_is_ambiguous_and_lacks_its_title(written: Any) -> None:
    reference = ReferenceState.of(Reference.model_validate(written))
    reference.judge_by([])
    assert (reference.judgement.status, reference.judgement.reason) == ("ambiguous", TOO_SHORT)


@pytest.mark.parametrize("written", ENOUGH, ids=str)
def test_a_reference_with_a_title_a_place_or_an_id_is_not_found(written: Any) -> None:
    reference = ReferenceState.of(Reference.model_validate(written))
    reference.judge_by([])
    assert (reference.judgement.status, reference.judgement.reason) == ("not_found", None)


def test_no_source_is_sent_less_than_the_fields_beside_a_line() -> None:
    fields = {"reference": "Jonsson 2013", "journal": "Nature", "volume": "999", "pages": "1-2"}
    query = ReferenceState.of(Reference.model_validate(fields)).query
    assert query == Citation(text="Jonsson 2013", year=2013, journal="Nature", volume="999", pages="1-2")


@pytest.mark.parametrize("text", ["Jonsson " * 200 + "2013", "Jonsson, " * 200 + "2013", "Jonsson 2013; " * 100])
def test_a_long_line_is_read_in_little_time_and_taken_for_more(text: str) -> None:
    assert judge(Citation(text=text), ()).status == "not_found"
