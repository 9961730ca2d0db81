"""The CPU time of a provider's cold start: its import and first leg, with and without the look-up of its secret.

Fresh interpreters, in alternation, so that a busy machine affects both alike. The provider is configured as
`infra/constructs/providers.py` configures it, with `SECRETS_PREFIX` and a table of rate limits. DynamoDB and Secrets
Manager answer on loopback; the provider's API is the sandbox. `python -m tests.benchmarks.cold_provider [pairs]`
"""

from __future__ import annotations

import json
import logging
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Final

from werkzeug import Request, Response
from werkzeug.serving import make_server

from infra.local.sandbox.server import Sandbox
from tests.benchmarks.cold_start import deployed_code
from tests.infra.built_layer import BuiltLayer, built_layer

PAIRS: Final = 15
PROVIDER: Final = "pubmed"
# Environment variables of each variant.
VARIANTS: Final[dict[str, dict[str, str]]] = {
    "looked up": {"SECRETS_PREFIX": "literature-search"},
    "in the environment": {"PUBMED_API_KEY": "none"},
}
MEASURE: Final = """
import sys, time
sys.path[:0] = sys.argv[1:]
begun = time.process_time()
from functions.providers.{provider} import handler
imported = time.process_time()
reply = handler({{"operation": "search", "query": {{"text": "TREM2 microglia"}}, "timeout_ms": 15000}}, None)
ended = time.process_time()
print()
print(imported - begun, ended - imported, reply["outcome"])
"""


@contextmanager
def aws_stub() -> Iterator[str]:
    """The address of a DynamoDB without items and a Secrets Manager without secrets."""
    missing = json.dumps({"__type": "ResourceNotFoundException", "Message": "Secrets Manager can't find the secret."})

    @Request.application
    def answer(request: Request) -> Response:
        request.get_data()
        is_secret = request.headers.get("X-Amz-Target", "").startswith("secretsmanager.")
        body, status = (missing, 400) if is_secret else ("{}", 200)
        return Response(body, status=status, content_type="application/x-amz-json-1.0")

    server = make_server("127.0.0.1", 0, answer, threaded=True)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


def environment(aws_url: str, base_urls: Mapping[str, str]) -> dict[str, str]:
    """The variables of a deployed provider, with the addresses of the services on this machine."""
    lambda_own = {
        "AWS_LAMBDA_FUNCTION_NAME": PROVIDER, "AWS_DEFAULT_REGION": "us-east-1", "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none", "AWS_SESSION_TOKEN": "none",
    }  # fmt: skip
    settings = {"PROVIDER_BUDGETS_TABLE": "budgets", "POWERTOOLS_METRICS_NAMESPACE": "benchmark"}
    return {**lambda_own, **settings, **base_urls, "AWS_ENDPOINT_URL": aws_url, "PATH": os.environ["PATH"]}


def measured(layer: BuiltLayer, code: Path, variables: Mapping[str, str]) -> tuple[float, float]:
    """CPU seconds of the import and of the first leg, in a new interpreter."""
    program = MEASURE.format(provider=PROVIDER)
    command = [layer.python, "-I", "-B", "-S", "-c", program, str(code), str(layer.path / "python")]
    done = subprocess.run(
        command, env=dict(variables), cwd=code, capture_output=True, text=True, check=True, timeout=120
    )
    imported, leg, outcome = done.stdout.splitlines()[-1].split()
    if outcome != "ok":
        raise RuntimeError(f"the leg ended with {outcome}: {done.stdout[-2000:]}")
    return float(imported), float(leg)


def report(pairs: int = PAIRS) -> None:
    """Print the medians of each variant."""
    with tempfile.TemporaryDirectory() as folder, aws_stub() as aws_url, Sandbox(faults={}) as sandbox:
        layer = built_layer(Path(folder) / "wheels")
        code = deployed_code(layer, Path(folder) / "code")
        if layer.path.is_relative_to(folder):  # links to installed wheels, which lack the bytecode that is deployed
            compiled = [layer.python, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
            subprocess.run([*compiled, str(layer.path)], check=True, timeout=300)
        print(f"Python: {layer.why}.\n")
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        variables = environment(aws_url, sandbox.base_urls)
        spent: dict[str, list[tuple[float, float]]] = {variant: [] for variant in VARIANTS}
        for number in range(pairs + 1):
            for variant in VARIANTS if number % 2 else list(VARIANTS)[::-1]:
                seconds = measured(layer, code, {**variables, **VARIANTS[variant]})
                if number:  # the first pair only fills the disk's cache
                    spent[variant].append(seconds)
    print("| key | import, CPU ms | first leg, CPU ms | both |\n|---|---|---|---|")
    for variant, runs in spent.items():
        columns = [run[0] for run in runs], [run[1] for run in runs], [sum(run) for run in runs]
        print(f"| {variant} | " + " | ".join(f"{statistics.median(values) * 1000:.0f}" for values in columns) + " |")


if __name__ == "__main__":
    report(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
