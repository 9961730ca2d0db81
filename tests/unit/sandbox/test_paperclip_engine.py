"""How Paperclip's shell reads a search: options of `paperclip search --help` (0.7.15) and paperclip.gxl.ai/docs."""

from __future__ import annotations

import pytest

from infra.local.sandbox.paperclip import engine as paperclip_engine
from infra.local.sandbox.paperclip.engine import InvalidCommandError, run
from tests.unit.sandbox.test_paperclip import ARTICLE, CORPUS, ON_ARXIV, PREPRINT

ALL = {ARTICLE.title, PREPRINT.title, ON_ARXIV.title}


def titles(line: str) -> list[str]:
    return [found.fact.title for found in run(f"search {line}", CORPUS)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("-s papers 'What do microglia eat in brains?' --all", ALL),
        ("-s papers 'microglia zebra' --all", ALL),
        ("-s papers 'does the' --all", set()),
        ("-s pmc 'microglia' --all", {ARTICLE.title, ON_ARXIV.title}),
        ("-s pmc,medrxiv 'microglia' --all", {ARTICLE.title, ON_ARXIV.title, PREPRINT.title}),
        ("--source papers --exact 'microglia in a dish' --limit 5 --all", {PREPRINT.title}),
        ("-s papers 'microglia' --since 2020-01-01 --all", {PREPRINT.title, ON_ARXIV.title}),
        ("-s papers 'microglia' --since 2020-06-01 --all", {PREPRINT.title}),  # a year alone is its first of January
        ("-s papers 'microglia' --year 2019", {ARTICLE.title}),
        ("-s papers 'microglia' --author Turing --all", {ON_ARXIV.title}),
        ("-s papers 'microglia' --author 'Turing A' --all", set()),
        ("-s papers 'microglia' --ranking hybrid --all", ALL),
        ("-s papers 'microglia'", {PREPRINT.title}),
    ],
)  # fmt: skip
def test_a_search_by_meaning_with_the_documented_options(line: str, found: set[str]) -> None:
    assert set(titles(line)) == found


def test_a_sentence_puts_the_paper_first_that_has_most_of_it() -> None:
    assert titles("-s papers 'How do microglia clear amyloid from the brain of a mouse?' --all")[0] == ARTICLE.title


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("search microglia", "Error: search requires a source flag"),
        ("search -s papers x --output f", "unknown option: --output"),
        ("search -s papers x -n 0", "-n must be"),
        ("search -s papers x --sort citations", "--sort must be"),
        ("search -s papers x --since yesterday", "--since must be"),
        ("search -s papers x --all --year 2020", "cannot be combined"),
        ("search -s papers 'x", "parse error"),
        ("rm -rf", "command not found"),
    ],
)
def test_an_invalid_command_is_refused_by_the_shell(line: str, message: str) -> None:
    with pytest.raises(InvalidCommandError, match=message):
        run(line, CORPUS)


def test_a_release_without_all_refuses_it_and_searches_all_years(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paperclip_engine, "ACCEPTS_ALL", False)
    with pytest.raises(InvalidCommandError, match="ERR: search: unknown option: --all"):
        titles("-s papers microglia --all")
    assert len(titles("-s papers microglia")) == 3
