"""One home for stop words, on the words that its former copies treated differently."""

from __future__ import annotations

import pytest

from shared.bibliography.stop_words import ARTICLES, KEY_STOP_WORDS, QUERY_STOP_WORDS, STOP_WORDS
from shared.exports.citation_keys import citation_key
from shared.matching.title_features import read_title
from shared.saved_searches.request import require_all_terms

# word, former lists that held it (titles, saved searches, arXiv, citation keys), in which it is now, why
WORDS = [
    ("of", "yyyy", "titles queries keys", "everywhere"),
    ("its", "yyyy", "titles queries keys", "everywhere"),
    ("or", "nyyy", "queries keys", "`Live or dead` is not `Live dead`"),
    ("that", "nnyy", "queries keys", "a saved search asked each paper for `that`"),
    ("their", "nnyy", "queries keys", "likewise"),
    ("how", "nyyy", "queries keys", "a question's word tells titles apart"),
    ("de", "ynnn", "titles keys", "`De novo assembly` was named by `de`"),
    ("von", "ynnn", "titles keys", "likewise"),
    ("des", "ynny", "titles keys", "two languages"),
    ("une", "nnny", "keys", "`une` in one title only makes another title"),
    ("toward", "nnny", "keys", "titles begin with it"),
    ("not", "nnny", "keys", "`Attention is not explanation`"),
]


@pytest.mark.parametrize(("word", "_former", "lists", "why"), WORDS)
def test_a_word_is_in_the_lists_that_have_a_reason_for_it(word: str, _former: str, lists: str, why: str) -> None:
    held = {"titles": STOP_WORDS, "queries": QUERY_STOP_WORDS, "keys": KEY_STOP_WORDS}
    assert [name for name, words in held.items() if word in words] == lists.split(), why


def test_longer_lists_hold_the_shorter_ones() -> None:
    assert ARTICLES < STOP_WORDS & QUERY_STOP_WORDS
    assert STOP_WORDS | QUERY_STOP_WORDS < KEY_STOP_WORDS


def test_saved_searches_leave_out_words_of_grammar() -> None:
    assert require_all_terms("how does TREM2 regulate their response") == "(TREM2 AND regulate AND response)"


def test_a_citation_key_has_a_significant_word() -> None:
    assert citation_key({"title": "De novo assembly", "authors": ["Jane Doe"], "year": 2020}) == "doe2020novo"


def test_a_stop_word_gives_a_title_no_weight() -> None:
    assert read_title("Effects of the drug").weight == 2
