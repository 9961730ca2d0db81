"""Identifiers and vetoes: what joins two records for certain, and what keeps them apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper
from shared.matching.same_paper import Decision
from tests.unit.records import record, same_paper

HERGER = "Herger, Michael; Kajba, Christina M.; Buckley, Megan; Cunha, Ana"
PRIME = "High-throughput screening of human genetic variants by pooled prime editing"
NORIS = record("Atypical hemolytic-uremic syndrome", "Noris, M.; Remuzzi, G.", 2009, "N Engl J Med 361:1676-87")
GLACIER = "Glacier mass balance of Hintereisferner"
YANG = "Exenatide mitigated diet-induced vascular aging and plaque growth in ApoE-deficient mice under chronic stress"
FACTOR_B = "Gain-of-function mutations in complement factor B are associated with atypical hemolytic uremic syndrome"
VITAMIN = "Vitamin D and the immune system"
ABOUT = "one is about the other (reply, comment, erratum, retraction)"
VASWANI = "Vaswani, Ashish; Shazeer, Noam; Parmar, Niki"


@pytest.mark.parametrize(
    "doi",
    [
        "10.1056/NEJMra0902814", "https://doi.org/10.1056/nejmra0902814", "http://dx.doi.org/10.1056%2FNEJMra0902814",
        "doi:10.1056/NEJMRA0902814", "https://www.doi.org/10.1056/nejmra0902814",
    ],
    ids=["bare", "resolver", "old resolver, escaped", "prefix", "www"],
)  # fmt: skip
def test_a_doi_is_one_in_every_spelling(doi: str) -> None:
    assert same_paper(record("Atypical HUS", doi=doi), record("Atypical HUS", doi="10.1056/nejmra0902814"))


@pytest.mark.parametrize(
    "less, more", [("<", ">"), ("%3C", "%3E"), ("&lt;", "&gt;")], ids=["plain", "percent", "entity"]
)
def test_a_doi_with_angle_brackets_is_one_in_every_escape(less: str, more: str) -> None:
    title = "Extracting summary statistics to perform meta-analyses of the published literature for survival endpoints"
    doi = "10.1002/(sici)1097-0258(19981230)17:24{}2815::aid-sim110{}3.0.co;2-8"
    assert same_paper(record(title, doi=doi.format(less, more)), record(title, doi=doi.format("<", ">")))


def test_a_pmid_as_url_joins_records_with_any_titles() -> None:
    dutch = record(
        "Microbiologische diagnostiek in de paradontologie", pmid="https://pubmed.ncbi.nlm.nih.gov/11885531/"
    )
    assert same_paper(dutch, record("Microbiological diagnostics in periodontal treatment", pmid="11885531"))


def test_versions_of_an_arxiv_paper_are_one() -> None:
    first = record("Attention Is All You Need", arxiv="arXiv:1706.03762v1")
    assert same_paper(first, record("Attention is all you need", arxiv="http://arxiv.org/abs/1706.03762v7"))


def test_an_old_arxiv_id_is_one_with_and_without_its_subject_class() -> None:
    assert same_paper(record("On knots", arxiv="math.GT/0309136"), record("Knots, in short", arxiv="math/0309136v2"))


def test_the_arxiv_id_inside_a_datacite_doi_is_an_arxiv_id() -> None:
    datacite = record("Proof in the time of machines", doi="10.48550/arXiv.2305.02329")
    assert same_paper(datacite, record("Machines and proof", arxiv="2305.02329"))


@pytest.mark.parametrize(
    "ids", [{"pmcid": "PMC12008803"}, {"openalex": "W4408732759"}, {"paper_id": "7e5d4466c8b8" * 3}]
)
def test_an_id_of_one_index_joins(ids: dict[str, Any]) -> None:
    assert same_paper(record(PRIME, **ids), record("Pooled prime editing", **ids))


def test_different_pmids_never_join_however_alike() -> None:
    verdict = same_paper(record(PRIME, HERGER, 2025, pmid="40120586"), record(PRIME, HERGER, 2025, pmid="37398060"))
    assert (verdict.decision, verdict.reason) == (Decision.DOUBTFUL, "different PMIDs")


SUPPLEMENT = "10.2337/db15386741"


def test_a_supplements_doi_does_not_join_its_abstracts() -> None:
    one = record(
        "A DPP-4 inhibitor but not incretins suppresses the progression of abdominal aorta aneurysms",
        "Kohashi, K.; Hiromura, M.; Mori, Y.", 2015, "Diabetes 64:A134", doi=SUPPLEMENT,
    )  # fmt: skip
    other = record(
        "A sodium glucose cotransporter-2 inhibitor prevents the progression of macrophage-driven atherosclerosis",
        "Terasaki, M.; Hiromura, M.; Mori, Y.", 2015, "Diabetes 64:A134-A135", doi=SUPPLEMENT,
    )  # fmt: skip
    assert same_paper(one, other).decision is Decision.DIFFERENT


def test_a_suffix_makes_no_other_first_author() -> None:
    one = record("Sleep in older adults after surgery", "De Roe Jr., Ada; Poe, B.", 2019, "J Sleep 4:1")
    other = record("Sleep in older adults following surgery", "De Roe, A; Kim, C.", 2019, "J Sleep 4:1")
    assert same_paper(one, other)


def test_a_doi_joins_a_title_with_and_without_its_subtitle() -> None:
    short = record("C9orf72 promoter hypermethylation is neuroprotective", doi="10.1212/wnl.0000000000001495")
    long = "C9orf72 promoter hypermethylation is neuroprotective: Neuroimaging and neuropathologic evidence"
    assert same_paper(short, record(long, doi="10.1212/wnl.0000000000001495"))


ONSAGER = "Reciprocal Relations in Irreversible Processes. {}."
LESNE = "A specific amyloid-β protein assembly in the brain impairs memory"
APART: list[tuple[str, Paper, Paper, str]] = [
    (
        "part I and part II",
        record(ONSAGER.format("I"), "Onsager, Lars", 1931, "Physical Review 37:405-426"),
        record(ONSAGER.format("II"), "Onsager, Lars", 1931, "Physical Review 38:2265-2279"),
        "other part or number",
    ),
    (
        "other compound number",
        record("Safety of SM-198110 in healthy volunteers", "Ono, K.", 2004, "Allergy"),
        record("Safety of SM-197378 in healthy volunteers", "Ono, K.", 2004, "Allergy"),
        "other part or number",
    ),
    (
        "reply",
        record("Atypical hemolytic uremic syndrome associated with group A beta hemolytic streptococcus",
               "Yildiz, B.; Kural, N.", 2004, "Pediatric Nephrology 19:943-944"),
        record("Atypical hemolytic uremic syndrome associated with group A beta hemolytic streptococcus - Reply",
               "Shepherd, Amy B.; Palmer, April L.", 2004, "Pediatric Nephrology 19:945"),
        ABOUT,
    ),
    (
        "comment",
        record("Estimating the reproducibility of psychological science", "Open Science Collaboration", 2015,
               "Science 349:aac4716"),
        record("Comment on “Estimating the reproducibility of psychological science”",
               "Gilbert, Daniel T.; King, Gary; Pettigrew, Stephen", 2016, "Science 351:1037"),
        ABOUT,
    ),
    (
        "erratum",
        record(FACTOR_B, "de Jorge, E. G.; Harris, C. L.", 2007, "Proc Natl Acad Sci U S A 104:240-245"),
        record(f"Erratum: {FACTOR_B}", "de Jorge, E. G.; Harris, C. L.", 2007, "Proc Natl Acad Sci U S A 104:10749"),
        ABOUT,
    ),
    (
        "retraction notice",
        record(LESNE, "Lesné, Sylvain", 2006, "Nature 440:352-357"),
        record(f"Retraction Note: {LESNE}", "Lesné, Sylvain", 2024, "Nature 631:240"),
        ABOUT,
    ),
    (
        "notice by its type alone",
        record("Influence of Gastrectomy on Cortical and Cancellous Bones in Rats", year=2020, type="journal-article"),
        record("Retracted: Influence of Gastrectomy on Cortical and Cancellous Bones in Rats", year=2020,
               type="retraction-notice"),
        ABOUT,
    ),
    (
        "generic title of another team",
        NORIS,
        record("Atypical hemolytic uremic syndrome", "Loirat, Chantal; Frémeaux-Bacchi, Véronique", 2009,
               "Orphanet J Rare Dis 6:60"),
        "other authors",
    ),
    (
        "short title of another team, both preprint and article",
        record("Point Transformer", "Engel, Nico; Belagiannis, Vasileios", 2020, arxiv="2011.00931"),
        record("Point Transformer", "Zhao, Hengshuang; Jiang, Li", 2021, doi="10.1109/iccv48922.2021.01595"),
        "other authors",
    ),
    (
        "namesakes",
        record(VITAMIN, "Wang, Jun", 2012), record(VITAMIN, "Wang, Li", 2012),
        "other authors",
    ),
    (
        "another year's edition",
        record("Gateways to clinical trials", "Bayes, M.; Rabasseda, X.; Prous, J. R.", 2004),
        record("Gateways to clinical trials", "Bayes, M.; Rabasseda, X.; Prous, J. R.", 2006),
        "years more than one apart",
    ),
    (
        "another year's number in the title",
        record("Cancer statistics, 2019", "Siegel, Rebecca L.; Miller, Kimberly D.", 2019),
        record("Cancer statistics, 2020", "Siegel, Rebecca L.; Miller, Kimberly D.", 2020),
        "other part or number",
    ),
    (
        "congress abstract and paper",
        record(YANG, "Yang, G.; Lei, Y.; Inoue, A.; Piao, L.", 2017, "Atherosclerosis 264:1-10"),
        record(YANG, "Guang, Y.; Lei, Y.; Inoue, A.; Piao, L.", 2017, "Circulation 136:A15"),
        "like titles, but too little to tell",
    ),
    (
        "an editor's editorials",
        record("Editorial", "Rathbone, John", 2014, "Systematic Reviews"),
        record("Editorial", "Rathbone, John", 2014, "Systematic Reviews"), "recurring title, too little to tell",
    ),
    (
        "other arXiv ids", record("Point clouds", VASWANI, 2020, arxiv="2011.00931"),
        record("Point clouds", VASWANI, 2020, arxiv="2012.09164"), "different arXiv ids",
    ),
    (
        "two hits of one answer", record(GLACIER, VASWANI, 2020, provider="openalex"),
        record(GLACIER, VASWANI, 2020, provider="openalex"), "two hits of one answer",
    ),
    (
        "a paper about the design of what the other paper presents",
        record("Sentinel: an object-oriented DBMS with event-based rules", "Chakravarthy, S.", 1997, "SIGMOD Conf."),
        record("Design of Sentinel: an object-oriented DBMS with event-based rules", "Chakravarthy, S.; Anwar, E."),
        "like titles, but too little to tell",
    ),
    (
        "author response", record(GLACIER, VASWANI, 2020), record(f"Author response: {GLACIER}", VASWANI, 2020), ABOUT,
    ),
    (
        "the protocol of a trial and its results",
        record("Walking after stroke in older adults: a randomised controlled trial", "Roe, A.; Poe, B.", 2020),
        record("Walking after stroke in older adults: protocol for a randomised controlled trial", "Roe, A.; Poe, B.",
               2020, doi="10.1136/bmjopen-2019-030000"),
        "like titles, but too little to tell",
    ),
]  # fmt: skip


@pytest.mark.parametrize("a, b, reason", [case[1:] for case in APART], ids=[case[0] for case in APART])
def test_similar_papers_stay_apart(a: Paper, b: Paper, reason: str) -> None:
    assert not same_paper(a, b)
    assert not same_paper(b, a)
    assert same_paper(a, b).reason == reason


def test_the_same_full_citation_joins_within_one_answer() -> None:
    first = record(NORIS.title, "Noris, M.", 2009, "N Engl J Med 361:1676-87", provider="core")
    assert same_paper(first, record(NORIS.title, "Noris, M.", 2009, "N Engl J Med 361:1676", provider="core"))


REMDESIVIR: dict[str, Any] = {
    "title": "Remdesivir for the Treatment of Covid-19 in Adults",
    "authors": "Beigel, John H",
    "year": 2020,
}


def registration(number: str, **other: Any) -> Paper:
    kind = "clinical-trial-registration"
    return replace(record(**REMDESIVIR, type=kind, **other), ids=Identifiers(nct=number))


@pytest.mark.parametrize("kind", ["randomized-controlled-trial", "journal-article", "preprint", None])
def test_a_trials_registration_is_never_the_paper_about_the_trial(kind: str | None) -> None:
    verdict = same_paper(registration("NCT04280705"), record(**REMDESIVIR, type=kind, doi="10.1056/nejmoa2007764"))
    assert verdict.decision is Decision.DOUBTFUL
    assert verdict.reason == "one is the registration of a trial"


def test_two_registrations_are_two_trials_and_one_number_is_one() -> None:
    assert not same_paper(registration("NCT04280705"), registration("NCT04401579"))
    assert same_paper(registration("NCT04280705"), registration("NCT04280705"))


def test_the_data_of_a_paper_are_not_the_paper() -> None:
    data = record(**REMDESIVIR, type="dataset", doi="10.5281/zenodo.1")
    assert same_paper(data, record(**REMDESIVIR, type="journal-article", pmid="32445440")).reason == "one is a data set"
    assert same_paper(data, record(**REMDESIVIR, type="dataset", doi="10.5281/zenodo.1"))
