"""How a command ends when its output cannot be written, and the encoding of what it writes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local.__main__ import main

ROOT = Path(__file__).parents[3]
PRINTS = "from infra.local.exit_status import exit_status; exit(exit_status(lambda: print('α' * {count}) or 0))"
LATIN = {**os.environ, "PYTHONIOENCODING": "cp1252"}  # what Windows gives a pipe


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 100_000])  # in Python's buffer until the end, and beyond it
def test_a_reader_that_is_gone_ends_a_command_without_a_traceback(count: int) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        ended = subprocess.run(
            [sys.executable, "-c", PRINTS.format(count=count)],
            cwd=ROOT, stdout=pipe, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (1, "")


@pytest.mark.slow
def test_a_full_disk_is_an_error_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-c", PRINTS.format(count=1)],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (1, "error: No space left on device\n")


@pytest.mark.slow
def test_a_pipe_gets_utf_8_whatever_the_locale() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PRINTS.format(count=1)],
        cwd=ROOT,
        env=LATIN,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout.decode().strip()) == (0, "α")


@pytest.mark.parametrize(
    "command", [["check-references", "{folder}/list.txt"], ["exhaustive", "TREM2 AND microglia"]], ids=lambda it: it[0]
)
def test_a_place_that_cannot_be_written_is_refused_before_the_work(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list.txt").write_text("Vaswani A. et al. (2017). Attention is all you need.\n")
    output = tmp_path / "list.txt" / "below"
    arguments = [it.format(folder=tmp_path) for it in command]
    assert main([*arguments, "--sandbox", "--output", str(output)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"error: Not a directory: {output}" in shown.err


@pytest.mark.parametrize("content", [b"not JSON", b"\xff\xfe", b"[1]"])
def test_an_event_that_is_no_json_object_is_wrong_usage(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(content)
    assert main(["event", str(path)]) == 2
    assert capsys.readouterr().err == f"error: {path} is not a JSON object\n"
