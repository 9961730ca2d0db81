"""The language of a record is one code, however its source writes it: the filter `language` compares codes."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import fromstring

import pytest

from shared.bibliography.languages import language_code, read_language
from shared.bibliography.paper import Paper
from shared.providers.records import core, crossref, datacite, europe_pmc, medline, openalex
from shared.query.query import Query
from shared.search.filtering.expression_match import mentions

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
# Old codes: the language subtag registry of RFC 5646 (Preferred-Value) and the changes of ISO 639-2. `no` and `zh` are
# macrolanguages of ISO 639-3, which include Bokmål and Nynorsk, and Mandarin and Cantonese.
CODES = [
    ("en", "en"), ("EN", "en"), ("eng", "en"), ("ENG", "en"), (" en ", "en"), ("ger", "de"), ("deu", "de"),
    ("en-GB", "en"), ("en_US", "en"), ("eng-US", "en"), ("pt-BR", "pt"), ("zh-Hans", "zh"), ("ZH-hans-CN", "zh"),
    ("nb", "no"), ("nn-NO", "no"), ("nob", "no"), ("nno", "no"), ("cmn", "zh"), ("cmn-Hans", "zh"), ("yue", "zh"),
    ("iw", "he"), ("in", "id"), ("ji", "yi"), ("mo", "ro"), ("mol", "ro"), ("scr", "hr"), ("scc", "sr"),
    ("tib", "bo"), ("bod", "bo"), ("bur", "my"), ("mao", "mi"),
    ("nav", "nav"), ("", None), ("und", None), ("mul", None), ("mul-XX", None), ("English", None), ("e", None),
]  # fmt: skip


@pytest.mark.parametrize("source", READERS)
@pytest.mark.parametrize(("written", "code"), CODES)
def test_every_source_writes_a_language_as_one_code(source: str, written: str, code: str | None) -> None:
    assert READERS[source](written).language == code


# The twenty languages that have two codes in ISO 639-2, for bibliography and for terminology.
TWICE = {
    "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld", "fre": "fra",
    "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas",
    "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
}  # fmt: skip


@pytest.mark.parametrize(("bibliographic", "terminology"), TWICE.items())
def test_both_codes_of_a_language_are_one(bibliographic: str, terminology: str) -> None:
    one, other = language_code(bibliographic), language_code(terminology)
    assert one == other
    assert one is not None
    assert len(one) == 2


@pytest.mark.parametrize("written", ["nb", "nn", "nob", "nno", "no", "nor"])
def test_a_filter_by_norwegian_admits_both_of_its_forms(written: str) -> None:
    assert mentions(READERS["crossref"](written), Query(text="norwegian[la] AND title"))


@pytest.mark.parametrize(("named", "code"), [("en_GB", "en"), ("zh-Hans", "zh"), ("Deutsch", "de"), ("Klingon", None)])
def test_a_language_that_a_person_names_is_the_same_code(named: str, code: str | None) -> None:
    assert read_language(named) == code
