"""A search while everything is cold: the sum of what was measured, with a source that takes 1.5 s.

    dispatcher: import + its own work for its first search     provider: import + its own work for its first leg

Imports have a whole processor; what follows has the share that Lambda gives for the memory (`processor_share`). CPU
seconds in fresh interpreters, divided by that share: so the sum holds on a busy machine and needs no cgroup.
The dispatcher's legs are answered at once, with what the sandbox's sources answer; AWS is on loopback. Not in it: what
Lambda needs to make an environment, and the way through API Gateway.

`python -m tests.benchmarks.cold_search [runs]`
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from infra.functions import provider_spec, searched_by_default
from infra.local.gateway import rest_event
from infra.local.machine import machine
from infra.local.sandbox.server import Sandbox
from tests.benchmarks import cold_provider
from tests.benchmarks.aws_stub import aws_stub
from tests.benchmarks.cold_start import deployed_code, environment
from tests.benchmarks.processor_share import WHOLE_MB
from tests.infra.built_layer import BuiltLayer, built_layer

RUNS: Final = 9
SOURCE_S: Final = 1.5
DISPATCHER_MB: Final = 1024
QUERY: Final = "TREM2 microglia"
# A second search of the same process, to tell what is spent once.
MEASURE: Final = """
import sys, json, time
sys.path[:0] = sys.argv[1:]
events = json.loads(sys.stdin.read())
begun = time.process_time()
from functions.dispatcher.handler import handler
spent = [time.process_time() - begun]
class Context:
    aws_request_id, invoked_function_arn = "r", "arn:aws:lambda:us-east-1:0:function:f"
    function_name, memory_limit_in_mb = "f", 1024
    def get_remaining_time_in_millis(self):
        return 29_000
for event in events:
    begun = time.process_time()
    answer = handler(event, Context())
    spent.append(time.process_time() - begun)
    assert answer["statusCode"] == 200, answer["body"]
print()
print(json.dumps([spent, json.loads(answer["body"])["returned"]]))
"""


def replies() -> dict[str, Any]:
    """What the function of each source answers to a search, by its name."""
    event = {"operation": "search", "query": {"text": QUERY}, "timeout_ms": 15_000}
    with machine(sandbox=Sandbox(faults={})) as running:
        return {name: running.invoke(name, event) for name in searched_by_default()}


def dispatcher(layer: BuiltLayer, code: Path, variables: Mapping[str, str]) -> list[float]:
    """CPU seconds of the import, the first search and a second one, in a new interpreter."""
    searches = [rest_event("GET", "/v1/literature-search", query={"query": [text]}) for text in (QUERY, f"{QUERY} x")]
    done = subprocess.run(
        [layer.python, "-I", "-B", "-S", "-c", MEASURE, str(code), str(layer.path / "python")],
        input=json.dumps(searches), env=dict(variables), cwd=code, capture_output=True, text=True, check=False,
        timeout=120,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr[-9000:])
    spent, returned = json.loads(done.stdout.splitlines()[-1])
    if not returned:
        raise RuntimeError(f"the search found nothing: {done.stdout[-2000:]}")
    return [float(it) for it in spent]


def report(runs: int = RUNS) -> None:
    """Print the parts and their sum."""
    answered = replies()
    with (
        tempfile.TemporaryDirectory() as folder,
        aws_stub(answered) as aws_url,
        Sandbox(faults={}) as sandbox,
    ):
        layer = built_layer(Path(folder) / "wheels")
        code = deployed_code(layer, Path(folder) / "code")
        print(f"Python: {layer.why}.\n")
        of_provider = cold_provider.environment(aws_url, sandbox.base_urls) | cold_provider.VARIANTS["looked up"]
        own, legs = list[list[float]](), list[tuple[float, float, float]]()
        for turn in range(runs + 1):
            one = dispatcher(layer, code, environment(aws_url)), cold_provider.measured(layer, code, of_provider)
            if turn:  # the first only fills the disk's cache
                own.append(one[0])
                legs.append(one[1])
    imported, first, second = (statistics.median(run[part] for run in own) for part in range(3))
    provider, leg = (statistics.median(run[part] for run in legs) for part in range(2))
    provider_mb = provider_spec(cold_provider.PROVIDER).memory_mb
    parts = {
        f"dispatcher, import: {imported * 1000:.0f} ms CPU": imported,
        f"dispatcher, first search: {first * 1000:.0f} ms CPU at {DISPATCHER_MB} MB": first * WHOLE_MB / DISPATCHER_MB,
        f"provider, import: {provider * 1000:.0f} ms CPU": provider,
        f"provider, first leg: {leg * 1000:.0f} ms CPU at {provider_mb} MB": leg * WHOLE_MB / provider_mb,
        "the source": SOURCE_S,
    }
    print(f"| part, median of {runs} | s |\n|---|---|")
    for name, seconds in {**parts, "everything cold": sum(parts.values())}.items():
        print(f"| {name} | {seconds:.2f} |")
    print(f"\nA second search of the same process: {second * 1000:.0f} ms CPU.")


if __name__ == "__main__":
    report(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
