"""`fetch` keeps its `max_tokens`: the whole document counts, with and without an open text."""

from __future__ import annotations

import pytest

from infra.local.machine import Machine
from shared.search.sizes.token_budget import tokens
from tests.integration.mcp_calls import called, message

pytestmark = pytest.mark.slow  # the texts are read anew for each budget

WITH_TEXT, WITHOUT_TEXT = "PMC8371605", "doi:10.1056/NEJMoa1211851"


@pytest.mark.parametrize("id", [WITH_TEXT, WITHOUT_TEXT])
@pytest.mark.parametrize("most", [450, 600, 900, 1_500, 2_500, 5_000])
def test_a_document_is_within_its_budget(running: Machine, id: str, most: int) -> None:
    fetched = called(running, "fetch", id=id, max_tokens=most)
    assert tokens(fetched) <= most
    assert fetched["title"]
    assert len(fetched["text"]) > 50


def test_more_tokens_never_show_less_of_the_text(running: Machine) -> None:
    budgets = (450, 700, 1_000, 1_500, 2_200, 3_000, 5_000, 8_000)
    shown = [len(called(running, "fetch", id=WITH_TEXT, max_tokens=most)["text"]) for most in budgets]
    assert shown == sorted(shown)
    assert shown[0] < shown[-1]


def test_the_budget_stated_in_a_cut_document_shows_all_of_it(running: Machine) -> None:
    whole = called(running, "fetch", id=WITHOUT_TEXT)
    cut = called(running, "fetch", id=WITHOUT_TEXT, max_tokens=int(tokens(whole)) - 60)
    assert cut["text"].endswith("…")
    assert whole["text"].startswith(cut["text"].removesuffix("…"))
    enough = int(cut["metadata"]["truncated"].split(": ")[1].split()[0])
    assert called(running, "fetch", id=WITHOUT_TEXT, max_tokens=enough)["text"] == whole["text"]


def test_too_few_tokens_are_refused_with_the_least(running: Machine) -> None:
    (error,) = message(running, "fetch", {"id": WITHOUT_TEXT, "max_tokens": 60})["structuredContent"]["errors"]
    assert error["field"] == "max_tokens"
    least = int(error["message"].split()[-1])
    assert tokens(called(running, "fetch", id=WITHOUT_TEXT, max_tokens=least)) <= least
