"""References that mean no paper, or not clearly one: near titles, halves of two, invented ones in real places."""

from __future__ import annotations

from typing import Any

Reference = dict[str, Any]
MIXED = "Neurotoxic reactive astrocytes are induced by tau propagation"


def nothing(name: str, **citation: Any) -> Reference:
    """A reference that no candidate may be found for."""
    return {"name": name, "citation": citation, "paper": None, "status": "not_found"}


def unclear(name: str, **citation: Any) -> Reference:
    """A reference that more than one paper may be meant by, or that too little speaks for."""
    return {"name": name, "citation": citation, "paper": None, "status": "ambiguous"}


NEAR = [
    nothing("one word changed", title="Attention is all you want", authors=["Vaswani A"], year=2017),
    nothing("one word more", title="Attention is not all you need", authors=["Vaswani A"], year=2017),
    nothing("a negation twice", title="Attention is not not not Explanation", authors=["Wiegreffe S"], year=2019),
    nothing("another animal", title="Crystal structure of rat triggering receptor expressed on myeloid cells 1 "
            "(TREM-1) at 1.76 A", authors=["Kelker MS"], year=2004, journal="J Mol Biol"),
    nothing("another number", title="Crystal structure of human triggering receptor expressed on myeloid cells 1 "
            "(TREM-1) at 1.67 A", authors=["Kelker MS"], year=2004, journal="J Mol Biol"),
    nothing("another receptor", title="TREM1 variants in Alzheimer's disease", authors=["Guerreiro R"], year=2013,
            journal="N Engl J Med", volume="368"),
    nothing("another disease", title="TREM2 variants in Parkinson's disease", authors=["Guerreiro R"], year=2013,
            journal="N Engl J Med"),
    nothing("a third part", title="A Philosophical Introduction to Language Models - Part III: Looking Back",
            authors=["Raphaël Millière"], year=2024),
    nothing("a reply", title="Reply to: Attention is all you need", authors=["Vaswani A"], year=2017),
    nothing("an erratum", title="Erratum: TREM2 variants in Alzheimer's disease", authors=["Guerreiro R"], year=2013),
    nothing("a comment", title="Comment on “Rapid changes in ice discharge from Greenland outlet glaciers”", year=2007),
    nothing("a prefix that turns the sense", authors=["Liddelow SA"], year=2017,
            title="Neuroprotective reactive astrocytes are induced by activated microglia"),
    nothing("a like word", authors=["Liddelow SA"], year=2017, journal="Nature",
            title="Neurotropic reactive astrocytes are induced by activated microglia"),
    nothing("a longer title with a real one in it", authors=["Vaswani A"], year=2017,
            title="Attention is all you need in speech separation"),
    nothing("words in another order", authors=["Liddelow SA"], year=2017,
            title="Activated microglia are induced by neurotoxic reactive astrocytes"),
]  # fmt: skip

MUTATIONS = "Neurodegenerative disease mutations in TREM2"  # five words of sixteen
CUT_EARLY = [
    unclear("cut before its half, another year and volume", title=MUTATIONS, authors=["Kober DL"], year=2011,
            journal="eLife", volume="19"),
    unclear("a line cut before its half, another year", text=f"Kober DL, Colonna M. {MUTATIONS}. eLife. 2011;19:e1."),
    nothing("its first words by another", title=MUTATIONS, authors=["Smith J"], year=2016, journal="eLife"),
    nothing("its first words and its second author", title=MUTATIONS, authors=["Karch CM", "Kober DL"], year=2011),
    nothing("its first words without authors", title=MUTATIONS, year=2016, journal="eLife", volume="5"),
    nothing("its first words and others", title=f"{MUTATIONS} alter the metabolism of lipids", authors=["Kober DL"],
            year=2016, journal="eLife", volume="5"),
    nothing("too few of its first words", title="Neurodegenerative disease", authors=["Kober DL"], year=2011),
]  # fmt: skip

INVENTED = [
    nothing("halves of two titles", title=MIXED, authors=["Liddelow SA"], year=2017, journal="Nature"),
    nothing("other halves", authors=["Heneka MT"], year=2013, journal="Nature",
            title="NLRP3 is activated in microglia and inhibition of exosome synthesis halts tau propagation"),
    nothing("real authors", authors=["Wang Y", "Colonna M"], year=2015, journal="Cell",
            title="TREM2 agonism restores microglial lipid metabolism in human tauopathy"),
    nothing("a real place", authors=["Wang Y"], year=2015, journal="Cell", volume="160", pages="1061-1071",
            title="TREM2 agonism restores microglial lipid metabolism in human tauopathy"),
    nothing("a real place, other authors", authors=["Smith J"], year=2012, journal="Science", volume="337", pages="816",
            title="Programmable RNA cleavage by bacterial ribonucleoproteins"),
    nothing("raw, a real place", text="Jinek M, Doudna JA. Programmable RNA cleavage by bacterial "
            "ribonucleoproteins in vitro. Science. 2012;337(6096):816-21."),
    nothing("raw, halves of two titles", text=f"Liddelow, S. A., & Barres, B. A. (2017). {MIXED}. Nature, 541, 481."),
    nothing("raw, one word changed", text="Vaswani, A., et al. (2017). Attention is all you want. Advances in Neural "
            "Information Processing Systems, 30, 5998-6008."),
    nothing("raw, a longer title", text="Vaswani A, Shazeer N. Attention is all you need in speech separation. Neural "
            "Information Processing Systems. 2017:5998-6008."),
    nothing("raw, a correction", text="Guerreiro R, et al. Correction: TREM2 variants in Alzheimer's disease and "
            "others. N Engl J Med. 2013;368:1570."),
    nothing("raw, a style of its own", text="Liddelow 2017 Nature 541 481 on microglia, astrocytes, ageing, "
            "synapses and their decline"),
    nothing("a journal's name as its title", title="Nature", year=2017),
    nothing("a subtitle invented", authors=["Liddelow SA"], year=2021,
            title="Neurotoxic reactive astrocytes are induced by activated microglia: ten years later"),
    nothing("a wrong page without title", authors=["Bailey CC"], year=2015, journal="J Biol Chem", volume="290",
            pages="11111"),
    nothing("nothing at all"),
    unclear("no reference", text="see above"),
]  # fmt: skip

UNCLEAR = [
    unclear("all but the title wrong", authors=["Smith J"], year=1999, journal="Gut", volume="1", pages="3",
            title="Neurotoxic reactive astrocytes are induced by activated microglia"),
    unclear("a short title alone", title="Point Transformer"),
    unclear("a namesake of other authors", title="Point Transformer", authors=["Hengshuang Zhao"], year=2021),
    unclear("an editorial of a year", title="Editorial", year=2024),
    unclear("errata of a journal", title="Errata", journal="International Journal of Clinical Practice", year=2005),
    unclear("two of one name and year", title="Convalescent-anti-sars-cov-2-plasma/immune-globulin", year=2023,
            journal="Reactions Weekly"),
    unclear("a work in two parts", title="A Philosophical Introduction to Language Models", year=2024,
            authors=["Raphaël Millière", "Cameron Buckner"]),
    unclear("an author and a year", authors=["Wang Y"], year=2015),
    unclear("a misspelt title alone", title="Attenton is all you need"),
    unclear("a translation of one's own", title="[How contacts of amino acids are found by messages]", year=2009,
            authors=["Weigt M"], journal="Proc Natl Acad Sci U S A", volume="106", pages="67-72"),
]  # fmt: skip

SUBTITLES = [
    unclear("a subtitle invented, the year right", authors=["Ising C"], year=2019,
            title="NLRP3 inflammasome activation drives tau pathology: evidence from a randomised trial"),
    unclear("a subtitle invented, another field", authors=["Vaswani A"], year=2017,
            title="Attention is all you need: protein folding"),
]  # fmt: skip

ABOUT_A_PAPER = [
    nothing(f"raw, about a paper: {text[:40]}", text=text)
    for text in (
        "Vaswani A. Why 'Attention is all you need' is wrong. 2017.",
        "Vaswani A. The sequel to “Attention is all you need”. arXiv 2017.",
        "Lander ES. A critique of: Initial sequencing and analysis of the human genome. Nature 2001;409:860-921.",
        "Guerreiro R. Beyond amyloid: TREM2 variants in Alzheimer's disease. N Engl J Med 2013.",
        "Guerreiro R. Amyloid: TREM2 variants in Alzheimer's disease. N Engl J Med 2013.",
        "Ising C (2019). Against the claim: NLRP3 inflammasome activation drives tau pathology. Neurology 80",
        "Vaswani A. Beyond words – Attention is all you need. 2017.",
        'Vaswani A. "Attention is all you need" revisited. 2017.',
        "Vaswani A, et al. 'Attention is all you need' considered harmful. 2017",
        "In defence of Vaswani: Attention is all you need. 2017",
        "Attention is all you need is wrong (Vaswani 2017)",
        "Attention is all you need (2017): a critique. Vaswani A.",
        "Cui A (1998). A new look: [Mechanism of bone mineral loss in microgravity]. Sheng li ke xue jin zhan 80",
        "The myth that attention is all you need by Vaswani 2017",
    )
]

UNCLEAR_LINES = [
    unclear("raw, a title by another author", text="Attention is all you need by Smith"),
    unclear("raw, a title in a wrong place", text="Attention is all you need. Nature. 1999"),
    unclear("raw, all but the title wrong", text="Smith J. Attention is all you need. Gut. 1999"),
]
# Real titles with invented authors and years; one of them shares a given name with an author.
OTHER_AUTHORS = [
    unclear(
        "raw, a given name of an author",
        text="Title: TREM2 lipid sensing sustains the microglial response in an "
        "Alzheimer's disease model\nAuthors: Greta L Baptiste\nJournal: Nature Communications\nYear: 2011",
    ),
    unclear(
        "raw, names behind the title",
        text="“Disease-Associated Mutations of TREM2 Alter the Processing of "
        "N-Linked Oligosaccharides in the Golgi Apparatus” by Nakashima et al. (Traffic, 2006)",
    ),
]
IN_A_REAL_PLACE = [
    nothing(
        "raw, among the names",
        text="Y. Wang, T. K. Ulland, J. D. Ulrich, Transcriptional control of amyloid "
        "clearance in low-resource languages, in «The Journal of Experimental Medicine», 213, 2016, pp. 667-675.",
    ),
]
# Invented papers of real authors, in the form of physics; the paper in that volume has no pages in its record.
UNTITLED_LINES = [
    unclear("raw, a volume of the author", text="W. H. Lipscomb, S. F. Price, Geosci. Model Dev. 12, 424 (2019)."),
    nothing(
        "raw, a reply that quotes it",
        text="Doe A. A reply to “TREM-2 promotes macrophage survival and lung "
        "disease after respiratory viral infection” in mice. J Exp Med 212, 690 (2015).",
    ),
    nothing("raw, another page", text="J. Yan et al., Nature 628, 712 (2024)."),
    nothing("raw, another volume", text="K. Wu et al., J. Exp. Med. 213, 681 (2016)."),
    nothing("raw, another journal", text="E. S. Lander, Phys. Rev. D 47, 777 (1993)."),
]

REFUSED: list[Reference] = [
    *OTHER_AUTHORS,
    *UNTITLED_LINES,
    *NEAR,
    *CUT_EARLY,
    *INVENTED,
    *UNCLEAR,
    *SUBTITLES,
    *ABOUT_A_PAPER,
    *UNCLEAR_LINES,
]
