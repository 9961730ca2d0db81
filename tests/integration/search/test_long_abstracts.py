"""Answers stay within their tokens where abstracts are as long as in real indexes, and abbreviations and figures many.

The corpus's abstracts have some 230 characters, real ones 1,500 to 2,500. Each is continued here to a length that
depends on its title alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest

from infra.local.machine import Machine, machine
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact, read_facts
from infra.local.sandbox.server import Sandbox
from shared.search.sizes.abstract_cuts import ABSTRACT_CHARS
from shared.search.sizes.details import LEAST_CHARS
from shared.search.sizes.token_budget import tokens
from tests.integration.papers_calls import fetch
from tests.integration.search.test_sizes import TOPICS, by_mcp

pytestmark = pytest.mark.slow  # ten of the longest papers

SEARCH = "/v1/literature-search"
SHORTEST, LONGEST = 1_500, 2_500
PROSE = (
    "Of 1,412 records, 386 (27.3%) met the criteria and were followed for a median of 3.4 years (IQR 2.9-4.1).",
    "Effect sizes were pooled with random-effects models; I² was 41% and τ² = 0.03, with no sign of small-study bias.",
    "Compared with the reference group, the adjusted odds ratio was 1.87 (95% CI, 1.42-2.46; P < .001).",
    "We repeated the analysis after removing outliers, with alternative priors, and on a held-out subset.",
    "In a sensitivity analysis the estimate changed by less than 4%, and its interval still excluded unity.",
    "Performance was measured by accuracy, F1 and AUROC over five folds, against seven published baselines.",
    "Staining with α-synuclein and IBA1 antibodies was quantified by two readers who did not know the genotype.",
    "Code, models and de-identified data are available at https://example.org/data/v2.1 under a CC BY 4.0 licence.",
    "These results should be read with caution, since follow-up was short and the sample came from one region.",
)  # fmt: skip


def lengthened(fact: Fact) -> Fact:
    """The paper with an abstract of realistic length; without one as it is."""
    if not fact.abstract:
        return fact
    wanted = SHORTEST + sum(map(ord, fact.title)) % (LONGEST - SHORTEST)
    text, prose = fact.abstract, cycle(PROSE)
    while len(text) < wanted:
        text += " " + next(prose)
    return replace(fact, abstract=text)


@pytest.fixture(scope="module")
def long() -> Iterator[Machine]:
    """Everything running, over the corpus with long abstracts."""
    with machine(sandbox=Sandbox(Corpus(tuple(map(lengthened, read_facts()))), faults={})) as local:
        yield local


@pytest.fixture(
    scope="module",
    params=[pytest.param(10, id="every tenth topic"), pytest.param(1, id="every topic", marks=pytest.mark.slow)],
)
def answers(request: pytest.FixtureRequest, long: Machine) -> dict[str, dict[str, Any]]:
    """The topics' answers in standard and compact size, and over MCP."""
    return {
        topic: {size: fetch(long, "POST", SEARCH, {"query": topic, "detail": size}) for size in ("standard", "compact")}
        | {"mcp": by_mcp(long, "literature_search", query=topic)}
        for topic in TOPICS[:: request.param]
    }


@pytest.mark.parametrize(("size", "most"), [("standard", 9_000), ("compact", 1_500), ("mcp", 3_000)])
def test_ten_papers_with_long_abstracts_stay_within_their_tokens(answers: Any, size: str, most: int) -> None:
    sizes = {topic: tokens(answer[size]) for topic, answer in answers.items() if tokens(answer[size]) >= most}
    assert sizes == {}
    assert sum(answer[size]["returned"] == 10 for answer in answers.values()) > len(answers) / 2


def test_no_abstract_is_lost_or_made_pointless(answers: Any, long: Machine) -> None:
    for topic, answer in answers.items():
        whole = {
            it["key"]: it["abstract"]
            for it in fetch(long, "POST", SEARCH, {"query": topic, "detail": "full"})["results"]
        }
        for size, least in (("standard", 400), ("mcp", 350), ("compact", LEAST_CHARS // 2)):
            for paper in answer[size]["results"]:
                shown = paper["abstract"]
                assert bool(shown) == bool(whole[paper["key"]]), (topic, size)
                assert not shown or least <= len(shown) <= ABSTRACT_CHARS, (topic, size, len(shown))


def test_every_cut_abstract_is_counted(answers: Any) -> None:
    for answer in answers.values():
        for size in ("standard", "compact", "mcp"):
            ended = sum("…" in (paper["abstract"] or "") for paper in answer[size]["results"])
            assert answer[size]["truncated"]["fields"].get("abstract", 0) == ended
