"""Authors whom the words of a query name by a cue; without one, names stay words."""

from __future__ import annotations

import pytest

from shared.query.person_in_words import PersonInWords, person_in_words

ORCID = "0000-0002-1825-0097"  # ORCID's own example
NAMED = {
    ORCID: PersonInWords(ORCID, ""),
    f"https://orcid.org/{ORCID}": PersonInWords(ORCID, ""),
    f"orcid.org/{ORCID} CRISPR": PersonInWords(ORCID, "CRISPR"),
    f"papers with ORCID {ORCID} on CRISPR": PersonInWords(ORCID, "CRISPR"),
    "Smith et al 2019 microglia": PersonInWords("Smith", "microglia", "2019"),
    "smith et al. 2019 microglia": PersonInWords("smith", "microglia", "2019"),
    "Smith et al., 2019": PersonInWords("Smith", "", "2019"),
    "microglia (Smith et al., 2019)": PersonInWords("Smith", "microglia", "2019"),
    "Smith J et al (2019b) microglia": PersonInWords("Smith J", "microglia", "2019"),
    "Watson and Crick et al 1953": PersonInWords("Watson; Crick", "", "1953"),
    "Vaswani et al attention": PersonInWords("Vaswani", "attention"),
    "papers by Jennifer Doudna about CRISPR": PersonInWords("Jennifer Doudna", "CRISPR"),
    "CRISPR papers by Doudna": PersonInWords("Doudna", "CRISPR"),
    "papers by Colonna TREM2": PersonInWords("Colonna", "TREM2"),
    "papers by M. Colonna IL-6 signaling": PersonInWords("M. Colonna", "IL-6 signaling"),
    "CRISPR base editing by Jennifer Doudna": PersonInWords("Jennifer Doudna", "CRISPR base editing"),
    "Jennifer Doudna's papers on CRISPR": PersonInWords("Jennifer Doudna", "CRISPR"),
    "what has Jennifer Doudna published on CRISPR?": PersonInWords("Jennifer Doudna", "CRISPR"),
    "articles by Marco Colonna on TREM2 since 2015": PersonInWords("Marco Colonna", "TREM2 since 2015"),
    "papers by Özlem Türeci": PersonInWords("Özlem Türeci", ""),
    "papers by Łukasz Kaiser on transformers": PersonInWords("Łukasz Kaiser", "transformers"),
    "CRISPR by Étienne Ghys": PersonInWords("Étienne Ghys", "CRISPR"),
    "what has Ömer Çelik published on asthma": PersonInWords("Ömer Çelik", "asthma"),
    "papers by Ugur Sahin and Özlem Türeci": PersonInWords("Ugur Sahin; Özlem Türeci", ""),
    "publications by Katalin Karikó and Drew Weissman on mRNA": PersonInWords("Katalin Karikó; Drew Weissman", "mRNA"),
    "papers by Hinton and LeCun": PersonInWords("Hinton; LeCun", ""),
    "papers by Hinton, LeCun & Bengio on deep learning": PersonInWords("Hinton; LeCun; Bengio", "deep learning"),
    "papers by Jumper, J. and Evans, R.": PersonInWords("Jumper, J.; Evans, R.", ""),
    "deep learning papers by Hinton and LeCun": PersonInWords("Hinton; LeCun", "deep learning"),
    "what have Watson and Crick published on DNA": PersonInWords("Watson; Crick", "DNA"),
    "papers by de Duve on lysosomes": PersonInWords("de Duve", "lysosomes"),
    "lysosomes papers by de Duve": PersonInWords("de Duve", "lysosomes"),
    "papers by Иван Петров on plasma": PersonInWords("Иван Петров", "plasma"),
}  # fmt: skip
UNNAMED = (
    "Doudna CRISPR base editing", "Vaswani 2017", "0000-0002-1825-0098", "et al 2019", "mice et al",
    "Vaswani et al., NeurIPS 2017", "phosphorylation by Akt", "Image Recognition by Deep Learning",
    "Alzheimer's research", "studies by country", "papers by country and year",
    "studies by age and sex", "Studies by Age and Sex", "papers by de novo assembly",
    "induced by LPS in mice", "Comment on Smith et al. (2019)",
    "Jonsson T, Stefansson H, et al. Variant of TREM2. N Engl J Med. 2013;368:107-16.",
    '"papers by Jennifer Doudna"', "papers by Doudna AND CRISPR",
)  # fmt: skip


@pytest.mark.parametrize("text", NAMED)
def test_a_cue_names_the_author(text: str) -> None:
    assert person_in_words(text) == NAMED[text]


@pytest.mark.parametrize("text", UNNAMED)
def test_a_name_without_a_cue_stays_a_word(text: str) -> None:
    assert person_in_words(text) is None
