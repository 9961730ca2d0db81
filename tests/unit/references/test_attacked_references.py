"""References made to mislead: half of a real title and an invented half, one word exchanged, all else right."""

from __future__ import annotations

import pytest
from rapidfuzz import fuzz, process

from shared.papers.reference_request import Reference
from shared.query.question import Citation
from shared.references.judgement import Judgement
from shared.references.reference_state import ReferenceState
from tests.unit.references.known import judge, known
from tests.unit.references.test_labelled_references import by_name, titles
from tests.unit.references.test_same_citation import corpus, names_in


def judged(text: str) -> Judgement:
    """Judged among the papers with the nearest titles, and those that its ids name."""
    reference = ReferenceState.of(Reference.model_validate(text))
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


OTHER_WORDS = (
    "Findlay GM et al. Accurate classification of BRCA2 variants with saturation genome editing. Nature 2018;562:217",
    "Jumper J, Evans R, et al. Highly accurate RNA structure prediction with AlphaFold. Nature 596, 583–589 (2021).",
    "Wu K, Byers DE. TREM-2 inhibits macrophage survival and lung disease after respiratory viral infection. J Exp Med "
    "2015;212:681-697.",
    "Carlucci P, Ahuja T. Zinc sulfate in combination with a zinc ionophore may worsen outcomes in hospitalized "
    "COVID-19 patients. J Med Microbiol 2020;69:1228-1234.",
    "Numasawa Y. Nasu-Hakola disease with a splicing mutation of TREM2 in a Korean family. Eur J Neurol "
    "2011;18:1179-1183.",
    "Howat IM, Joughin I, Scambos TA. Rapid changes in ice discharge from Patagonian outlet glaciers. Science "
    "2007;315:1559-1561.",
    "Cady J, Koval ED. TREM2 variant p.R62H as a risk factor for sporadic amyotrophic lateral sclerosis. JAMA Neurol "
    "2014;71:449-453.",
    "Hemkens LG, Contopoulos-Ioannidis DG. Disagreement of treatment effects for mortality from routinely collected "
    "data and subsequent randomized trials: meta-epidemiological survey. BMJ 2016;352:i493.",
    "Donnelly CA, Boyd I. Five Principles to Make Evidence Synthesis More Useful for Policy. Nature 2018;558:361-364.",
)


@pytest.mark.parametrize("text", OTHER_WORDS)
def test_a_title_with_another_word_in_a_real_place_differs(text: str) -> None:
    """The place and the author name one paper: the reference is that paper's, with an error in its title."""
    judgement = judged(text)
    assert (judgement.status, judgement.candidates[0].differs) == ("matched", ("title",))


@pytest.mark.parametrize(("place", "status"), [("Nature 2018", "ambiguous"), ("Nature 2018;562:217", "matched")])
def test_three_misspelt_words_need_the_place(place: str, status: str) -> None:
    judgement = judged(f"Findlay GM. Acurate classification of BRCA1 varients with saturaton genome editing. {place}.")
    assert (judgement.status, "doi:10.1038/s41586-018-0461-z" in names_in(judgement)) == (status, True)


VARIANTS, ASTROCYTES = "10.1056/NEJMoa1211851", "10.1038/nature21029"
NOTES = (
    f"see https://www.nejm.org/doi/full/{VARIANTS}?query=featured_home accessed 5 May",
    f"TREM2 paper, https://doi.org/{VARIANTS}",
    f"Full text: doi {VARIANTS} (open access)",
    f"Supplementary reference: https://doi.org/{ASTROCYTES}",
    f"45. See ref. 12; doi:{ASTROCYTES}",
    f"cf. doi:{ASTROCYTES}, p. 483",
    f"Nature paper on astrocytes. doi:{ASTROCYTES}",
    "Borio C, Zhu H. Capital regulation risk taking and monetary policy. J Financ Stab 2012; 8(4): 236-251. "
    "doi:10.1016/J.JFS.2011.12.003",
)


@pytest.mark.parametrize("text", NOTES)
def test_words_around_an_id_are_no_other_paper(text: str) -> None:
    judgement = judged(text)
    assert (judgement.status, "id" in judgement.candidates[0].agrees) == ("matched", True)


TRANSLATED = (
    f"Guerreiro, R. „TREM2-Varianten bei der Alzheimer-Krankheit“ N Engl J Med 2013. DOI:{VARIANTS}",
    "Liddelow SA (2017) Neurotoxische reaktive Astrozyten werden durch aktivierte Mikroglia induziert. Nature. "
    f"doi:{ASTROCYTES}",
)


@pytest.mark.parametrize("text", TRANSLATED)
def test_another_title_by_the_same_author_in_that_journal_and_year_is_ambiguous(text: str) -> None:
    judgement = judged(text)
    assert (judgement.status, judgement.candidates[0].differs) == ("ambiguous", ("title",))


@pytest.mark.parametrize(
    "text",
    [
        f"Smith J. Whales sing in dialects of the sea. doi:{ASTROCYTES}",
        f"Whales sing in dialects of the northern sea. doi:{ASTROCYTES}",
        f"Smith J, Miller K. Nature 2017. doi:{ASTROCYTES}",
        f"Smith J. doi:{ASTROCYTES}",
        f"Whales sing in dialects. doi:{ASTROCYTES}",
        f"Liddelow SA. Whales sing in dialects of the sea. Cell 2011. doi:{ASTROCYTES}",
    ],
)
def test_another_title_or_author_beside_an_id_is_mismatched(text: str) -> None:
    assert judged(text).status == "mismatched"


UNMARKED = (
    ("GUERREIRO R, WOJTAS A ET AL TREM2 VARIANTS IN ALZHEIMERS DISEASE N ENGL J MED 2013 368 117-127", VARIANTS),
    ("Jonsson T et al Variant of TREM2 associated with the risk of Alzheimers disease N Engl J Med 2013 368 107",
     "10.1056/nejmoa1211103"),
    ("Jaganathan K. Predicting Splicing from Primary Sequence with Deep Learning Cell 2019 176 535",
     "10.1016/j.cell.2018.12.015"),
    ("Sharan R. Network–based prediction of protein function Mol Syst Biol 2007, 3:88", "10.1038/msb4100129"),
    ("Anderson RM, Fraser C. Epidemiology, transmission dynamics and control of SARS. Philos Trans R Soc B "
     "2004;359:1091-1105.", "10.1098/rstb.2004.1490"),
    ("Rayaprolu S, Mullen B. TREM2 in neurodegeneration. Mol Neurodegener 2013;8:19.", "10.1186/1750-1326-8-19"),
    ("Sterne, J.A.C., Savović, J., Page, M.J. RoB 2: A revised tool for assessing risk of bias in randomised trials "
     "(2019) BMJ, 366, pp. l4898. Cited 45 times.", "10.1136/bmj.l4898"),
    ("Borio C, Zhu H (2012) Capital Regulation, Risk-Taking and Monetary Policy. J Financ Stab 8:236-251",
     "10.1016/j.jfs.2011.12.003"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "doi"), UNMARKED)
def test_a_title_without_marks_or_subtitle_before_its_journal_is_matched(text: str, doi: str) -> None:
    judgement = judged(text)
    assert (judgement.status, f"doi:{doi.lower()}" in names_in(judgement)) == ("matched", True)


@pytest.mark.parametrize("name", ["Halvorsen CM", "Halvorsen X"])
def test_an_invented_author_with_the_family_name_of_a_later_one_is_not_matched(name: str) -> None:
    """The title, journal, volume and pages are real; one of the two dozen authors has that family name."""
    title = "Variant of TREM2 associated with the risk of Alzheimer's disease"
    assert judged(f"{name}. {title}. N Engl J Med 2016;368:107-116.").status != "matched"


WORDS_BEFORE = (
    "Poliani PL, Wang Y. Absence of TREM2 sustains microglial expansion during aging and response to demyelination. "
    "J Clin Invest 2015;125:2161-2170.",
    "POLIANI PL. ABSENCE OF TREM2 SUSTAINS MICROGLIAL EXPANSION DURING AGING AND RESPONSE TO DEMYELINATION. J CLIN "
    "INVEST 2015;125:2161-2170.",
    "Turnbull, IR, et al. Absence of cutting edge: TREM-2 attenuates macrophage activation. Journal of Immunology. "
    "2006, vol. 177, p. 3520-3524.",
    "Benitez, BA; Cruchaga, C. Erratum: TREM2 and neurodegenerative disease. N ENGL J MED 2013, 369, 1564-1570.",
    "JOUGHIN, Ian, et al. Erratum: Seasonal Speedup Along the Western Flank of the Greenland Ice Sheet. Science. 2008, "
    "vol. 320, no. 5877, p. 781-783.",
    "Stefano, L. Microglia: The surface-exposed chaperone, Hsp60, is an agonist of the microglial TREM2 receptor. "
    "Journal of Neurochemistry 2009, 110, 284-294.",
)


@pytest.mark.parametrize("text", WORDS_BEFORE)
def test_words_before_a_real_title_make_it_another(text: str) -> None:
    """`of` is a word of the journal's name, `Erratum` stands behind an initial."""
    judgement = judged(text)
    assert (judgement.status, "title" in judgement.candidates[0].differs) == ("not_found", True)


NASU = "“Nasu-Hakola disease with a splicing mutation of TREM2 in a Japanese family”"
SUBGLACIAL = '"Mass-conserving subglacial hydrology in the Parallel Ice Sheet Model version 0.6"'
BEHIND_QUOTATIONS = (
    (f"{NASU} by Lucia B Ramirez et al. in European Journal of Neurology (2011)", ("authors",)),
    (f"{NASU} by Yoshinori Numasawa et al. in Gut (2011)", ("journal",)),
    (f"Bueler et al. (2015) {SUBGLACIAL} published in Geoscientific Model Development, vol. 8.", ()),
    (f"Bueler et al. (2015) {SUBGLACIAL}, which was published in Gut, vol. 8.", ("journal",)),
)


@pytest.mark.parametrize(("text", "differs"), BEHIND_QUOTATIONS)
def test_names_and_a_journal_behind_a_quoted_title_are_compared(text: str, differs: tuple[str, ...]) -> None:
    judgement = judged(text)
    assert (judgement.status, judgement.candidates[0].differs) == ("matched", differs)


@pytest.mark.parametrize(
    "text",
    [
        "Okafor C, Responte DJ, Paschos NK, et al. Developing functional musculoskeletal tissues through hypoxia and "
        "lysyl oxidase-induced collagen cross-linking. Proc Natl Acad Sci 2014;111:E4832-E4841.",
        "Smithson PA, Joughin I, Scambos TA. 2007. Rapid changes in ice discharge from Greenland outlet glaciers. "
        "Science 315:1559-1561.",
    ],
)
def test_an_invented_first_author_before_the_later_ones_differs(text: str) -> None:
    judgement = judged(text)
    assert (judgement.status, judgement.candidates[0].differs) == ("matched", ("authors",))


def test_a_title_in_chinese_among_the_facts_of_another_paper_is_not_matched() -> None:
    text = "Nowicki S, Fontana AM, et al. 究研术技测试糊模. J. Geophys. Res.: Earth Surface 2013;118:1025-1044."
    own = [paper for paper in corpus() if "modeling project: II. Greenland" in paper.title]
    assert own
    assert judge(Citation(text=text), own).status == "not_found"


@pytest.mark.parametrize(
    "text",
    [
        "WANG J, THE JOURNAL OF EXPERIMENTAL MEDICINE, TREM2-MEDIATED EARLY MICROGLIAL RESPONSE LIMITS DIFFUSION AND "
        "TOXICITY OF AMYLOID PLAQUES 2016",
        "Bailey CC, the Journal of Biological Chemistry, The triggering receptor expressed on myeloid cells 2 binds "
        "apolipoprotein E 2015",
    ],
)
def test_a_journal_that_begins_with_a_small_word_may_stand_before_the_title(text: str) -> None:
    assert judged(text).status == "matched"
