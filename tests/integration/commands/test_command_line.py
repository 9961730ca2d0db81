"""The command line: its two streams and its exit status. `demo` and `serve` also run in a process of their own."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from infra.functions import provider_names, searched_by_default
from infra.local.event_routing import function_for
from infra.local.machine import SANDBOX_KEY
from shared.aws.lambda_functions import provider_handler as provider_lambda
from shared.providers.http_client import ATTEMPTS
from shared.search.sizes.details import RESULT_FIELDS, STANDARD_FIELDS
from tests.command_line import run_command
from tests.skipped_time import SkippedTime

pytestmark = pytest.mark.slow  # several processes

ROOT = Path(__file__).parents[3]
EVENTS = sorted((ROOT / "events").glob("*.json"))


@pytest.mark.slow
def test_the_demo_shows_a_table_the_legs_and_the_graph() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "infra.local", "demo"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert shown.returncode == 0, shown.stderr
    for word in ("Authors", "Title", "Year", "Venue", "Cites", "DOI", "OA", "Found by", "Outcome", "ms", "Graph:"):
        assert word in shown.stdout
    for name in searched_by_default():
        assert name in shown.stdout
    assert "\x1b[" not in shown.stdout


def test_the_demo_as_json_is_the_contract_and_nothing_else() -> None:
    shown = run_command("demo", "--format", "json")
    answer = json.loads(shown.stdout)
    assert shown.returncode == 0
    assert set(STANDARD_FIELDS) <= set(answer["results"][0]) <= set(RESULT_FIELDS)


def test_the_log_shows_that_the_legs_overlap() -> None:
    faults = json.dumps({name: {"delay_ms": 400} for name in searched_by_default()})
    shown = run_command(
        "demo", "--format", "json", variables={"POWERTOOLS_LOG_LEVEL": "INFO", "SANDBOX_FAULTS": faults}
    )
    lines = [json.loads(line) for line in shown.stderr.splitlines() if line.startswith("{")]
    legs = {line["provider"]: line for line in lines if line["message"] == "leg"}
    assert set(legs) == set(searched_by_default())
    assert max(leg["started_at"] for leg in legs.values()) < min(leg["ended_at"] for leg in legs.values())
    assert SANDBOX_KEY not in shown.stderr + shown.stdout


def test_a_search_without_a_network_fails_soon_with_a_line_a_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    # Port 9 (discard) is closed: what a machine without a network sees, without asking one.
    nowhere = {f"{name.upper()}_BASE_URL": "http://127.0.0.1:9" for name in searched_by_default()}
    waited: list[float] = []
    timing = replace(SkippedTime().timing(), sleep=waited.append)
    monkeypatch.setattr(provider_lambda, "TIMING", timing)
    shown = run_command("search", "--query", "TREM2 microglia", where=ROOT, variables=nowhere)
    assert len(waited) <= len(nowhere) * (ATTEMPTS - 1)
    assert sum(waited) / len(nowhere) < 10  # the legs wait beside each other
    assert shown.returncode == 1
    assert shown.stdout == ""
    for name in searched_by_default():
        assert sum(line.strip().startswith(name) for line in shown.stderr.splitlines()) == 1
    assert "try: check the network connection; `make demo` runs a whole search without one" in shown.stderr


def test_a_search_without_a_query_says_how_to_give_one() -> None:
    shown = run_command("search")
    assert shown.returncode == 2
    assert 'make search QUERY="' in shown.stderr


def test_unknown_faults_are_refused() -> None:
    shown = run_command("demo", variables={"SANDBOX_FAULTS": '{"scopus": {"status": 429}}'})
    assert shown.returncode == 2
    assert "the providers are arxiv" in shown.stderr


@pytest.mark.parametrize("path", EVENTS, ids=[path.stem for path in EVENTS])
def test_every_event_runs(path: Path) -> None:
    shown = run_command("event", str(path))
    assert shown.returncode == 0, shown.stderr
    answer = json.loads(shown.stdout)
    if "statusCode" in answer:
        assert answer["statusCode"] in (200, 201)
    elif "batchItemFailures" in answer:
        assert answer["batchItemFailures"] == []
    elif "events" in answer:
        assert answer["complete"]
        assert answer["events"]["baseline"] > 0
    elif path.stem == "schedules_reconciled":
        assert answer["left"] == 0
    else:
        assert answer.get("results") or answer["papers"]


def test_a_delivery_whose_search_is_deleted_ends_and_is_logged() -> None:
    shown = run_command("event", "events/sqs_deliveries.json", variables={"POWERTOOLS_LOG_LEVEL": "INFO"})
    assert shown.returncode == 0, shown.stderr
    lines = [json.loads(line) for line in shown.stderr.splitlines() if line.startswith("{")]
    (line,) = [line for line in lines if line["message"] == "the search of a delivery is gone"]
    sent = json.loads((ROOT / "events" / "sqs_deliveries.json").read_text(encoding="utf-8"))["Records"][0]
    assert line["search_id"] == json.loads(sent["body"])["search_id"]
    assert line["correlation_id"] == sent["messageAttributes"]["correlation_id"]["stringValue"]


@pytest.mark.parametrize(
    ("queue", "function"),
    [
        ("local-citations", "citation_writer"),
        ("literature-search-citations-deliveries0A1B2C3D-x1Y2z3", "deliverer"),
        ("literature-search-dev-citationsdead0A1B2C3D-x1Y2z3", None),
        ("somebody-elses", None),
    ],
)
def test_messages_go_to_the_function_that_reads_their_queue(queue: str, function: str | None) -> None:
    record = {"body": "{}", "eventSourceARN": f"arn:aws:sqs:us-east-1:123456789012:{queue}"}
    assert function_for({"Records": [record]}) == function


def test_an_event_of_a_queue_that_no_function_reads_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_text(json.dumps({"Records": [{"eventSourceARN": "arn:aws:sqs:us-east-1:1:other"}]}), encoding="utf-8")
    shown = run_command("event", str(path))
    assert (shown.returncode, shown.stdout) == (2, "")
    assert "no function reads the queue" in shown.stderr


def test_a_missing_event_file_is_reported_with_the_existing_ones() -> None:
    shown = run_command("event", "events/nothing.json")
    assert shown.returncode == 2
    assert "events/rest_api_post.json" in shown.stderr


@contextmanager
def serving() -> Iterator[tuple[httpx.Client, list[str]]]:
    """A client of `serve`, and a list that in the end holds the lines that were logged."""
    process = subprocess.Popen(
        [sys.executable, "-m", "infra.local", "serve", "--port", "0", "--sandbox", "--processes", "1"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    lines: list[str] = []
    with process.stderr as stderr:
        try:
            announced = next(line for line in stderr if "http://" in line)
            url = next(word.rstrip(",;") for word in announced.split() if word.startswith("http://"))
            with httpx.Client(base_url=url, timeout=30) as client:
                yield client, lines
        finally:
            process.terminate()
            process.wait(timeout=10)
            lines += stderr.read().splitlines()


def test_serve_answers_over_http() -> None:
    with serving() as (client, _):
        assert client.get("/health").json() == {"status": "ok"}
        found = client.get("/v1/literature-search", params={"query": "TREM2 microglia", "max_results": 3})
        assert (found.status_code, len(found.json()["results"])) == (200, 3)
        assert client.post("/v1/pubmed-search", json={"query": "TREM2"}).json()["providers_searched"] == ["pubmed"]
        assert set(client.get("/v1/providers").json()["providers"]) == set(provider_names())
        assert {tool["category"] for tool in client.get("/v1/tools").json()["tools"]} == {"literature_search"}
        missing = client.get("/v1/nothing")
        assert (missing.status_code, missing.headers["content-type"]) == (404, "application/problem+json")
        refused = client.get("/v1/literature-search", params={"query": "a", "max_results": "1000"})
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "max_results")


def test_a_port_that_cannot_be_used_is_named_with_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port in (str(taken.getsockname()[1]), "99999"):
            shown = run_command("serve", "--sandbox", "--port", port)
            assert (shown.returncode, shown.stdout) == (2, "")
            assert shown.stderr.startswith(f"error: the port {port} cannot be used: ")
            assert "--port 8081" in shown.stderr


def test_the_access_log_of_serve_is_plain_and_holds_no_query() -> None:
    with serving() as (client, lines):
        client.get("/v1/nothing", params={"query": "private"})
        client.get("/v1/literature-search", params={"query": "private", "max_results": "1000"})
        for raw in (b"GET /docs?query=private matter HTTP/1.1", b"\x1b[35mGET /v1/\x1b[35mtools?private HTTP/1.1"):
            with socket.create_connection((client.base_url.host, client.base_url.port or 80), timeout=10) as connection:
                connection.sendall(raw + b"\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                assert connection.recv(100).startswith(b"HTTP/1.1 4")
    messages = [line.partition("] ")[2] for line in lines if "] " in line]
    assert messages == [
        '"GET /v1/nothing" 404',
        '"GET /v1/literature-search" 422',
        '"- -" 400',
        '"%1B%5B35mGET /v1/%1B%5B35mtools" 404',
    ]
    assert not [line for line in lines if "\x1b" in line or "private" in line]
