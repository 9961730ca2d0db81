"""Results to export: one that a test changes, hostile texts, and the whole sandbox corpus."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.facts import Fact
from shared.answers.search import StoredPaper
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import PAPER_TYPES, Author, OpenAccess, Paper, Retraction, RetractionStatus
from shared.search.results import unranked
from shared.search.sizes.details import RESULT_FIELDS
from tests.unit.records import merge_records

HOSTILE = (
    "He said \"no\", and 'yes'",
    "a | b || c \\| d \\\\| e",
    "first line\nsecond line\r\nTY  - JOUR\nER  - \n\n@book{fake,\n title={x}}",
    "=cmd|' /C calc'!A0",
    "@article{TREM2, and } more { of } it",
    "@{TREM2} @ (DNA) mail me@example.org www.example.org https://example.org",
    "50 % of $5 & #1_a ~ ^ \\ \\textbf{x} {open",
    "{{{ }",
    "} {",
    "تأثير الالتهاب على الدماغ",
    "שלום DNA עולם",
    "🧠 brains 👩‍🔬 and 🧬",
    "小胶质细胞与阿尔茨海默病",
    "E\u0301tude de l'A\u030angstro\u0308m X\u0302",
    "<script>alert(1)</script> &amp; <b>bold</b> a < b > c",
    "`code` **bold** _it_ [link](javascript:x) ![i](u) ~~no~~ $x$",
    "\t tab first, \x00 \x0b \x1c \x85 \u2028 \u2029 line ends",
    "half a character \ud83d here",
)


def result(**changes: Any) -> StoredPaper:
    """A result in full; `ids`, `open_access` and `retraction` change those alone."""
    paper = {
        "key": "doi:10.1000/x", "title": "Microglia need TREM2", "authors": ["Tyler K Ulland", "Marco Colonna"],
        "author_count": 2, "year": 2017, "publication_date": "2017-08-10", "journal": "Cell", "volume": "170",
        "issue": "4", "pages": "649-63", "type": "journal-article", "language": "en", "abstract": "Cells & energy.",
        "citation_count": 12, "citation_uri": "https://doi.org/10.1000/x",
    }  # fmt: skip
    ids = {"doi": "10.1000/x", "pmid": "28802038", "pmcid": "PMC5722467", "arxiv": None} | changes.pop("ids", {})
    access = {"is_oa": True, "url": "https://example.org/x.pdf"} | changes.pop("open_access", {})
    unflagged = {"status": "none", "notice_doi": None, "date": None, "notice_pmid": None}
    retraction = unflagged | changes.pop("retraction", {})
    nested = {"external_ids": ids, "open_access": access, "retraction": retraction}
    whole: Any = dict.fromkeys(RESULT_FIELDS) | paper | changes | {"doi": ids["doi"], "pmid": ids["pmid"]} | nested
    stored: StoredPaper = whole
    return stored


def retracted(**changes: Any) -> StoredPaper:
    notice = {"status": "retracted", "notice_doi": "10.1000/notice_1", "date": "2020-05-05"}
    return result(**changes, retraction=notice)


@cache
def corpus_results() -> tuple[StoredPaper, ...]:
    """Every paper of the sandbox as a result of its own: nearly 300."""
    papers = [_paper(fact, rank) for rank, fact in enumerate(default_corpus().facts, start=1)]
    stored: list[Any] = [unranked(merge_records([paper])[0]) for paper in papers]
    return tuple(stored)


def _paper(fact: Fact, rank: int) -> Paper:
    authors = (Author(family, given) if family else Author(name=given) for family, given in fact.authors)
    status = RetractionStatus.RETRACTED if fact.retraction else RetractionStatus.NONE
    names = (
        "title", "author_count", "year", "publication_date", "journal", "volume", "issue", "pages", "type", "language",
        "abstract", "citation_count",
    )  # fmt: skip
    return Paper(
        provider="crossref",
        rank=rank,
        ids=Identifiers(doi=fact.doi and fact.doi.lower(), pmid=fact.pmid, pmcid=fact.pmcid, arxiv=fact.arxiv_id),
        authors=tuple(authors),
        open_access=OpenAccess(fact.is_open_access, fact.oa_url),
        retraction=Retraction(status),
        **{name: getattr(fact, name) for name in names},
    )


TEXT = st.one_of(st.text(max_size=40), st.sampled_from(HOSTILE))
MAYBE = st.none() | TEXT


@st.composite
def results(draw: st.DrawFn) -> StoredPaper:
    """Any result, with any text in every field that holds text."""
    texts = ("title", "journal", "volume", "issue", "pages", "language", "abstract", "publication_date", "citation_uri")
    status = draw(st.sampled_from([status.value for status in RetractionStatus]))
    return result(
        **{name: draw(MAYBE) for name in texts},
        key=draw(st.sampled_from(["doi:10.1000/x", "title:0", "pmid:1"])),
        authors=draw(st.lists(TEXT, max_size=3)),
        author_count=draw(st.none() | st.integers(0, 5)),
        year=draw(st.none() | st.integers(1500, 2100)),
        type=draw(st.none() | st.sampled_from(PAPER_TYPES)),
        ids={name: draw(MAYBE) for name in ("doi", "pmid", "pmcid", "arxiv")},
        open_access={"is_oa": draw(st.none() | st.booleans()), "url": draw(MAYBE)},
        retraction={"status": status, "notice_doi": draw(MAYBE), "date": draw(MAYBE)},
    )
