"""The language of a record is one code, however its source writes it: the filter `language` compares codes."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import fromstring

import pytest

from shared.bibliography.languages import read_language
from shared.bibliography.paper import Paper
from shared.providers.records import core, crossref, datacite, europe_pmc, medline, openalex

READERS: dict[str, Callable[[str], Paper]] = {
    "core": lambda code: core.read_paper({"id": 1, "title": "A title", "language": {"code": code}}, 1),
    "crossref": lambda code: crossref.read_paper({"DOI": "10.5555/a", "title": ["A title"], "language": code}, 1),
    "datacite": lambda code: datacite.read_paper(
        {"attributes": {"doi": "10.5555/a", "titles": [{"title": "A title"}], "language": code}}, 1, 2026
    ),
    "europe_pmc": lambda code: europe_pmc.read_paper({"title": "A title", "language": code}, 1),
    "openalex": lambda code: openalex.read_paper({"title": "A title", "language": code}, 1, 2026),
    "pubmed": lambda code: medline.read_paper(
        fromstring(
            "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>A title</ArticleTitle>"
            f"<Language>{code}</Language></Article></MedlineCitation></PubmedArticle>"
        ),
        1,
    ),
}
CODES = [
    ("en", "en"), ("EN", "en"), ("eng", "en"), ("ENG", "en"), (" en ", "en"), ("ger", "de"), ("deu", "de"),
    ("en-GB", "en"), ("en_US", "en"), ("eng-US", "en"), ("pt-BR", "pt"), ("zh-Hans", "zh"), ("ZH-hans-CN", "zh"),
    ("nav", "nav"), ("", None), ("und", None), ("mul", None), ("mul-XX", None), ("English", None), ("e", None),
]  # fmt: skip


@pytest.mark.parametrize("source", READERS)
@pytest.mark.parametrize(("written", "code"), CODES)
def test_every_source_writes_a_language_as_one_code(source: str, written: str, code: str | None) -> None:
    assert READERS[source](written).language == code


@pytest.mark.parametrize(("named", "code"), [("en_GB", "en"), ("zh-Hans", "zh"), ("Deutsch", "de"), ("Klingon", None)])
def test_a_language_that_a_person_names_is_the_same_code(named: str, code: str | None) -> None:
    assert read_language(named) == code
