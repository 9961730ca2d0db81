"""A search that finds nothing says which of its filters leave the papers out, and offers the search without these."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import both, called

NEVER = {"author": "Nobody-of-that-Name"}
LATER = {"date_from": "2040"}


def broader(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The arguments of the searches that are offered without something, by what they say they do."""
    return {it["why"]: it["arguments"] for it in answer["next_actions"] if it["why"].startswith("searches ")}


@pytest.mark.parametrize(("filters", "why", "dropped"), [
    ({"journal": "NEJM", "date_from": "2015", "date_to": "2018-06"}, "searches without journal", {"journal"}),
    ({"min_citations": 900_000, "date_from": "2015", "exclude_preprints": True}, "searches without min_citations",
     {"min_citations"}),
    ({**NEVER, "journal": "NEJM", "date_from": "2015"}, "searches without journal and author", {"author", "journal"}),
])  # fmt: skip
def test_only_the_filters_to_blame_are_dropped(
    running: Machine, filters: dict[str, Any], why: str, dropped: set[str]
) -> None:
    for answer in both(running, query="TREM2", **filters):
        assert answer["total_count"] == 0
        ((said, arguments),) = broader(answer).items()
        assert said == why
        assert {name for name in filters if name not in arguments} == dropped
        assert {name: arguments[name] for name in filters.keys() - dropped} == {
            name: value for name, value in filters.items() if name not in dropped
        }
        (message,) = (it["message"] for it in answer["hints"] if it["reason"] == "filters_too_narrow")
        assert f"pass without {why.removeprefix('searches without ')}" in message
        assert called(running, "literature_search", **arguments)["total_count"] > 0


def test_the_operators_alone_are_dropped_while_the_filters_stay(running: Machine) -> None:
    for answer in both(running, query="TREM2 AND zzyzx", date_from="2015", exclude_preprints=True):
        assert answer["total_count"] == 0
        (arguments,) = broader(answer).values()
        assert (arguments["query"], arguments["date_from"], arguments["exclude_preprints"]) == (
            "TREM2 zzyzx", "2015", True,
        )  # fmt: skip
        assert called(running, "literature_search", **arguments)["total_count"] > 0


def test_all_are_dropped_where_no_fewer_suffice(running: Machine) -> None:
    for answer in both(running, query="TREM2", **NEVER, **LATER):
        assert answer["total_count"] == 0
        assert set(broader(answer)) == {"searches without filters"}


@pytest.mark.parametrize(("asked", "to_blame"), [
    ({"query": "TREM2 dementia", "date_to": "2000"}, "date_to"),
    ({"query": "TREM2 dementia", "date_to": "2000", "exclude_preprints": True}, "date_to and exclude_preprints"),
    ({"query": "TREM2 dementia published before 2000"}, "published before 2000"),
])  # fmt: skip
def test_words_are_not_called_absent_where_a_filter_left_their_papers_out(
    running: Machine, asked: dict[str, Any], to_blame: str
) -> None:
    for answer in both(running, **asked):
        assert answer["results"]
        (message,) = [it["message"] for it in answer["hints"] if it["reason"] == "absent_words"]
        assert message.startswith(f"No paper that passes {to_blame} has: TREM2")


def test_without_a_filter_the_words_themselves_are_absent(running: Machine) -> None:
    for answer in both(running, query="TREM2 zzyzx"):
        (message,) = [it["message"] for it in answer["hints"] if it["reason"] == "absent_words"]
        assert message.startswith("No paper here has: zzyzx. Check the spelling")
