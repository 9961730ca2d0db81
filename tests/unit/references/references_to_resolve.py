"""References as people and machines write them, and the paper that each means: exact, misspelt, partly wrong, raw."""

from __future__ import annotations

from typing import Any

from tests.unit.references.references_to_refuse import REFUSED, Reference


def means(paper: str | None, name: str, status: str = "matched", **citation: Any) -> Reference:
    """One reference: what it is a case of, its fields, the name of the paper it means and what judging it comes to."""
    return {"name": name, "citation": citation, "paper": paper, "status": status}


TREM2 = (
    "Neurodegenerative disease mutations in TREM2 reveal a functional surface and distinct loss-of-function mechanisms"
)
APOE = "Apolipoprotein E Is a Ligand for Triggering Receptor Expressed on Myeloid Cells 2 (TREM2)"
CONTACTS = "Identification of direct residue contacts in protein-protein interaction by message passing"
DISSOCIATING = "Dissociating language and thought in large language models"
ATTENTION = "arxiv:1706.03762"

EXACT = [
    means("doi:10.7554/elife.20391", "all fields", title=TREM2, authors=["Kober DL", "Alexander-Brett JM"], year=2016,
          journal="eLife", volume="5", pages="e20391"),
    means(ATTENTION, "a paper of arXiv", title="Attention is all you need", authors=["Ashish Vaswani"], year=2017),
    means("doi:10.1038/nature21029", "title, author and year", authors=["Shane A. Liddelow"], year=2017,
          title="Neurotoxic reactive astrocytes are induced by activated microglia"),
    means("doi:10.1126/science.1225829", "another dash", authors=["Jinek"], year=2012,
          title="A programmable dual-RNA-guided DNA endonuclease in adaptive bacterial immunity"),
    means("doi:10.1016/j.ccell.2022.12.009", "a Greek letter spelled out", authors=["Coelho, M."], year=2023,
          title="Base editing screens map mutations affecting interferon-gamma signaling in cancer"),
    means("doi:10.1006/jmbi.1999.3091", "a footnote of the title", authors=["David T Jones"], year=1999,
          title="Protein secondary structure prediction based on position-specific scoring "
                "matrices11edited by G. Hale"),
    means("doi:10.1006/jmbi.1999.3091", "a footnote of the title in a line",
          text="Jones,D.T. (1999) Protein secondary structure prediction based on position-specific scoring "
               "matrices11Edited by G. Hale. Journal of Molecular Biology, 292, 195-202."),
    means("doi:10.1073/pnas.0805923106", "an abbreviated journal", title=CONTACTS, authors=["Weigt M"], year=2009,
          journal="Proc Natl Acad Sci U S A", volume="106", pages="67-72"),
    means("doi:10.1016/j.xgen.2025.100814", "the year of the preprint", authors=["Herger M"], year=2024,
          title="High-throughput screening of human genetic variants by pooled prime editing"),
    means("doi:10.18653/v1/n19-1357", "a short title and two fields", title="Attention is not Explanation",
          authors=["Sarthak Jain", "Byron C. Wallace"], year=2019),
    means("doi:10.18653/v1/d19-1002", "a title with one word twice", title="Attention is not not Explanation",
          authors=["Wiegreffe S", "Pinter Y"], year=2019),
    means("doi:10.1038/nrn.2015.1", "a short title with author and year", title="Tau in physiology and pathology",
          authors=["Wang Y", "Mandelkow E"], year=2016, journal="Nat Rev Neurosci"),
    means("doi:10.1038/s41586-024-07691-8", "a retraction note by its own title", year=2024, journal="Nature",
          title="Retraction Note: A specific amyloid-β protein assembly in the brain impairs memory", volume="631"),
    means("doi:10.1038/nature04533", "what the note retracts", authors=["Lesné S"], year=2006,
          title="A specific amyloid-β protein assembly in the brain impairs memory"),
    means("doi:10.1029/2001jb001124", "the second part", authors=["Flowers GE"], year=2002, volume="107", pages="2288",
          title="A multicomponent coupled model of glacier hydrology 2. Application to Trapridge Glacier, Yukon,"
          " Canada"),
    means("doi:10.1037/com0000370", "an editorial with author and page", title="Editorial", authors=["Beran MJ"],
          year=2024, journal="Journal of Comparative Psychology", volume="138", pages="1-4"),
    means("doi:10.1007/s40278-023-41815-2", "a namesake of another volume", year=2023, journal="Reactions Weekly",
          title="Convalescent-anti-sars-cov-2-plasma/immune-globulin", volume="1962", pages="145"),
    means("doi:10.1038/35057062", "nothing but a telling title",
          title="Initial sequencing and analysis of the human genome"),
    means("doi:10.1038/nature11729", "title and journal", journal="Nature",
          title="NLRP3 is activated in Alzheimer's disease and contributes to pathology in APP/PS1 mice"),
    means("doi:10.1016/j.cell.2023.05.044", "initials of a journal", journal="Cell", volume="186", pages="3307",
          title="Dynamic mapping of proteome trafficking within and between living cells by TransitID"),
]  # fmt: skip

WRONG = [
    means("doi:10.7554/elife.20391", "a letter missing", authors=["Kober"], year=2016,
          title=TREM2.replace("Neurodegenerative", "Neurodegenrative")),
    means(ATTENTION, "two letters changed about", title="Atteniton is all you need", authors=["Vaswani A"], year=2017),
    means("doi:10.1007/bf00308809", "American spelling", authors=["Braak H", "Braak E"], year=1991,
          title="Neuropathological staging of Alzheimer-related changes"),
    means("doi:10.1038/s41586-018-0368-8", "American ageing", authors=["Da Mesquita S"], year=2018,
          title="Functional aspects of meningeal lymphatics in aging and Alzheimer's disease"),
    means("doi:10.1074/jbc.m115.679043", "a wrong year", title=APOE, authors=["Atagi Y"], year=2011),
    means("doi:10.1074/jbc.m115.679043", "a year beside the year", title=APOE, authors=["Atagi Y"], year=2016),
    means("doi:10.1016/j.cell.2015.01.049", "wrong authors", authors=["Müller K"], year=2015, journal="Cell",
          title="TREM2 lipid sensing sustains the microglial response in an Alzheimer's disease model"),
    means("doi:10.1126/science.aad8373", "a wrong journal", authors=["Hong S"], year=2016, journal="The Lancet",
          title="Complement and microglia mediate early synapse loss in Alzheimer mouse models"),
    means("doi:10.1086/342259", "a wrong volume and page", authors=["Paloneva J"], year=2002, volume="17", pages="1",
          journal="Am J Hum Genet", title="Mutations in two genes encoding different subunits of a receptor signaling "
          "complex result in an identical disease phenotype"),
    means("doi:10.1016/j.cell.2017.05.018", "a misspelt author", authors=["Keren-Shoul H"], year=2017,
          title="A Unique Microglia Type Associated with Restricting Development of Alzheimer's Disease"),
    means("doi:10.1038/nature04533", "an author without accent", authors=["Sylvain Lesne"], year=2006,
          title="A specific amyloid-beta protein assembly in the brain impairs memory"),
    means("doi:10.1038/s41587-021-01172-3", "the second family name left out", authors=["Sanchez-Rivera FJ"], year=2022,
          title="Base editing sensor libraries for high-throughput engineering and functional analysis of "
          "cancer-associated single nucleotide variants"),
    means("doi:10.1038/nature21029", "an article left out", authors=["Liddelow"], year=2017,
          title="The neurotoxic reactive astrocytes are induced by activated microglia"),
    means("doi:10.1016/j.tics.2024.01.011", "no subtitle", title=DISSOCIATING, authors=["Mahowald K"], year=2024),
    means("doi:10.1126/science.1072994", "no subtitle, the page missing", authors=["Hardy J", "Selkoe DJ"], year=2002,
          journal="Science", title="The amyloid hypothesis of Alzheimer's disease"),
    means("doi:10.1186/s13073-021-00835-9", "a hyphen for a blank", authors=["Rentzsch P"], year=2021,
          title="CADD Splice: improving genome-wide variant effect prediction using deep learning-derived splice"
          " scores"),
    means("arxiv:2405.03207", "one part of two", authors=["Raphaël Millière", "Cameron Buckner"], year=2024,
          title="A Philosophical Introduction to Language Models - Part II: The Way Forward"),
]  # fmt: skip

TRANSLATED = [
    means("pmid:8655018", "an English title", authors=["Jendryczko A"], year=1996,
          title="Effect of fetal and neonatal growth on the occurrence of some diseases in adults"),
    means("pmid:8655018", "the Polish title", year=1996, journal="Ginekol Pol",
          title="Wpływ przebiegu rozwoju płodu i noworodka na ujawnienie sie niektórych chorób okresu dorosłego"),
    means("pmid:10389168", "an English title of a Russian paper", authors=["Krylov BV"], year=1999,
          title="Ethanol modifies the ion selectivity of sodium channels in the rat sensory neurons"),
    means("pmid:13634534", "a title in capitals of its own", authors=["Lichtwitz A"], year=1958,
          title="PHYSIOPATHOLOGY OF PHOSPHORUS AND CALCIUM CHANGES AND OF BONE LESIONS IN GLOMERULAR NEPHROPATHIES"),
    means("doi:10.1360/n112014-00137", "a Chinese title", title="模糊测试技术研究", year=2014, volume="44"),
    means("doi:10.17331/kwp.2009.25.4.004", "a Korean title", year=2009, pages="87-118",
          title="북핵 문제의 성격과 해결을 위한 전략 구상"),
]  # fmt: skip

WITHOUT_TITLE = [
    means("doi:10.1074/jbc.m115.677286", "place and author", authors=["Bailey CC"], year=2015, journal="J Biol Chem",
          volume="290", pages="26033"),
    means("pmid:11543891", "place of a paper without DOI", authors=["Arnaiz-Villena A"], year=2001,
          journal="Hum Immunol", pages="889-900"),
    means("doi:10.1126/science.1153288", "volume, no page", authors=["Joughin I"], year=2008, journal="Science",
          volume="320"),
    means("doi:10.1016/j.jmb.2004.10.009", "the page tells two apart", authors=["Kelker MS"], year=2004,
          journal="J Mol Biol", pages="1175-81"),
]  # fmt: skip

RAW = [
    means("doi:10.7554/elife.20391", "APA", text="Kober, D. L., Alexander-Brett, J. M., Karch, C. M., & Brett, T. J. "
          f"(2016). {TREM2}. eLife, 5, Article e20391."),
    means("doi:10.1074/jbc.m115.679043", "Vancouver", text=f"1. Atagi Y, Liu CC, Painter MM, et al. {APOE}. "
          "J Biol Chem. 2015 Oct 23;290(43):26043-50."),
    means("doi:10.1056/nejmoa1211851", "AMA", text="Guerreiro R, Wojtas A, Bras J, et al. TREM2 variants in "
          "Alzheimer's disease. N Engl J Med. 2013;368(2):117-127."),
    means("doi:10.1016/j.cell.2015.01.049", "MLA", text="Wang, Yaming, et al. “TREM2 Lipid Sensing Sustains the "
          "Microglial Response in an Alzheimer’s Disease Model.” Cell, vol. 160, no. 6, 2015, pp. 1061-71."),
    means("doi:10.1073/pnas.0805923106", "Chicago", text=f"Weigt, Martin, Robert A. White, and Terence Hwa. "
          f"“{CONTACTS}.” Proceedings of the National Academy of Sciences 106, no. 1 (2009): 67–72."),
    means("doi:10.1126/science.1153360", "Harvard", text="Das, S.B. and Joughin, I., 2008. Fracture propagation to the "
          "base of the Greenland Ice Sheet during supraglacial lake drainage. Science, 320(5877), pp.778-781."),
    means("doi:10.1126/science.1225829", "Nature's", text="Jinek, M. et al. A programmable dual-RNA–guided DNA "
          "endonuclease in adaptive bacterial immunity. Science 337, 816–821 (2012)."),
    means(ATTENTION, "IEEE", text="[7] A. Vaswani, N. Shazeer, and N. Parmar, \"Attention is all you need,\" in "
          "Advances in Neural Information Processing Systems, vol. 30, 2017, pp. 5998–6008."),
    means("doi:10.1371/journal.pcbi.1004977", "BMC's", text="Pasolli E, Truong DT, Malik F: Machine learning "
          "meta-analysis of large metagenomic datasets: tools and biological insights. PLoS Comput Biol "
          "2016, 12:e1004977."),
    means("doi:10.18653/v1/n19-1423", "BibTeX", text="@inproceedings{devlin, title={{BERT}: Pre-training of Deep "
          "Bidirectional Transformers for Language Understanding}, author={Devlin, Jacob and Chang, Ming-Wei}, "
          "year={2019}}"),
    means("doi:10.18653/v1/w19-4828", "a title that asks", text="Clark K, Khandelwal U, Levy O, Manning CD (2019) What "
          "does BERT look at? An analysis of BERT's attention. In: Proceedings of BlackboxNLP, pp 276-286"),
    means(ATTENTION, "as one types it", text="vaswani et al attention is all you need 2017"),
    means("doi:10.1136/bmj.i493", "a journal of four letters", text="Hemkens LG, Contopoulos-Ioannidis DG, "
          "Ioannidis JP. Agreement of treatment effects for mortality from routinely collected data and subsequent "
          "randomized trials: meta-epidemiological survey. BMJ 2016;352:i493"),
    means("doi:10.1038/nature13695", "without title", text="G. M. Findlay, Nature 513 (2014) 120."),
]  # fmt: skip

ADDED = [
    means("doi:10.1038/35057062", "a subtitle added, author, year and journal right", authors=["Lander ES"], year=2001,
          title="Initial sequencing and analysis of the human genome: implications for cancer therapy",
          journal="Nature"),
    means("doi:10.1016/s0140-6736(20)31180-6", "a subtitle that the source leaves out, and a retraction mark",
          authors=["Mehra MR"], year=2020, journal="Lancet", title="RETRACTED: Hydroxychloroquine or chloroquine with "
          "or without a macrolide for treatment of COVID-19: a multinational registry analysis"),
    means("doi:10.1016/s0140-6736(20)31180-6", "the same, raw", text="Mehra MR, Desai SS, Ruschitzka F, Patel AN. "
          "RETRACTED: Hydroxychloroquine or chloroquine with or without a macrolide for treatment of COVID-19: a "
          "multinational registry analysis. Lancet. 2020"),
    means("doi:10.1056/nejmoa1211103", "no possessive", authors=["Jonsson T"], year=2013,
          title="Variant of TREM2 associated with the risk of Alzheimer disease"),
    means("doi:10.18653/v1/n19-1423", "a title that breaks off", authors=["Devlin J"], year=2018,
          title="BERT: Pre-training of Deep Bidirectional Transformers"),
    means(ATTENTION, "a venue behind the title without a mark",
          text="Vaswani et al 2017 Attention is all you need NeurIPS"),
    means("doi:10.1056/nejmoa1211851", "one wrong word in a place of its own", text="Guerreiro R et al. TREM2 variants "
          "in Parkinson's disease. N Engl J Med 2013;368:117-27"),
]  # fmt: skip

GENOME, VARIANTS = "doi:10.1038/35057062", "doi:10.1056/nejmoa1211851"
LOOSE = [
    means(paper, f"raw: {text[:60]}", text=text)
    for paper, text in (
        (ATTENTION, "Attention is all you need"),
        (ATTENTION, "Attention Is All You Need"),
        (ATTENTION, "Attention is all you need (2017)"),
        (ATTENTION, "Attention is all you need by Ashish Vaswani"),
        (ATTENTION, "Attention is all you need, by Ashish Vaswani, Noam Shazeer and Niki Parmar (2017)"),
        (ATTENTION, "Attention is all you need. Vaswani A, Shazeer N. NeurIPS. 2017"),
        (ATTENTION, "Attention is all you need. Ashish Vaswani, Noam Shazeer, Niki Parmar. NeurIPS. 2017."),
        (GENOME, "Initial sequencing and analysis of the human genome. Lander ES, Linton LM. Nature. 2001"),
        (ATTENTION, "Vaswani 2017 Attention is all you need"),
        (ATTENTION, "Vaswani et al. 2017 Attention is all you need"),
        (ATTENTION, "Attention is all you need (Vaswani et al., 2017)"),
        (ATTENTION, "**Attention is all you need** – Vaswani et al., NeurIPS (2017)"),
        (ATTENTION, "**Attention is all you need** – Ashish Vaswani, Noam Shazeer, NeurIPS (2017)"),
        (VARIANTS, "TREM2 variants in Alzheimer's disease. N Engl J Med. 2013"),
        (GENOME, "Lander et al., Initial sequencing and analysis of the human genome"),
        (ATTENTION, "Vaswani A. “Attention is all you need”. arXiv 2017."),
        (VARIANTS, "TY  - JOUR\nTI  - TREM2 variants in Alzheimer's disease\nAU  - Guerreiro, Rita\nPY  - 2013\n"
         "JO  - N Engl J Med\nVL  - 368\nSP  - 117\nEP  - 127\nER  - "),
        (GENOME, "T1  - Initial sequencing and analysis of the human genome\nAU  - Lander\nPY  - 2001\nT2  - Nature"),
    )
]  # fmt: skip

STROKE = (
    "Triggering receptor expressed on myeloid cells 2 (TREM2) deficiency attenuates phagocytic activities of microglia "
    "and exacerbates ischemic damage in experimental stroke"
)
UNTITLED_LINES = [
    means(paper, f"raw, {text[:30]}", text=text)
    for paper, text in (
        ("doi:10.1126/science.1225829", "M. Jinek et al., Science 337, 816 (2012)."),
        ("doi:10.1126/science.1130776", "Luthcke, S. B., Zwally, H. J., Abdalati, W., et al. 2006, Sci, 314, 1286"),
        ("doi:10.1098/rstb.2004.1490",
         "R. M. Anderson, C. Fraser, A. C. Ghani et al., Phil. Trans. R. Soc. Lond. B 359, 1091 (2004)."),
        (GENOME, "E. S. Lander et al. (The Genome Sequencing Consortium), Nature (London) 409, 860 (2001)."),
        ("doi:10.1056/nejmoa1211103", "T Jonsson; H Stefansson; Vaiant of TREM2 associated with the risk of "
         "Alzheimer's disease; New England Journal of Medicine; 2013; 368; 107-116"),
        ("doi:10.1029/2001jb001124", "Flowers GE y cols. A multicomponent coupled model of glacier hydrology 2. "
         "Application to Trapridge Glacier, Yukon, Canada. J. Geophys. Res. 2002; 107: 2288."),
        ("doi:10.1002/jgrf.20076", "<li id='7'><span class='names'>Nowicki S, Fontana AM, et al</span>. Insights into "
         "spatial sensitiviies of ice mass response to environmental change from the SeaRISE ice sheet modeling "
         "project: II. Greenland. <i>J. Geophys. Res.: Earth Surface</i>. 2013;<b>118</b>:1025–1044.</li>"),
        ("doi:10.1084/jem.20141732", "K. Wu et al., J Exp Med 212, 681 (2015)."),
        ("doi:10.1523/jneurosci.2620-14.2015",
         "Kawabori et al. (2015) showed that TREM2 deficiency attenuates phagocytosis [Kawabori M, Kacimi R, et al. "
         f"\"{STROKE}.\" J Neurosci 35 (2015): 3384–3396.]"),
        ("doi:10.1145/2745802.2745824",
         "C. Marshall and P. Brereton, “Systematic review toolbox,” in EASE, 2015, Art. no. 23."),
    )
]  # fmt: skip

REFERENCES: list[Reference] = [
    *UNTITLED_LINES,
    *LOOSE,
    *EXACT,
    *WRONG,
    *ADDED,
    *TRANSLATED,
    *WITHOUT_TITLE,
    *RAW,
    *REFUSED,
]
