"""The end of the demo as a person sees it: what the graph holds, one paper of it, and a picture in a file."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from defusedxml import ElementTree

from infra.local.demo import cite_in_debate, posted
from infra.local.machine import Machine
from tests.command_line import Shown, run_command
from tests.pictures import SVG


def demo(where: Path, *arguments: str) -> Shown:
    return run_command("demo", *arguments, where=where)


def test_the_demo_ends_with_counts_an_example_and_a_picture(tmp_path: Path) -> None:
    shown = demo(tmp_path)
    assert shown.returncode == 0, shown.stderr
    *_, last = shown.stdout.splitlines()
    assert last == "Picture: .build/demo-graph.svg"
    counts = re.search(r"Graph: (.+ · contexts: 1) · cited there: 2 · shown there: 0 · messages", shown.stdout)
    assert counts
    assert re.search(r"for example doi:\S+: .+\n", shown.stdout)
    assert re.search(r"cited in debate demo, \d{4}-\d\d-\d\dT", shown.stdout)
    picture = ElementTree.fromstring((tmp_path / ".build" / "demo-graph.svg").read_bytes())
    (legend,) = [found[0].text for found in picture.iterfind(f"{SVG}g") if found.get("class") == "legend"]
    assert str(legend).startswith(counts[1])
    assert shown.stderr.count("\n") == 2  # what is being waited for: the search, the network


def test_a_picture_that_cannot_be_written_is_told_and_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / ".build").write_text("in the way")
    shown = demo(tmp_path)
    assert shown.returncode == 0
    assert "the picture could not be written" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_the_demo_as_json_draws_nothing(tmp_path: Path) -> None:
    assert demo(tmp_path, "--format", "json").returncode == 0
    assert list(tmp_path.iterdir()) == []


def results_of(machine: Machine) -> list[dict[str, Any]]:
    answer = machine.invoke("dispatcher", posted("/v1/literature-search", query="TREM2 microglia", max_results=5))
    return list(json.loads(answer["body"])["results"])


def test_the_debate_cites_over_the_api_what_is_in_the_graph_by_then(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = results_of(local)
    invoke, told = Machine.invoke, dict[str, dict[str, Any]]()

    def listen(self: Machine, name: str, event: dict[str, Any]) -> Any:
        answer = invoke(self, name, event)
        if name == "dispatcher":
            told[event["path"]] = json.loads(answer["body"])
        return answer

    monkeypatch.setattr(Machine, "invoke", listen)
    assert cite_in_debate(local, "TREM2 microglia", results) > 0
    cited = told["/v1/citations"]
    assert [it["key"] for it in cited["mentions"]] == [result["key"] for result in results[:2]]
    assert {it["status"] for it in cited["mentions"]} == {"in_graph"}
    assert local.drain_queue() == 1


def test_a_debate_whose_citations_are_refused_is_told(
    local: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = results_of(local)
    monkeypatch.setitem(os.environ, "CITATIONS_QUEUE_URL", f"{os.environ['CITATIONS_QUEUE_URL']}-gone")
    monkeypatch.setattr(Machine, "drain_queue", lambda _: 0)
    assert cite_in_debate(local, "TREM2 microglia", results) == 0
    assert capsys.readouterr().out == "\nNo debate: the citations could not be queued; send them again\n"
