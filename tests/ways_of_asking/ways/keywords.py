"""Keywords: every one of them was chosen, so every one is required, in titles and abstracts."""

from __future__ import annotations

from tests.ways_of_asking.way import Way

KIND = "Keywords"


def _words(typed: str, why: str, **expected: object) -> Way:
    return Way(typed=typed, why=why, **{"telling": typed, **expected})  # type: ignore[arg-type]


WAYS = (
    _words("TREM2 microglia", "Two words, both required.", among=("10.1084/jem.20212479",)),
    _words("TREM2 R47H variant Alzheimer", "Four words.", among=("10.1001/jamaneurol.2013.6237",)),
    _words("prime editing efficiency", "Three words, which are not a title.", among=("10.1038/s41587-021-01039-7",)),
    _words("dense passage retrieval", "Computing: the beginning of a title.", first="10.18653/v1/2020.emnlp-main.550"),
    _words("Greenland ice sheet melt", "Earth science.", among=("10.5194/tc-15-5739-2021",)),
    _words("large language models", "A topic of thousands of papers.", among=("10.48550/arxiv.2303.18223",)),
    _words(
        "hydroxychloroquine COVID-19",
        "A drug and a disease; the disease has a hyphen and a number.",
        first="10.1016/s0140-6736(20)31180-6",
    ),
    _words(
        "hydroxychloroquine COVID-19 mortality",
        "The only paper about the drug comes before others about the disease.",
        first="10.1016/s0140-6736(20)31180-6",
    ),
    _words(
        "IL-6 tocilizumab",
        "A symbol with a hyphen and a digit stays one word where the engine allows it.",
        first="10.1101/2020.07.10.20150938",
    ),
    _words("p53", "One symbol with a digit."),
    _words("microglia", "One word."),
    _words("CRISPR", "One acronym."),
    _words("crispr cas9 knockout screening", "No capitals.", among=("10.1126/science.1247005",)),
    _words("CRISPR CAS9 KNOCKOUT SCREENING", "All in capitals.", among=("10.1126/science.1247005",)),
    _words("APOE4 blood-brain barrier", "A compound word.", first="10.1038/s41586-020-2247-3"),
    _words("single-cell RNA-seq microglia", "Two compound words."),
    _words("amyloid, tau, microglia", "A list with commas."),
    _words("amyloid; tau; microglia", "A list with semicolons."),
    _words("amyloid/tau microglia", "A slash between two words: two words, as every engine's tokeniser reads it."),
    _words("prime editing | base editing", "A bar is not an operator for people.", telling="prime editing base"),
    _words("  TREM2   microglia  phagocytosis ", "Blanks around and between."),
    _words("TREM2\tmicroglia\nApoE", "A tab and a line's end, as from a pasted table."),
    _words("e-cigarette adolescents", "A compound that begins with one letter."),
    _words(
        "2019-nCoV reproduction number", "A compound that begins with a number.", among=("10.1101/2020.01.27.20018952",)
    ),
    _words("vitamin D deficiency", "A single letter that means something.", telling="vitamin deficiency"),
    _words("T cell exhaustion", "A single letter at the beginning.", telling="cell exhaustion"),
    _words("H1N1 1918 influenza", "A year among the words."),
    _words("C. elegans lifespan", "An abbreviated genus.", telling="elegans lifespan"),
    _words(
        "WHO guidelines malaria", "An acronym that is a function word in small letters.", telling="guidelines malaria"
    ),
    _words("COVID-19 vaccine BNT162b2", "A product's code.", first="10.1056/nejmoa2034577"),
    _words("BERT language understanding", "An acronym that is a name.", among=("10.18653/v1/n19-1423",)),
    _words(
        "microgila TREM2",
        "A typing error in one of two words: sent as typed, no engine is asked less for it.",
        telling="microgila TREM2",
    ),
    _words(
        "TREM2 micorglia alzhiemer",
        "Two typing errors among three words; PubMed's spelling help may say so.",
        telling="TREM2 micorglia alzhiemer",
    ),
)
