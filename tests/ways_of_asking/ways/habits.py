"""Habits from search engines, assistants and pages: short forms, files, designs of studies, line breaks, lists."""

from __future__ import annotations

from tests.ways_of_asking.way import SOURCES, Way

KIND = "Habits"
_TREM2, _DOI = "10.1056/nejmoa1211851", "10.1056/NEJMoa1211851"

_PARTED = ("pubmed", "semantic_scholar", "openalex", "crossref")  # what asks parts the words there


def _id(typed: str, why: str, looked_up: str, first: str) -> Way:
    return Way(typed=typed, why=why, lookup=(looked_up,), first=first, hint="identifier")


WAYS = (
    Way(
        typed="whats the role of TREM2 in alzheimers",
        why="A question without its apostrophes.",
        telling="TREM2",
        dropped="whats the role of in",
    ),
    Way(typed="What's TREM2?", why="A short form is grammar.", telling="TREM2", dropped="what's what s"),
    Way(
        typed="give me 10 papers about TREM2",
        why="A number of papers is not a word to search for.",
        telling="TREM2",
        dropped="give me 10 papers about",
    ),
    Way(
        typed="top 10 articles on prime editing",
        why="The same without a verb.",
        telling="prime editing",
        dropped="top 10 articles on",
    ),
    Way(
        typed="attention is all you need pdf download",
        why="What is wanted is a file: a hint names the filter of open access.",
        telling="attention",
        dropped="pdf download",
        title=False,
        first="10.48550/arxiv.1706.03762",
        hint="filters",
    ),
    Way(typed="TREM2 free full text", why="The same.", telling="TREM2", dropped="free full text", hint="filters"),
    Way(
        typed="systematic review TREM2",
        why="A design is in titles as well: the words stay, and a hint names the type.",
        telling="TREM2 systematic review",
        hint="filters",
    ),
    Way(typed="TREM2 meta-analysis", why="The same behind the subject.", telling="TREM2", hint="filters"),
    Way(
        typed="papers by Ashish Vaswani",
        why="An author by a cue is the filter, and nothing to search for.",
        unsearched="papers by",
        hint="author",
        first="1706.03762",
        exact={"arxiv": r'au:"Vaswani A', "pubmed": r"Vaswani A\[au\]", "europe_pmc": r'AUTH:"Vaswani A"'},
        silent=("paperclip",),
    ),
    Way(
        typed="PICO: Population: COVID-19 patients; Intervention: dexamethasone; Comparison: placebo; Outcome: death",
        why="The name of the scheme is a label, too.",
        telling="COVID-19 dexamethasone",
        dropped="pico population intervention comparison outcome",
        among=("10.1101/2020.06.22.20137273",),
        hint="syntax",
    ),
    Way(
        typed="3. TREM2 variants in Alzheimer's disease",
        why="The number of a list is not a word of the title.",
        telling="TREM2 variants",
        dropped="3",
        title=False,
        first=_TREM2,
        hint="syntax",
    ),
    Way(
        typed="[12] TREM2 variants in Alzheimer's disease",
        why="The same in brackets.",
        telling="TREM2 variants",
        dropped="12",
        first=_TREM2,
        hint="syntax",
    ),
    Way(
        typed="Attention is\nall you\n   need",
        why="A title with the line breaks of a page.",
        telling="attention",
        title=True,
        first="10.48550/arxiv.1706.03762",
    ),
    Way(
        typed="influenza pandemic 1918-1919",
        why="Years of the subject are words: without them, other pandemics come.",
        telling="influenza pandemic",
        exact={"pubmed": "1918-1919", "openalex": "1918-1919", "europe_pmc": "1918-1919"},
    ),
    Way(
        typed="alcohol use in the past 12 months",
        why="A time that is asked about in surveys is not a date of publication.",
        telling="alcohol",
        exact={"pubmed": "12"},
    ),
    Way(
        typed="source:Nature TREM2",
        why="Google Scholar's journal: sources without the field leave it out, and the records are checked.",
        telling="TREM2",
        fields={"max_results": 100},
        among=("10.1038/nature21029",),
        absent=("10.1038/s41591-019-0695-9", "10.1016/j.neurobiolaging.2013.06.005"),
        hint="syntax",
    ),
    _id(f"doi:{_DOI}).", "What a sentence leaves behind an identifier.", _TREM2, _TREM2),
    _id(f"https: //doi.org/10.1056/ {_DOI[8:]}", "Parted by the line breaks of a page.", _TREM2, _TREM2),
    _id(f"DOI={_DOI}", "As catalogues write it.", _TREM2, _TREM2),
    _id("PubMed ID: 36107206", "The long name.", "36107206", "10.1084/jem.20212479"),
    _id("PMID = 36107206", "An equals sign.", "36107206", "10.1084/jem.20212479"),
    _id("arXiv:1706.03762v7 [cs.CL] 2 Aug 2023", "arXiv's stamp on the first page.", "1706.03762", "1706.03762"),
    _id(f"is {_DOI} retracted?", "A question about a paper.", _TREM2, _TREM2),
    _id(f"who cites {_DOI}", "Another.", _TREM2, _TREM2),
    Way(typed="(((", why="Signs alone are nothing to search for.", silent=SOURCES, refused=True),
    Way(
        typed='what is the role of "innate immunity" in dementia',
        why="A phrase in a question: the other words are those of a question.",
        telling="dementia",
        dropped="what role",
        exact={"europe_pmc": 'TITLE_ABS:"innate immunity" AND TITLE_ABS:dementia'},
        never=(r"AND (?:what|the|is) AND|\(what is",),
    ),
    Way(
        typed="is there a link between sleep and dementia in carers",
        why="What asks for a link.",
        telling="sleep dementia carers",
        dropped="link between",
    ),
    Way(
        typed="I am writing a thesis about microglia in sleep. Can you suggest some key papers?",
        why="Said to an assistant, before and behind the subject.",
        telling="microglia sleep",
        dropped="writing thesis suggest key papers",
    ),
    Way(typed="pls find papers abt microglia thx", why="Short forms.", telling="microglia", dropped="pls abt thx"),
    Way(
        typed="What are the side effects of lecanemab?",
        why="`effects` tells something behind `side`.",
        telling="side effects lecanemab",
    ),
    Way(typed="ما هو تأثير الصيام على مرض السكري؟", why="Arabic.", telling="الصيام مرض السكري", dropped="ما هو على"),
    Way(
        typed="アルツハイマー病の治療法は何ですか",
        why="Japanese.",
        exact=dict.fromkeys(_PARTED, "アルツハイマー病 治療法"),
    ),
    Way(
        typed="Gibt es Studien zu Mikroglia bei Demenz?",
        why="German: `studies` tells nothing.",
        telling="Mikroglia Demenz",
        dropped="gibt es studien zu bei",
    ),
)
