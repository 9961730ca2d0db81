"""The documents: links lead somewhere, decisions are numbered and listed, the README stays one page."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from pathlib import Path

from shared import errors
from shared.outcomes import Outcome
from tests.source_tree import CODE, DOCUMENTS, ROOT, name_of, nodes_of, prose, require_none, source_of

DECISIONS = ROOT / "docs" / "decisions"
NUMBERED = sorted(DECISIONS.glob("[0-9]*.md"))
HEADINGS = ("## Context", "## Decision", "## Consequences")


def test_every_relative_link_leads_to_a_file() -> None:
    links = [
        (path, target)
        for path in DOCUMENTS
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
        if not target.startswith("http")
    ]
    assert links
    assert [(path.name, target) for path, target in links if not (path.parent / target).exists()] == []


def leads_to_code(name: str) -> bool:
    """Whether `shared.package.module.member` is a package, a module, or a name that its module has."""
    parts = name.split(".")
    for count in range(len(parts), 1, -1):
        place = ROOT.joinpath(*parts[:count])
        if (file := place.with_suffix(".py")).is_file():
            return parts[count:] == [] or re.search(rf"\b{parts[count]}\b", source_of(file)) is not None
        if place.is_dir():
            return count == len(parts)
    return False


def test_comments_and_docstrings_refer_to_what_exists() -> None:
    file = re.compile(r"(?<![\w./-])(?:shared|functions|infra|tests|docs)(?:/[\w-]+)+\.\w+")
    member = re.compile(r"`((?:shared|functions|infra|tests)(?:\.\w+)+)`")
    texts = [(f"{name_of(path)}:{line}", text) for path in CODE for line, text in prose(path)]
    assert any(map(file.search, (text for _, text in texts)))
    require_none(f"{at}: {it}" for at, text in texts for it in file.findall(text) if not (ROOT / it).exists())
    require_none(f"{at}: {it}" for at, text in texts for it in member.findall(text) if not leads_to_code(it))


def test_the_api_lists_every_outcome_and_no_other() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8").partition("\n## Outcomes\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row)) == sorted(Outcome)


def test_the_readme_is_one_page() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 200


def test_no_entry_of_the_changelog_stands_twice() -> None:
    """As it does after a merge that kept both sides."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    entries = [" ".join(it.split()) for it in re.findall(r"^- .*(?:\n  .*)*", text, re.MULTILINE)]
    assert len(entries) > 50
    assert [entry for entry, times in Counter(entries).items() if times > 1] == []


def test_the_glossary_has_at_most_twenty_terms() -> None:
    terms = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Terms")[2].partition("\n## ")[0]
    rows = [line for line in terms.splitlines() if line.startswith("| ")]
    assert rows[0] == "| term | meaning |"
    assert len(rows) - 1 <= 20


def row_of(decision: Path) -> str:
    """The row of the index: number, title, date and status as the decision itself states them."""
    text = decision.read_text(encoding="utf-8")
    stated = re.match(r"# (\d{4})\. (.+)\n\n- Status: (.+(?:\n  .+)*)\n- Date: (.+)\n", text)
    assert stated, f"{decision.name} does not begin with its number, title, status and date"
    number, title, status, day = stated.groups()
    return f"| [{number}]({decision.name}) | {title} | {day} | {' '.join(status.split())} |"


def test_decisions_are_numbered_without_gaps_and_listed() -> None:
    assert [int(path.name[:4]) for path in NUMBERED] == list(range(1, len(NUMBERED) + 1))
    rows = re.findall(r"^\| \[\d{4}\].*", (DECISIONS / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    expected = [row_of(path) for path in NUMBERED]
    wrong = [row for row in expected if row not in rows]
    assert not wrong, "\n".join(["the rows of docs/decisions/README.md should be", *wrong])
    assert rows == expected


def test_each_direct_dependency_has_its_reason() -> None:
    reasons = (DECISIONS / "dependencies.md").read_text(encoding="utf-8").lower()
    lines = [line for path in ROOT.glob("requirements*.in") for line in path.read_text(encoding="utf-8").splitlines()]
    names = {found[0] for line in lines if (found := re.match(r"[\w-]+", line)) and not line.startswith("-")}
    package = json.loads((ROOT / "functions/public_pages/web/package.json").read_text(encoding="utf-8"))
    names |= package["dependencies"].keys() | package["devDependencies"].keys()
    missing = sorted(name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", reasons))
    assert not missing, f"docs/decisions/dependencies.md gives no reason for {', '.join(missing)}"


def test_every_decision_has_its_parts() -> None:
    for path in NUMBERED:
        text = path.read_text(encoding="utf-8")
        assert text.startswith(f"# {path.name[:4]}. "), path.name
        assert re.search(r"^- Status: (accepted|superseded by \[)", text, re.MULTILINE), path.name
        assert re.search(r"^- Date: 20\d\d-\d\d-\d\d$", text, re.MULTILINE), path.name
        assert [line for line in text.splitlines() if line in HEADINGS] == list(HEADINGS), path.name


def test_the_tree_of_exceptions_names_each_of_them_wherever_it_lies() -> None:
    classes = [node for path in CODE for node in nodes_of(path) if isinstance(node, ast.ClassDef)]
    found = {"LiteratureError"}
    while more := {it.name for it in classes if found & {ast.unparse(base) for base in it.bases}} - found:
        found |= more
    assert len(found) > 20
    named = set(re.findall(r"\w+", errors.__doc__ or ""))
    require_none(f"shared.errors does not name {name}" for name in sorted(found - named))
