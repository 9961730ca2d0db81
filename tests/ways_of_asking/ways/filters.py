"""Filters and orders beside a query: each source that has the filter gets it in its own form."""

from __future__ import annotations

from typing import Any

from tests.ways_of_asking.way import Way

KIND = "Filters and orders"


def _with(why: str, query: str = "microglia", **expected: Any) -> Way:
    own = {name: value for name, value in expected.items() if name in Way.__dataclass_fields__}
    return Way(typed=query, why=why, fields={name: expected[name] for name in expected if name not in own}, **own)


WAYS = (
    _with(
        "Both ends of a range of days.",
        date_from="2019-01-01",
        date_to="2021-06-30",
        exact={
            "pubmed": r"2019/01/01:2021/06/30\[(dp|pdat)\]",
            "semantic_scholar": r"publicationDateOrYear=2019-01-01:2021-06-30",
            "openalex": ("from_publication_date:2019-01-01", "to_publication_date:2021-06-30"),
            "crossref": ("from-pub-date:2019(-01-01)?", "until-pub-date:2021-06(-30)?"),
            "europe_pmc": r"FIRST_PDATE:\[2019-01-01 TO 2021-06-30\]",
        },
    ),
    _with(
        "The same for a topic of arXiv.",
        "attention",
        date_from="2019-01-01",
        date_to="2021-06-30",
        exact={"arxiv": r"submittedDate:\[201901010000 TO 202106302359\]"},
    ),
    _with(
        "A year is all of it.",
        date_from="2020",
        date_to="2020",
        exact={
            "pubmed": r"2020/01/01:2020/12/31\[(dp|pdat)\]|\b2020(:2020)?\[(dp|pdat)\]",
            "openalex": (r"from_publication_date:2020-01-01|publication_year:2020",),
            "europe_pmc": r"FIRST_PDATE:\[2020-01-01 TO 2020-12-31\]|PUB_YEAR:\"?2020",
        },
    ),
    _with(
        "Open at its end.",
        date_from="2022",
        exact={
            "semantic_scholar": r"publicationDateOrYear=2022(-01-01)?:",
            "openalex": "from_publication_date:2022-01-01",
            "crossref": "from-pub-date:2022",
        },
    ),
    _with(
        "Open at its beginning.",
        date_to="2010",
        exact={
            "openalex": "to_publication_date:2010-12-31",
            "crossref": "until-pub-date:2010",
            "semantic_scholar": r"publicationDateOrYear=:2010",
        },
    ),
    _with("A day that does not exist is refused.", date_from="2021-02-30", refused=True),
    _with("The end before the beginning is refused.", date_from="2021", date_to="2020", refused=True),
    _with(
        "Free copies only.",
        open_access=True,
        exact={
            "pubmed": r"(?i)free full text\"?\[(sb|filter)\]",
            "semantic_scholar": "openAccessPdf",
            "openalex": r"(open_access\.)?is_oa:true",
            "europe_pmc": r"OPEN_ACCESS:\"?[Yy]",
        },
    ),
    _with(
        "At least so many citations.",
        min_citations=50,
        exact={
            "semantic_scholar": "minCitationCount=50",
            "openalex": r"cited_by_count:>49|cited_by_count:50-",
            "europe_pmc": r"CITED:\[50 TO ",
        },
    ),
    _with(
        "One type.",
        publication_types=["review"],
        exact={
            "pubmed": r'(?i)"?review"?\[(pt|ptyp)\]',
            "semantic_scholar": r"publicationTypes=[\w,]*Review",
            "openalex": "type:review",
            "europe_pmc": '(?i)PUB_TYPE:"?review',
        },
    ),
    _with(
        "Two types.",
        publication_types=["review", "preprint"],
        exact={"openalex": r"type:(review\|preprint|preprint\|review)"},
    ),
    _with(
        "A type as people write it.",
        publication_types=["Clinical Trial"],
        exact={
            "pubmed": r'(?i)"?clinical trial"?\[(pt|ptyp)\]',
            "semantic_scholar": r"publicationTypes=[\w,]*ClinicalTrial",
        },
    ),
    _with(
        "An abbreviation of a type.",
        publication_types=["RCT"],
        exact={"pubmed": r'(?i)"?randomized controlled trial"?\[(pt|ptyp)\]'},
    ),
    _with(
        "A type with a hyphen.",
        publication_types=["meta-analysis"],
        exact={
            "pubmed": r'(?i)"?meta-analysis"?\[(pt|ptyp)\]',
            "semantic_scholar": r"publicationTypes=[\w,]*MetaAnalysis",
        },
    ),
    _with(
        "A type of two words.",
        publication_types=["systematic review"],
        exact={"pubmed": r'(?i)"?systematic review"?\[(pt|ptyp|sb)\]'},
    ),
    _with("A type that does not exist is refused with the list.", publication_types=["poem"], refused=True),
    _with(
        "No preprints: arXiv is not searched.",
        exclude_preprints=True,
        silent=("arxiv",),
        exact={
            "pubmed": r'(?i)NOT "?preprint"?\[(pt|ptyp)\]',
            "openalex": "type:!preprint",
            "europe_pmc": r"(?i)NOT \(?SRC:\"?PPR",
        },
    ),
    _with(
        "No retracted papers.",
        include_retracted=False,
        exact={"pubmed": r'(?i)NOT "?retracted publication"?\[(pt|ptyp)\]', "openalex": "is_retracted:false"},
    ),
    _with(
        "A language, where a source knows it.",
        language="German",
        exact={
            "pubmed": r'(?i)"?(german|ger)"?\[(la|lang)\]',
            "openalex": "language:de",
            "europe_pmc": r'(?i)LANG:"?(ger|deu|german)',
        },
    ),
    _with(
        "A field of study, where a source knows it.",
        field_of_study="Computer Science",
        exact={"semantic_scholar": r"fieldsOfStudy=Computer Science"},
    ),
    _with(
        "By date: titles and abstracts only, or the newest papers are off topic.",
        "attention",
        sort="date",
        exact={
            "pubmed": "sort=pub_date",
            "openalex": (r"sort=publication_date:desc", r"search\.title_and_abstract|title_and_abstract\.search"),
            "arxiv": ("sortBy=submittedDate", r"(ti|abs):attention"),
            "europe_pmc": (r"FIRST_PDATE(_D)? desc", "TITLE_ABS"),
            "semantic_scholar": r"/search/bulk.*sort=publicationDate:desc",
        },
    ),
    _with(
        "By citations.",
        sort="citations",
        exact={
            "openalex": (r"sort=cited_by_count:desc", r"search\.title_and_abstract|title_and_abstract\.search"),
            "europe_pmc": ("CITED desc", "TITLE_ABS"),
            "semantic_scholar": r"/search/bulk.*sort=citationCount:desc",
        },
        warned={"pubmed": "citations"},
    ),
    _with(
        "Providers as people write them.",
        providers=["PubMed", "Europe PMC", "s2"],
        silent=("openalex", "crossref", "arxiv", "paperclip"),
        telling="microglia",
    ),
    _with("All of them by one word.", providers=["all"], telling="microglia"),
    _with("A provider that does not exist is refused with the list.", providers=["Scopus"], refused=True),
    _with(
        "A question with filters.",
        "How does TREM2 protect the brain?",
        date_from="2015",
        open_access=True,
        exact={"pubmed": r"2015/01/01", "openalex": "is_oa:true"},
    ),
    _with(
        "An expression with a filter: the filter is joined to the whole of it.",
        "TREM2 OR CD33",
        date_from="2015",
        exact={"pubmed": r"\(.*OR.*\).*2015/01/01", "europe_pmc": r"\(.*OR.*\).*FIRST_PDATE"},
    ),
)
