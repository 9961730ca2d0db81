"""What students, librarians, assistants and passers-by type, collected after the other tables were written."""

from __future__ import annotations

from typing import Any

from tests.ways_of_asking.way import Way

KIND = "Strangers"
_REVIEW = "10.1038/nrn.2016.7"
_OWN_WORDS = r"\b(TI|AB) (TREM2|microglia)"


def _asks(typed: str, telling: str, dropped: str = "", why: str = "What is asked for is not a subject.") -> Way:
    return Way(typed=typed, why=why, telling=telling, dropped=dropped)


def _means(typed: str, means: str, why: str, **expected: Any) -> Way:
    return Way(typed=typed, why=why, means=means, **expected)


WAYS = (
    # students and assistants
    _asks("hi, I'm looking for studies about dementia and hearing loss", "dementia hearing loss", "hi i'm looking"),
    _asks("Hello! can you find me papers on TREM2", "TREM2", "hello can you find me papers"),
    _asks("summarize the literature on TREM2", "TREM2", "summarize the literature"),
    _asks("summarise recent research on TREM2", "TREM2", "summarise recent research"),
    _asks("write a literature review on TREM2", "TREM2", "write literature review"),
    _asks("I need sources for my essay about microglia", "microglia", "need sources essay"),
    _asks("give me references for my thesis on microglia", "microglia", "give references thesis"),
    _asks("Can you please find peer reviewed articles on TREM2 and Alzheimer's?", "TREM2", "peer reviewed articles"),
    _asks("peer-reviewed articles on TREM2", "TREM2", "peer-reviewed articles"),
    _asks("seminal papers on TREM2", "TREM2", "seminal papers"),
    _asks("landmark studies on TREM2", "TREM2", "landmark studies"),
    _asks("What are the key papers on TREM2?", "TREM2", "what are the key papers"),
    _asks("the most influential papers in microglia", "microglia", "most influential papers"),
    _asks("scientific articles about microglia", "microglia", "scientific articles"),
    _asks("is it true that TREM2 protects neurons", "TREM2 protects neurons", "is it true that"),
    _asks("pros and cons of base editing", "base editing", "pros and cons"),
    _asks("advantages and disadvantages of base editing", "base editing", "advantages disadvantages"),
    _asks("the alphafold paper", "alphafold", "the paper"),
    _asks("how many neurons in the human brain", "neurons human brain", "how in the"),
    _asks("evidence that microglia engulf synapses", "microglia engulf synapses", "evidence that"),
    _asks("what is known about TREM2 agonists in clinical trials", "TREM2 agonists", "what is known about"),
    _asks("Quel est le rôle de TREM2 dans la maladie d'Alzheimer ?", "TREM2", "quel est le rôle de dans la"),
    _asks("qual o papel da microglia no alzheimer", "microglia alzheimer", "qual o papel da no"),
    _asks("microglia vs. macrophages", "microglia macrophages", "vs"),
    _asks("Sources of error in MRI", "sources error MRI", "", "A subject that sounds like a request."),
    # signs
    _asks("microglia; TREM2; amyloid", "microglia TREM2 amyloid", "", "Semicolons between keywords."),
    _asks("microglia/TREM2", "microglia TREM2", "", "A slash between two words."),
    Way(
        typed="TREM2&microglia",
        why="`&micro` is not a sign where no semicolon ends it.",
        telling="TREM2 microglia",
        never=("μ", "mug"),
        among=("10.1084/jem.20212479",),
    ),
    _asks("TREM2 😀", "TREM2", "", "An emoji is not a word."),
    _asks("TREM2 — microglia", "TREM2 microglia", "", "A dash between words."),
    # wildcards
    Way(
        typed="neurodegenerat* microglia",
        why="Where a source has no wildcards, its report says so; Semantic Scholar has them in its bulk search.",
        exact={"semantic_scholar": r"bulk: \(?neurodegenerat\* \+ microglia", "pubmed": r"neurodegenerat\* microglia"},
        warned={"crossref": "no wildcards: neurodegenerat*", "paperclip": "no wildcards: neurodegenerat*"},
    ),
    Way(
        typed="*glia",
        why="No source has a wildcard at a word's beginning: left out, with a hint.",
        telling="glia",
        never=(r"\*glia",),
        hint="syntax",
    ),
    _means("wom*n AND TREM2", "(woman | women) & TREM2", "A star inside a word: its usual spellings.", hint="syntax"),
    # librarians
    _means(
        "TI TREM2 AND AB microglia",
        "TREM2 & microglia",
        "EBSCOhost: fields before their terms.",
        exact={"pubmed": r"TREM2\[ti\] AND microglia\[tiab\]", "europe_pmc": "TITLE:TREM2 AND ABSTRACT:microglia"},
        never=(_OWN_WORDS,),
        hint="syntax",
    ),
    Way(
        typed='MH "Alzheimer Disease+" AND TREM2',
        why="EBSCOhost: a subject heading with those below it.",
        exact={"pubmed": r'"Alzheimer Disease"\[mh\] AND TREM2', "europe_pmc": 'MESH:"Alzheimer Disease"'},
        hint="syntax",
        among=(_REVIEW,),
    ),
    Way(
        typed="(TI TREM2 OR AB TREM2) AND AU Colonna",
        why="EBSCOhost: fields within parentheses, and an author.",
        exact={"pubmed": r"\(TREM2\[ti\] OR TREM2\[tiab\]\) AND Colonna\[au\]", "arxiv": 'au:"Colonna"'},
        hint="syntax",
        among=(_REVIEW,),
    ),
    _asks("AB blood group antigens", "AB blood group antigens", "", "Such letters before words are words."),
    _means("TREM2 near/5 microglia", "TREM2 & microglia", "A distance in small letters.", hint="syntax"),
    # files and labels
    Way(
        typed="Attention Is All You Need.pdf",
        why="The name of a file: the title without its end.",
        first="1706.03762",
        hint="syntax",
        never=(r"(?i)\.pdf",),
    ),
    Way(
        typed="TREM2_variants_new_keys_to_decipher_Alzheimer_disease.pdf",
        why="With underscores for blanks.",
        first=_REVIEW,
        hint="syntax",
        never=(r"(?i)\.pdf", r"TREM2_variants"),
    ),
    Way(
        typed="title:attention is all you need",
        why="`title:` before a whole title is a label.",
        first="1706.03762",
        hint="syntax",
        exact={"arxiv": r'ti:"attention is all you need"', "pubmed": r'"attention is all you need"\[ti'},
    ),
    Way(
        typed="title:TREM2 microglia",
        why="Before two words it is the field of the first.",
        exact={"europe_pmc": "TITLE:TREM2 AND TITLE_ABS:microglia"},
    ),
    Way(typed="hep-th/9711200", why="An old arXiv id.", lookup=("hep-th/9711200",), hint="identifier"),
    Way(
        typed="26911435[uid]",
        why="A PMID by PubMed's tag.",
        lookup=("26911435",),
        first=_REVIEW,
        hint="identifier",
    ),
    Way(
        typed="https://europepmc.org/search?query=TREM2",
        why="Europe PMC's page of results.",
        telling="TREM2",
        hint="syntax",
    ),
)
