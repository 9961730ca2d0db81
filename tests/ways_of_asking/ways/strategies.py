"""Whole search strategies of librarians: Embase, the Cochrane Library, numbered lines, wildcards inside words."""

from __future__ import annotations

from typing import Any

from tests.ways_of_asking.way import Way

KIND = "Search strategies"
_AS_WORDS = r"(?i)/(?:exp|de|lim|py)\b|:ti,ab|\bnear/|\[mh? \"?[A-Z]|\bdoctype\b|\bsubjarea\b|\bwc="


def _read(typed: str, why: str, **expected: Any) -> Way:
    return Way(typed=typed, why=why, **{"hint": "syntax", "never": (_AS_WORDS,), **expected})


_HEADING = {"pubmed": r'"Dementia"\[mh\]', "europe_pmc": 'MESH:"Dementia"'}
WAYS = (
    _read(
        "'alzheimer disease'/exp AND 'TREM2':ti,ab",
        "Embase: one of its own headings, which MeSH may lack, so that its words count as well.",
        means='"alzheimer disease" & TREM2',
        exact={
            "pubmed": (r'"alzheimer disease"\[mh\] OR "alzheimer disease"\[tiab', r'"TREM2"\[tiab\]'),
            "europe_pmc": 'MESH:"alzheimer disease"',
        },
    ),
    _read(
        "'dementia'/de AND [humans]/lim AND [2010-2020]/py AND [embase]/lim",
        "Embase: limits.",
        exact={"pubmed": (r"humans\[Filter\]", r"2010:2020\[dp\]"), "europe_pmc": 'MESH:"humans"'},
        never=(_AS_WORDS, "embase"),
    ),
    _read(
        "(microglia NEAR/3 TREM2):ti,ab,kw",
        "Embase: fields behind a group.",
        means="microglia & TREM2",
        exact={"europe_pmc": "TITLE_ABS:", "pubmed": r"microglia\[tiab\]"},
    ),
    _read('[mh "Dementia"] AND TREM2:ti,ab,kw', "Cochrane: a heading.", exact=_HEADING),
    _read('[mh ^"Dementia"]', "Cochrane: without those below it.", exact={"pubmed": r'"Dementia"\[mh:noexp\]'}),
    _read(
        "(microgli* near/2 activat*):ti", "Cochrane: a distance.", exact={"europe_pmc": r"TITLE:microgli\* AND TITLE:"}
    ),
    _read("MeSH descriptor: [Dementia] explode all trees", "Cochrane: as its pages list it.", exact=_HEADING),
    _read(
        "1. exp Dementia/ (1204)\n2. (TREM2 or CD33).ti,ab. (312)\n3. 1 and 2\n"
        '4. limit 3 to (english language and yr="2010 -Current")',
        "Ovid: numbered lines are one expression, that of the last.",
        exact={
            "pubmed": (r'"Dementia"\[mh\]', r"TREM2\[tiab\] OR CD33\[tiab\]", r"english\[la\]", r"2010:2099\[dp\]"),
            "europe_pmc": (r'MESH:"Dementia"', r'LANG:"eng"'),
        },
        never=(_AS_WORDS, r"(?i)\b1204\b|\blimit\b"),
    ),
    _read(
        "#1 'dementia'/exp #2 TREM2:ti,ab #3 CD33:ti,ab #4 #1 AND (#2 OR #3)",
        "Embase: the same with #.",
        means="dementia & (TREM2 | CD33)",
    ),
    _read(
        "1. microglia 2. TREM2 3. CD33 4. or/2-3 5. 1 and 4",
        "Ovid: a range of lines.",
        means="microglia & (TREM2 | CD33)",
    ),
    _read(
        'trem2.mp. and limit 1 to yr="2015 -Current"',
        "Ovid: a limit in the line that it is meant for.",
        exact={"pubmed": (r"trem2\[tiab\]", r"2015:2099\[dp\]")},
        never=(_AS_WORDS, r"(?i)\blimit\b|current"),
    ),
    Way(typed="#1 AND #2 AND #3", why="Lines without their text: refused with the reason.", refused=True),
    Way(typed="limit 5 to (english language)", why="The same of one line.", refused=True),
    Way(
        typed="1. Introduction 2. Methods 3. Microglia",
        why="Numbers that are not a strategy.",
        telling="Introduction Microglia",
    ),
    _read("wom?n AND dementia", "A wildcard inside a word: both forms.", means="(woman | women) & dementia"),
    _read("behavio#r AND microglia", "Ovid's other sign.", means="(behavior | behaviour) & microglia"),
    _read(
        "(tumo$r or p?ediatric*).tw.",
        "Web of Science's.",
        exact={"pubmed": (r"tumour\[tiab\]", r"paediatric\*\[tiab\]")},
    ),
    Way(typed="Does TREM2 matter?Yes", why="A question mark inside a word that is none.", telling="TREM2"),
    _read(
        'TITLE-ABS-KEY("prime editing") AND DOCTYPE(ar) AND SUBJAREA(BIOC)',
        "Scopus: a type of papers; what has no equal is left out.",
        exact={"pubmed": r'"prime editing"\[tiab.* AND "journal article"\[pt\]', "openalex": '"prime editing"'},
    ),
    _read(
        "ALL=(microglia*) AND WC=(Neurosciences)", "Web of Science: the same.", exact={"pubmed": r"microglia\*\[tiab\]"}
    ),
    _read(
        'ti="prime editing" and au="Liu DR"',
        "Small letters.",
        means='"prime editing"',
        exact={"europe_pmc": 'AUTH:"Liu DR"'},
    ),
    Way(
        typed="title:TREM2 AND year_published:[2015 TO 2020]",
        why="Lens: its field for years.",
        means="TREM2",
        exact={"pubmed": r"2015:2020\[dp\]", "europe_pmc": r"PUB_YEAR:\[2015 TO 2020\]"},
    ),
    _read(
        'SU.EXACT("Dementia") AND ti(TREM2 NEAR/3 microglia) AND pd(20150101-20201231)',
        "ProQuest: fields before parentheses; a heading of its own thesauri, so that its words count as well.",
        exact={
            "pubmed": (r'"Dementia"\[mh:noexp\] OR "Dementia"\[tiab', r"TREM2\[ti\]", r"2015:2020\[dp\]"),
            "europe_pmc": ("TITLE:TREM2 AND TITLE:microglia", r"PUB_YEAR:\[2015 TO 2020\]"),
        },
        never=(_AS_WORDS, r"(?i)su\.exact|20150101-"),
    ),
    _read("microglia && TREM2", "Doubled signs of programming languages.", means="microglia & TREM2"),
)
