"""The records of Crossref's sandbox have elements, and oddities, about as often as recorded ones.

The shares of EXPECTED are those of 503 works that the recorded answers of habanero's own tests hold (2022 to 2026).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.crossref.records import work_of
from tests.replay import RECORDINGS

Work = Mapping[str, Any]
ALWAYS = {
    "created", "deposited", "indexed", "member", "prefix", "content-domain", "publisher", "source", "issued", "URL",
    "type", "DOI", "is-referenced-by-count", "reference-count", "references-count",
}  # fmt: skip
EXPECTED = {
    "link": 0.83, "ISSN": 0.80, "issn-type": 0.80, "license": 0.70, "published-print": 0.59, "published-online": 0.50,
    "short-container-title": 0.55, "abstract": 0.34, "author": 0.92, "published": 0.95, "container-title": 0.91,
}  # fmt: skip
TITLES: dict[str, tuple[float, Callable[[list[str]], bool]]] = {
    "several": (0.002, lambda titles: len(titles) > 1),
    "line break": (0.026, lambda titles: any("\n" in title for title in titles)),
    "tags": (0.062, lambda titles: any(re.search("<[a-z]", title) for title in titles)),
}
NEVER: dict[str, Callable[[Work], bool]] = {
    "capitals in a DOI": lambda work: work["DOI"] != work["DOI"].lower(),
    "an empty first title": lambda work: not work["title"][0],
    "a tag escaped twice": lambda work: any("&lt;" in title for title in work["title"]),
}
FACTOR, ONE = 2, 0.006  # one paper of two hundred more or less is chance


def simulated() -> list[Work]:
    corpus = default_corpus()
    return [work_of(fact, corpus) for fact in corpus.covered("crossref")]


def recorded(pattern: str = "*.json") -> list[Work]:
    """The whole works of recorded answers; skipped where the recordings are not at hand."""
    works: dict[str, Work] = {}
    for path in RECORDINGS.glob(f"crossref/{pattern}"):
        body = json.loads(path.read_text())
        message = body["message"] if isinstance(body, dict) and body.get("status") == "ok" else {}
        for work in message.get("items", [message]):
            if "deposited" in work:  # neither a selection of elements nor another kind of answer
                works[work["DOI"]] = work
    if not works:
        pytest.skip("the recordings are not at hand")
    return list(works.values())


def listed() -> list[Work]:
    """The works of lists, which were not chosen one by one for their oddities."""
    return recorded("list-*.json")


def share(works: Sequence[Work], check: Callable[[Work], bool]) -> float:
    return sum(map(check, works)) / len(works)


def alike(one: float, other: float) -> bool:
    """Whether two shares differ by less than the factor, or by chance."""
    return min(one, other) * FACTOR >= max(one, other) - ONE


@pytest.mark.parametrize("element", sorted(ALWAYS))
@pytest.mark.parametrize("works", [simulated, recorded])
def test_some_elements_are_in_every_record(works: Callable[[], list[Work]], element: str) -> None:
    assert share(works(), lambda work: element in work) > 0.99


@pytest.mark.parametrize("element", EXPECTED)
@pytest.mark.parametrize("works", [simulated, recorded])
def test_an_element_is_as_frequent_as_recorded(works: Callable[[], list[Work]], element: str) -> None:
    assert alike(share(works(), lambda work: bool(work.get(element))), EXPECTED[element])


@pytest.mark.parametrize("oddity", TITLES)
@pytest.mark.parametrize("works", [simulated, listed])
def test_an_oddity_of_titles_is_as_frequent_as_recorded(works: Callable[[], list[Work]], oddity: str) -> None:
    expected, check = TITLES[oddity]
    assert alike(share(works(), lambda work: check(work.get("title") or [])), expected)


@pytest.mark.parametrize("oddity", NEVER)
def test_the_sandbox_has_no_oddity_that_no_recorded_record_has(oddity: str) -> None:
    assert share(simulated(), NEVER[oddity]) == 0
