"""A log line has a greatest length, whatever an error holds."""

from __future__ import annotations

import json

from shared.aws.runtime.observability import MAX_LINE_CHARS, MAX_VALUE_CHARS, bounded_json


def test_a_short_line_is_left_as_it_is() -> None:
    line = {"message": "leg", "papers": 3, "warnings": ["a", "b"]}
    assert json.loads(bounded_json(line)) == line


def test_a_long_line_keeps_the_beginning_and_the_end_of_its_values() -> None:
    line = {
        "message": "internal error",
        "exception": "first " + "x" * 300_000 + " last",
        "frames": [{"line": 1}] * 9_000,
    }
    written = bounded_json(line)
    assert len(written) < MAX_LINE_CHARS
    read = json.loads(written)
    assert read["message"] == "internal error"
    assert read["exception"].startswith("first ")
    assert read["exception"].endswith(" last")
    assert len(read["frames"]) <= MAX_VALUE_CHARS + 3
