"""The long run of schemathesis: every operation, every boundary of its schemas, and many drawn requests."""

from __future__ import annotations

from tests.fuzzing import fuzz, served

CASES_AN_OPERATION = 100


def report() -> None:
    """One line: requests, seconds, failures; and what they are."""
    with served() as url:
        fuzzed = fuzz(url, cases_an_operation=CASES_AN_OPERATION, seed=1, phases="coverage,fuzzing")
    print("| operations | requests | s | failures |\n|---|---|---|---|")
    print(f"| {fuzzed.operations} | {fuzzed.cases} | {fuzzed.seconds:.0f} | {fuzzed.failures} |", flush=True)
    if fuzzed.failures:
        print(f"\n```\n{fuzzed.output}\n```", flush=True)
