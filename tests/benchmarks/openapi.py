"""The long run of schemathesis: every operation, every boundary of its schemas, and many drawn requests."""

from __future__ import annotations

from tests.fuzzing import fuzz, served

CASES_AN_OPERATION = 100


def report() -> None:
    """One line: requests, seconds, failures; and what they are."""
    with served() as url:
        told = fuzz(url, cases_an_operation=CASES_AN_OPERATION, seed=1, phases="coverage,fuzzing")
    print("| operations | requests | s | failures |\n|---|---|---|---|")
    print(f"| {told.operations} | {told.cases} | {told.seconds:.0f} | {told.failures} |", flush=True)
    if told.failures:
        print(f"\n```\n{told.told}\n```", flush=True)
