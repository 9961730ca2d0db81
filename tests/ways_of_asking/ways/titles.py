"""Titles, whole and altered: the paper comes first, and sources with a search of titles get one."""

from __future__ import annotations

from tests.ways_of_asking.way import Way

KIND = "Titles"


def _title(typed: str, why: str, first: str, **expected: object) -> Way:
    return Way(typed=typed, why=why, first=first, **{"title": True, **expected})  # type: ignore[arg-type]


WAYS = (
    _title(
        "Attention is all you need",
        "Nearly all words are function words: only the title's field finds it.",
        "1706.03762",
    ),
    _title("ATTENTION IS ALL YOU NEED", "In capitals.", "1706.03762"),
    _title("attention is all you need.", "Small letters and a full stop.", "1706.03762"),
    _title(
        '"Attention is all you need"',
        "In quotation marks: a phrase.",
        "1706.03762",
        title=False,
        means='"attention is all you need"',
    ),
    _title(
        "“Attention is all you need”",
        "In typographic quotation marks.",
        "1706.03762",
        title=False,
        means='"attention is all you need"',
    ),
    _title(
        "Attention is not Explanation",
        "A small `not` is a word; the nearly equal title comes second.",
        "10.18653/v1/n19-1357",
    ),
    _title("Attention is not not Explanation", "Two of them.", "10.18653/v1/d19-1002"),
    _title(
        "What Does BERT Look at? An Analysis of BERT's Attention",
        "A question mark in the middle.",
        "10.18653/v1/w19-4828",
    ),
    _title(
        "Variant of TREM2 associated with the risk of Alzheimer's disease", "An apostrophe.", "10.1056/nejmoa1211103"
    ),
    _title(
        "Variant of TREM2 associated with the risk of Alzheimer’s disease",
        "A typographic apostrophe.",
        "10.1056/nejmoa1211103",
    ),
    _title(
        "TREM2 variants in Alzheimer's disease",
        "A short title that many papers hold the words of.",
        "10.1056/nejmoa1211851",
    ),
    _title(
        "Apolipoprotein E Is a Ligand for Triggering Receptor Expressed on Myeloid Cells 2 (TREM2)",
        "An acronym in parentheses is not a group.",
        "10.1074/jbc.m115.679043",
    ),
    _title(
        "[Mechanism of bone mineral loss in microgravity].",
        "In square brackets, as translated titles are printed.",
        "12501715",
    ),
    _title(
        "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
        "A colon is not a field.",
        "10.18653/v1/n19-1423",
    ),
    _title("BERT: Pre-training of Deep Bidirectional Transformers", "Without its end.", "10.18653/v1/n19-1423"),
    _title("Google's Neural Machine Translation System", "Without its subtitle.", "1609.08144"),
    _title("Show, Attend and Tell", "Without its subtitle; commas.", "1502.03044", title=False),
    _title(
        "TREM2 variants: new keys to decipher Alzheimer disease pathogenesis",
        "A colon after a symbol.",
        "10.1038/nrn.2016.7",
    ),
    _title("Tau in physiology and pathology", "A short title with a small `and`.", "10.1038/nrn.2015.1"),
    _title("The Human Cell Atlas", "An article and three common words.", "10.7554/elife.27041"),
    _title("Point Transformer", "Two words are a title, too.", "10.1109/access.2021.3116304", title=False),
    _title("ImageNet Large Scale Visual Recognition Challenge", "No function word.", "10.1007/s11263-015-0816-y"),
    _title(
        "Hydroxychloroquine or chloroquine with or without a macrolide for treatment of COVID-19: a multinational "
        "registry analysis",
        "A small `or`, and a subtitle that the record lacks.",
        "10.1016/s0140-6736(20)31180-6",
    ),
    _title(
        "Capital Regulation, Risk-Taking and Monetary Policy: A Missing Link in the Transmission Mechanism?",
        "Commas, a hyphen, a colon and a question mark.",
        "10.1016/j.jfs.2011.12.003",
    ),
    _title(
        "NLRP3 is activated in Alzheimer's disease and contributes to pathology in APP/PS1 mice",
        "A slash.",
        "10.1038/nature11729",
    ),
    _title(
        "Crystal structure of mouse triggering receptor expressed on myeloid cells 1 (TREM-1) at 1.76 A",
        "Parentheses and a decimal point.",
        "10.1016/j.jmb.2004.10.009",
    ),
    _title(
        "Risk-Of-Bias VISualization (robvis): an R package and Shiny web app",
        "Parentheses before a colon.",
        "10.1002/jrsm.1411",
    ),
    _title(
        "RoB 2: A Revised Tool for Assessing Risk of Bias in Randomised Trials",
        "A number before the colon.",
        "10.1136/bmj.l4898",
    ),
    _title(
        "Highly acurate protein structure prediction with AlphaFold",
        "A letter is missing.",
        "10.1038/s41586-021-03819-2",
        title=False,
    ),
    _title(
        "Predicting Splicing from Primary Sequnece with Deep Learning",
        "Two letters changed places.",
        "10.1016/j.cell.2018.12.015",
        title=False,
    ),
    _title(
        "Jumper et al. 2021 Highly accurate protein structure prediction with AlphaFold",
        "With the author and year before it.",
        "10.1038/s41586-021-03819-2",
        title=False,
    ),
    _title("Network‐based prediction of protein function", "A typographic hyphen.", "10.1038/msb4100129"),
    _title(
        "Effect of Dexamethasone in Hospitalized Patients with COVID-19 – Preliminary Report",
        "A dash between blanks.",
        "10.1101/2020.06.22.20137273",
    ),
    _title(
        "A specific amyloid-β protein assembly in the brain impairs memory", "A Greek letter.", "10.1038/nature04533"
    ),
    _title(
        "A specific amyloid-beta protein assembly in the brain impairs memory",
        "The letter by its name.",
        "10.1038/nature04533",
        title=False,
    ),
    _title(
        "意味的類似度を用いたテキストからの未知知見検出法",
        "Japanese, without its subtitle.",
        "10.31234/osf.io/hq8sd_v1",
        title=False,
    ),
    _title("模糊测试技术研究", "Chinese, one run without blanks.", "10.1360/n112014-00137", title=False),
    _title("북핵 문제의 성격과 해결을 위한 전략 구상", "Korean.", "10.17331/kwp.2009.25.4.004", title=False),
    _title("Microbiologische diagnostiek in de paradontologie", "Dutch.", "11885531", title=False),
    _title("Zur Pharmakologie der Phosphorsäureester", "German, without its subtitle.", "13072632", title=False),
    _title(
        "O vliianii neposredstvennogo razdrazheniia gippokampa na reflektornye reaktsii zhivotnykh",
        "Russian in Latin letters.",
        "5757641",
    ),
    _title(
        "Retraction Note: A specific amyloid-β protein assembly in the brain impairs memory",
        "The notice itself, not the paper.",
        "10.1038/s41586-024-07691-8",
    ),
)
