"""What a query to Crossref searches for: words, family names, full journal names, and a wider second request."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functions.providers import crossref
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import crossref as sandbox
from shared.errors import Unprocessable
from shared.outcomes import Outcome
from shared.query.query import Query
from tests.replay import ask, requests_of
from tests.unit.providers.test_crossref_queries import NO_HITS, empty_leg, first_request
from tests.unit.sandbox.bridge import over


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("graph neural networks", "graph neural networks", id="words"),
        pytest.param('"graph neural" networks', "graph neural networks", id="phrase"),
        pytest.param("(cats OR dogs) AND fur NOT mice", "cats dogs fur", id="operators"),
        pytest.param("COVID-19: 50% of A&B, C/D + E=F #1", "COVID-19 50 of A B C/D E F 1", id="signs-are-blanks"),
        pytest.param("Alzheimer's d'Arcy’s “law”", "Alzheimer d Arcy law", id="apostrophes"),
        pytest.param("类器官 p110α", "类器官 p110α p110alpha", id="greek-in-both-spellings"),
        pytest.param("TNF-alpha", "TNF-alpha TNF-α", id="greek-name"),
        pytest.param("How does CRISPR cause off-target effects?", "CRISPR off-target", id="question"),
        pytest.param("Attention is all you need", "Attention is all you need", id="title-as-it-is"),
        pytest.param("TREM2[tiab] AND review[pt]", "TREM2", id="tags"),
        pytest.param("CD33 OR (Colonna[au] AND microglia)", "CD33 Colonna microglia", id="a-name-that-is-not-required"),
    ],
)
def test_the_wanted_words_are_sent(text: str, words: str) -> None:
    """rest_api.md of CrossRef/rest-api-doc: any token is a hit; issue 385 there: apostrophes and `&` hide words."""
    request = first_request(Query(text=text))
    assert request.url.path == "/works"
    assert request.url.params["query.bibliographic"] == words


@pytest.mark.parametrize(
    ("author", "words"),
    [
        ("Doudna, J. A.", "Doudna"),
        ("doudna ja", "Doudna"),
        ("J. A. Doudna", "Doudna"),
        ("Laurens van der Maaten", "Maaten"),
        ("O'Brien K", "Brien"),
        ("García Márquez G", "García Márquez"),
        ("Zhang F", "Zhang"),
    ],
)
def test_of_an_author_the_family_name_is_sent(author: str, words: str) -> None:
    """rest_api.md: `query.author` matches any token, so that an initial would bring all who have it."""
    params = first_request(Query(text="x", author=author)).url.params
    assert params["query.author"] == words
    assert "query.author" not in first_request(Query(text="x")).url.params


def test_without_words_the_given_names_rank() -> None:
    assert first_request(Query(text="", author="Doudna JA")).url.params["query.author"] == "Doudna J A"
    assert first_request(Query(text="", author="Jennifer Doudna")).url.params["query.author"] == "Doudna Jennifer"
    assert "query.bibliographic" not in first_request(Query(text="", author="Doudna JA")).url.params


@pytest.mark.parametrize(
    ("journal", "words"),
    [
        ("N Engl J Med", "New England Journal of Medicine"),
        ("PNAS", "Proceedings of the National Academy Sciences United States America"),
        ("Science & Society: A, B", "Science Society A B"),
    ],
)
def test_of_a_journal_the_full_name_is_sent(journal: str, words: str) -> None:
    assert first_request(Query(text="x", journal=journal)).url.params["query.container-title"].startswith(words)


def test_required_tags_that_crossref_has_a_field_for_are_sent_there() -> None:
    query = Query(text="TREM2[tiab] AND Colonna M[au] AND Nature[ta] AND 2015:2020[dp] AND microglia[mh]")
    params = first_request(query).url.params
    assert [params[f"query.{name}"] for name in ("bibliographic", "author", "container-title")] == [
        "TREM2 microglia", "Colonna", "Nature",
    ]  # fmt: skip
    warnings = empty_leg(query).warnings
    assert "Crossref has no field for 2015:2020[dp]: left out" in warnings
    assert "Crossref has no field for TREM2[tiab], microglia[mh]: searched as words" in warnings


@pytest.mark.parametrize(
    ("query", "wider"),
    [
        pytest.param(Query(text="x", journal="bioRxiv"), ("bioRxiv x", None), id="a-server-is-in-no-field"),
        pytest.param(Query(text="x", journal="Nature", author="Wang"), ("Nature x", "Wang"), id="the-author-stays"),
        pytest.param(Query(text="x", author="d'Arcy R"), ("Arcy R x", None), id="a-name-that-its-sign-hides"),
        pytest.param(
            Query(text="x", author="Tanaka Hiroshi"), ("Hiroshi Tanaka x", None), id="either-may-be-the-family"
        ),
        pytest.param(Query(text="x", author="Wang L"), None, id="a-plain-name"),
        pytest.param(Query(text="x"), None, id="words"),
        pytest.param(Query(text="", author="d'Arcy"), None, id="nothing-else-to-search-for"),
    ],
)
def test_a_name_that_found_little_is_searched_among_the_words(
    query: Query, wider: tuple[str, str | None] | None
) -> None:
    requests = requests_of(crossref, query, [NO_HITS])[1:]
    sent_later = [(it.url.params["query.bibliographic"], it.url.params.get("query.author")) for it in requests]
    assert sent_later == ([wider] if wider else [])


def test_no_query_is_longer_than_a_url_may_be() -> None:
    """Crossref's servers take 8,000 characters; one of these is nine in a URL."""
    assert len(str(first_request(Query(text="类" * 500 + " x", journal="器" * 300, author="官" * 300)).url)) < 8_000


ANY_TEXT = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="ab αβ\"()[]&|!{}^~*?:\\/+-',;#%<>=._", max_size=60),
    st.lists(
        st.sampled_from(['"a b"', "AND", "OR", "NOT", "(", ")", "x[tiab]", "y[au]", "Nature[ta]", "2015[dp]", "&"])
    ).map(" ".join),
)


def check_any_query(text: str, author: str, journal: str) -> None:
    """The engine of the sandbox refuses as CrossRef/cayenne `validate.clj` does, and refuses nothing that we send."""
    corpus = Corpus((Fact(title="a b x", authors=(("y", "a"),), year=2015, journal="Nature", doi="10.1016/a"),))
    try:
        query = Query(text=text, author=author.strip() or None, journal=journal.strip() or None, limit=5)
        leg = ask(crossref, over(sandbox, corpus), query)
    except Unprocessable:  # refused before any provider is queried
        return
    assert leg.outcome in (Outcome.OK, Outcome.EMPTY, Outcome.SKIPPED_UNSUPPORTED_FILTER)


@settings(max_examples=60, deadline=None)
@given(ANY_TEXT, st.text(max_size=20), st.text(max_size=20))
def test_no_query_is_refused(text: str, author: str, journal: str) -> None:
    check_any_query(text, author, journal)


@pytest.mark.slow
@settings(max_examples=2_000, deadline=None)
@given(ANY_TEXT, st.text(max_size=40), st.text(max_size=40))
def test_no_query_of_many_is_refused(text: str, author: str, journal: str) -> None:
    check_any_query(text, author, journal)


def test_a_query_of_dates_and_types_alone_does_not_list_all_of_crossref() -> None:
    query = Query(text="2015[dp] AND review[pt]")
    assert requests_of(crossref, query, [NO_HITS]) == []
    assert empty_leg(query).outcome is Outcome.SKIPPED_UNSUPPORTED_FILTER
