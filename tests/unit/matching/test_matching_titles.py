"""Resemblance: titles, authors and places as databases write them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shared.bibliography.words import words_of
from shared.matching.features import features
from shared.matching.title_features import read_title
from shared.matching.title_likeness import Likeness, leads_into, title_likeness
from tests.unit.records import record, same_paper

TITLES = [
    ("Haemolytic anaemia after tumour surgery", "Hemolytic anemia after tumor surgery", "EQUAL"),
    ("Activation of p38α in glia", "Activation of p38 alpha in glia", "EQUAL"),
    ("Amyloid-β and memory", "AMYLOID BETA AND MEMORY", "EQUAL"),
    (r"Films of $\mathrm{YBa_2Cu_3O_{7-\delta}}$ on gold", "Films of YBa2Cu3O7−δ on gold", "EQUAL"),
    (r"Decay of $\varepsilon$ mesons at $\sqrt{s}=13$ TeV", "Decay of ε mesons at √s = 13 TeV", "EQUAL"),
    (r"Die Stra{\ss}en von {\L}owicz und S{\o}nderborg", "Die Straßen von Łowicz und Sønderborg", "EQUAL"),
    (r"Elastic $\bar{p}p$ scattering at high energies", r"Elastic $pp$ scattering at high energies", "NEAR"),
    ("Æsthetics of Łódź & Ørsted", "Aesthetics of Lodz and Orsted", "EQUAL"),
    ("[Mechanism of bone mineral loss in microgravity].", "Mechanism of bone mineral loss in microgravity", "EQUAL"),
    ("Screening in Latin America. [Review] [42 refs]", "Screening in Latin America", "EQUAL"),
    ("Sleep apps for adults (Preprint)", "Sleep apps for adults", "EQUAL"),
    ("Data analysis with snakes [version 2; peer review: 2 approved]", "Data analysis with snakes", "EQUAL"),
    ("Sepsis care in Kenya (version 2, 2020)", "Sepsis care in Kenya (version 3, 2024)", "NEAR"),
    ("RETRACTED: Hydroxychloroquine or chloroquine", "Hydroxychloroquine or chloroquine", "EQUAL"),
    ("Index and querying of databases", "Indexes and query of databases", "SPELLING"),
    ("Eculizumab in aHUS", "Eculizamab in aHUS", "SPELLING"),
    ("Drug-sensitive tuberculosis in Peru", "Drug-resistant tuberculosis in Peru", "REWORDED"),
    ("Arterial hypertension after dialysis", "Arterial hypotension after dialysis", "NEAR"),
    ("Fertility of male mice", "Fertility of female mice", "NEAR"),
    ("Vaccination against hepatitis A in children", "Vaccination against hepatitis B in children", "NEAR"),
    ("Learning in rats under stress", "Learning in cats under stress", "NEAR"),
    ("MRI during radiotherapy", "MRI during radiotherapy: a prognostic factor?", "CUT"),
    ("Quantum error correction", "The origin of species", "UNLIKE"),
    ("氷河の質量収支の長期観測", "氷河の質量収支の長期観測", "EQUAL"),
    ("薬剤耐性結核菌の遺伝子解析に関する研究報告", "薬剤感受性結核菌の遺伝子解析に関する研究報告", "NEAR"),
]  # fmt: skip


@pytest.mark.parametrize("a, b, likeness", TITLES, ids=[f"{b[:28]} is {name}" for _, b, name in TITLES])
def test_titles_are_compared_by_their_words(a: str, b: str, likeness: str) -> None:
    assert title_likeness(read_title(a), read_title(b)) is Likeness[likeness]
    assert title_likeness(read_title(b), read_title(a)) is Likeness[likeness]


@pytest.mark.parametrize(
    "longer, leads",
    [
        ("Design and evaluation of dynamic query interfaces", True),
        ("An introduction to the dynamic query interfaces", True),
        ("HomeFinder: the dynamic query interfaces", False), ("Dynamic query interfaces in practice", False),
        ("Dynamic query interfaces", False),
    ],
)  # fmt: skip
def test_a_preposition_leads_into_a_title_and_a_name_does_not(longer: str, leads: bool) -> None:
    shorter = read_title("Dynamic query interfaces")
    assert leads_into(read_title(longer), shorter) is leads
    assert leads_into(shorter, read_title(longer)) is leads


def test_a_name_before_the_title_is_no_other_paper() -> None:
    title, authors = "a programming language for object databases", "Albano, A.; Ghelli, G.; Orsini, R."
    named = record(f"Fibonacci: {title}", authors, 1995, "VLDB J.")
    assert same_paper(named, record(title, authors, 1995, "VLDB Journal")).reason == "same authors, title cut"


@pytest.mark.parametrize(
    "title, kinds",
    [
        ("Re: Screening for cancer", {"comment"}), ("Re-evaluation of screening", set()),
        ("Reply to Smith et al.", {"reply"}), ("Corrigendum to: Ice cores", {"erratum"}),
        ("Corrective surgery of the spine", set()), ("Retraction note: Ice cores", {"retraction"}),
        ("Editorial Expression of Concern: Ice cores", {"retraction"}), ("Rates of canine retraction", set()),
        ("Eculizumab for HUS (vol 360, pg 542, 2009)", {"erratum"}), ("RETRACTED ARTICLE: Ice cores", set()),
    ],
)  # fmt: skip
def test_a_title_implies_the_type_of_the_publication(title: str, kinds: set[str]) -> None:
    assert read_title(title).kinds == kinds


def test_a_response_to_a_letter_is_not_the_paper_of_that_title() -> None:
    paper = record("Glacier mass balance in the eastern Alps", "Smith, J.", 2020)
    assert not same_paper(paper, record(f"{paper.title} [Response to Letter]", "Smith, J.", 2020))


@pytest.mark.parametrize(
    "a, b", [("Phase II trial of X", "Phase 2 trial of X"), ("World War II aviation", "World War 2 aviation"),
             ("A phase IIb study of X", "A phase 2b study of X")],
)  # fmt: skip
def test_numerals_are_one_in_roman_and_arabic(a: str, b: str) -> None:
    authors = "Llanos-Cuentas, A.; Lacerda, M. V."
    assert same_paper(record(a, authors, 2014, "Lancet 383:1049"), record(b, authors, 2014, "Lancet 383:1049-58"))


AUTHORS = [
    ("Vaswani, Ashish; Shazeer, Noam; Parmar, Niki", "Parmar, N.; Shazeer, N.; Vaswani, A.", "other order, initials"),
    ("VASWANI, ASHISH; SHAZEER, NOAM", "Vaswani, Ashish; Shazeer, Noam", "all capitals"),
    ("Frémeaux-Bacchi, Véronique", "Fremeaux-Bacchi, V.", "accents"),
    ("Quintrec, M.; Zuber, J.", "Le Quintrec, Moglie; Zuber, Julien", "particle"),
    ("Li, Wei; Zhang, Min", "Wei, Li; Min, Zhang", "family and given names in each other's place"),
    ("Ashish Vaswani; Noam Shazeer", "Vaswani, A.; Shazeer, N.", "names in one piece"),
    ("ATLAS Collaboration", "Aad, Georges; Abbott, Brad", "collective against names"),
    ("山田, 太郎", "Yamada, Taro", "two scripts"),
    ("", "Vaswani, Ashish", "missing"),
]


@pytest.mark.parametrize("a, b", [case[:2] for case in AUTHORS], ids=[case[2] for case in AUTHORS])
def test_authors_agree_as_databases_write_them(a: str, b: str) -> None:
    title = "Long-term trends of glacier mass balance in the eastern Alps"
    assert same_paper(record(title, a, 2017, "Cryosphere"), record(title, b, 2017, "The Cryosphere"))


def test_a_translated_title_joins_by_volume_and_page() -> None:
    authors = "Paganini, Hugo; Della Latta, María P."
    english = record("[Community-acquired methicillin-resistant Staphylococcus aureus infections in children]", authors,
                     2008, "Arch Argent Pediatr 106:397-403")  # fmt: skip
    spanish = record("Estudio multicéntrico sobre las infecciones pediátricas", authors, 2008,
                     "Archivos Argentinos de Pediatría 106:397-403")  # fmt: skip
    assert same_paper(english, spanish).reason == "translated title, same volume and page"


@pytest.mark.parametrize("stated", ["de", None])
@pytest.mark.parametrize(
    ("place", "doi", "reason"),
    [("Z Kardiol 5:10-20", None, "translated title, same volume and page"), ("Z Kardiol", "10.5555/a", "same doi")],
)
def test_a_title_in_english_beside_another_language_is_a_translation(
    stated: str | None, place: str, doi: str | None, reason: str
) -> None:
    ids = {"doi": doi} if doi else {}
    english = record("Effects of nutrition on the heart", "Meyer, Anna", 2001, place, language="de", **ids)
    german = record("Die Folgen der Ernährung", "Meyer, A.", 2001, place, language=stated, **ids)
    assert same_paper(english, german).reason == reason
    review = record("Ernährung im Alter", "Meyer, A.", 2001, place, language=stated, **ids)
    assert not same_paper(german, review)  # by one author on one page


def test_a_vernacular_title_joins_by_the_alternative_titles() -> None:
    both = record("[A bio-psycho-social view]", "Egle, U.", 2023,
                  alternative_titles=("Bio-psycho-soziale Medizin im globalen Fokus",))  # fmt: skip
    assert same_paper(both, record("Bio-psycho-soziale Medizin im globalen Fokus", "Egle, U.", 2023))


@pytest.mark.parametrize(
    "translation",
    ["Response to chemotherapy in patients with breast cancer", "Correction of spinal deformities in children",
     "Withdrawal of antiepileptic drugs in children", "Comment on the new guideline for heart failure"],
)  # fmt: skip
def test_a_translation_that_begins_like_a_notice_is_read_apart(translation: str) -> None:
    both = record(f"Titre de cette étude clinique [{translation}]", "Regnard, J.", 1989)
    assert same_paper(both, record(translation, "Regnard, J.", 1989)).reason == "same title and authors"


def test_two_titles_in_one_are_read_apart() -> None:
    title = "Antibioprophylaxie en chirurgie thoracique [Antibiotic prophylaxis in thoracic surgery]"
    both = record(title, "Regnard, J.", 1989)
    assert same_paper(both, record("Antibiotic prophylaxis in thoracic surgery", "Regnard, J.", 1989))


@pytest.mark.parametrize(
    "pages, first, last",
    [("139-54", "139", "154"), ("06-Oct", "6", "10"), ("Oct-27", "10", "27"), ("S51-S52", "s51", "52"),
     ("e130-e134", "e130", "134"), ("(no pagination)", None, None), ("7209", "7209", None),
     ("525 - 535", "525", "535"), ("xiii-xv", "xiii", "xv"), ("794‐799", "794", "799")],
)  # fmt: skip
def test_pages_are_read_as_they_were_meant(pages: str, first: str | None, last: str | None) -> None:
    read = features(replace(record("Title"), pages=pages))
    assert (read.page, read.last_page) == (first, last)


def test_online_in_december_and_printed_in_january_is_one_paper() -> None:
    title, authors = "Reduction of health care-associated infection indicators by copper", "Marcus, E. L.; Yosef, H."
    online = record(title, authors, 2016, "American Journal of Infection Control")
    assert same_paper(online, record(title, authors, 2017, "Am J Infect Control")).reason.endswith("a year apart")


def test_words_of_scripts_without_blanks_are_their_characters() -> None:
    assert words_of("氷河 mass") == ["氷", "河", "mass"]
