"""The syntax of Ovid, Scopus, Web of Science and Google: read where it has an equal, never searched for as words."""

from __future__ import annotations

from typing import Any

from tests.ways_of_asking.way import Way

KIND = "Other services' syntax"
_AS_WORDS = (
    r"(?i)title.abs.key|\badj\d|near/\d|\bw/\d|pubyear|limit.to|(?<!search )\bexp\b|intitle|filetype|nature\.com"
)


def _read(typed: str, why: str, **expected: Any) -> Way:
    return Way(typed=typed, why=why, **{"hint": "syntax", "never": (_AS_WORDS,), **expected})


_HEADING = {"pubmed": r'(?i)"Dementia"\[mh\]', "europe_pmc": 'MESH:"Dementia"'}
WAYS = (
    _read("exp Dementia/", "Ovid: a subject heading with those below it.", exact=_HEADING),
    _read(
        "Alzheimer Disease/ and TREM2.ti.",
        "Ovid: a heading alone, a word of the title, and a small `and`.",
        exact={"pubmed": (r'"Alzheimer Disease"\[mh:noexp\]', r"TREM2\[ti\]"), "europe_pmc": "TITLE:TREM2"},
    ),
    _read(
        "(TREM2 or CD33).ti,ab.",
        "Ovid: fields behind a group.",
        means="TREM2 | CD33",
        exact={"europe_pmc": "TITLE_ABS:TREM2", "pubmed": r"TREM2\[tiab\]", "arxiv": "abs:CD33"},
    ),
    _read(
        "innate immunity.mp. and tau.tw.", "Ovid: words side by side are a phrase.", means='"innate immunity" & tau'
    ),
    _read("TREM2 adj3 microglia", "Ovid: near one another, which no source has.", means="TREM2 & microglia"),
    _read(
        "neurodegenerat$ and TREM2.tw.",
        "Ovid: a truncated word.",
        exact={"pubmed": r"neurodegenerat\*", "europe_pmc": r"neurodegenerat\*", "arxiv": r"neurodegenerat\*"},
    ),
    _read(
        "TITLE-ABS-KEY(TREM2 AND microglia) AND PUBYEAR > 2014",
        "Scopus: fields before a group, and years.",
        means="TREM2 & microglia",
        exact={"pubmed": r"2015:2099\[dp\]", "europe_pmc": r"PUB_YEAR:\[2015 TO 2099\]", "arxiv": "abs:TREM2"},
    ),
    _read(
        'TITLE-ABS-KEY ( "prime editing" W/5 plant* ) AND ( LIMIT-TO ( PUBYEAR,2020 ) )',
        "Scopus: blanks as its website writes them, a distance, a limit.",
        exact={"europe_pmc": 'TITLE_ABS:"prime editing"', "pubmed": r'"prime editing"\[tiab:~0\]'},
    ),
    _read(
        "AUTH(Colonna) AND TITLE(TREM2)",
        "Scopus: an author and a title.",
        means="TREM2",
        exact={"pubmed": (r'Colonna"?\[au\]', r"TREM2\[ti\]"), "europe_pmc": 'AUTH:"Colonna"'},
    ),
    _read(
        "TS=(TREM2 AND microglia) AND PY=2015-2021",
        "Web of Science: a topic and years.",
        means="TREM2 & microglia",
        exact={"pubmed": r"2015:2021\[dp\]", "europe_pmc": r"PUB_YEAR:\[2015 TO 2021\]"},
        never=(_AS_WORDS, r"\bTS\b"),
    ),
    _read(
        'TI="prime editing" AND AU=(Liu DR OR Anzalone A)',
        "Web of Science: a title and authors.",
        means='"prime editing"',
        exact={"europe_pmc": ('TITLE:"prime editing"', 'AUTH:"Liu DR"'), "pubmed": r'"?Anzalone A"?\[au\]'},
    ),
    _read("TREM2 NEAR/3 microglia", "Web of Science: a distance.", means="TREM2 & microglia"),
    _read(
        "intitle:TREM2 microglia",
        "Google: a word of the title.",
        means="TREM2 & microglia",
        exact={"europe_pmc": "TITLE:TREM2", "pubmed": r"TREM2\[ti\]"},
    ),
    _read(
        "TREM2 microglia site:nature.com filetype:pdf",
        "Google: what no source knows is left out.",
        telling="TREM2 microglia",
    ),
    _read(
        "(TREM2 OR CD33) since 2015",
        "In an expression, which is not a title, the years are a term for what they stand beside.",
        means="TREM2 | CD33",
        exact={
            "pubmed": r"\(TREM2 OR CD33\) AND 2015:2099\[dp\]",
            "europe_pmc": r"TITLE_ABS:CD33\) AND PUB_YEAR:\[2015 TO 2099\]",
        },
    ),
    _read(
        "TREM2 OR CD33 since 2015",
        "Without the parentheses, only for the last side of OR, as any other term there.",
        exact={
            "pubmed": r"TREM2 OR \(CD33 AND 2015:2099\[dp\]\)",
            "semantic_scholar": r"TREM2 \| CD33",
            "openalex": r"\(TREM2 OR CD33\)",
            "arxiv": r"abs:TREM2\) OR \(\(ti:CD33 OR abs:CD33\) AND submittedDate:\[2015",
            "europe_pmc": r"\(TITLE_ABS:CD33 AND PUB_YEAR:\[2015 TO 2099\]\)",
        },
    ),
    _read("TREM2 2015..2021", "Google: a range of years.", means="TREM2", exact={"pubmed": r"2015:2021\[dp\]"}),
    _read("microglia -mouse", "A minus before a word excludes it.", means="microglia & ~mouse"),
    _read("TREM2 microglia -mouse -rat", "Two such words.", means="TREM2 & microglia & ~mouse & ~rat"),
    _read('"prime editing" -plant', "With a phrase.", means='"prime editing" & ~plant'),
    _read("TREM2 | CD33", "A bar between words.", means="TREM2 | CD33"),
    _read("(tau | amyloid) TREM2", "A bar in parentheses.", means="(tau | amyloid) & TREM2"),
    Way(
        typed="TNF -alpha microglia",
        why="A torn compound: `alpha` is not excluded; a hint has the query that does.",
        telling="TNF alpha microglia",
        hint="operators",
    ),
    Way(
        typed="TREM2 or CD33",
        why="Operators are written in capitals: a hint has the query that uses them.",
        telling="TREM2 CD33",
        dropped="or",
        hint="operators",
    ),
    _read(
        "attention AND transformer site:arxiv.org",
        "Google's limit to a site behind an expression.",
        means="attention & transformer",
        among=("1706.03762",),
    ),
    Way(
        typed="T -cell exhaustion", why="The same behind a letter.", telling="cell exhaustion", hint="operators"
    ),
    Way(
        typed="Attention is all you need | NeurIPS",
        why="A page's title: the bar divides more than words.",
        telling="Attention NeurIPS",
        hint="operators",
    ),
    Way(typed="storage at -80 °C stability", why="A negative number.", telling="storage stability"),
    Way(typed="HIV/AIDS prevention", why="A slash within a word ends no heading.", telling="prevention"),
    Way(typed="site:nature.com", why="Nothing is left to search for.", refused=True),
)  # fmt: skip
