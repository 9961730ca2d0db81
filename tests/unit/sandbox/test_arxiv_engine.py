"""arXiv's sandbox reads queries as the server does.

Expectations: the tests and notes of the server's source, github.com/arXiv/arxiv-search, `search/domain/classic_api`
(`tests/test_classic_search_query.py`, `tests/test_classic_parser.py`, `README_classic_search_query.md`), its index
mapping (`mappings/DocumentMapping.json`), the user manual (https://info.arxiv.org/help/api/user-manual.html), and for
the stems the examples in Porter's paper of 1980.
"""

from __future__ import annotations

import pytest

from infra.local.sandbox.arxiv.engine import InvalidQuery, Node, Not, Pair, Term, parse, reader, rewrite
from infra.local.sandbox.arxiv.index import BrokenQuery, Document
from infra.local.sandbox.porter import stem

PAPER = Document(
    title="Learning machines for COVID-19: a survey of the Markov bases",
    abstract="Will transformers relate spacings and timing? Müller's hybrids do.",
    authors=("Jennifer A. Doudna", "Adrian Del Maestro", "Ian Will"),
    categories=("cs.CL", "q-fin.PR"),
    comments="20 pages, 3 figures",
    journal_ref="Journal of Shells 12 (2019)",
    doi="10.1038/418838a",
    arxiv_id="1605.08386",
    submitted="201605261759",
)


def finds(query: str) -> bool:
    return reader(rewrite(query))(PAPER)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("", ""),
        ("a", "all:a"),
        ("a b", "all:a OR all:b"),
        ("testing", "all:testing"),
        ("badfield:xyz", "all:badfield:xyz"),
        ("AND AND AND", "AND"),
        ("a AND AND AND b", "all:a AND all:b"),
        ("a AND au:", "all:a AND"),
        ("a AND NOT b", "all:a ANDNOT all:b"),
        ("NOT a", "ANDNOT all:a"),
        ("ti:(a)", "(ti:a)"),
        ("ti:((a AND b) c)", "( (ti:a AND ti:b) OR ti:c)"),
        ("ti:(a AND (b OR c))", "(ti:a AND (ti:b OR ti:c) )"),
        ("ti:(space AND au:time)", "(ti:space AND au:time)"),
        ("title:apple", "ti:apple"),
        ('"an open mark', "all:an OR all:open OR all:mark"),
        ("au:del_maestro", 'au:"del maestro"'),
        ("submittedDate:[1991 TO 2022]", 'submittedDate:"199101010000 TO 202212312359"'),
        ("lastUpdatedDate:[202002 TO 202002]", 'submittedDate:"202002010000 TO 202002292359"'),
    ],
)
def test_a_query_is_rewritten_to_the_grammar(typed: str, read: str) -> None:
    assert rewrite(typed) == read


def test_an_underscore_is_a_blank_in_the_first_term_only() -> None:
    assert rewrite("ti:a AND au:del_maestro") == "ti:a AND au:del_maestro"
    assert rewrite("(au:del_maestro)") == "(au:del_maestro)"


A, B, C = (Term("all", letter) for letter in "abc")


@pytest.mark.parametrize(
    ("query", "node"),
    [
        ("all:a ANDNOT all:b ANDNOT all:c", Pair("ANDNOT", A, Pair("ANDNOT", B, C))),
        ("all:a AND all:b OR all:c", Pair("AND", A, Pair("OR", B, C))),
        ("(all:a AND all:b) OR all:c", Pair("OR", Pair("AND", A, B), C)),
        ("all:a ANDNOT (all:b OR all:c)", Pair("ANDNOT", A, Pair("OR", B, C))),
        ("all:a OR (ANDNOT all:b)", Pair("OR", A, Not(B))),
        ('ti:"  dark matter    "', Term("ti", '"dark matter"')),
        ('au:"     "', Term("au", "")),
    ],
)
def test_operators_of_one_precedence_associate_to_the_right(query: str, node: Node) -> None:
    assert parse(query) == node


@pytest.mark.parametrize(
    "query",
    ["AND", "all:a AND", "OR all:a", "()", "(all:a", "all:a)", "all:a all:b", 'all:"a\\"', "all:"],
)
def test_a_query_outside_the_grammar_is_invalid(query: str) -> None:
    with pytest.raises(InvalidQuery):
        parse(query)


@pytest.mark.parametrize(
    "query",
    [
        "*",
        "all:?a",
        'au:"doudna *"',
        "ANDNOT a AND b",
        "submittedDate:[2020* TO 2021]",
        "submittedDate:[202013010000 TO 202101010000]",
        "all:a/b*",
    ],
)
def test_a_query_that_the_index_refuses_breaks_the_server(query: str) -> None:
    with pytest.raises(BrokenQuery):
        reader(rewrite(query))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ti:machine", True),  # stemmed
        ("ti:learned", True),
        ("ti:survey AND abs:survey", False),
        ("abs:spacing", True),
        ("ti:the", False),  # a stop word is not in the index, so AND with it finds nothing
        ("ti:learning AND ti:for", False),
        ("abs:will", False),
        ("all:will", True),  # a name
        ("all:there", False),
        ('ti:"survey of the markov bases"', True),
        ('ti:"survey markov bases"', False),  # stop words leave their places free
        ("ti:covid-19", True),  # all parts, in any order
        ("ti:19-covid", True),
        ("ti:machin*", True),
        ("ti:machine*", False),  # the index holds stems
        ("all:machine*", True),  # and the words as they are where it holds all fields together
        ('ti:"machine*"', True),  # no wildcard inside quotation marks
        ("abs:muller", False),
        ("all:muller's", True),
        ("co:figures", True),
        ("jr:shells", True),
        ("jr:shell", False),
        ("cat:cs.cl", True),
        ("cat:cs", False),
        ("cat:q-fin.*", True),
        ("cat:*.CL", True),
        ("doi:10.1038/418838a", True),
        ("doi:10.1038/4188*", True),
        ("id:1605.08386", True),
        ("rn:LA-UR", False),
        ("all:2016", True),  # the year of the first version
        ("all:2018", False),
        ('all:""', True),  # an empty term is in every record
        ("ti:learning ANDNOT ti:zebra ANDNOT ti:survey", True),  # so the survey is not excluded
        ("ti:learning ANDNOT (ti:zebra OR ti:survey)", False),
    ],
)
def test_a_term_is_matched_as_its_field_is_analysed(query: str, found: bool) -> None:
    assert finds(query) is found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("au:doudna", True),
        ("au:Doudna AND au:maestro", True),
        ("au:del_maestro", True),
        ("au:del_mae*", True),
        ("au:doudna_j", False),  # whole words of the name as it is printed
        ("au:doudna_j*", True),
        ('au:"jennifer doudna"', True),
        ('au:"doudna j*"', True),
        ('au:"doudna maestro"', False),  # quoted words belong to one author
        ("ti:learning AND au:del_maestro", False),  # the underscore is read in the first term only
        ('ti:learning AND au:"del maestro"', True),
    ],
)
def test_authors_are_found_by_whole_names(query: str, found: bool) -> None:
    assert finds(query) is found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("submittedDate:[201605261759 TO 201605261759]", True),
        ("submittedDate:[201605261800 TO 201612312359]", False),
        ("submittedDate:[2016 TO 2016]", True),
        ("submittedDate:[201604 TO 201605]", True),
    ],
)
def test_dates_are_minutes_of_the_first_version(query: str, found: bool) -> None:
    assert finds(query) is found


STEMS = {
    "caresses": "caress", "ponies": "poni", "agreed": "agre", "hopping": "hop", "filing": "file", "sky": "sky",
    "relational": "relat", "generalizations": "gener", "oscillators": "oscil", "controll": "control", "il-6": "il-6",
}  # fmt: skip


def test_words_are_stemmed_by_porters_rules() -> None:
    assert {word: stem(word) for word in STEMS} == STEMS
