"""What holds for every provider, whichever file is in the folder: declaration, handler, sandbox, silence on keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from infra.functions import provider_names, provider_spec
from infra.local.machine import SANDBOX_KEY, Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.paper import PAPER_TYPES
from shared.provider import LEG_TIMEOUT_S, reply_from_json, reply_to_json
from shared.query import FILTERS

every_provider = pytest.mark.parametrize("name", provider_names())
# A word that each provider's part of the sandbox's corpus holds.
WORD = {"arxiv": "attention"}


@pytest.fixture(scope="module")
def running() -> Iterator[Machine]:
    with machine(sandbox=Sandbox(faults={})) as local:
        yield local


def search(local: Machine, name: str, **query: Any) -> dict[str, Any]:
    event = {"operation": "search", "query": {"text": WORD.get(name, "TREM2"), **query}, "timeout_ms": 8000}
    return dict(local.invoke(name, event))


@every_provider
def test_the_declaration_is_whole(name: str) -> None:
    spec = provider_spec(name)
    assert spec.base_url.startswith("https://")
    assert spec.base_url.count("/") == 2, "scheme and host only: the path is the API's own"
    assert spec.manual.startswith("https://")
    assert spec.filters <= set(FILTERS)
    assert "relevance" in spec.sorts <= {"relevance", "citations", "date"}
    assert spec.disciplines <= {"any", "biomedical", "computing", "humanities"}
    assert 0 < spec.timeout_s <= LEG_TIMEOUT_S
    assert spec.requests_per_second > 0


@every_provider
def test_the_docstring_tells_manual_limits_and_oddities(name: str) -> None:
    told = import_module(f"functions.providers.{name}").__doc__ or ""
    assert "https://" in told
    assert "Limits:" in told
    assert "Oddities:" in told


@every_provider
def test_a_search_brings_papers_in_order(running: Machine, name: str) -> None:
    reply = search(running, name)
    assert (reply["outcome"], reply["provider"], reply["family"]) == ("ok", name, provider_spec(name).family)
    papers = reply["papers"]
    assert len(papers) >= 3
    assert [paper["rank"] for paper in papers] == sorted(paper["rank"] for paper in papers)
    for paper in papers:
        assert paper["provider"] == name
        assert paper["title"]
        assert paper["type"] is None or paper["type"] in PAPER_TYPES
        assert all(value != "" for value in [*paper.values(), *paper["ids"].values()])
        assert any(paper["ids"].values())


@every_provider
def test_a_reply_survives_the_cache(running: Machine, name: str) -> None:
    reply = search(running, name)
    assert json.loads(json.dumps(reply_to_json(reply_from_json(reply)))) == reply


@every_provider
def test_no_more_is_brought_than_was_asked(running: Machine, name: str) -> None:
    assert len(search(running, name, limit=2)["papers"]) <= 2


@every_provider
def test_zero_hits_are_empty(running: Machine, name: str) -> None:
    reply = search(running, name, text="zzyzx quuxology")
    assert (reply["outcome"], reply["papers"]) == ("empty", [])


@every_provider
def test_the_key_is_sent_and_never_told(running: Machine, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    reply = search(running, name)
    assert SANDBOX_KEY not in json.dumps(reply)
    assert SANDBOX_KEY not in capfd.readouterr().err
    assert running.sandbox is not None
    assert all(SANDBOX_KEY not in seen.path + seen.query for seen in running.sandbox.seen)


FILTERED: dict[str, dict[str, Any]] = {
    "date": {"date_from": "2014", "date_to": "2016-06"},
    "author": {"author": "Colonna"},
    "journal": {"journal": "Cell"},
    "open access": {"open_access": True},
    "citations": {"min_citations": 3},
    "types": {"publication_types": ["journal-article", "preprint"]},
    "no retracted": {"exclude_retracted": True},
    "operators": {"text": '"TREM2" AND (microglia OR attention) NOT mouse'},
    "sorted": {"sort": "date"},
    "marks": {"text": "TREM2 (R47H) & α<β; 50% 'quoted' a:b [c] {d} ^ ~ * ? \\ / + - | ! #"},
}


@every_provider
@pytest.mark.parametrize("case", FILTERED)
def test_every_filter_can_be_asked(running: Machine, name: str, case: str) -> None:
    reply = search(running, name, **FILTERED[case])
    assert reply["outcome"] in ("ok", "empty"), reply["warnings"]
    assert reply["effective_query"]
    assert set(reply["unsupported_filters"]) <= set(FILTERS)
    assert not set(reply["unsupported_filters"]) & set(reply["applied_filters"])


@every_provider
def test_an_unknown_operation_is_our_own_mistake(running: Machine, name: str) -> None:
    with pytest.raises(ValueError, match="no operation 'fly'"):
        running.invoke(name, {"operation": "fly"})


@every_provider
def test_a_provider_describes_itself(running: Machine, name: str) -> None:
    told = running.invoke(name, {"operation": "describe"})
    assert told["name"] == name
    assert isinstance(told["has_key"], bool)
    assert SANDBOX_KEY not in json.dumps(told)
