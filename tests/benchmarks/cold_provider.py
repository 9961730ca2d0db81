"""A provider's cold start: its import and its first leg, with and without the look-up of its secret.

CPU time in fresh interpreters, in alternation, so that a busy machine affects both alike; and how long the first leg
takes with the share of a processor that Lambda gives 256 and 512 MB (`processor_share`; while it imports, a function
has a whole one). The provider is configured as `infra/constructs/providers.py` configures it, with `SECRETS_PREFIX` and
a table of rate limits. DynamoDB and Secrets Manager answer on loopback; the provider's API is the sandbox.

`python -m tests.benchmarks.cold_provider [pairs]`
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from infra.local.sandbox.server import Sandbox
from tests.benchmarks.aws_stub import aws_stub
from tests.benchmarks.cold_start import deployed_code
from tests.benchmarks.processor_share import group_with
from tests.infra.built_layer import BuiltLayer, built_layer

PAIRS: Final = 15
PROVIDER: Final = "pubmed"
MEMORY_MB: Final = (256, 512)
# Environment variables of each variant.
VARIANTS: Final[dict[str, dict[str, str]]] = {
    "looked up": {"SECRETS_PREFIX": "literature-search"},
    "in the environment": {"PUBMED_API_KEY": "none"},
}
MEASURE: Final = """
import os, sys, time
sys.path[:0] = sys.argv[2:]
begun = time.process_time()
from functions.providers.{provider} import handler
imported, started = time.process_time(), time.monotonic()
if sys.argv[1]:
    with open(sys.argv[1], "w") as group:
        group.write(str(os.getpid()))
reply = handler({{"operation": "search", "query": {{"text": "TREM2 microglia"}}, "timeout_ms": 15000}}, None)
ended = time.process_time()
print()
print(imported - begun, ended - imported, time.monotonic() - started, reply["outcome"])
"""


def environment(aws_url: str, base_urls: Mapping[str, str]) -> dict[str, str]:
    """The variables of a deployed provider, with the addresses of the services on this machine."""
    lambda_own = {
        "AWS_LAMBDA_FUNCTION_NAME": PROVIDER, "AWS_DEFAULT_REGION": "us-east-1", "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none", "AWS_SESSION_TOKEN": "none",
    }  # fmt: skip
    settings = {"PROVIDER_BUDGETS_TABLE": "budgets", "POWERTOOLS_METRICS_NAMESPACE": "benchmark"}
    return {**lambda_own, **settings, **base_urls, "AWS_ENDPOINT_URL": aws_url, "PATH": os.environ["PATH"]}


def measured(
    layer: BuiltLayer, code: Path, variables: Mapping[str, str], group: Path | None = None
) -> tuple[float, float, float]:
    """CPU seconds of the import and of the first leg, and how long that took, in a new interpreter.

    From the first leg on it is in the cgroup.
    """
    program = MEASURE.format(provider=PROVIDER)
    paths = [str(group or ""), str(code), str(layer.path / "python")]
    done = subprocess.run(
        [layer.python, "-I", "-B", "-S", "-c", program, *paths],
        env=dict(variables), cwd=code, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    imported, leg, took, outcome = done.stdout.splitlines()[-1].split()
    if outcome != "ok":
        raise RuntimeError(f"the leg ended with {outcome}: {done.stdout[-2000:]}")
    return float(imported), float(leg), float(took)


def report(pairs: int = PAIRS) -> None:
    """Print the medians of each variant."""
    with tempfile.TemporaryDirectory() as folder, aws_stub() as aws_url, Sandbox(faults={}) as sandbox:
        layer = built_layer(Path(folder) / "wheels")
        code = deployed_code(layer, Path(folder) / "code")
        if not layer.compiled:  # installed wheels, which lack the bytecode that is deployed
            compiled = [layer.python, "-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
            subprocess.run([*compiled, str(layer.path)], check=True, timeout=300)
        print(f"Python: {layer.why}.\n")
        variables = environment(aws_url, sandbox.base_urls)
        spent: dict[str, list[tuple[float, float, float]]] = {variant: [] for variant in VARIANTS}
        for number in range(pairs + 1):
            for variant in VARIANTS if number % 2 else list(VARIANTS)[::-1]:
                seconds = measured(layer, code, {**variables, **VARIANTS[variant]})
                if number:  # the first pair only fills the disk's cache
                    spent[variant].append(seconds)
        print("| key | import, CPU ms | first leg, CPU ms | both |\n|---|---|---|---|")
        for variant, runs in spent.items():
            columns = [run[0] for run in runs], [run[1] for run in runs], [sum(run[:2]) for run in runs]
            print(
                f"| {variant} | " + " | ".join(f"{statistics.median(values) * 1000:.0f}" for values in columns) + " |"
            )
        print("\n| first leg of a cold provider, key looked up | ms |\n|---|---|")
        for memory_mb in MEMORY_MB:
            with group_with(memory_mb) as group:
                if group is None:
                    print(f"| {memory_mb} MB | not measured: this machine allows no cgroup |")
                    continue
                looked_up = {**variables, **VARIANTS["looked up"]}
                took = statistics.median(measured(layer, code, looked_up, group)[2] for _ in range(pairs))
            print(f"| {memory_mb} MB | {took * 1000:.0f} |", flush=True)


if __name__ == "__main__":
    report(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
