"""The command check-references, and the same over MCP's tool."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from infra.local.machine import Machine
from shared.client.errors import ToolError
from shared.client.tools import resolve_reference
from shared.client.transport import CURRENT_API
from tests.command_line import run_command
from tests.integration.reference_checks import PATH, HttpAnswer, reference_lines, request

pytestmark = pytest.mark.slow  # several processes

RIGHT = "1. Vaswani A, Shazeer N, Parmar N. Attention is all you need. 2017.\n"
INVENTED = "2. Nobody A, Noone B. On papers that were never written about microglia. Nature. 2011;1:1-2.\n"


def test_a_table_shows_each_reference_and_the_corrected_file_is_written(tmp_path: Path) -> None:
    paper, corrected = tmp_path / "paper.md", tmp_path / "corrected.md"
    paper.write_text(f"# References\n\n{RIGHT}{INVENTED}", encoding="utf-8")
    shown = run_command("check-references", str(paper), "--sandbox", "--output", str(corrected))
    assert shown.returncode == 1  # one of them is wrong
    assert "not_found" in shown.stdout
    assert "1 matched · 0 mismatched · 0 ambiguous · 1 not found · 0 unanswered · complete" in shown.stdout
    assert "checking the references of paper.md" in shown.stderr
    assert "<!-- checked: no source that answered has such a paper -->" in corrected.read_text(encoding="utf-8")


def test_a_long_list_is_worked_through_with_json_on_stdout_alone(tmp_path: Path) -> None:
    paper = tmp_path / "references.txt"
    lines = reference_lines(35)
    paper.write_text("References\n\n" + "\n".join(f"[{number}] {line}" for number, line in enumerate(lines, 1)))
    shown = run_command("check-references", str(paper), "--sandbox", "--format", "json")
    answer = json.loads(shown.stdout)
    assert (answer["state"], answer["of"], len(answer["references"])) == ("done", 35, 35)
    assert answer["next_cursor"] is None


@pytest.mark.parametrize(("content", "said"), [
    (None, "there is no file"), (b"", "is empty"), (b"no list of references", "references"), (b"%PDF-1.7 \xff", "PDF"),
])  # fmt: skip
def test_a_file_that_cannot_be_checked_is_refused_with_the_reason(
    tmp_path: Path, content: bytes | None, said: str
) -> None:
    paper = tmp_path / "paper"
    if content is not None:
        paper.write_bytes(content)
    shown = run_command("check-references", str(paper), "--sandbox")
    assert shown.returncode == 2
    assert said in shown.stderr
    assert shown.stdout == ""


def test_the_tool_checks_a_document(running: Machine) -> None:
    def api(method: str, path: str, body: object, headers: object) -> tuple[int, dict[str, object]]:
        assert path == PATH
        answer: HttpAnswer = request(running, method, path, body)
        return answer.status, answer.json()

    token = CURRENT_API.set(api)
    try:
        answer = resolve_reference(document=RIGHT + INVENTED)
        statuses = [it["status"] for it in answer["references"]]
        assert statuses == ["matched", "not_found"]
        assert resolve_reference(document="\n".join(reference_lines(40)))["state"] == "running"
        with pytest.raises(ToolError, match="title: give either"):
            resolve_reference(document=RIGHT, title="x")
    finally:
        CURRENT_API.reset(token)
