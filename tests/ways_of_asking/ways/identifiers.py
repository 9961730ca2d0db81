"""Identifiers in every form: what they name is looked up and comes first; their digits are searched for nowhere."""

from __future__ import annotations

from typing import Any

from tests.ways_of_asking.way import SOURCES, Way

KIND = "Identifiers and numbers"
_ALPHAFOLD = "10.1038/s41586-021-03819-2"
_PII, _PII_DOI = "S0092867417305780", "10.1016/j.cell.2017.05.018"


def _id(typed: str, why: str, *looked_up: str, first: str = "", **expected: Any) -> Way:
    return Way(typed=typed, why=why, lookup=looked_up, first=first, hint="identifier", **expected)


WAYS = (
    _id(_ALPHAFOLD, "A DOI.", _ALPHAFOLD, first=_ALPHAFOLD),
    _id(f"https://doi.org/{_ALPHAFOLD}", "Its address.", _ALPHAFOLD, first=_ALPHAFOLD),
    _id(f"http://dx.doi.org/{_ALPHAFOLD}", "Its old address.", _ALPHAFOLD, first=_ALPHAFOLD),
    _id(f"doi:{_ALPHAFOLD}", "With its scheme.", _ALPHAFOLD, first=_ALPHAFOLD),
    _id(f"DOI: {_ALPHAFOLD}", "Scheme, colon and blank.", _ALPHAFOLD, first=_ALPHAFOLD),
    _id(f"{_ALPHAFOLD}.", "With a full stop behind it.", _ALPHAFOLD, first=_ALPHAFOLD),
    _id(
        "10.1016/S0140-6736(20)31180-6",
        "Parentheses in a DOI.",
        "10.1016/s0140-6736(20)31180-6",
        first="10.1016/s0140-6736(20)31180-6",
    ),
    _id("10.1056/NEJMOA1211851", "Capitals.", "10.1056/nejmoa1211851", first="10.1056/nejmoa1211851"),
    _id("10.1084/jem.20212479.pdf", "The name of its file.", "10.1084/jem.20212479", first="10.1084/jem.20212479"),
    _id("PMID:36107206", "A PMID with its scheme.", "36107206", first="10.1084/jem.20212479"),
    _id("PMID: 36107206", "The same with a blank.", "36107206", first="10.1084/jem.20212479"),
    _id("pmid 36107206", "In small letters, without a colon.", "36107206", first="10.1084/jem.20212479"),
    _id("https://pubmed.ncbi.nlm.nih.gov/36107206/", "PubMed's address.", "36107206", first="10.1084/jem.20212479"),
    _id("PMC8371605", "A PMCID.", "8371605", first=_ALPHAFOLD),
    _id("https://pmc.ncbi.nlm.nih.gov/articles/PMC8371605/", "Its address.", "8371605", first=_ALPHAFOLD),
    _id("arXiv:1706.03762", "An arXiv id.", "1706.03762", first="1706.03762"),
    _id("arXiv:1706.03762v7", "With its version.", "1706.03762", first="1706.03762"),
    _id("1706.03762", "Without its scheme.", "1706.03762", first="1706.03762"),
    _id("https://arxiv.org/abs/1706.03762", "Its address.", "1706.03762", first="1706.03762"),
    _id("https://arxiv.org/pdf/1706.03762v5.pdf", "The address of its file.", "1706.03762", first="1706.03762"),
    _id("10.48550/arXiv.1706.03762", "arXiv's DOI.", "1706.03762", first="1706.03762"),
    _id("W2741809807", "OpenAlex's id.", "W2741809807"),
    _id("https://openalex.org/W2741809807", "Its address.", "W2741809807"),
    _id(
        "https://www.semanticscholar.org/paper/204e3073870fae3d05bcbc2f6a8e263d9b72e776",
        "Semantic Scholar's address.",
        "204e3073870fae3d05bcbc2f6a8e263d9b72e776",
    ),
    _id("CorpusID:13756489", "Semantic Scholar's number.", "13756489"),
    _id(
        f"{_ALPHAFOLD} 10.1056/NEJMoa1211851",
        "Two DOIs.",
        _ALPHAFOLD,
        "10.1056/nejmoa1211851",
        among=(_ALPHAFOLD, "10.1056/nejmoa1211851"),
    ),
    _id(
        f"{_ALPHAFOLD}, PMID:36107206; arXiv:1706.03762",
        "Three of different kinds.",
        _ALPHAFOLD,
        "36107206",
        "1706.03762",
        among=(_ALPHAFOLD, "10.1084/jem.20212479", "1706.03762"),
    ),
    _id(
        "10.9999/does.not.exist",
        "A DOI that nobody holds: no papers with `does`, `not`, `exist`.",
        "10.9999/does.not.exist",
        absent=("10.18653/v1/w19-4828", "10.18653/v1/d19-1002"),
    ),
    _id(f"https://www.sciencedirect.com/science/article/pii/{_PII}", "ScienceDirect's.", _PII, first=_PII_DOI),
    _id("S0092-8674(17)30578-0", "The PII in it, as PubMed prints it.", _PII, first=_PII_DOI),
    _id(f"linkinghub.elsevier.com/retrieve/pii/{_PII}", "Where DOIs of Elsevier lead.", _PII, first=_PII_DOI),
    _id("https://www.cell.com/cell/fulltext/S0092-8674(17)30578-0", "Cell's.", _PII, first=_PII_DOI),
    _id(f"1-s2.0-{_PII}-main.pdf", "The name of ScienceDirect's file.", _PII, first=_PII_DOI),
    _id(
        "https://www.thelancet.com/journals/lancet/article/PIIS0140-6736(20)31180-6/fulltext",
        "The Lancet's, whose DOI has the PII.",
        "10.1016/s0140-6736(20)31180-6",
        first="10.1016/s0140-6736(20)31180-6",
    ),
    Way(
        typed="36107206",
        why="A number that can be a PMID: looked up, with a hint.",
        lookup=("36107206",),
        first="10.1084/jem.20212479",
        hint="number",
    ),
    Way(
        typed="36107206 32376954",
        why="Two numbers.",
        lookup=("36107206", "32376954"),
        among=("10.1084/jem.20212479", "10.1038/s41586-020-2247-3"),
    ),
    Way(typed="2020", why="A year alone is not a topic: a hint instead of noise.", silent=SOURCES, hint="number"),
    Way(typed="42", why="A number alone.", silent=SOURCES, hint="number"),
    Way(
        typed=f"AlphaFold {_ALPHAFOLD}",
        why="Among words: looked up, and the words are searched for.",
        telling="AlphaFold",
        unsearched="03819 s41586",
        first=_ALPHAFOLD,
    ),
    Way(
        typed="what cites PMID:36107206 about amyloid seeding",
        why="Among the words of a sentence.",
        telling="amyloid seeding",
        unsearched="36107206 pmid",
        first="10.1084/jem.20212479",
    ),
    Way(
        typed="Attention is all you need arXiv:1706.03762",
        why="A title and its id.",
        telling="attention",
        unsearched="03762 1706 arxiv",
        first="1706.03762",
    ),
    Way(typed="COVID-19 2020 mortality", why="A year among words is a word.", telling="COVID-19 mortality"),
)
