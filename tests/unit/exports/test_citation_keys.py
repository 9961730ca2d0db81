"""Names of papers: readable, in ASCII, all different, and the same whatever else is exported in whatever order."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.answers.search import StoredPaper
from shared.exports.citation_keys import citation_key, citation_keys
from tests.unit.exports.exported_results import corpus_results, result, results


@pytest.mark.parametrize(
    ("title", "authors", "year", "key"),
    [
        ("TREM2 in microglia", ["Tyler K Ulland"], 2017, "ulland2017trem2"),
        ("The role of a gene", ["J Müller-Lüdenscheidt"], 2001, "mullerludenscheidt2001role"),
        ("2019 novel coronavirus", ["Na Zhu"], 2020, "zhu2020novel"),
        ("Loss-of-function in TREM2", ["Ann Other"], 2020, "other2020loss"),
        ("Alzheimer's disease", ["Øyvind Ødegård"], 2020, "odegard2020alzheimers"),
        ("E\u0301tude", ["Jose\u0301 Garci\u0301a"], 2020, "garcia2020etude"),
        ("On the", ["Laurens van der Maaten"], 2008, "vandermaaten2008on"),
        ("小胶质细胞", ["王 小明"], 2020, "xiaoming2020xiaojiaozhixibao"),
        ("Эффект", ["Анна Петрова"], 2020, "petrova2020effekt"),
        ("Maps", ["The ENCODE Project Consortium"], 2012, "encode2012maps"),
        ("Maps", ["Cuella-Martin"], 2021, "cuellamartin2021maps"),
        ("Maps", [], 2012, "anon2012maps"),
        ("Maps", ["Ann Other"], None, "otherndmaps"),
        ("?!", ["Ann Other"], 2012, "other2012untitled"),
        (None, ["Ann Other"], 2012, "other2012untitled"),
    ],
)
def test_a_citation_key_is_first_author_year_and_significant_word(
    title: str | None, authors: list[str], year: int | None, key: str
) -> None:
    assert citation_key(result(title=title, authors=authors, year=year, publication_date=None)) == key


def test_papers_that_would_share_a_name_get_digits_of_their_own_in_every_export() -> None:
    papers = [result(key=f"doi:10.1000/{number:02d}") for number in range(30)]
    keys = citation_keys(papers)
    assert len(set(keys)) == 30
    assert all(re.fullmatch(r"ulland2017microglia-[0-9a-f]{6}", key) for key in keys)
    assert citation_keys(papers[::-1]) == keys[::-1]
    assert citation_keys([papers[3], papers[17]]) == [keys[3], keys[17]]


def test_the_same_paper_twice_has_two_names() -> None:
    assert len(set(citation_keys([result(key="doi:10.1000/1")] * 2))) == 2


def test_a_suffix_letter_never_yields_the_key_of_another_paper() -> None:
    found = [result(title="Micro", key="1"), result(title="Micro", key="2"), result(title="Microa", key="3")]
    assert len(set(citation_keys(found))) == 3


@given(st.lists(results(), max_size=6))
def test_names_are_plain_and_all_different(found: list[StoredPaper]) -> None:
    keys = citation_keys(found)
    assert len(set(keys)) == len(found)
    assert all(re.fullmatch(r"[a-z0-9]+(-[0-9a-f]{6}(-\d+)?)?", key) for key in keys)


@pytest.mark.slow
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_results_changes_no_name(shuffler: Any) -> None:
    found = list(corpus_results())
    before = {it["key"]: key for it, key in zip(found, citation_keys(found), strict=True)}
    shuffler.shuffle(found)
    assert {it["key"]: key for it, key in zip(found, citation_keys(found), strict=True)} == before
