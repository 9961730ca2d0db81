"""How queries are written for OpenAlex.

Expectations: https://developers.openalex.org/guides/searching, the server's source (ourresearch/openalex-elastic-api,
core/search.py and core/validate.py) and Lucene's classic query syntax.
"""

from __future__ import annotations

import pytest

from shared.errors import UnsupportedFilter
from shared.providers.openalex_syntax import SearchText, search_text, wider_text
from shared.query.understanding import understand

SCOPE = "search.title_and_abstract"


def written(text: str) -> SearchText:
    return search_text(understand(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("graphene", "graphene"),
        ("quantum error correction", "quantum error correction"),
        ("COVID-19: Gödel's", "COVID-19 Gödel's"),
        ("receptor ligand", "receptor ligand"),  # plain text keeps its end
        ("P(A|B) bayes theorem", "P A B bayes theorem"),
        ("!important css rule", "important css rule"),
        (r"C:\users {r175h} x^2 -rays +dose ~3", "C users r175h x 2 rays dose 3"),
    ],
)
def test_keywords_are_plain_text_without_signs(text: str, expected: str) -> None:
    assert written(text) == SearchText(SCOPE, expected)


def test_a_greek_letter_is_searched_for_by_its_name_as_well() -> None:
    assert written("Abeta42 plaques") == SearchText(SCOPE, "((Abeta42 OR Aβ42) AND plaques)")
    assert written("TNF-α receptor") == SearchText(SCOPE, "((TNF-α OR TNF-alpha) AND receptor)")


def test_a_title_in_capitals_has_no_operators() -> None:
    title = '("ATTENTION and MEMORY IN RATS" OR (ATTENTION AND MEMORY AND RATS))'
    assert written("ATTENTION AND MEMORY IN RATS") == SearchText(SCOPE, title)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"neural network"', '("neural network")'),
        ("“typographic quotes”", '("typographic quotes")'),
        ("graphene NOT silicon", "(graphene NOT silicon)"),
        ('"receptor" AND ligand', '("receptor" AND ligand)'),  # would else end in `and`
        ("deep learning OR support vector", "((deep AND learning) OR (support AND vector))"),
        ('a1 AND (b1 OR "c d") NOT e1', '(a1 AND (b1 OR "c d") NOT e1)'),
        ('{r175h} AND "gain of function"', '(r175h AND "gain of function")'),
        ("portal! AND x^n", "(portal AND (x AND n))"),
        ("-x1 AND +y1", "(x1 AND y1)"),
        ("| AND graphene", "graphene"),
        ("(p b c d) AND (e f g h)", "((p b c d) AND (e f g h))"),  # more than five operators slow us down
        ('TNF-α AND "amyloid β"', '((TNF-α OR TNF-alpha) AND ("amyloid β" OR "amyloid beta"))'),
    ],
)
def test_an_expression_stands_in_one_pair_of_parentheses(text: str, expected: str) -> None:
    assert written(text) == SearchText(SCOPE, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("machin* learning", "(machin* AND learning)"),
        ("xen?n AND health", "(xen?n AND health)"),
        ("tau*", "((tau* OR τ))"),  # three letters must precede a wildcard
        ("abeta* AND microglia", "((abeta* OR aβ) AND microglia)"),
        ("IFNgamma*", "((IFNgamma* OR IFNγ*))"),
    ],
)
def test_wildcards_are_sent_to_the_unstemmed_fields(text: str, expected: str) -> None:
    assert written(text) == SearchText(f"{SCOPE}.exact", expected)
    assert wider_text(understand(text), by_meaning=True) is None


@pytest.mark.parametrize("text", ["ab* learning", "*earning deep", "what?", '"deep le*" AND x'])
def test_wildcards_that_openalex_refuses_are_left_out(text: str) -> None:
    found = written(text)
    assert found.parameter == SCOPE
    assert not set("*?") & set(found.text)


def test_a_sentence_is_its_telling_words_or_the_whole_as_a_title() -> None:
    assert written("Attention is all you need") == SearchText(
        SCOPE, '("Attention is all you need" OR (Attention AND need))'
    )


@pytest.mark.parametrize(
    ("text", "by_meaning", "parameter", "sent"),
    [
        ("Attention is all you need", True, "search.semantic", "Attention is all you need"),
        ("What is (RAG)?", True, "search.semantic", "What is RAG"),
        ("retrieval-augmented generation (RAG)", True, "search.semantic", "retrieval-augmented generation RAG"),
        ("rs75932628 R47H", True, "search", "rs75932628 R47H"),
        ("What causes lung cancer?", False, "search", "lung cancer"),
    ],
)
def test_the_wider_form_is_by_meaning_or_in_full_texts(text: str, by_meaning: bool, parameter: str, sent: str) -> None:
    assert wider_text(understand(text), by_meaning=by_meaning) == SearchText(parameter, sent)


def test_one_telling_word_stands_beside_the_title_without_parentheses() -> None:
    assert written("What causes cancer?") == SearchText(SCOPE, '("What causes cancer" OR cancer)')


def test_an_expression_has_no_wider_form() -> None:
    assert wider_text(understand("graphene AND transistors"), by_meaning=True) is None


@pytest.mark.parametrize(
    ("text", "expected", "filters", "warned"),
    [
        ("TREM2[tiab] AND microglia", "(TREM2 AND microglia)", (), ""),
        ("TREM2 AND microglia[mh]", "(TREM2 AND microglia)", (), "cannot limit microglia[mh] to MeSH headings"),
        ("TREM2[ti] AND microglia", "(microglia)", ("title.search:TREM2",), ""),
        ("TREM2[ti] OR microglia", "(TREM2 OR microglia)", (), "cannot limit TREM2[ti] to titles"),
        ("2015:2020[dp] AND TREM2", "(TREM2)", ("publication_year:2015-2020",), ""),
        ("PUB_YEAR:2019 AND TREM2", "(TREM2)", ("publication_year:2019-2019",), ""),
        ("AU:Colonna AND TI:TREM2", "", ("raw_author_name.search:Colonna", "title.search:TREM2"), ""),
        ("cancer NOT review[pt]", "(cancer)", (), "cannot search by review[pt] here"),
    ],
)
def test_field_tags_of_others_are_translated_or_named(
    text: str, expected: str, filters: tuple[str, ...], warned: str
) -> None:
    found = written(text)
    assert (found.text, found.filters) == (expected, filters)
    assert (warned in " ".join(found.warnings)) if warned else not found.warnings


def test_years_within_an_expression_are_left_out_and_operators_reported_as_not_applied() -> None:
    """They are a filter of the whole there; every record has its year, so that it is checked afterwards."""
    found = written("APOE OR (TREM2 AND PUB_YEAR:[2019 TO 2020])")
    assert (found.text, found.filters, found.unsupported) == ("(APOE OR TREM2)", (), ("operators",))
    found = written("TREM2 AND PUB_YEAR:[2019 TO 2020]")
    assert (found.text, found.filters, found.unsupported) == ("(TREM2)", ("publication_year:2019-2020",), ())


def test_a_query_of_unknown_tags_alone_is_not_sent() -> None:
    with pytest.raises(UnsupportedFilter, match="field tags"):
        written("review[pt]")


def test_of_long_phrases_three_are_phrases() -> None:
    phrases = [f'"{letter * 81}"' for letter in "abcd"]
    found = written(" OR ".join(phrases))
    assert found.text == f"({' OR '.join(phrases[:3])} OR ({'d' * 81}))"
    assert found.warnings == ("OpenAlex takes three long phrases: others are searched for as words",)


def test_a_long_text_is_cut_by_its_escaped_bytes() -> None:
    many = written(" ".join(f"名{number}" for number in range(300)))
    assert 100 < len(many.text.split()) < 200
    assert many.warnings == (
        f"OpenAlex's URLs are short: only the first {len(many.text.split())} words are searched for",
    )
    assert len(written("名" * 1000).text) > 100


def test_an_expression_that_is_too_long_is_not_sent() -> None:
    with pytest.raises(UnsupportedFilter, match="too long"):
        written(" OR ".join(f"名字{number}" for number in range(200)))
