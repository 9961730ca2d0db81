"""Abstracts are cut where a reader would cut them."""

from __future__ import annotations

import pytest

from shared.search.sizes.abstract_cuts import cut_at_sentence, cut_at_word
from shared.search.sizes.best_sentence import best_sentence

TEXT = "Smith et al. found A. thaliana. Microglia eat plaques (e.g. in mice). TREM2 loss changes this! We conclude."


@pytest.mark.parametrize(
    ("chars", "cut"),
    [
        (200, TEXT),
        (70, "Smith et al. found A. thaliana. Microglia eat plaques (e.g. in mice).…"),
        (69, "Smith et al. found A. thaliana.…"),
        (20, "Smith et al. found…"),
    ],
)
def test_an_abstract_ends_at_a_sentence_where_one_ends(chars: int, cut: str) -> None:
    assert cut_at_sentence(TEXT, chars) == cut
    assert len(cut) <= max(chars, len(TEXT))


def test_sentences_without_blanks_end_at_their_own_stop() -> None:
    assert cut_at_sentence("小胶质细胞。" * 10, 20) == "小胶质细胞。" * 3 + "…"


@pytest.mark.parametrize(
    ("words", "chars", "sentence"),
    [
        (["trem2", "loss"], 100, "…TREM2 loss changes this!…"),
        (["mouse", "plaque"], 100, "…Microglia eat plaques (e.g. in mice).…"),
        (["nothing"], 100, "Smith et al. found A. thaliana.…"),
        (["conclude"], 100, "…We conclude."),
        (["trem2"], 14, "…TREM2 loss…"),
    ],
)
def test_the_sentence_with_most_words_of_the_query_is_shown(words: list[str], chars: int, sentence: str) -> None:
    assert best_sentence(TEXT, words, chars) == sentence


@pytest.mark.parametrize("text", [None, "", " ", "...", "word"])
def test_texts_without_a_sentence_stay(text: str | None) -> None:
    assert best_sentence(text, ["word"], 50) == text
    assert cut_at_sentence(text, 50) == text
    assert cut_at_word(text, 50) == text
