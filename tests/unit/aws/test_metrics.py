"""The metrics of legs: a provider's alarm counts what happened just now, and a cached answer is not its success."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from shared.aws.runtime.metrics import observe
from shared.legs.leg import LegAnswer
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from tests.unit.legs.leg_dependencies import Shared, found, leg, one, unavailable
from tests.virtual_time import Clock


def reply(outcome: Outcome = Outcome.OK, provider: str = "pubmed", **more: Any) -> ProviderReply:
    return ProviderReply(provider=provider, family=provider, outcome=outcome, elapsed_ms=7, **more)


@pytest.fixture
def emitted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that observes answers and returns the lines, without their directives."""
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")

    def run(*answers: LegAnswer) -> list[dict[str, Any]]:
        observe(answers)
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        return [{name: value for name, value in line.items() if name != "_aws"} for line in lines]

    return run


def test_cached_and_coalesced_legs_say_nothing_of_their_provider(emitted: Any) -> None:
    lines = emitted(
        *[LegAnswer(replace(reply(provider=f"p{number}"), source="cache")) for number in range(7)],
        LegAnswer(reply(), coalesced=True),
    )
    assert lines == [{"service": "literature-search", "LegsCache": [7.0], "LegsCoalesced": [1.0]}]


@pytest.mark.parametrize(
    ("outcome", "counts"),
    [
        (Outcome.OK, {"counted": "failed", "pubmed": [0.0]}),
        (Outcome.TIMEOUT, {"counted": "failed", "pubmed": [1.0]}),
        (Outcome.SKIPPED_BUDGET, {"LegsSkipped": [1.0]}),
        (Outcome.SKIPPED_NO_KEY, {}),
        (Outcome.SKIPPED_UNSUPPORTED_FILTER, {}),
    ],
)
@pytest.mark.parametrize("stale", [False, True])
def test_a_live_leg_counts_by_how_it_ended_even_if_a_stale_reply_is_shown(
    emitted: Any, outcome: Outcome, counts: dict[str, Any], stale: bool
) -> None:
    answer = LegAnswer(replace(reply(), source="stale"), failure=outcome) if stale else LegAnswer(reply(outcome))
    (line,) = emitted(answer)
    assert line == {"service": "literature-search", "LegsStale" if stale else "LegsLive": [1.0], **counts}


def test_all_legs_of_a_search_are_one_line(emitted: Any) -> None:
    (line,) = emitted(
        LegAnswer(reply()), LegAnswer(reply(Outcome.TIMEOUT)), LegAnswer(reply(Outcome.SKIPPED_BUDGET)),
        LegAnswer(reply(provider="crossref")), LegAnswer(reply(), coalesced=True),
    )  # fmt: skip
    assert line == {
        "service": "literature-search", "counted": "failed", "pubmed": [0.0, 1.0], "crossref": [0.0],
        "LegsLive": [4.0], "LegsCoalesced": [1.0], "LegsSkipped": [1.0],
    }  # fmt: skip


def test_each_metric_of_a_line_has_one_dimension_and_one_directive(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the embedded metric format demands: each name that a directive has is a member of the line."""
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    observe([LegAnswer(reply()), LegAnswer(reply(Outcome.TIMEOUT, "crossref"))])
    line = json.loads(capsys.readouterr().out)
    assert line["_aws"]["Timestamp"] > 10**12
    directives = line["_aws"]["CloudWatchMetrics"]
    assert [it["Dimensions"] for it in directives] == [[["service"]], [["counted"]]]
    named = [metric["Name"] for it in directives for metric in it["Metrics"]]
    assert sorted([*named, "service", "counted", "_aws"]) == sorted(line)
    assert all(isinstance(line[name], list) for name in named)


def test_nothing_is_written_where_metrics_are_disabled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    observe([LegAnswer(reply())])
    assert capsys.readouterr().out == ""


def test_a_dead_provider_with_a_stale_reply_counts_as_failed(emitted: Any) -> None:
    alive = [True]
    shared = Shared(Clock(), lambda leg, seconds: (found if alive[0] else unavailable)(leg))
    assert one(shared, leg()).reply.outcome is Outcome.OK
    alive[0] = False
    answer = one(shared, leg(), at=25 * 3600.0)
    assert (answer.reply.outcome, answer.reply.source) == (Outcome.OK, "stale")
    assert emitted(answer)[0][answer.reply.provider] == [1.0]
