"""The command line as a person runs it: a process of its own, its two streams, its exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from infra.functions import provider_names, providers_for
from infra.local.machine import SANDBOX_KEY
from shared.sizes import RESULT_FIELDS

ROOT = Path(__file__).parents[2]
EVENTS = sorted((ROOT / "events").glob("*.json"))


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "infra.local", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_demo_shows_a_table_the_legs_and_the_graph() -> None:
    shown = run("demo")
    assert shown.returncode == 0, shown.stderr
    for word in ("Authors", "Title", "Year", "Venue", "Cites", "DOI", "OA", "Found by", "Outcome", "ms", "Graph:"):
        assert word in shown.stdout
    for name in providers_for("search"):
        assert name in shown.stdout
    assert "\x1b[" not in shown.stdout


def test_the_demo_as_json_is_the_contract_and_nothing_else() -> None:
    shown = run("demo", "--format", "json")
    answer = json.loads(shown.stdout)
    assert shown.returncode == 0
    assert tuple(answer["results"][0]) == RESULT_FIELDS


def test_the_log_shows_that_the_legs_overlap() -> None:
    faults = json.dumps({name: {"delay_ms": 400} for name in providers_for("search")})
    shown = run("demo", "--format", "json", POWERTOOLS_LOG_LEVEL="INFO", SANDBOX_FAULTS=faults)
    lines = [json.loads(line) for line in shown.stderr.splitlines() if line.startswith("{")]
    legs = {line["provider"]: line for line in lines if line["message"] == "leg"}
    assert set(legs) == set(providers_for("search"))
    assert max(leg["started_at"] for leg in legs.values()) < min(leg["ended_at"] for leg in legs.values())
    assert SANDBOX_KEY not in shown.stderr + shown.stdout


def test_a_search_without_a_network_fails_soon_with_a_line_a_provider() -> None:
    # Port 9 (discard) is closed: what a machine without a network sees, without asking one.
    nowhere = {f"{name.upper()}_BASE_URL": "http://127.0.0.1:9" for name in providers_for("search")}
    started = time.monotonic()
    shown = run("search", "--query", "TREM2 microglia", **nowhere)
    assert time.monotonic() - started < 25
    assert shown.returncode == 1
    assert shown.stdout == ""
    for name in providers_for("search"):
        assert sum(line.strip().startswith(name) for line in shown.stderr.splitlines()) == 1
    assert "try: check the network connection; `make demo` runs a whole search without one" in shown.stderr


def test_a_search_without_a_query_says_how_to_give_one() -> None:
    shown = run("search")
    assert shown.returncode == 2
    assert 'make search QUERY="' in shown.stderr


def test_faults_that_are_not_understood_are_refused() -> None:
    shown = run("demo", SANDBOX_FAULTS='{"scopus": {"status": 429}}')
    assert shown.returncode == 2
    assert "the providers are arxiv" in shown.stderr


@pytest.mark.parametrize("path", EVENTS, ids=[path.stem for path in EVENTS])
def test_every_event_runs(path: Path) -> None:
    shown = run("event", str(path))
    assert shown.returncode == 0, shown.stderr
    answer = json.loads(shown.stdout)
    if "statusCode" in answer:
        assert answer["statusCode"] in (200, 201)
    elif "batchItemFailures" in answer:
        assert answer["batchItemFailures"] == []
    elif "events" in answer:
        assert answer["complete"]
        assert answer["events"]["baseline"] > 0
    else:
        assert answer.get("results") or answer["papers"]


def test_an_event_that_is_not_there_is_told_with_those_that_are() -> None:
    shown = run("event", "events/nothing.json")
    assert shown.returncode == 2
    assert "events/rest_api_post.json" in shown.stderr


def test_serve_answers_over_http() -> None:
    serving = subprocess.Popen(
        [sys.executable, "-m", "infra.local", "serve", "--port", "0", "--sandbox"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert serving.stderr is not None
        note = serving.stderr.readline()
        url = next(word.rstrip(";") for word in note.split() if word.startswith("http://"))
        with httpx.Client(base_url=url, timeout=30) as client:
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
    finally:
        serving.terminate()
        serving.wait(timeout=10)
        if serving.stderr:
            serving.stderr.close()
