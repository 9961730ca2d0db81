"""The end of the demo: the size of the graph, one paper of it, and a picture in a file."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from defusedxml import ElementTree

from infra.local.demo import api_request, cite_in_debate, network_of
from infra.local.machine import Machine
from shared.graph.part import Graph
from shared.networks.roles import Edge, NetworkPaper
from tests.command_line import Shown, run_command
from tests.pictures import SVG

pytestmark = pytest.mark.slow  # whole demos, with pictures


def demo(where: Path, *arguments: str) -> Shown:
    return run_command("demo", *arguments, where=where)


def test_the_demo_ends_with_counts_an_example_and_a_picture(tmp_path: Path) -> None:
    shown = demo(tmp_path)
    assert shown.returncode == 0, shown.stderr
    *_, last = shown.stdout.splitlines()
    assert last == "Picture: .build/demo-graph.svg"
    counts = re.search(
        r"Graph: (papers: (\d+) · .+) · contexts: 1 · cited there: 2 · shown there: 0 · messages", shown.stdout
    )
    assert counts
    assert re.search(r"for example doi:\S+: .+\n", shown.stdout)
    assert re.search(r"cited in debate demo, \d{4}-\d\d-\d\dT", shown.stdout)
    picture = ElementTree.fromstring((tmp_path / ".build" / "demo-graph.svg").read_bytes())
    groups = list(picture.iter(f"{SVG}g"))
    (legend,) = [[it.text for it in group] for group in groups if group.get("class") == "legend"]
    assert any(str(text).startswith(counts[1]) for text in legend)
    assert "cited in a debate (2)" in legend
    assert len([it for it in groups if it.get("class") == "paper"]) == int(counts[2])
    assert shown.stderr.count("\n") == 2  # progress messages for the search and the network


def test_a_picture_that_cannot_be_written_is_reported_without_failing_the_demo(tmp_path: Path) -> None:
    (tmp_path / ".build").write_text("in the way")
    shown = demo(tmp_path)
    assert shown.returncode == 0
    assert "the picture could not be written" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_the_demo_as_json_draws_nothing(tmp_path: Path) -> None:
    assert demo(tmp_path, "--format", "json").returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_the_picture_has_papers_known_by_key_alone_and_the_cited_ones_as_seeds() -> None:
    context = {"type": "debate", "id": "7"}
    mentions: list[Any] = [
        {"key": key, "relation": how, "context": context} for key, how in (("a", "cited_in"), ("b", "shown_in"))
    ]
    papers: list[Any] = [{"key": key, "paper": {"title": key}} for key in ("a", "b")]
    network = network_of(Graph(papers, [{"source": "b", "target": "c", "providers": ["openalex"]}], mentions))
    assert network.nodes == (
        NetworkPaper("a", {"title": "a"}, True, 0),
        NetworkPaper("b", {"title": "b"}, False, 1),
        NetworkPaper("c", None, False, 1),
    )
    assert network.edges == (Edge("b", "c", ("openalex",)),)


def results_of(machine: Machine) -> list[dict[str, Any]]:
    answer = machine.invoke("dispatcher", api_request("/v1/literature-search", query="TREM2 microglia", max_results=5))
    return list(json.loads(answer["body"])["results"])


def test_the_debate_cites_papers_that_are_in_the_graph_over_the_api(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = results_of(local)
    invoke, answers = Machine.invoke, dict[str, dict[str, Any]]()

    def listen(self: Machine, name: str, event: dict[str, Any]) -> Any:
        answer = invoke(self, name, event)
        if name == "dispatcher":
            answers[event["path"]] = json.loads(answer["body"])
        return answer

    monkeypatch.setattr(Machine, "invoke", listen)
    assert cite_in_debate(local, "TREM2 microglia", results) > 0
    cited = answers["/v1/citations"]
    assert [mention["key"] for mention in cited["mentions"]] == [result["key"] for result in results[:2]]
    assert {mention["status"] for mention in cited["mentions"]} == {"in_graph"}
    assert local.drain_queue() == 1


def test_a_debate_whose_citations_cannot_be_queued_is_reported(
    local: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = results_of(local)
    monkeypatch.setitem(os.environ, "CITATIONS_QUEUE_URL", f"{os.environ['CITATIONS_QUEUE_URL']}-gone")
    monkeypatch.setattr(Machine, "drain_queue", lambda _: 0)
    assert cite_in_debate(local, "TREM2 microglia", results) == 0
    assert capsys.readouterr().out == "\nNo debate: the citations could not be queued; send them again\n"
