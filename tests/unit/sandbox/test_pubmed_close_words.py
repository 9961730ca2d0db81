"""PubMed's spelling looks at few words, and suggests what comparing all of them would."""

from __future__ import annotations

from difflib import get_close_matches

import pytest

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.pubmed.index import index_of
from infra.local.sandbox.pubmed.spelling import suggestion

WORDS = ("alzheimr", "migroclia", "acurate", "protien", "genom", "sytsematic", "xqzw", "reveiws", "aß", "a")


@pytest.mark.parametrize("word", WORDS)
def test_the_suggestion_is_that_of_difflib_over_the_whole_index(word: str) -> None:
    known = index_of(default_corpus()).words["All Fields"]
    expected = word if word in known else next(iter(get_close_matches(word, known, 1, 0.8)), word)
    assert suggestion(word, default_corpus()) == expected
