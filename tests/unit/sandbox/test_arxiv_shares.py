"""The entries of arXiv's sandbox have their oddities about as often as recorded ones.

The shares of EXPECTED are those of the 64 entries of recorded lists (2020 to 2026).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element, fromstring

import pytest

from infra.local.sandbox.arxiv.records import ARXIV, ATOM, entry
from infra.local.sandbox.corpus import default_corpus
from tests.replay import RECORDINGS

Check = Callable[[Element], bool]


def text_of(found: Element, name: str) -> str:
    return found.findtext(f"{{{ATOM}}}{name}") or ""


def has(name: str) -> Check:
    return lambda found: found.find(f".//{{{ARXIV}}}{name}") is not None


EXPECTED: dict[str, tuple[float, Check]] = {
    "a title over several lines": (0.22, lambda found: "\n" in text_of(found, "title")),
    "a summary over several lines": (0.41, lambda found: "\n" in text_of(found, "summary").strip()),
    "a further line of the summary indented": (0.08, lambda found: "\n  " in text_of(found, "summary").strip()),
    "a summary with LaTeX": (0.12, lambda found: bool(re.search(r"[$\\]", text_of(found, "summary")))),
    "blanks around the summary": (0.34, lambda found: text_of(found, "summary") != text_of(found, "summary").strip()),
    "a later version": (0.19, lambda found: not text_of(found, "id").endswith("v1")),
    "several categories": (0.61, lambda found: len(found.findall(f"{{{ATOM}}}category")) > 1),
    "a class of another scheme": (0.0, lambda found: any(";" in term for term in categories(found))),
    "a comment": (0.87, has("comment")),
    "a comment over several lines": (0.05, lambda found: "\n" in (found.findtext(f"{{{ARXIV}}}comment") or "")),
    "a DOI of the published version": (0.17, has("doi")),
    "a reference to the journal": (0.12, has("journal_ref")),
    "both of these": (0.11, lambda found: has("doi")(found) and has("journal_ref")(found)),
    "no file": (0.0, lambda found: all(link.get("title") != "pdf" for link in found.iter(f"{{{ATOM}}}link"))),
    "an author's affiliation": (0.0, has("affiliation")),
}
FACTOR, ONE = 2, 0.03  # one entry of the sandbox's thirty-four more or less is chance


def categories(found: Element) -> list[str]:
    return [category.get("term") or "" for category in found.findall(f"{{{ATOM}}}category")]


def served() -> list[Element]:
    return [entry(fact) for fact in default_corpus().covered("arxiv")]


def recorded() -> list[Element]:
    paths = [path for name in ("q-*.xml", "legacy-*.xml") for path in (RECORDINGS / "arxiv").glob(name)]
    if not paths:
        pytest.skip("the recordings are not at hand")
    feeds = [fromstring(path.read_bytes()) for path in paths]
    entries = [found for feed in feeds for found in feed.iter(f"{{{ATOM}}}entry")]
    return list({text_of(found, "id"): found for found in entries}.values())


@pytest.mark.parametrize("oddity", EXPECTED)
@pytest.mark.parametrize("entries", [served, recorded])
def test_an_oddity_is_as_frequent_as_recorded(entries: Callable[[], Sequence[Element]], oddity: str) -> None:
    expected, check = EXPECTED[oddity]
    found = entries()
    share = sum(map(check, found)) / len(found)
    assert len(found) >= 30
    assert min(share, expected) * FACTOR >= max(share, expected) - ONE
