"""The words of papers against the words of a question."""

from __future__ import annotations

import pytest

from shared.search.ranking.text_match import PaperTerms, Question, TextPool, terms, title_coverage, title_overlap

NONE = PaperTerms.of(None, None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("TREM2-dependent Microglia.", ["trem2", "dependent", "microglia"], id="case and punctuation"),
        pytest.param("Müller’s “naïve” cells—again", ["muller", "s", "naive", "cell", "again"], id="accents, quotes"),
        pytest.param("TNF-α at 5 µg", ["tnf", "alpha", "at", "5", "mug"], id="greek"),
        pytest.param("ﬁbre snake_case", ["fibre", "snake", "case"], id="ligature and underscore"),
        pytest.param("小胶质细胞 TREM2", ["小胶", "胶质", "质细", "细胞", "trem2"], id="chinese in character pairs"),
        pytest.param("β", ["beta"], id="one letter"),
        pytest.param("Aβ42 Abeta42", ["abeta42", "abeta42"], id="a letter in a symbol"),
        pytest.param("studies of trees, zombaies", ["study", "of", "tree", "zombaie"], id="plurals"),
        pytest.param("gas virus loss s", ["gas", "virus", "loss", "s"], id="no plurals"),
        pytest.param("lone \ud835 surrogate", ["lone", "surrogate"], id="broken unicode"),
        pytest.param("", [], id="empty"),
        pytest.param(None, [], id="missing"),
    ],
)
def test_terms_are_folded_words(text: str | None, found: list[str]) -> None:
    assert terms(text) == found


def test_an_ascii_text_reads_the_same_beside_a_foreign_word() -> None:
    text = "A (mostly) plain-text title, of 1999: it's 5_6 & more"
    assert [*terms(text), "e"] == terms(text + " é")


def test_a_term_under_not_is_no_part_of_the_question() -> None:
    assert set(Question.of(['asthma AND "inhaled steroid" NOT children']).terms) == {"asthma", "inhaled", "steroid"}


@pytest.mark.parametrize(
    ("wordings", "words"),
    [
        pytest.param(['TITLE:TREM2 AND AUTH:"Colonna M"'], {"trem2"}, id="an author by field tag"),
        pytest.param(["TREM2 AND 2015:2016[dp] AND english[la]"], {"trem2"}, id="a date and a language"),
        pytest.param(["TREM2 AND microgli*"], {"trem2"}, id="a wildcard"),
        pytest.param(["neurodegenerat*"], set(), id="a wildcard alone"),
        pytest.param(["10.1084/jem.20212479", "TREM2", "2020"], {"trem2"}, id="an identifier and a number"),
    ],
)
def test_only_words_that_a_text_can_hold_are_looked_for_in_it(wordings: list[str], words: set[str]) -> None:
    assert set(Question.of(wordings).terms) == words


def test_words_of_different_leaves_are_no_pair() -> None:
    assert set(Question.of(["deep learning AND cell biology"]).pairs) == {("deep", "learning"), ("cell", "biology")}


def test_a_word_of_one_wording_weighs_less_than_a_word_of_all() -> None:
    question = Question.of(["heart attack", "heart failure"])
    assert question.terms == {"attack": 0.5, "failure": 0.5, "heart": 1.0}


def test_a_word_that_the_query_repeats_weighs_more_and_function_words_nothing() -> None:
    question = Question.of(["the retrieval of texts and the retrieval of images in a library"])
    assert question.terms == {"image": 1.0, "library": 1.0, "retrieval": 2.0, "text": 1.0}


def test_pairs_are_as_typed_and_never_of_function_words_alone() -> None:
    assert set(Question.of(["lack of iron in the brain"]).pairs) == {
        ("lack", "of"),
        ("of", "iron"),
        ("iron", "in"),
        ("the", "brain"),
    }


def test_a_rare_word_scores_above_a_common_one() -> None:
    pool = TextPool(
        [PaperTerms.of("rare thing", None), PaperTerms.of("usual thing", None), PaperTerms.of("usual case", None)]
    )
    rare, usual, _ = pool.bm25(Question.of(["rare OR usual"]))
    assert rare > usual > 0


def test_a_word_in_the_title_counts_more_than_in_the_abstract() -> None:
    pool = TextPool([PaperTerms.of("zinc one", "two three"), PaperTerms.of("one two", "zinc three")])
    in_title, in_abstract = pool.bm25(Question.of(["zinc"]))
    assert in_title > in_abstract > 0


def test_query_words_side_by_side_score_above_the_same_words_apart() -> None:
    pool = TextPool(
        [PaperTerms.of(None, "deep learning of cells"), PaperTerms.of(None, "learning of deep cells"), NONE]
    )
    together, apart, nothing = pool.bm25(Question.of(["deep learning"]))
    assert together > apart > nothing == 0


def test_a_pair_is_counted_each_time_it_occurs() -> None:
    once, twice = (
        PaperTerms.of("x", "deep learning and more on it"),
        PaperTerms.of("x", "deep learning deep learning it"),
    )
    apart_once, apart_twice = (
        PaperTerms.of("x", "learning deep and more on it"),
        PaperTerms.of("x", "learning learning deep deep it"),
    )
    pairs = Question(terms={}, pairs={("deep", "learning"): 1.0}, wordings=())
    scores = TextPool([once, twice, apart_once, apart_twice]).bm25(pairs)
    assert scores[1] > scores[0] > scores[2] == scores[3] == 0


def test_the_last_word_of_a_title_and_the_first_of_an_abstract_are_no_pair() -> None:
    pairs = Question(terms={}, pairs={("deep", "learning"): 1.0}, wordings=())
    assert TextPool([PaperTerms.of("the deep", "learning to swim")]).bm25(pairs) == [0.0]


def test_feedback_favours_papers_that_share_terms_with_the_best() -> None:
    best = PaperTerms.of("microglia", "amyloid plaques in the brain")
    alike = PaperTerms.of("plaques", "amyloid in mice")
    other = PaperTerms.of("concrete", "bridges under load")
    scores = TextPool([best, alike, other]).feedback([0])
    assert scores[0] > scores[1] > scores[2] == 0


def test_feedback_weighs_the_best_papers_most() -> None:
    texts = [
        PaperTerms.of("iron", "ore rust"),
        PaperTerms.of("zinc", "ore mine"),
        PaperTerms.of("rust", None),
        PaperTerms.of("mine", None),
    ]
    *_, first, second = TextPool(texts).feedback([0, 1])
    assert first > second > 0


def test_feedback_seeks_the_heaviest_of_many_words() -> None:
    many = " ".join(f"word{number}" for number in range(50))
    scores = TextPool(
        [PaperTerms.of(None, f"{many} zinc zinc zinc"), PaperTerms.of("zinc", None), PaperTerms.of("word49", None)]
    ).feedback([0])
    assert scores[1] > scores[2]


@pytest.mark.parametrize("texts", [pytest.param([], id="no paper"), pytest.param([NONE, NONE], id="no text")])
def test_a_pool_without_words_scores_nothing(texts: list[PaperTerms]) -> None:
    pool = TextPool(texts)
    assert pool.bm25(Question.of(["asthma"])) == pool.feedback(list(range(len(texts)))) == [0.0] * len(texts)


def test_title_overlap_is_one_for_the_same_words() -> None:
    (wording,) = Question.of(["Attention Is All You Need!"]).wordings
    assert title_overlap(wording, terms("Attention is all you need")) == 1.0
    assert title_overlap(wording, terms("Attention is enough")) == pytest.approx(0.5)
    assert title_overlap(wording, []) == 0.0


def test_title_coverage_does_not_depend_on_the_titles_length() -> None:
    (wording,) = Question.of(["TREM2 microglia"]).wordings
    assert title_coverage(wording, terms("Microglia need TREM2 to reach plaques in the ageing brain")) == 1.0
    assert title_coverage(wording, terms("Microglia in the brain")) == 0.5
