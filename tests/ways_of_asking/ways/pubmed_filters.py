"""PubMed's headings, filters and names as its website writes them: for other sources what means the same."""

from __future__ import annotations

from tests.ways_of_asking.way import Way

KIND = "PubMed's filters"

WAYS = (
    Way(
        typed='"Diabetes Mellitus, Type 2/therapy"[Mesh]',
        why="A subheading and an inverted name exist in no text: the heading, or its words.",
        exact={
            "pubmed": r'"Diabetes Mellitus, Type 2/therapy"\[Mesh\]',
            "europe_pmc": 'MESH:"Diabetes Mellitus, Type 2"',
            "arxiv": "ti:Diabetes",
        },
        warned={"europe_pmc": "subheadings", "openalex": "headings", "arxiv": "headings"},
    ),
    Way(
        typed="dementia[mh] AND (steroids/adverse effects[mh])",
        why="The same without quotation marks.",
        exact={"pubmed": r"steroids/adverse effects\[mh\]", "europe_pmc": 'MESH:"steroids"'},
    ),
    Way(
        typed='"microglia TREM2"[tiab:~3]',
        why="A distance, which the others lack: both words.",
        exact={"pubmed": r'"microglia TREM2"\[tiab:~3\]', "europe_pmc": r"TITLE_ABS:\(microglia AND TREM2\)"},
        never=(r'ti:"microglia TREM2"|TITLE_ABS:"microglia TREM2"',),
    ),
    Way(
        typed="microglia AND (y_5[Filter])",
        why="Years counted from today are read as the first year.",
        telling="microglia",
        never=(r"y_5",),
        hint="filters",
    ),
    Way(
        typed='microglia AND ("last 5 years"[PDat])',
        why="The same as the website wrote it before.",
        telling="microglia",
        never=(r"(?i)last 5",),
        hint="filters",
    ),
    Way(
        typed="microglia AND english[Filter] AND free full text[sb]",
        why="A language and free copies.",
        exact={
            "pubmed": (r"english\[Filter\]", r"free full text\[sb\]"),
            "europe_pmc": ('LANG:"eng"', "OPEN_ACCESS:Y"),
            "openalex": ("language:en", "open_access.is_oa:true"),
        },
    ),
    Way(
        typed="microglia AND (clinicaltrial[Filter] OR meta-analysis[Filter])",
        why="Types of publications.",
        exact={
            "pubmed": r"clinicaltrial\[Filter\]",
            "europe_pmc": 'PUB_TYPE:"clinical trial" OR PUB_TYPE:"meta-analysis"',
        },
        warned={"arxiv": "clinicaltrial"},
    ),
    Way(
        typed="microglia AND systematic[sb]",
        why="PubMed's strategy for systematic reviews; the type of publication elsewhere.",
        exact={"pubmed": r"systematic\[sb\]", "europe_pmc": 'PUB_TYPE:"systematic review"'},
    ),
    Way(
        typed="microglia AND humans[Filter]",
        why="A heading that texts do not say: no word for the others.",
        exact={"pubmed": r"humans\[Filter\]", "europe_pmc": 'MESH:"humans"'},
        never=(r"abs:humans|AND humans\)",),
        warned={"openalex": "humans", "arxiv": "humans"},
    ),
    Way(
        typed="10.1056/NEJMoa1211851[aid]",
        why="A DOI with PubMed's tag is looked up.",
        lookup=("10.1056/nejmoa1211851",),
        first="10.1056/nejmoa1211851",
        never=(r"(?i)\[aid|%5Baid",),
        hint="identifier",
    ),
    Way(
        typed='author:"M Colonna" TREM2',
        why="Scholar's order of a name: each source gets its own.",
        means="TREM2",
        exact={"pubmed": r"Colonna M\[au\]", "europe_pmc": 'AUTH:"Colonna M"'},
    ),
    Way(
        typed="au:vaswani_a AND ti:attention",
        why="arXiv's underscore before an initial.",
        exact={"pubmed": r"(?i)Vaswani A\[au\]", "europe_pmc": '(?i)AUTH:"Vaswani A"', "arxiv": r'au:"vaswani a\*"'},
        first="1706.03762",
    ),
    Way(
        typed="vitamin D deficiency AND dementia",
        why="A letter that is a name, and in French an article.",
        exact={"europe_pmc": "vitamin AND d AND deficiency", "arxiv": "ti:d "},
    ),
    Way(
        typed="the effect of vitamin A on dementia",
        why="A letter that is an article elsewhere.",
        exact={"europe_pmc": "vitamin AND a AND dementia", "openalex": "vitamin AND a AND dementia"},
    ),
)
