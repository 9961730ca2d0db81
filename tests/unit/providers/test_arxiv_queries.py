"""Queries to arXiv: words, operators and filters in its own syntax."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import arxiv
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import OWN_RECORDINGS, replay, requests_of

GRAPHENE = "(ti:graphene OR abs:graphene)"
HITS = (OWN_RECORDINGS / "arxiv" / "zero-hits.xml").read_text(encoding="utf-8")


def search_query(text: str, **filters: Any) -> str:
    """The `search_query` that is sent."""
    return requests_of(arxiv, Query(text=text, **filters), [HITS])[0].url.params["search_query"]


def leg(text: str = "graphene", **filters: Any) -> ProviderReply:
    return replay(arxiv, HITS, query=Query(text=text, **filters))


def anywhere(*words: str) -> str:
    """The words in titles or abstracts, each of them."""
    terms = [f"(ti:{word} OR abs:{word})" for word in words]
    return terms[0] if len(terms) == 1 else f"({' AND '.join(terms)})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("graphene", anywhere("graphene")),
        ("quantum error", anywhere("quantum", "error")),
        ("the theory of everything", f'(ti:"the theory of everything" OR {anywhere("theory", "everything")})'),
        ("COVID-19", anywhere('"COVID 19"')),
        ("graph-based learning", anywhere('"graph based"', "learning")),
        ('"neural network"', anywhere('"neural network"')),
        ('"the art of war"', anywhere('"the art of war"')),
        ("graphene AND silicon", anywhere("graphene", "silicon")),
        ("graphene OR silicon", f"({anywhere('graphene')} OR {anywhere('silicon')})"),
        ("graphene NOT silicon", f"({anywhere('graphene')} ANDNOT {anywhere('silicon')})"),
        ("x1 NOT y1 NOT z1", f"({anywhere('x1')} ANDNOT ({anywhere('y1')} OR {anywhere('z1')}))"),
        ("x1 AND y1 NOT z1", f"({anywhere('x1', 'y1')} ANDNOT {anywhere('z1')})"),
        ("deep learning OR svm", f"({anywhere('deep', 'learning')} OR {anywhere('svm')})"),
        ("Gödel theorem", f"(all:Gödel AND {anywhere('theorem')})"),
        ("量子 纠错", "(all:量子 AND all:纠错)"),
        ("量子 graphene", anywhere("graphene")),
        ("графен", "all:графен"),
        ("Abeta42", "(ti:Abeta42 OR abs:Abeta42 OR ti:Aβ42 OR abs:Aβ42)"),
        ("machin* graphene", f"(all:machin* AND {anywhere('graphene')})"),
        ("*graphene gr?", anywhere("graphene", "gr")),
        ("NO OR graphene", anywhere("graphene")),
        ("C++ / & --", anywhere("C")),
        ("graphene and/or silicon", f'(ti:"graphene and or silicon" OR {anywhere("graphene", "silicon")})'),
        ("“typographic quotes”", anywhere('"typographic quotes"')),
    ],
)
def test_words_and_operators_in_arxivs_syntax(text: str, expected: str) -> None:
    assert search_query(text) == expected


def test_a_question_is_its_telling_words_or_a_title() -> None:
    words = anywhere("dark", "matter")
    title = 'ti:"Will there be no such dark matter if this is not it"'
    assert search_query("Will there be no such dark matter if this is not it?") == f"({title} OR {words})"


def test_at_most_eight_words_are_sent() -> None:
    text = " ".join(f"graphene{number}" for number in range(60))
    assert search_query(text).count("ti:") == 8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ti:attention AND cat:cs.CL", "(ti:attention AND cat:cs.CL)"),
        ("cat:q-fin.* AND graphene", f"(cat:q-fin.* AND {anywhere('graphene')})"),
        ("graphene AND au:del_maestro", f'({anywhere("graphene")} AND au:"del maestro")'),
        ("graphene AND au:doudna_j", f'({anywhere("graphene")} AND au:"doudna j*")'),
        ('abs:"dark matter" AND co:pages', '(abs:"dark matter" AND co:pages)'),
        ("ti:x1 AND submittedDate:[202001010000 TO 202012312359]", "{}202001010000 TO 202012312359])"),
        ("ti:x1 AND submittedDate:[2020 TO 2021]", "{}202001010000 TO 202112312359])"),
        ("ti:x1 AND 2015:2020[dp]", "{}201501010000 TO 202012312359])"),
        ('TITLE:"graph nets" AND AUTH:"Doudna JA"', '(ti:"graph nets" AND au:"Doudna J*")'),
        ("graphene[ti] AND Biol Shells[ta]", "(ti:graphene AND (jr:Biol AND jr:Shells))"),
        ("graphene[ti] AND Doudna JA[au]", '(ti:graphene AND au:"Doudna J*")'),
    ],
)
def test_field_tags_are_passed_on_or_translated(text: str, expected: str) -> None:
    assert search_query(text) == expected.replace("{}", "(ti:x1 AND submittedDate:[")


def test_tags_without_an_equal_are_named() -> None:
    reply = leg("graphene[mh] AND humans[filter] AND graphite")
    assert [warning for warning in reply.warnings if "read the query" not in warning] == [
        "arXiv has no MeSH headings: graphene[mh] was searched for as words",
        "arXiv cannot search for humans[filter]: left out",
    ]


@pytest.mark.parametrize(
    ("filters", "clause"),
    [
        ({"date_from": "2020"}, "submittedDate:[202001010000 TO 299912312359]"),
        ({"date_to": "2020-02"}, "submittedDate:[199101010000 TO 202002292359]"),
        ({"date_from": "2019-05", "date_to": "2020-03-04"}, "submittedDate:[201905010000 TO 202003042359]"),
        ({"author": "Vaswani"}, 'au:"Vaswani"'),
        ({"author": "Vaswani A"}, 'au:"Vaswani A*"'),
        ({"author": "J. A. Doudna"}, 'au:"Doudna J*"'),
        ({"author": "Gomez, A.N."}, 'au:"Gomez A*"'),
        ({"author": "Schmidt-Hieber, Johannes"}, 'au:"Schmidt-Hieber J*"'),
        ({"author": "van der Maaten L"}, 'au:"van der Maaten L*"'),
        ({"author": "Zhang Feng"}, '(au:"Zhang F*" OR au:"Feng Z*")'),
        ({"author": "LIGO Collaboration"}, 'au:"LIGO Collaboration"'),
        ({"journal": "Journal of Shells"}, "(jr:Journal AND jr:Shells)"),
    ],
)
def test_a_filter_becomes_a_clause(filters: dict[str, Any], clause: str) -> None:
    assert search_query("graphene", **filters) == f"{GRAPHENE} AND {clause}"


def test_a_journal_is_searched_for_by_all_its_names() -> None:
    assert "(jr:Nature AND jr:Physics) OR (jr:Nat AND jr:Phys)" in search_query("graphene", journal="Nature Physics")


def test_a_field_of_study_is_its_categories() -> None:
    assert search_query("graphene", field_of_study="biology") == f"{GRAPHENE} AND (cat:q-bio OR cat:q-bio.*)"
    assert "cat:hep-th OR cat:hep-th.*" in search_query("graphene", field_of_study="physics")


def test_a_field_without_categories_sends_no_request() -> None:
    assert leg(field_of_study="law").outcome.value == "skipped_unsupported_filter"


def test_an_author_alone_is_a_search() -> None:
    assert search_query("", author="Doudna JA") == 'au:"Doudna J*"'


@pytest.mark.parametrize(
    "filters",
    [{"journal": "arXiv"}, {"open_access": True}, {"publication_types": ("preprint", "review")}, {"min_citations": 5}],
    ids=lambda filters: next(iter(filters)),
)
def test_a_filter_that_all_preprints_pass_or_that_arxiv_cannot_know_adds_nothing(filters: dict[str, Any]) -> None:
    assert search_query("graphene", **filters) == GRAPHENE


@pytest.mark.parametrize(
    ("filters", "parameters"),
    [
        ({}, {"sortBy": "relevance", "sortOrder": "descending", "max_results": "100"}),
        ({"sort": "date"}, {"sortBy": "submittedDate", "sortOrder": "descending"}),
        ({"sort": "citations"}, {"sortBy": "relevance"}),
        ({"limit": 10}, {"max_results": "10"}),
        ({"limit": 500}, {"max_results": "100"}),
    ],
)
def test_order_and_depth(filters: dict[str, Any], parameters: dict[str, str]) -> None:
    request = requests_of(arxiv, Query(text="graphene", **filters), [HITS])[0]
    assert parameters.items() <= dict(request.url.params).items()


def test_the_public_path_is_requested_and_a_second_time_for_every_field() -> None:
    requests = requests_of(arxiv, Query(text="graphene sheets growth kinetics"), [HITS])
    assert [(request.method, request.url.path) for request in requests] == [("GET", "/api/query")] * 2
    assert requests[1].url.params["search_query"] == "(all:graphene AND all:sheets AND all:kinetics)"


@pytest.mark.parametrize(
    "query", [Query(text="graphene", sort="date"), Query(text="ti:graphene"), Query(text="", author="Geim")]
)
def test_no_second_request_where_every_field_is_no_wider_or_off_topic(query: Query) -> None:
    assert len(requests_of(arxiv, query, [HITS])) == 1


def test_a_long_query_is_sent_as_a_form() -> None:
    text = " OR ".join(f'"graphene sheet {number}"' for number in range(40))
    request = requests_of(arxiv, Query(text=text), [HITS])[0]
    assert (request.method, str(request.url)) == ("POST", "http://provider.test/api/query")


def test_brackets_quotes_and_parentheses_are_percent_encoded() -> None:
    url = str(requests_of(arxiv, Query(text='"a b" OR c1', date_from="2020"), [HITS])[0].url)
    assert not set('[]"() ') & set(url)


@pytest.mark.parametrize("filters", [{"exclude_preprints": True}, {"publication_types": ("journal-article", "review")}])
def test_filters_that_no_preprint_passes_send_no_request_to_arxiv(filters: dict[str, Any]) -> None:
    assert leg(**filters).outcome.value == "skipped_unsupported_filter"
    assert requests_of(arxiv, Query(text="graphene", **filters), [HITS]) == []


@pytest.mark.parametrize("text", ["to be or not", '"the"'])
def test_words_that_the_index_lacks_send_no_request_to_arxiv(text: str) -> None:
    assert leg(text).outcome.value == "skipped_unsupported_filter"


def test_filters_do_not_stand_for_words_that_the_index_lacks() -> None:
    assert leg("to be or not", author="Doudna JA").outcome.value == "skipped_unsupported_filter"


def test_a_phrase_that_the_index_lacks_is_left_out_with_a_warning() -> None:
    assert search_query('graphene OR "to be or not"') == GRAPHENE
    assert "arXiv's index lacks the words of 'to be or not': left out" in leg('graphene OR "to be or not"').warnings


@pytest.mark.parametrize(
    ("filters", "unsupported", "warnings"),
    [
        ({"min_citations": 5}, ("min_citations",), 0),
        ({"author": "Vaswani A"}, (), 0),
        ({"journal": "Nature Physics"}, (), 1),
        ({"journal": "arXiv"}, (), 0),
        ({"sort": "citations"}, (), 1),
        ({"date_from": "2020", "open_access": True}, (), 0),
        ({"exclude_retracted": True, "language": "en"}, ("exclude_retracted", "language"), 0),
    ],
)
def test_filters_that_arxiv_cannot_apply_are_reported(
    filters: dict[str, Any], unsupported: tuple[str, ...], warnings: int
) -> None:
    reply = leg(**filters)
    assert reply.unsupported_filters == unsupported
    other_warnings = [warning for warning in reply.warnings if "read the query" not in warning]
    assert len(other_warnings) == warnings


def test_the_effective_query_is_what_was_sent() -> None:
    assert leg("graphene", sort="date").effective_query == f"search_query={GRAPHENE}&sortBy=submittedDate"
    assert leg("graphene").effective_query == (
        f"search_query={GRAPHENE}&sortBy=relevance ; then, wider: search_query=all:graphene&sortBy=relevance"
    )


def test_the_key_appears_nowhere() -> None:
    reply = leg(author="Vaswani A", min_citations=5)
    assert "secret-key" not in f"{reply.effective_query} {reply.warnings}"


def test_the_declared_pace_is_one_request_in_three_seconds_over_one_connection() -> None:
    assert (arxiv.SPEC.requests_per_second, arxiv.SPEC.concurrency) == (1 / 3, 1)
