"""The command exhaustive, and the resources of exhaustive searches over MCP."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import rispy

from infra.local.machine import Machine
from shared.client.resources import SCHEME
from tests.command_line import run_command
from tests.integration.exhaustive_searches import begin, finished, state
from tests.integration.mcp_calls import resource


def test_the_record_the_report_the_picture_and_the_papers_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "review"
    options = ("--providers", "pubmed,openalex", "--output", str(folder), "--sandbox")
    shown = run_command("exhaustive", "TREM2 microglia", *options)
    assert (shown.returncode, shown.stdout.count("complete")) == (0, 1), shown.stderr
    assert "searching every source" in shown.stderr
    record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
    assert [it["provider"] for it in record["sources"]] == ["openalex", "pubmed"]
    papers = rispy.loads((folder / "papers.ris").read_bytes().decode())
    assert len(papers) == record["flow"]["to_screen"] > 10
    assert (folder / "report.md").read_text(encoding="utf-8").startswith("# Report of the literature search")
    assert ElementTree.fromstring((folder / "flow.svg").read_bytes()).tag.endswith("svg")


def test_a_search_that_was_not_read_to_its_end_is_no_success() -> None:
    shown = run_command("exhaustive", "microglia", "--providers", "pubmed", "--max-records", "5", "--sandbox")
    assert shown.returncode == 1
    assert "INCOMPLETE" in shown.stdout
    refused = run_command("exhaustive", "microglia", "--max-records", "many", "--sandbox")
    assert refused.returncode == 2
    assert "max_records" in refused.stderr + refused.stdout


def test_an_exhaustive_search_is_read_over_mcp(running: Machine) -> None:
    search_id = begin(running, {"query": "microglia", "providers": ["pubmed"]}).json()["search_id"]
    finished(running, search_id)
    answer = resource(running, f"{SCHEME}exhaustive-searches/{search_id}?max_results=2")
    assert answer["flow"] == state(running, search_id)["flow"]
    assert answer["returned"] == 2
    report = resource(running, f"{SCHEME}exhaustive-searches/{search_id}/report")
    assert "papers to screen" in str(report)
