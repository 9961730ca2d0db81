"""DataCite's queries: words, titles, expressions, field tags and filters as Elasticsearch's `query_string`."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.datacite.engine import found
from infra.local.sandbox.datacite.records import deposits
from infra.local.sandbox.facts import Fact
from shared.errors import UnsupportedFilter
from shared.providers.datacite_syntax import (
    applied_in_part,
    filter_parameters,
    limitations,
    strict_query,
    wider_query,
)
from shared.query.query import Query

HELD = deposits(Corpus((Fact(title="Stripes of zebras", arxiv_id="2103.00001"),)))


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("orchard yield", "(orchard AND yield)"),
        ("off-target effects", "(off AND target AND effects)"),  # the index divides words at hyphens
        ("Aβ plaques", "((Aβ OR Abeta) AND plaques)"),
        ("10.5072/a:b", "(10.5072 AND a AND b)"),  # an escaped slash would begin a regular expression
        ('"gene drive" AND (mice OR rats) NOT human', '("gene drive" AND (mice OR rats) NOT human)'),
        ("microgl* AND TREM2", "(microgl* AND TREM2)"),
        ("zebras[ti] AND Doudna JA[au]", "(titles.title:zebras AND creator_names:Doudna)"),  # `J` is in no full name
        ("Doudna Jennifer[au]", "creator_names:((Jennifer AND (Doudna OR D)) OR (Doudna AND (Jennifer OR J)))"),
        ("zebras AND 2015:2020[dp]", "(zebras AND publicationYear:[2015 TO 2020])"),
        ("zebras AND eng[la]", "(zebras AND language:(en OR eng))"),
        ("zebras AND norwegian[la]", "(zebras AND language:(no OR nor OR nb OR nn OR nob OR nno))"),
        ("10.5072/data.1[doi] OR zebras", '(doi:"10.5072/data.1" OR zebras)'),
    ],
)
def test_a_text_is_written_as_lucene(text: str, sent: str) -> None:
    assert strict_query(Query(text=text)) == sent


def test_a_question_is_its_telling_words_and_widens_to_fewer() -> None:
    query = Query(text="How do stripes of zebras and horses deter biting flies in hot dry summers?")
    assert strict_query(query).endswith(" AND summers))")
    assert len(str(wider_query(query)).split(" AND ")) == 4
    assert wider_query(Query(text="zebras stripes")) is None
    assert wider_query(Query(text='"zebras" OR horses')) is None


def test_a_truncated_phrase_is_sent_as_words_and_reported() -> None:
    query = Query(text='"amyloid plaq*" AND mice')
    assert strict_query(query) == "((amyloid AND plaq*) AND mice)"
    assert applied_in_part(query) == ["operators"]
    assert limitations(query) == ["DataCite has no wildcards in phrases: the words of amyloid plaq* are checked"]


def test_a_tag_without_a_field_is_left_out_and_reported() -> None:
    query = Query(text="zebras AND cat:cs.CL")
    assert strict_query(query) == "zebras"
    assert limitations(query) == ["DataCite cannot search for cat:cs.CL: left out"]


def test_filters_are_clauses_and_parameters() -> None:
    query = Query(text="zebras", author="Doudna, Jennifer A", language="de", date_from="2015-03", min_citations=2)
    assert strict_query(query) == "zebras AND creator_names:(Doudna AND (Jennifer OR J)) AND language:(de OR ger)"
    assert filter_parameters(query) == {"published": "2015,2100", "has-citations": "2"}


@pytest.mark.parametrize(
    ("types", "ids", "in_part"),
    [
        (("dataset",), "dataset", []),
        (("journal-article",), "data-paper,journal-article,text", ["publication_types"]),
        (("review", "dataset"), "dataset,text", ["publication_types"]),
        (("other", "dataset"), None, ["publication_types"]),
    ],
)
def test_types_that_a_text_may_be_are_searched_among_texts(
    types: tuple[str, ...], ids: str | None, in_part: Any
) -> None:
    query = Query(text="zebras", publication_types=types)
    assert filter_parameters(query).get("resource-type-id") == ids
    assert applied_in_part(query) == in_part


def test_an_expression_that_no_url_holds_is_refused() -> None:
    text = " OR ".join(f"word{number}" for number in range(1500))
    with pytest.raises(UnsupportedFilter, match="too long for DataCite"):
        strict_query(Query(text=text))


@pytest.mark.parametrize(
    "signs", ['+ - = && || ! ( ) { } [ ] ^ " ~ * ? : \\ / < >', "AND OR NOT TO", "a:b c/d\\ e* f?g"]
)
def test_no_sign_of_a_plain_text_reaches_the_parser(signs: str) -> None:
    words = [word for word in signs.split() if word not in ("AND", "OR", "NOT", "!")]
    for word in words:
        found(strict_query(Query(text=f"zebras, {word} stripes and more")), [], HELD)
