"""Whatever a caller writes, OpenAlex's engine takes our rendering of it; and it finds what the query means."""

from __future__ import annotations

from urllib.parse import urlencode

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from functions.providers import openalex as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import openalex as sandbox
from shared.errors import Unprocessable, UnsupportedFilter
from shared.providers.openalex_syntax import search_text, wider_text
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.understanding import understand
from tests.replay import ask
from tests.unit.sandbox.bridge import over

SMALL = Corpus((Fact(title="Possums of the night", openalex_id="W9900000001"),))
SIGNS = st.sampled_from([*"|!{}^\\~*?+-&/:[]()<>'\"“”.,;=#@%α名\u200b", "AND", "OR", "NOT", "and", "not", "TO", "\\u"])
PARTS = st.one_of(SIGNS, st.text(max_size=4), st.sampled_from(["gene", "IL-6", "x[ti]", "AU:y", "2019[dp]", "ligand"]))
QUERIES = st.lists(PARTS, max_size=12).flatmap(lambda parts: st.sampled_from(["".join(parts), " ".join(parts)]))


def refused(text: str) -> list[str]:
    """The answers other than 200 to the forms of a query."""
    try:
        understood = understand(text)
        forms = [search_text(understood), *(wider_text(understood, by_meaning=it) for it in (True, False))]
    except (Unprocessable, UnsupportedFilter):
        return []
    answers = []
    for form in forms:
        if form and (form.text or form.filters):
            sent = {**({form.parameter: form.text} if form.text else {}), "filter": ",".join(form.filters)}
            query = urlencode({name: value for name, value in sent.items() if value}, errors="replace")
            answer = sandbox.answer(Request(EnvironBuilder("/works", query_string=query).get_environ()), SMALL)
            if answer.status_code != 200:
                answers.append(f"{query}: {answer.get_data(as_text=True)[:200]}")
    return answers


@given(QUERIES)
@settings(max_examples=150)
def test_no_query_is_a_bad_request(text: str) -> None:
    assert refused(text) == []


@pytest.mark.slow
@given(QUERIES)
@settings(max_examples=5000)
def test_none_of_many_queries_is_a_bad_request(text: str) -> None:
    assert refused(text) == []


@given(QUERIES, QUERIES)
@settings(max_examples=50)
def test_no_name_of_an_author_or_a_journal_is_a_bad_request(author: str, journal: str) -> None:
    query = Query(text="possums", author=author.strip() or None, journal=journal.strip() or None)
    reply = ask(provider, over(sandbox, SMALL), query)
    assert reply.outcome.value in ("ok", "empty"), reply.warnings


@pytest.mark.parametrize("author", ["None", "Undefined", "“Bob” -", "A, B", "Smith|Jones"])
def test_odd_names_of_authors_are_taken(author: str) -> None:
    assert ask(provider, over(sandbox, SMALL), Query(text="possums", author=author)).outcome.value in ("ok", "empty")


def found(text: str, **filters: object) -> ProviderReply:
    return ask(provider, over(sandbox, default_corpus()), Query(text=text, **filters))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("How do TREM2 variants affect the risk of Alzheimer's disease?", "TREM2"),
        ("Attention is all you need", "Attention"),
        ('("TREM2" AND microglia) OR CRISPR', ""),
        ("retrieval-augmented generation (RAG)", "Retrieval"),
    ],
)
def test_the_whole_corpus_answers(text: str, title: str) -> None:
    reply = found(text)
    assert reply.outcome.value == "ok", reply.warnings
    assert title in reply.papers[0].title


def test_an_expression_that_ends_in_a_cut_word_finds_its_papers() -> None:
    work = Fact(title="A receptor and its ligand", openalex_id="W9900000001", doi="10.9999/ligand")
    reply = ask(provider, over(sandbox, Corpus((work,))), Query(text='"receptor" AND ligand'))
    assert [paper.title for paper in reply.papers] == [work.title]


def test_a_list_by_citations_is_about_the_subject() -> None:
    """A full text names many subjects in its references, so that the most cited papers of all would come first."""
    reply = found("microglia", sort="citations")
    assert len(reply.papers) > 10
    for paper in reply.papers:
        assert "microglia" in f"{paper.title} {paper.abstract}".lower()


def test_the_request_of_a_long_query_fits_into_the_url() -> None:
    sent: list[int] = []
    serve = over(sandbox, SMALL)

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(len(str(request.url)))
        return serve(request)

    query = Query(
        text="名" * 1000, date_from="2001-05-03", author="名" * 100 + ", Ω" * 30, publication_types=("review",),
        language="de", field_of_study="physics", min_citations=3, exclude_retracted=True, exclude_preprints=True,
    )  # fmt: skip
    assert ask(provider, answer, query).outcome.value in ("ok", "empty")
    assert max(sent) < 4000


DOUDNA = Fact(title="Scissors for genes", authors=(("Doudna", "Jennifer A"),), openalex_id="W9900000001")
OTHER = Fact(title="Scissors for hair", authors=(("Smith", "Jennifer"),), openalex_id="W9900000002")
PRINTED = Fact(title="Scissors for paper", authors=(("Doudna", "J.A."),), openalex_id="W9900000003")


@pytest.mark.parametrize(
    "author", ["Doudna JA", "doudna ja", "J. A. Doudna", "Jennifer A. Doudna", "Doudna, Jennifer A.", "Doudna"]
)
@pytest.mark.parametrize("text", ["scissors", ""])
@pytest.mark.usefixtures("everything_is_covered")
def test_an_authors_papers_are_found_however_the_name_is_typed(author: str, text: str) -> None:
    reply = ask(provider, over(sandbox, Corpus((DOUDNA, OTHER, PRINTED))), Query(text=text, author=author))
    assert {paper.title for paper in reply.papers} == {DOUDNA.title, PRINTED.title}


@pytest.mark.parametrize("journal", ["New England Journal of Medicine", "NEJM", "N Engl J Med"])
def test_a_journal_is_found_by_any_of_its_names(journal: str) -> None:
    reply = found("alzheimer OR treatment OR disease OR trial", journal=journal)
    assert reply.papers
    assert {paper.journal for paper in reply.papers} <= {
        "New England Journal of Medicine",
        "The New England Journal of Medicine",
    }
