"""Tags of PubMed, Europe PMC and arXiv: unchanged to the source that owns them, translated or named in warnings."""

from __future__ import annotations

from tests.ways_of_asking.way import Way

KIND = "Field tags"
# On TREM2, in journals whose names have `Nature` or another's in them.
_OF_SIMILAR_JOURNALS = (
    "10.1038/s41591-019-0695-9",
    "10.1038/s41467-020-19227-5",
    "10.1016/j.neurobiolaging.2013.06.005",
)

WAYS = (
    Way(
        typed="TREM2[tiab] AND microglia[mh]",
        why="PubMed's tags reach PubMed as they are.",
        exact={"pubmed": (r"TREM2\[tiab\]", r"microglia\[mh\]"), "europe_pmc": "TITLE_ABS:", "arxiv": r"ti:TREM2"},
        means="TREM2 & microglia",
    ),
    Way(
        typed='"Alzheimer Disease"[Mesh]',
        why="A subject heading.",
        exact={"pubmed": r'(?i)"Alzheimer Disease"\[mesh\]', "europe_pmc": r"(?i)alzheimer disease"},
        never=(r"(?i)\bAND mesh\b",),
    ),
    Way(
        typed="TREM2[ti]",
        why="Words of the title.",
        means="TREM2",
        exact={
            "pubmed": r"TREM2\[ti\]",
            "europe_pmc": r"TITLE:\(?\"?TREM2",
            "arxiv": r"ti:TREM2",
            "openalex": r"title\b[^&]*TREM2|search\.title",
        },
    ),
    Way(
        typed='"prime editing"[tiab]',
        why="A tagged phrase.",
        means='"prime editing"',
        exact={"pubmed": r'"prime editing"\[tiab\]'},
    ),
    Way(
        typed="Colonna M[au] AND TREM2[tiab]",
        why="An author by tag.",
        means="TREM2",
        exact={"pubmed": r"Colonna M\[au\]", "europe_pmc": r'(?i)AUTH:"?Colonna', "arxiv": r'(?i)au:"?colonna'},
        never=(r"(?i)TITLE_ABS:\(?[^)]*colonna",),
    ),
    Way(
        typed="Marco C[au]",
        why="The tag holds a family name and initials, in the order in which PubMed prints them.",
        exact={"pubmed": r"Marco C\[au\]", "europe_pmc": 'AUTH:"Marco C', "arxiv": 'au:"?Marco'},
    ),
    Way(
        typed="TREM2 AND 2015:2020[dp]",
        why="A range of years by tag.",
        means="TREM2",
        exact={"pubmed": r"2015:2020\[dp\]"},
        never=(r"(?i)\bAND dp\b",),
    ),
    Way(
        typed="microglia[mh] AND review[pt]",
        why="A type of publication by tag.",
        exact={"pubmed": r"review\[pt\]"},
        never=(r"(?i)\bAND pt\b",),
    ),
    Way(typed="TREM2 AND english[la]", why="A language by tag.", means="TREM2", exact={"pubmed": r"english\[la\]"}),
    Way(
        typed='TREM2 AND "N Engl J Med"[ta]',
        why="A journal by tag.",
        means="TREM2",
        exact={"pubmed": r'"N Engl J Med"\[ta\]', "europe_pmc": r'JOURNAL:"N Engl J Med"'},
    ),
    Way(
        typed="TREM2[Title/Abstract] OR CD33[Title/Abstract]",
        why="The long name of a tag, as the website writes it.",
        means="TREM2 | CD33",
        exact={"pubmed": r"(?i)TREM2\[title/abstract\]"},
    ),
    Way(
        typed="neoplasms[majr] NOT mice[mh:noexp]",
        why="Tags of subject headings.",
        exact={"pubmed": (r"neoplasms\[majr\]", r"mice\[mh:noexp\]")},
    ),
    Way(
        typed="TITLE:TREM2",
        why="Europe PMC's field reaches Europe PMC, and PubMed as [ti].",
        means="TREM2",
        exact={"europe_pmc": r"TITLE:\(?\"?TREM2", "pubmed": r"TREM2\[ti\]", "arxiv": r"ti:TREM2"},
        never=(r"(?i)\btitle TREM2|title:TREM2\b(?<!TITLE:TREM2)",),
    ),
    Way(
        typed='TITLE:"prime editing" AND AUTH:"Liu DR"',
        why="A phrase in a field, and an author.",
        means='"prime editing"',
        exact={"europe_pmc": (r'TITLE:"prime editing"', r'AUTH:"Liu DR"'), "pubmed": r'(?i)Liu DR"?\[au\]'},
    ),
    Way(
        typed="TITLE_ABS:(microglia AND TREM2)",
        why="A group in a field.",
        means="microglia & TREM2",
        exact={"europe_pmc": "TITLE_ABS:"},
    ),
    Way(
        typed="ABSTRACT:plaques AND TREM2",
        why="The abstract alone.",
        means="plaques & TREM2",
        exact={"europe_pmc": "ABSTRACT:plaques", "arxiv": "abs:plaques"},
    ),
    Way(
        typed="TREM2 AND PUB_YEAR:[2015 TO 2020]",
        why="Europe PMC's range of years.",
        means="TREM2",
        exact={"europe_pmc": r"PUB_YEAR:\[2015 TO 2020\]"},
    ),
    Way(
        typed="TREM2 AND OPEN_ACCESS:Y",
        why="A filter of Europe PMC.",
        means="TREM2",
        exact={"europe_pmc": r"OPEN_ACCESS:\"?[Yy]"},
        warned={"arxiv": "OPEN_ACCESS"},
    ),
    Way(
        typed='TREM2 AND JOURNAL:"Nature"',
        why="A journal by field.",
        means="TREM2",
        exact={"europe_pmc": r'JOURNAL:"Nature"', "pubmed": r'(?i)"?Nature"?\[ta\]'},
        fields={"max_results": 100},
        among=("10.1038/nature21029",),
        absent=_OF_SIMILAR_JOURNALS,
    ),
    Way(
        typed="(Cell[ta] OR Nature[ta]) AND TREM2",
        why="Either of two journals; sources without the field leave it out, and the records are checked.",
        means="TREM2",
        exact={"pubmed": r"Cell\[ta\] OR Nature\[ta\]"},
        fields={"max_results": 100},
        among=("10.1016/j.cell.2015.01.049",),
        absent=_OF_SIMILAR_JOURNALS,
    ),
    Way(
        typed="ti:attention AND cat:cs.CL",
        why="arXiv's fields reach arXiv; a category exists nowhere else.",
        means="attention",
        exact={"arxiv": (r"ti:attention", r"cat:cs\.CL")},
        warned={"pubmed": "cat:", "europe_pmc": "cat:"},
    ),
    Way(
        typed="au:vaswani AND ti:attention",
        why="arXiv's author.",
        means="attention",
        exact={
            "arxiv": (r'au:"?vaswani', r"ti:attention"),
            "pubmed": r"(?i)vaswani\[au\]",
            "europe_pmc": r'(?i)AUTH:"?vaswani',
        },
        first="1706.03762",
    ),
    Way(
        typed='ti:"attention is all you need"',
        why="A title as arXiv writes it.",
        exact={
            "arxiv": r'(?i)ti:"attention is all you need"',
            "pubmed": r'(?i)"attention is all you need"\[ti(:~0)?\]',
            "europe_pmc": r'(?i)TITLE:"attention is all you need"',
        },
        first="1706.03762",
    ),
    Way(
        typed="abs:transformer ANDNOT ti:vision",
        why="arXiv's own operator between its fields.",
        means="transformer & ~vision",
        exact={"arxiv": r"abs:transformer"},
    ),
    Way(
        typed="all:electron AND cat:quant-ph",
        why="All fields.",
        means="electron",
        exact={"arxiv": (r"electron", r"cat:quant-ph")},
    ),
    Way(
        typed="TI:TREM2 AND AU:Colonna",
        why="Other capitals than arXiv's manual.",
        means="TREM2",
        exact={"arxiv": r"(?i)ti:TREM2"},
    ),
    Way(
        typed="title:TREM2",
        why="Small letters for Europe PMC's field.",
        means="TREM2",
        exact={"europe_pmc": r"TITLE:\(?\"?TREM2"},
    ),
    Way(
        typed="TREM2[foo] microglia",
        why="A tag that no source has is left out, with a hint.",
        telling="TREM2 microglia",
        unsearched="foo",
        hint="syntax",
    ),
    Way(
        typed="author:Colonna TREM2",
        why="Between tag and word: read as an author.",
        means="TREM2",
        exact={"europe_pmc": r"(?i)AUTH:\"?Colonna"},
        never=("AUTHOR:",),
    ),
)
