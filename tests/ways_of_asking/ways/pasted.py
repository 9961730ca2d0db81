"""What people paste or type as on other pages: addresses, labels, hashtags, references, codes, other languages."""

from __future__ import annotations

from typing import Any

from tests.ways_of_asking.way import Way

KIND = "Pasted text"
_ADDRESSES = (r"(?i)https?|www\.|\bnejm\.org|\bcell\.com|utm_source|scholar|jamanetwork",)


def _paper(typed: str, why: str, doi: str) -> Way:
    return Way(typed=typed, why=why, lookup=(doi,), first=doi, hint="identifier")


def _words(typed: str, why: str, telling: str, **expected: Any) -> Way:
    return Way(typed=typed, why=why, telling=telling, **expected)


def _read(typed: str, why: str, telling: str, **expected: Any) -> Way:
    return Way(typed=typed, why=why, telling=telling, **{"hint": "syntax", **expected})


WAYS = (
    _paper("https://www.nejm.org/doi/full/10.1056/NEJMoa1211851", "A publisher's page.", "10.1056/nejmoa1211851"),
    _paper(
        "https://link.springer.com/article/10.1186/1750-1326-8-19?utm_source=x#Sec2",
        "With what a newsletter adds, and a section.",
        "10.1186/1750-1326-8-19",
    ),
    _paper("https://aclanthology.org/N19-1423/", "An anthology whose ids are in its DOIs.", "10.18653/v1/n19-1423"),
    _paper(
        "please summarize 10.1126/science.1247005", "Said to an assistant: nothing else.", "10.1126/science.1247005"
    ),
    Way(
        typed="see 10.1056/NEJMoa1211851 and also 10.1126/science.1247005, plus PMID 36107206 for details",
        why="Several identifiers with words between them, none of which is searched for.",
        lookup=("10.1056/nejmoa1211851", "10.1126/science.1247005", "36107206"),
        hint="identifier",
    ),
    Way(
        typed="https://jamanetwork.com/journals/jamaneurology/fullarticle/1735914",
        why="A page that names no identifier is refused with the reason.",
        refused=True,
    ),
    _read(
        "TREM2 microglia https://jamanetwork.com/journals/jamaneurology/fullarticle/1735914",
        "Such a page beside words is left out.",
        "TREM2 microglia",
        never=_ADDRESSES,
    ),
    _read(
        "https://pubmed.ncbi.nlm.nih.gov/?term=TREM2+microglia&sort=date",
        "A page of PubMed's results: its search.",
        "TREM2 microglia",
        never=_ADDRESSES,
    ),
    _read(
        "https://scholar.google.com/scholar?q=TREM2+microglia&hl=en",
        "The same of Google Scholar.",
        "TREM2 microglia",
        never=_ADDRESSES,
    ),
    _read("Title: Attention is all you need", "A label.", "Attention", title=True, first="10.48550/arxiv.1706.03762"),
    _read(
        '[12] A. Vaswani et al., "Attention is all you need," in Proc. NIPS, 2017, pp. 5998-6008.',
        "A reference in IEEE's style: its title is not a phrase to require beside all other words.",
        "Vaswani Attention",
        dropped="al",
        first="10.48550/arxiv.1706.03762",
    ),
    _words(
        "Jonsson T, Stefansson H, et al. Variant of TREM2 associated with the risk of Alzheimer's disease. "
        "N Engl J Med. 2013;368(2):107-116. doi:10.1056/NEJMoa1211103",
        "A reference with its DOI.",
        "TREM2",
        dropped="of al",
        first="10.1056/nejmoa1211103",
        hint="identifier",
    ),
    _words(
        "Guerreiro et al 2013 TREM2",
        "A citation: its author and year are filters.",
        "",
        unsearched="et al guerreiro",
        hint="author",
        exact={"pubmed": r"\(trem2\) AND 2013/01/01:2013/12/31\[dp\] AND Guerreiro\[au\]"},
        first="10.1056/nejmoa1211851",
    ),
    _words("Vaswani et al., NeurIPS 2017", "A conference.", "Vaswani NeurIPS", dropped="et al", hint="reference"),
    _read(
        "In adults with type 2 diabetes (P), does metformin (I) compared with placebo (C) reduce mortality (O)?",
        "PICO, with its letters.",
        "diabetes metformin placebo mortality",
        dropped="P I C O",
    ),
    _read(
        "P: elderly with hip fracture I: early surgery C: delayed surgery O: mortality",
        "The letters before each part.",
        "fracture surgery mortality",
        dropped="P I C O",
    ),
    _read(
        "Population: children Intervention: BNT162b2 Outcome: myocarditis",
        "The names of the parts.",
        "children BNT162b2 myocarditis",
        dropped="Population Intervention Outcome",
    ),
    _read("#longcovid #fatigue", "Hashtags.", "longcovid fatigue", never=("#|%23",)),
    _read("@NatureNeuro TREM2", "A name of a network.", "NatureNeuro TREM2", never=("@Nature|%40",)),
    _read(
        "“innate immunity” and ‘microglia’",
        "Curly marks, and a small `and` beside a phrase.",
        "",
        means='"innate immunity" & microglia',
    ),
    _read(
        '"innate immunity" or "adaptive immunity"',
        "A small `or` between phrases.",
        "",
        means='"innate immunity" | "adaptive immunity"',
    ),
    _words("TREM2 microglia???", "Many question marks.", "TREM2 microglia"),
    _words("what causes sundowning in dementia???", "A question with them.", "sundowning dementia", dropped="what in"),
    _words("TREM2 & microglia", "An ampersand.", "TREM2 microglia"),
    _words("TREM2 - microglia - Alzheimer", "Dashes between words.", "TREM2 microglia Alzheimer"),
    _words("S. aureus MRSA vancomycin MIC ≥2 mg/L", "A threshold.", "MRSA vancomycin MIC"),
    _words("metformin 500 mg twice daily vs placebo", "A dose.", "metformin placebo", dropped="vs"),
    _words("aspirin 81mg primary prevention", "A dose as one word.", "aspirin 81mg prevention"),
    _words("NCT03887455 lecanemab results", "A trial's number.", "NCT03887455 lecanemab"),
    _words("CYP2D6*4 tamoxifen", "An allele with a star.", "CYP2D6 tamoxifen"),
    _words("HLA-DRB1*15:01 multiple sclerosis", "An allele with a colon.", "sclerosis"),
    _words("TNF-α IL-1β IL-6 sepsis", "Three cytokines.", "sepsis"),
    _words("CO2 reduction on Cu(111)", "A crystal's face.", "CO2 reduction", dropped="on"),
    _words("H₂O₂ oxidative stress", "Lowered digits.", "oxidative stress"),
    _words("p < 0.05 misuse", "A sign of comparison.", "misuse"),
    _words("ISBN 978-0-262-03384-8", "A book's number.", "978-0-262-03384-8"),
    _words("Rolle von TREM2 bei der Alzheimer-Krankheit", "German.", "TREM2", dropped="Rolle von bei der"),
    _words(
        "Welche Nebenwirkungen hat Lecanemab bei älteren Patienten?",
        "A German question.",
        "Nebenwirkungen Lecanemab",
        dropped="Welche hat bei",
    ),
    _words(
        "effets du confinement sur la santé mentale des étudiants", "French.", "mentale", dropped="effets du sur la des"
    ),
    _words("efecto de la metformina en el cáncer de mama", "Spanish.", "metformina mama", dropped="efecto de la en el"),
    _read("Keywords: microglia, TREM2, dementia", "A label.", "microglia TREM2 dementia", dropped="keywords"),
    _read(
        "Background: Microglia clear plaques. Methods: We studied 40 mice. Results: TREM2 fell by 24% (P=0.04).",
        "An abstract: its headings and figures tell nothing.",
        "",
        exact={"semantic_scholar": "TREM2"},
        never=(r"(?i)query=[^&]*\bresults\b|all:24|(?<!fell) AND 24%\)|bulk: .*P=0",),
    ),
    _words("Mecha-\nnisms of micro-\nglia", "Words that the ends of lines divide.", "microglia", dropped="nisms glia"),
    _words("state-of-the-\nart microglia imaging", "A hyphen that stays.", "state-of-the-art microglia"),
    _words("meta\u2011analysis of microglia", "A hyphen that does not break.", "meta-analysis microglia"),
    _read(
        r"On the $L^2$-boundedness of $\mathcal{H}$ along curves",
        "LaTeX.",
        "boundedness curves",
        never=("mathcal", r"\$|%24"),
    ),
    _read('{"query": "TREM2 microglia", "year": 2020}', "A request as JSON.", "TREM2 microglia", never=("2020",)),
    Way(
        typed="10.1056/NEJMoa1211851; 10.1126/science.1247005 and 10.1084/jem.20212479",
        why="`and` before the last of several.",
        lookup=("10.1056/nejmoa1211851", "10.1126/science.1247005", "10.1084/jem.20212479"),
        hint="identifier",
    ),
    Way(
        typed="https://pubmed.ncbi.nlm.nih.gov/?term=36107206",
        why="A search for a PMID by address.",
        lookup=("36107206",),
        hint="number",
    ),
    _words("Na+/K+-ATPase ouabain", "Ions.", "ouabain", never=(r"[ (]-atpase",)),
    _words("alzhiemers diease microglai activaton", "A typing error in every word.", "microglai activaton"),
)
