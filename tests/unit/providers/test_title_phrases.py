"""The phrases by which a cited title is found although a word of it is wrong."""

from __future__ import annotations

import pytest

from functions.providers import europe_pmc
from shared.providers.title_phrases import title_phrases
from shared.query.question import Citation, Match
from tests.replay import requests_of

EMPTY = {"hitCount": 0, "resultList": {"result": []}}


@pytest.mark.parametrize(
    ("title", "phrases"),
    [
        ("Attention is all you need", ("Attention is all you need",)),
        ("Improving language models by retrieving from trillions of tokens",
         ("Improving language models", "retrieving from trillions of tokens")),
        ("TREM2 in the brain of mice and the blood of healthy men",
         ("TREM2 in the brain of mice", "blood of healthy men")),
        ("", ("",)),
        ("– : –", ("– : –",)),
    ],
    ids=["short", "halves", "stop words between", "empty", "signs"],
)  # fmt: skip
def test_a_long_title_is_halved_between_telling_words(title: str, phrases: tuple[str, ...]) -> None:
    assert title_phrases(title) == phrases


def test_europe_pmc_searches_for_any_phrase_of_any_title() -> None:
    titles = ("Attention is all you need", "Improving language models by retrieving from trillions of tokens", "-")
    (request,) = requests_of(europe_pmc, Match(tuple(Citation(title=it) for it in titles)), [EMPTY])
    assert request.url.params["query"] == (
        'TITLE:"Attention is all you need" OR TITLE:"Improving language models"'
        ' OR TITLE:"retrieving from trillions of tokens"'
    )
    assert request.url.params["pageSize"] == "12"
