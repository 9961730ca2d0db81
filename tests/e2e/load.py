"""Searches a deployed stage for some minutes: `python -m tests.e2e.load --stage test-1 --minutes 5`.

One search a second by default, each of another question, so that sources are asked within their terms. Exit status 1:
more than one answer in a hundred failed, or more than one in twenty took longer than the limit.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import boto3
import httpx

WORDS = ("TREM2", "amyloid", "CRISPR", "graphene", "perovskite", "malaria", "transformer", "insulin", "tau", "zeolite")
MAX_FAILED, SLOW_S, MAX_SLOW, AT_ONCE = 0.01, 15.0, 0.05, 50


@dataclass(frozen=True, slots=True)
class Result:
    """One request: its status, 0 without an answer, and its seconds."""

    status: int
    seconds: float

    @property
    def failed(self) -> bool:
        """Whether the service is to blame."""
        return self.status == 0 or self.status >= 500


def questions() -> Iterator[str]:
    """Yield queries that differ: pairs of words, then with a year."""
    for year in itertools.chain([""], map(str, itertools.count(1990))):
        for one, other in itertools.permutations(WORDS, 2):
            yield f"{one} {other} {year}".strip()


def verdict(results: Sequence[Result]) -> tuple[bool, str]:
    """Return whether the load was borne, and a line with the figures."""
    failed = sum(result.failed for result in results)
    refused = sum(400 <= result.status < 500 for result in results)
    slow = sum(result.seconds > SLOW_S for result in results)
    times = sorted(result.seconds for result in results)
    p50, p95 = (times[max(math.ceil(share * len(times)) - 1, 0)] for share in (0.5, 0.95)) if times else (0.0, 0.0)
    borne = bool(results) and not refused and failed <= MAX_FAILED * len(results) and slow <= MAX_SLOW * len(results)
    figures = f"{len(results)} requests, {failed} failed, {refused} refused, p50 {p50:.1f} s, p95 {p95:.1f} s"
    return borne, figures


def load(url: str, key: str, *, seconds: float, a_second: float, sleep: Callable[[float], None]) -> list[Result]:
    """Send searches at an even rate, whether the ones before were answered or not."""
    with (
        httpx.Client(base_url=url, headers={"x-api-key": key}, timeout=40) as client,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):

        def search(query: str) -> Result:
            began = time.monotonic()
            try:
                body = {"query": query, "cite_in_kg": False}
                status = client.post("v1/literature-search", json=body).status_code
            except httpx.TransportError:
                status = 0
            return Result(status, time.monotonic() - began)

        under_way = []
        for query in itertools.islice(questions(), round(seconds * a_second)):
            under_way.append(pool.submit(search, query))
            sleep(1 / a_second)
        return [it.result() for it in under_way]


def main(arguments: Sequence[str] | None = None) -> int:
    """Find the stage's address and first key, and search."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.load", description=__doc__)
    parser.add_argument("--stage", required=True)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--per-second", type=float, default=1.0)
    given = parser.parse_args(arguments)
    (stack,) = boto3.client("cloudformation").describe_stacks(StackName=f"literature-search-{given.stage}")["Stacks"]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
    key = boto3.client("apigateway").get_api_key(apiKey=outputs["ApiKeyId"], includeValue=True)["value"]
    seconds = given.minutes * 60
    borne, figures = verdict(load(outputs["Url"], key, seconds=seconds, a_second=given.per_second, sleep=time.sleep))
    sys.stdout.write(f"{figures}\n")
    return 0 if borne else 1


if __name__ == "__main__":
    sys.exit(main())
