"""The records of PubMed's sandbox have their oddities about as often as recorded ones.

The shares of EXPECTED are those of the records of 2010 and later, of which the sandbox's corpus mostly consists, in
NLM's sample of 2019: 20 of 176. NLM gives the sample as one of all of PubMed; other recordings were chosen one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element, fromstring

import pytest

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.pubmed.records import record
from tests.replay import RECORDINGS

SAMPLE = RECORDINGS / "pubmed" / "nlm-pubmedsample-2019-176-records.xml"
FROM_YEAR = 2010
Check = Callable[[Element], bool]


def has(path: str) -> Check:
    return lambda article: article.find(path) is not None


def in_list(article: Element) -> bool:
    """Whether the record's own ids have the DOI, not those of its references."""
    return article.find("PubmedData/ArticleIdList/ArticleId[@IdType='doi']") is not None


in_elocation = has(".//ELocationID[@EIdType='doi']")
EXPECTED: dict[str, tuple[float, Check]] = {
    "a DOI": (1.0, lambda article: in_list(article) or in_elocation(article)),
    "a DOI in the list of ids only": (0.0, lambda article: in_list(article) and not in_elocation(article)),
    "a DOI in ELocationID only": (0.0, lambda article: in_elocation(article) and not in_list(article)),
    "markup in the title": (0.0, has(".//ArticleTitle/*")),
    "markup in the title or the abstract": (0.25, lambda it: any(len(text) for text in texts(it))),
    "a labelled abstract": (0.05, has(".//AbstractText[@Label]")),
    "a copyright of the abstract": (0.25, has(".//CopyrightInformation")),
    "a date in words": (0.05, has(".//PubDate/MedlineDate")),
    "a month as a number": (0.25, lambda it: (it.findtext(".//PubDate/Month") or "").isdigit()),
    "a number of a trial or a sequence": (0.04, has(".//DataBankList")),
    "a misspelt author": (0.0, has(".//Author[@ValidYN='N']")),
    "an author with a family name alone": (0.0, lambda it: any(nameless(author) for author in it.iter("Author"))),
    "a list of references without any": (0.0, lambda it: any(not len(found) for found in it.iter("ReferenceList"))),
}  # fmt: skip
FACTOR, ONE = 2, 0.05  # one paper of twenty more or less is chance


def nameless(author: Element) -> bool:
    return author.find("LastName") is not None and author.find("ForeName") is None and author.get("ValidYN") != "N"


def texts(article: Element) -> list[Element]:
    return [*article.iter("ArticleTitle"), *article.iter("AbstractText")]


def of_these_years(articles: Sequence[Element]) -> list[Element]:
    dates = [(it.find(".//JournalIssue/PubDate"), it) for it in articles]
    years = [(("".join(date.itertext()).split() or [""])[0][:4], it) for date, it in dates if date is not None]
    return [it for year, it in years if year.isdigit() and int(year) >= FROM_YEAR]


def served() -> list[Element]:
    corpus = default_corpus()
    return of_these_years([it for it in map(record, corpus.covered("pubmed")) if it.tag == "PubmedArticle"])


def recorded() -> list[Element]:
    if not SAMPLE.exists():
        pytest.skip("the recordings are not at hand")
    return of_these_years(fromstring(SAMPLE.read_bytes()).findall("PubmedArticle"))


@pytest.mark.parametrize("oddity", EXPECTED)
@pytest.mark.parametrize("articles", [served, recorded])
def test_an_oddity_is_as_frequent_as_recorded(articles: Callable[[], list[Element]], oddity: str) -> None:
    expected, check = EXPECTED[oddity]
    found = articles()
    share = sum(map(check, found)) / len(found)
    assert len(found) >= 20
    assert min(share, expected) * FACTOR >= max(share, expected) - ONE
