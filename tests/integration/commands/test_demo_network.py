"""The demo's citation network as a person sees it: its size, the papers with roles, and a picture in a file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from defusedxml import ElementTree

from tests.integration.graph.test_demo_graph import demo
from tests.pictures import SVG

pytestmark = pytest.mark.slow  # whole demos, with pictures


def test_the_demo_describes_and_draws_the_network_of_its_results(tmp_path: Path) -> None:
    shown = demo(tmp_path)
    assert shown.returncode == 0, shown.stderr
    summary = re.search(
        r"Citation network of 5 of these papers: papers: (\d+) · citations between them: (\d+) · .* · complete",
        shown.stdout,
    )
    assert summary
    assert re.search(r"\nbridge +Daniel L Kober 2016 +\d+ +0\.\d{3} ", shown.stdout)
    assert "Picture: .build/demo-network.svg\n" in shown.stdout
    assert "following the citations of 5 papers …\n" in shown.stderr
    picture = (tmp_path / ".build" / "demo-network.svg").read_text("utf-8")
    papers = [it for it in ElementTree.fromstring(picture).iter(f"{SVG}g") if it.get("class") == "paper"]
    assert len(papers) == int(summary[1]) > 40
    assert f"papers: {summary[1]} · citations between them: {summary[2]}" in picture
    assert "cited, anywhere; the largest " in picture


def test_without_results_there_is_no_network(tmp_path: Path) -> None:
    shown = demo(tmp_path, "--query", "zzzz qqqq")
    assert shown.returncode == 0, shown.stderr
    assert "Citation network" not in shown.stdout
    assert not (tmp_path / ".build" / "demo-network.svg").exists()


def test_results_without_citations_are_a_network_without_roles(tmp_path: Path) -> None:
    shown = demo(tmp_path, "--query", '"transformer" AND attention')
    assert shown.returncode == 0, shown.stderr
    assert re.search(r"Citation network of \d of these papers: papers: \d+ · citations between them: 0 ", shown.stdout)
    assert "no paper has a role" in shown.stdout


def test_the_demo_continues_when_no_provider_answers_for_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = {"status": 500, "retry_after": 0}
    queried = ("crossref", "europe_pmc", "openalex", "semantic_scholar", "unpaywall", "pubmed")
    monkeypatch.setenv("SANDBOX_FAULTS", json.dumps(dict.fromkeys(queried, once)))
    shown = demo(tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert "\nNo network: " in shown.stdout
    assert "Graph: papers: " in shown.stdout
