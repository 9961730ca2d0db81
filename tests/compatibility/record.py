"""`python -m tests.compatibility.record [GROUP …]` writes the golden files anew, after a deliberate change."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.compatibility.groups import GROUPS, recorded

GOLDEN = Path(__file__).parent / "golden"


def write(group: str, into: Path = GOLDEN) -> None:
    """Record one group, and replace all its files."""
    folder = into / group
    cases = recorded(group)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in cases.items():
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def main(groups: list[str]) -> None:
    """Write these groups, or all."""
    for group in groups or GROUPS:
        write(group)


if __name__ == "__main__":
    main(sys.argv[1:])
