"""Every regular expression takes time in proportion to its text, or runs on a text whose length the code bounds."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

import infra.local
import shared
from infra.local.machine import Machine
from tests.pattern_attacks import attacks, superlinear
from tests.source_tree import CODE, ROOT, source_of

WALKED = ("shared.", "functions.", "infra.local.")
# Not linear; the bound of the text that each runs on, and where the code sets it.
BOUNDED = {
    "shared.bibliography.reference_text:_OWN_TAIL": "400 characters: _SUFFIX",
    "shared.bibliography.reference_text:_TAIL": "400 characters: _SUFFIX",
    "shared.bibliography.reference_text:_PUBLISHERS_TAIL": "400 characters: _SUFFIX",
    "shared.documents.reference_sections:_HEADING": "80 characters: MAX_HEADING_CHARS",
    "shared.exports.formats:_PARAMETER": "what _RANGE has matched, of which it leaves out nothing",
    "shared.matching.features:_PAGE": "200 characters: MAX_PAGES_CHARS",
    "shared.matching.title_features:_NOTE": "2,000 characters: MAX_TITLE_CHARS",
    "shared.matching.title_features:_TWO_TITLES": "2,000 characters: MAX_TITLE_CHARS",
    "shared.providers.records.crossref_references:_INITIALS_LAST": "1,000 characters: MAX_NAME_CHARS",
    "shared.providers.records.medline_fields:_FORMULA": "XML as ElementTree writes it, in which every tag is closed",
    "shared.query.person_in_words:_FORMS[0]": "300 characters: MAX_CHARS",
    "shared.query.person_in_words:_FORMS[1]": "300 characters: MAX_CHARS",
    "shared.references.cited_title:_SUBTITLE": "2,000 characters: title_forms cuts at MAX_TITLE_CHARS",
    "shared.references.cited_title:_PART": "2,000 characters: title_forms cuts at MAX_TITLE_CHARS",
}
TRIES = 3


def modules() -> list[ModuleType]:
    """Every module of the product; the machine has imported the functions."""
    for package in (shared, infra.local):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)
    return [module for name, module in sorted(sys.modules.items()) if name.startswith(WALKED)]


def patterns(value: object, name: str, depth: int = 3) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The expressions in a value and in what it contains."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif depth and isinstance(value, dict):
        for key, part in value.items():
            yield from patterns(part, f"{name}[{key!r:.40}]", depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for number, part in enumerate(value):
            yield from patterns(part, f"{name}[{number}]", depth - 1)


def works(name: str, pattern: re.Pattern[str]) -> list[Callable[[str], object]]:
    """How the code uses an expression: on a whole text or its beginning, or at every place of it."""
    module, _, attribute = name.partition(":")
    own = attribute.partition("[")[0]
    # A private name is used in its own module alone; another module may have the same.
    code = [ROOT / f"{module.replace('.', '/')}.py"] if own.startswith("_") else CODE
    used = {found for path in code for found in re.findall(rf"\b{own}\.([a-z]+)\b", source_of(path))}
    used &= {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
    if not used:
        return [pattern.fullmatch, lambda text: pattern.sub("", text)]
    searches = [lambda text: pattern.sub("", text)] if used - {"match", "fullmatch"} else []
    return [*(getattr(pattern, name) for name in ("match", "fullmatch") if name in used), *searches]


def all_patterns() -> dict[str, re.Pattern[str]]:
    found: dict[str, re.Pattern[str]] = {}
    seen: set[int] = set()
    for module in modules():
        for attribute, value in vars(module).items():
            for name, pattern in patterns(value, f"{module.__name__}:{attribute}"):
                if id(pattern) not in seen and isinstance(pattern.pattern, str):
                    seen.add(id(pattern))
                    found[name] = pattern
    return found


def worst(name: str, pattern: re.Pattern[str]) -> str | None:
    """The attack on which an expression is not linear in each of several tries."""
    used = works(name, pattern)
    for attack in attacks(pattern):
        for work in used:
            growth = superlinear(work, attack)
            if growth and all(superlinear(work, attack) for _ in range(TRIES)):
                return f"{name}: {growth:.0f} times as long on four times {attack(30)!r}: {pattern.pattern[:100]}"
    return None


@pytest.mark.slow
def test_every_expression_is_linear_or_runs_on_a_bounded_text(local: Machine) -> None:
    found = all_patterns()
    assert len(found) > 180
    assert not BOUNDED.keys() - found.keys()
    slow = [reported for name, pattern in found.items() if name not in BOUNDED and (reported := worst(name, pattern))]
    assert not slow, "\n".join(["", *slow])


@pytest.mark.slow
@pytest.mark.parametrize("expression", [r"\s+$", r"a+,a+;", r"<[^>]*/>", r"(\w+),.*\1;"])
def test_an_expression_that_is_not_linear_is_found(expression: str) -> None:
    assert worst("shared.bibliography.words:UNSPACED", re.compile(expression))
