"""What each kind of search uses of AWS, measured on one machine: `python -m tests.benchmarks.cost_usage --write`.

The dispatcher, its caches, the queue and the writer are the real ones, over moto; DynamoDB's units are counted from the
items that were read and written. Providers are replaced by made-up answers of a hundred records each, which come at
once; their own processor time is measured with the sandbox. moto's work is left out of every time.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Self, cast
from unittest.mock import patch

from moto.core.models import botocore_stubber

from infra.functions import searched_by_default
from infra.local import dynamodb_hook, lambda_hook, s3_hook
from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared import clock
from shared.aws.dynamodb.leg_cache import FAILURE_S
from shared.aws.lambda_functions.provider_fan_out import LegThreads
from shared.bibliography.paper import Paper
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed, reply_to_json
from tests.benchmarks.cost_meter import Meter, Used, measured
from tests.benchmarks.cost_units import counted_calls, packed_bytes
from tests.benchmarks.speed import FAMILIES, legs_of_a_hundred

MEASURED = Path(__file__).parents[2] / "infra" / "cost_measured.json"
ROUNDS = 7
LEG_S = 1.0  # while which a second caller comes
# How many references a record brings, as in the answers that were recorded (2026-11).
REFERENCES = {"crossref": 17, "openalex": 49}


def made_up_replies() -> dict[str, dict[str, Any]]:
    """A leg a provider, as its function returns it."""
    chance, legs = Random(1), dict[str, list[Paper]]()
    for paper in legs_of_a_hundred():
        numbers = [chance.randrange(10**9, 4 * 10**9) for _ in range(REFERENCES.get(paper.provider, 0))]
        legs.setdefault(paper.provider, []).append(
            replace(paper, references=tuple(f"openalex:W{number}" for number in numbers))
        )
    return {
        name: reply_to_json(
            ProviderReply(
                provider=name, family=FAMILIES.get(name, name), outcome=Outcome.OK, papers=tuple(legs[name]),
                total_estimate=10_000, effective_query="made up", retrieved_at="2026-11-22T00:00:00Z",
            )
        )
        for name in searched_by_default()
    }  # fmt: skip


@contextmanager
def metered(
    local: Machine,
    replies: dict[str, dict[str, Any]] | None,
    wait_s: list[float],
    providers: Sequence[str] | None = None,
) -> Iterator[Meter]:
    """With every function measured; with `replies`, the providers answer with these after `wait_s[0]` seconds.

    `providers`: those that are measured, by default those that a search queries by itself.
    """
    meter, functions = Meter(), cast(dict[str, Any], local.functions)

    def answer(name: str) -> Callable[..., Any]:
        def provider(event: Any, context: Any) -> Any:
            time.sleep(wait_s[0])
            return replies[name] if replies else None

        return provider

    submit = LegThreads.submit
    with ExitStack() as stack:
        before = dict(functions)
        stack.callback(functions.update, before)
        for name in providers or searched_by_default():
            function = answer(name) if replies else functions[f"local-{name}"]
            functions[f"local-{name}"] = meter.timed(f"provider {name}", function)
        for name in ("dispatcher", "citation_writer"):
            functions[f"local-{name}"] = meter.timed(name, functions[f"local-{name}"])
        moto = meter.timed("moto", botocore_stubber.process_request)
        stack.enter_context(patch.object(botocore_stubber, "process_request", moto))
        stack.enter_context(patch.object(dynamodb_hook, "call", meter.timed("moto", dynamodb_hook.call)))
        stack.enter_context(patch.object(s3_hook, "answer", meter.timed("moto", s3_hook.answer)))
        # What a provider's function does to answer is not the dispatcher's time.
        stack.enter_context(patch.object(lambda_hook, "_response", meter.timed("moto", lambda_hook._response)))
        threads = patch.object(
            LegThreads, "submit", lambda self, work: submit(self, meter.timed("dispatcher threads", work))
        )
        stack.enter_context(threads)
        stack.enter_context(counted_calls(meter.note))
        yield meter


def post(local: Machine, query: str) -> dict[str, Any]:
    """One search over everything, as an agent sends it."""
    body = json.dumps({"query": query})
    answer: dict[str, Any] = local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))
    assert answer["statusCode"] == 200, answer["body"]
    return answer


def both(local: Machine, query: str) -> list[Any]:
    """The same search by two callers, the second a little later."""
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(post(local, query))) for _ in range(2)]
    for thread in threads:
        thread.start()
        time.sleep(0.2)
    for thread in threads:
        thread.join()
    return [json.loads(answer["body"])["cache"] for answer in answers]


def run(local: Machine, event: dict[str, Any]) -> None:
    """One run of a saved search, and what it hands to the graph."""
    local.invoke("dispatcher", event)
    local.drain_queue()


def figures(runs: list[Used]) -> dict[str, dict[str, float]]:
    """The median of several runs, each name by itself."""

    def median(counters: Sequence[Mapping[str, float]]) -> dict[str, float]:
        names = sorted({name for counter in counters for name in counter if name != "moto invocations"})
        return {
            name: round(statistics.median(it.get(name, 0) for it in counters), 2) for name in names if name != "moto"
        }

    return {"cpu_ms": median([run.cpu_ms for run in runs]), "counts": median([run.counts for run in runs])}


def of_searches() -> dict[str, Any]:
    """Misses, hits and coalesced searches of made-up answers, then the graph's writer of a miss and of a hit."""
    replies, wait = made_up_replies(), [0.0]
    with machine(sandbox=None) as local, metered(local, replies, wait) as meter:
        post(local, "warm")
        local.drain_queue()
        kinds: dict[str, list[Used]] = {"miss": [], "graph of a miss": [], "hit": [], "graph of a hit": []}
        size = 0
        for number in range(ROUNDS):
            for kind in ("miss", "hit"):
                used, answer = measured(meter, partial(post, local, f"question {number}"))
                kinds[kind].append(used)
                size = max(size, len(answer["body"].encode()))
                kinds[f"graph of a {kind}"].append(measured(meter, local.drain_queue)[0])
        kinds["again"], kinds["graph of again"] = _again(local, meter)
        kinds["refused"], kinds["graph of refused"] = _refused(local, meter, replies)
        wait[0] = LEG_S
        alone = [measured(meter, partial(post, local, f"alone {n}"))[0] for n in range(3)]
        pairs = [measured(meter, partial(both, local, f"pair {n}")) for n in range(3)]
        assert all("coalesced" in cache for _, cache in pairs), pairs
    found = {kind: figures(runs) for kind, runs in kinds.items()}
    found["miss of a second"], found["two at once"] = figures(alone), figures([used for used, _ in pairs])
    return {**found, "answer_bytes": size, "leg_packed_bytes": {n: packed_bytes(it) for n, it in replies.items()}}


class _NextDay(datetime):
    """A clock of the next day, when no leg and no result set is fresh any more."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) + timedelta(hours=25)


def _again(local: Machine, meter: Meter) -> tuple[list[Used], list[Used]]:
    """Searches that were answered a day ago, and what the writer does for them: their legs are kept, but not fresh."""
    searches, graphs = [], []
    with patch.object(clock, "datetime", _NextDay):
        for number in range(3):
            searches.append(measured(meter, partial(post, local, f"question {number}"))[0])
            graphs.append(measured(meter, local.drain_queue)[0])
    return searches, graphs


def _refused(local: Machine, meter: Meter, replies: dict[str, dict[str, Any]]) -> tuple[list[Used], list[Used]]:
    """Every leg is cached but one, whose source has no quota left for the day: each request to it fails."""
    answered = replies["openalex"]
    replies["openalex"] = reply_to_json(failed("openalex", "crossref", Outcome.SKIPPED_BUDGET, "spent"))
    for number in range(3):
        post(local, f"refused {number}")
    local.drain_queue()
    time.sleep(FAILURE_S)
    runs, graphs = [], []
    for number in range(3):
        runs.append(measured(meter, partial(post, local, f"refused {number}"))[0])
        graphs.append(measured(meter, local.drain_queue)[0])
    replies["openalex"] = answered
    return runs, graphs


def of_providers() -> dict[str, Any]:
    """The providers' own functions, with the sandbox behind them and no secret to be found; and a saved search."""
    os.environ["SECRETS_PREFIX"] = "literature-search/dev"
    with machine(sandbox=Sandbox(faults={})) as local, metered(local, None, []) as meter:
        post(local, "warm")
        runs = [measured(meter, partial(post, local, f"TREM2 microglia NOT number{n}"))[0] for n in range(ROUNDS)]
        answer = json.loads(post(local, "TREM2 microglia NOT number0")["body"])
        event = json.loads((Path(__file__).parents[2] / "events" / "scheduled_search.json").read_text())
        local.save(event["detail"])
        days = []
        for day in (20, 21, 22):
            at = {**event, "time": f"2026-11-{day}T06:00:00Z"}
            days.append(measured(meter, partial(run, local, at))[0])
    del os.environ["SECRETS_PREFIX"]
    papers = {name: report["returned"] for name, report in answer["providers"].items()}
    return {"sandbox": figures(runs), "papers": papers, "first_run": figures(days[:1]), "next_run": figures(days[2:])}


def main() -> None:
    """Print what was measured; with `--write`, keep it for the arithmetic."""
    os.environ["POWERTOOLS_METRICS_DISABLED"] = "false"
    stored = json.loads(MEASURED.read_text(encoding="utf-8"))
    text = json.dumps({**stored, "searches": of_searches(), "providers": of_providers()}, indent=1)
    print(text)
    if "--write" in sys.argv:
        MEASURED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
