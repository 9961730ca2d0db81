"""How long each function takes to be imported: ratios to importing boto3 and making its three clients.

CPU seconds in fresh interpreters that see the code and the layer's wheels alone, interleaved, so that a busy machine
slows all alike. With bytecode, as it is deployed. What they are compared with sees boto3 as it is published, without
the layer's trimming: so the unit of the ratios is the machine's speed alone.
`python -m tests.benchmarks.cold_start [runs]`
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from infra.functions import capabilities, provider_functions, provider_names
from infra.tables import QUEUES, TABLES
from infra.uploaded_code import stage_code
from tests.benchmarks.aws_stub import aws_stub
from tests.infra.built_layer import BuiltLayer, built_layer, published_wheels

RUNS = 15
REFERENCE = "clients"
CLIENTS = "import boto3\nfor name in ('lambda', 'dynamodb', 'sqs'): boto3.client(name)"
# What is deployed, and the most that it may take: the ratios of a busy machine, and a tenth (decision 0093).
CEILINGS = {"dispatcher": 1.85, "citation_writer": 1.3, "providers": 1.95, "deliverer": 1.45, "mcp_server": 2.05,
            "saved_search_runner": 2.6, "authorizer": 0.1, "public_pages": 0.6}  # fmt: skip
MEASURE = """
import sys, time
sys.path[:0] = sys.argv[1:]
begun = time.process_time()
{code}
print(time.process_time() - begun)
"""


def environment(aws_url: str) -> dict[str, str]:
    """The environment of the deployed functions; AWS, which providers call while they are imported, is at `aws_url`."""
    tables = {f"{table.name.upper().replace('-', '_')}_TABLE": table.name for table in TABLES}
    tables |= {f"{it.name.upper()}_QUEUE_URL": f"https://sqs.us-east-1.amazonaws.com/0/{it.name}" for it in QUEUES}
    tables |= {"PROVIDER_FUNCTIONS": provider_functions("local"), "CAPABILITIES": capabilities()}
    tables |= {"DISPATCHER_FUNCTION": "dispatcher", "AWS_LAMBDA_FUNCTION_NAME": "one", "SCHEDULE_GROUP": "g"}
    tables |= {"SEARCHED_PROVIDERS": ",".join(provider_names())}
    tables |= {"SCHEDULED_FUNCTION": "runner"}
    tables |= {"NEWS_TOPIC_ARN": "arn:aws:sns:us-east-1:0:news", "SCHEDULER_ROLE_ARN": "arn:aws:iam::0:role/r"}
    tables |= {"AWS_DEFAULT_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none"}
    tables |= {"SEARCH_CACHE_BUCKET": "search-cache"}
    tables |= {"AWS_ENDPOINT_URL": aws_url, "SECRETS_PREFIX": "literature-search"}
    return {**tables, "PATH": os.environ["PATH"]}


def imports() -> dict[str, str]:
    """What is measured: name -> code. Of the providers the one that reads the most formats."""
    handlers = {name: f"import functions.{name}.handler" for name in CEILINGS if name != "providers"}
    return {REFERENCE: CLIENTS, **handlers, "providers": "import functions.providers.pubmed"}


def medians(layer: BuiltLayer, published: BuiltLayer, code: Path, aws_url: str, runs: int) -> Mapping[str, float]:
    """CPU seconds by name."""
    spent: dict[str, list[float]] = {name: [] for name in imports()}
    for turn in range(runs + 1):
        for name, imported in imports().items():
            took = _seconds(imported, published if name == REFERENCE else layer, code, aws_url)
            if turn:  # the first only warms the disk
                spent[name].append(took)
    return {name: statistics.median(values) for name, values in spent.items()}


def _seconds(imported: str, layer: BuiltLayer, code: Path, aws_url: str) -> float:
    program = MEASURE.format(code=imported)
    command = [layer.python, "-I", "-B", "-S", "-c", program, str(code), str(layer.path / "python")]
    done = subprocess.run(
        command, env=environment(aws_url), cwd=code, capture_output=True, text=True, check=True, timeout=120
    )
    return float(done.stdout.split()[-1])


def deployed_code(layer: BuiltLayer, folder: Path) -> Path:
    """A copy of what is deployed, with the bytecode of the layer's Python."""
    stage_code(folder)
    compiled = [layer.python, "-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(folder)]
    subprocess.run(compiled, check=True, timeout=120)
    return folder


def report(runs: int = RUNS) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder, aws_stub() as aws_url:
        layer, published = built_layer(Path(folder) / "wheels"), published_wheels(Path(folder) / "published")
        print(f"Python: {layer.why}.\n")
        found = medians(layer, published, deployed_code(layer, Path(folder) / "code"), aws_url, runs)
    print(f"| import, median of {runs} | CPU ms | over boto3 and its three clients | at most |\n|---|---|---|---|")
    for name, took in found.items():
        most = CEILINGS.get(name)
        print(f"| {name} | {took * 1000:.0f} | {took / found[REFERENCE]:.2f} | {most or ''} |")


if __name__ == "__main__":
    report(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
