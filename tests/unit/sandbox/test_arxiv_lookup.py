"""Lookups in arXiv's sandbox by the real provider code."""

from __future__ import annotations

from functions.providers import arxiv as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.services import arxiv as sandbox
from shared.providers.provider import ProviderReply
from shared.query.question import Lookup
from tests.replay import ask
from tests.unit.sandbox.bridge import over
from tests.unit.sandbox.test_arxiv import CORPUS, SHELLS, WITHDRAWN


def leg(*names: str, corpus: Corpus = CORPUS) -> ProviderReply:
    """What the provider's code makes of the sandbox's answer to a lookup."""
    return ask(provider, over(sandbox, corpus), Lookup(names))


def test_new_and_old_ids_are_found_and_unknown_ones_are_missing() -> None:
    answer = leg("arxiv:1905.00001", "arxiv:2001.00009", "arxiv:math/0001001")
    assert [(paper.rank, paper.title, paper.asked) for paper in answer.papers] == [
        (1, SHELLS.title, ("arxiv:1905.00001",)),
        (3, WITHDRAWN.title, ("arxiv:math/0001001",)),
    ]
    assert (answer.outcome.value, answer.total_estimate, answer.warnings) == ("ok", 2, ())


def test_unknown_ids_alone_are_empty() -> None:
    assert leg("arxiv:2001.00009").outcome.value == "empty"


def test_a_long_list_of_ids_is_found_completely_and_in_order() -> None:
    corpus = default_corpus()
    names = tuple(sorted(f"arxiv:{fact.arxiv_id}" for fact in corpus.facts if fact.arxiv_id))[:30]
    assert len(names) == 30
    answer = leg(*names, corpus=corpus)
    assert [paper.asked for paper in answer.papers] == [(name,) for name in names]
