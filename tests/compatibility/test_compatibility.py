"""The public interface stays as it was, byte for byte: answers, messages, items, definitions.

Where a difference is meant, `python -m tests.compatibility.record` writes the golden files anew; review their diff.
"""

from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.compatibility.groups import GROUPS, recorded
from tests.compatibility.record import GOLDEN
from tests.compatibility.recording import normalised

SHOWN_LINES = 40


def differences(golden: dict[str, str], now: dict[str, str]) -> str:
    """What differs, as a unified diff by case; empty when nothing does."""
    lines = [
        line
        for name in sorted(golden.keys() | now.keys())
        if golden.get(name) != now.get(name)
        for line in unified_diff(
            golden.get(name, "").splitlines(), now.get(name, "").splitlines(), f"{name} before", f"{name} now",
            n=2, lineterm="",
        )
    ]  # fmt: skip
    more = [f"… and {len(lines) - SHOWN_LINES} more lines"] if len(lines) > SHOWN_LINES else []
    return "\n".join(lines[:SHOWN_LINES] + more)


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_the_interface_is_byte_compatible(group: str) -> None:
    golden = {path.stem: path.read_text(encoding="utf-8") for path in (GOLDEN / group).glob("*.json")}
    found = differences(golden, recorded(group))
    assert not found, f"run `python -m tests.compatibility.record {group}` if this is meant:\n{found}"


def test_each_golden_file_belongs_to_a_group() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(GROUPS)


def test_a_difference_of_one_byte_is_shown() -> None:
    assert "+b" in differences({"case": "a\n"}, {"case": "b\n"})
    assert "+b" in differences({}, {"case": "b\n"})
    assert not differences({"case": "a\n"}, {"case": "a\n"})


def test_only_volatile_values_are_replaced() -> None:
    first, second = "5f3c1f52-6a7b-4e88-b9c4-2f5e8d7a1b03", "0c9a1b52-6a7b-4e88-a9c4-2f5e8d7a1b03"
    answer = f'{{"elapsed_ms": 12, "timeout_ms": 12, "a": "{first}", "b": "{second}", "c": "{first}"}}'
    normal_form = '{"elapsed_ms": <ms>, "timeout_ms": 12, "a": "<uuid 1>", "b": "<uuid 2>", "c": "<uuid 1>"}'
    assert normalised(answer) == normal_form
