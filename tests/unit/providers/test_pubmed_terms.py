"""The form in which PubMed gets each kind of query, when a wider one follows, and warnings of what is left out."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest

from functions.providers import pubmed
from shared.providers.pubmed_query import filter_clauses, search_term, wider_term
from shared.query.query import Query
from tests.replay import ask, replay
from tests.unit.providers.pubmed_replay import article, article_set, found

SPELLING = "<eSpellResult><Query>x</Query><CorrectedQuery/></eSpellResult>"


def term(text: str, **filters: Any) -> str:
    query = Query(text=text, **filters)
    return search_term(query, filter_clauses(query))


def wider(text: str, **filters: Any) -> str | None:
    query = Query(text=text, **filters)
    return wider_term(query, filter_clauses(query))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What role does pain have in sleep disorders?",
         '"What role does pain have in sleep disorders"[ti:~0] OR (pain sleep disorders)'),
        ("Variant of TREM2 (R47H) in dementia",
         '"Variant of TREM2 R47H in dementia"[ti:~0] OR (Variant TREM2 R47H dementia)'),
        ("ATTENTION IS NOT EXPLANATION", '"ATTENTION IS not EXPLANATION"[ti:~0] OR (ATTENTION EXPLANATION)'),
        ("retrieval-augmented generation (RAG)", "retrieval-augmented generation RAG"),
        ("TREM2[tiab] AND microglia[mh]", "TREM2[tiab] AND microglia[mh]"),
        ('"Alzheimer Disease"[Mesh] NOT 2015:2020[dp]', '"Alzheimer Disease"[Mesh] NOT 2015:2020[dp]'),
        ("TI:TREM2 AND AU:Colonna", "TREM2[ti] AND Colonna[au]"),
        ('AUTH:"Doudna JA" AND PUB_YEAR:[2015 TO 2020] AND OPEN_ACCESS:y',
         'Doudna JA[au] AND 2015:2020[dp] AND free full text[sb]'),
        ('TITLE:"heart attack" OR EXT_ID:36107206', '"heart attack"[ti:~0] OR "36107206"[pmid]'),
        ("submittedDate:[202001010000 TO 202012312359] AND sleep", "2020/01/01:2020/12/31[dp] AND sleep"),
        ('"tau" OR "breast feed*"', '"tau"[tiab] OR "breast feed*"[tiab]'),
        ("Aβ42", "Aβ42"),
    ],
    ids=["question", "title", "capitals", "abbreviation", "own-tags", "own-phrase-and-dates", "arxiv", "europe-pmc",
         "title-and-id", "arxiv-dates", "phrases", "greek"],
)  # fmt: skip
def test_each_kind_of_query_gets_its_best_form(text: str, expected: str) -> None:
    """Of the question, PubMed's help searches these words."""
    assert term(text) == expected


def test_filters_apply_to_the_whole_query() -> None:
    assert term("sleep OR pain", author="Doudna JA") == "(sleep OR pain) AND Doudna JA[au]"
    assert term("", author="Doudna JA", exclude_preprints=True) == 'Doudna JA[au] NOT "preprint"[pt]'


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"author": "doudna j.a."}, "(x) AND Doudna JA[au]"),
        ({"author": "Zhang Feng"}, "(x) AND (Zhang F[au] OR Feng Z[au])"),
        ({"author": "UK Biobank"}, "(x) AND UK Biobank[cn]"), ({"author": "!!"}, "x"),
        ({"journal": "NEJM"}, '(x) AND "N Engl J Med"[ta]'), ({"journal": "Nature"}, '(x) AND "Nature"[ta]'),
        ({"journal": "Journal of Nowhere"}, '(x) AND "Journal of Nowhere"[ta]'),
        ({"language": "de"}, "(x) AND ger[la]"),
    ],
)  # fmt: skip
def test_names_are_sent_as_pubmed_indexes_them(filters: dict[str, Any], expected: str) -> None:
    assert term("x", **filters) == expected


def test_an_author_without_a_letter_is_not_called_applied() -> None:
    reply = replay(pubmed, found("1"), article_set(article("1")), query=Query(text="x", author="!!"))
    assert reply.unsupported_filters == ("author",)


def test_notices_of_retractions_are_searched_by_their_name_since_2025() -> None:
    """`retraction of publication[pt]` finds nothing any more: MeSH renamed the type."""
    assert term("x", publication_types=("retraction-notice",)) == '(x) AND ("retraction notice"[pt])'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("does metformin reduce cancer risk?", "(metformin cancer) OR (metformin risk) OR (cancer risk)"),
        ("off-target effects of CRISPR-Cas9 editing",
         "(CRISPR Cas9 off target) OR (CRISPR Cas9 editing) OR (off target editing)"),
        ("IL-6 sepsis", "IL 6 sepsis"),
        ("TREM2 microglia", None), ("sleep", None), ("TREM2 AND (sleep OR microglia OR pain)", None),
    ],
    ids=["pairs", "most-telling", "hyphen", "two-words", "one-word", "expression"],
)  # fmt: skip
def test_the_wider_form_requires_any_two_of_the_most_telling_words(text: str, expected: str | None) -> None:
    assert wider(text) == expected


def test_a_word_that_pubmed_does_not_know_is_in_no_pair() -> None:
    """Left out of `(metformin cancer)`, it would leave all papers on cancer."""
    lists = {"errorlist": {"phrasesnotfound": ["metformin"]}}
    records = article_set(article("1"))
    sent, _ = sent_terms(Query(text="does metformin reduce cancer mortality rates?"), found("1", **lists), records,
                         found(), records, SPELLING)  # fmt: skip
    assert sent[2]["term"] == "(mortality cancer) OR (mortality rates) OR (cancer rates)"
    sent, _ = sent_terms(Query(text="does metformin reduce cancer risk?"), found("1", **lists), records, SPELLING)
    assert len(sent) == 3


def sent_terms(query: Query, *answers: Any) -> tuple[list[dict[str, str]], Any]:
    """The forms that a query causes, and the reply."""
    sent: list[dict[str, str]] = []
    bodies = iter(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append({name: values[0] for name, values in parse_qs(request.content.decode()).items()})
        body = next(bodies)
        kind = {"content-type": "text/xml"}
        return (
            httpx.Response(200, json=body) if isinstance(body, dict) else httpx.Response(200, text=body, headers=kind)
        )

    return sent, ask(pubmed, answer, query)


def test_few_papers_are_followed_by_a_wider_search_of_which_only_new_papers_are_fetched() -> None:
    query = Query(text="does metformin reduce cancer risk?", sort="date")
    sent, reply = sent_terms(
        query, found("1"), article_set(article("1")), found("2", "1"), article_set(article("2", title="Other."))
    )
    assert [(form.get("sort"), form.get("id")) for form in sent] == [
        ("pub_date", None), (None, "1"), ("relevance", None), (None, "2"),
    ]  # fmt: skip
    assert [(paper.ids.pmid, paper.relaxed) for paper in reply.papers] == [("1", False), ("2", True)]


def test_enough_papers_are_not_followed_by_a_wider_search() -> None:
    pmids = [str(number) for number in range(10, 20)]
    records = article_set(*(article(pmid) for pmid in pmids))
    sent, _ = sent_terms(Query(text="does metformin reduce cancer risk?"), found(*pmids), records)
    assert len(sent) == 2


@pytest.mark.parametrize("lists", [
    {"errorlist": {"phrasesnotfound": ["xqzzv", "qzzx"]}},
    {"warninglist": {"quotedphrasesnotfound": ['"xqzzv"', '"qzzx"']}},
])  # fmt: skip
def test_hits_of_the_filters_alone_are_no_answer_to_words_that_pubmed_does_not_know(lists: dict[str, Any]) -> None:
    """PubMed leaves unknown words out, so that `(xqzzv qzzx) AND 2020[dp]` finds all papers of 2020."""
    query = Query(text="xqzzv qzzx", date_from="2020")
    reply = replay(pubmed, found("1", **lists), article_set(article("1")), query=query)
    assert (reply.papers, reply.total_estimate) == ((), 0)
    assert any("xqzzv" in warning for warning in reply.warnings)


@pytest.mark.parametrize(
    ("fields", "unknown", "unsupported"),
    [
        ({"author": "Doudna Q"}, "Q[Author]", ("author",)), ({"author": "Doudna Q"}, "Doudna[au]", ("author",)),
        ({"journal": "Nature"}, '"Nature"[Journal]', ("journal",)), ({"author": "Doudna Q"}, "q", ()),
        ({"author": "Doudna Q"}, "Nature[ta]", ()), ({"text": "TREM2 AND zzyzx"}, "zzyzx", ("operators",)),
        ({"text": "TREM2 AND sleep", "author": "Doudna Q"}, "Q[Author]", ("author",)),
    ],
)  # fmt: skip
def test_a_query_that_pubmed_knows_in_part_is_not_applied(
    fields: dict[str, Any], unknown: str, unsupported: tuple[str, ...]
) -> None:
    hits = found("1", errorlist={"phrasesnotfound": [unknown]})
    reply = replay(pubmed, hits, article_set(article("1")), query=Query(**{"text": "x", **fields}))
    assert reply.unsupported_filters == unsupported


@pytest.mark.parametrize(
    ("fields", "warning"),
    [
        ({"text": "ti:attention AND cat:cs.CL"}, "PubMed cannot search for cat:cs.CL: left out"),
        ({"text": "x", "sort": "citations"}, "PubMed cannot sort by citations: the papers are sorted by relevance"),
    ],
    ids=["field", "sort"],
)
def test_a_warning_names_each_thing_that_pubmed_cannot_express(fields: dict[str, Any], warning: str) -> None:
    reply = replay(pubmed, found("1"), article_set(article("1")), query=Query(**fields))
    assert reply.warnings == (warning,)
