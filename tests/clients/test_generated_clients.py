"""Clients that generators make from the document are complete.

Each makes a search, opens a paper, filters the result set, records a citation, reads its context, and saves a search.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module, util
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.gateway import application
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from tests.clients.generated import operations, python_client, python_models, run, typescript_client
from tests.http_server import serving

SEARCH = {"query": "TREM2 microglia", "max_results": 2, "providers": ["crossref", "pubmed"], "sort": "relevance"}
SAVED = {"name": "TREM2, each day", "search": {"query": "TREM2 microglia"}, "schedule": {"expression": "rate(1 day)"}}


@pytest.fixture(scope="module")
def running() -> Iterator[Machine]:
    """A machine whose queue is written when a test says so."""
    with machine(sandbox=Sandbox()) as local:
        yield local


@pytest.fixture(scope="module")
def address(running: Machine) -> Iterator[str]:
    """Where it is served over HTTP."""
    with serving(application(running)) as served:
        yield served


@pytest.fixture
def document(address: str, tmp_path: Path) -> Path:
    """The document, as the service has it."""
    path = tmp_path / "openapi.json"
    path.write_text(httpx.get(f"{address}/openapi.json").text, encoding="utf-8")
    return path


@pytest.mark.skipif(not util.find_spec("openapi_python_client"), reason="openapi-python-client is not installed")
def test_openapi_python_client_makes_every_operation(
    running: Machine, address: str, document: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = python_client(document)
    assert "WARNING" not in said and "Skipping" not in said, said
    made = {it.stem for it in document.with_name("python_client").glob("api/*/*.py")} - {"__init__"}
    assert made == operations(json.loads(document.read_text(encoding="utf-8")))

    monkeypatch.syspath_prepend(document.parent)
    models: Any = import_module("python_client.models")
    package: Any = import_module("python_client")
    client = package.AuthenticatedClient(address, "any", "", auth_header_name="x-api-key")

    def call(name: str, **given: object) -> Any:
        module: Any = import_module(f"python_client.api.{name}")
        return module.sync(client=client, **given)

    answer = call("search.literature_search", body=models.SearchRequest.from_dict(SEARCH))
    assert answer.total_count > 0 and answer.results[0].title
    by_get = call("search.search_by_get", query="TREM2 microglia", fields=[models.PaperField.KEY])
    assert by_get.results[0].key
    paper = call("papers.get_paper", id=answer.results[0].key)
    assert paper.paper.title == answer.results[0].title
    assert call("graph.get_graph_stats").complete is True
    page = call("search.get_result_set", id=answer.result_set_id, source=[models.ProviderName.PUBMED], max_results=1)
    assert page.total_count == answer.total_count and page.returned == len(page.results) == 1

    body = {"context": {"type": "debate", "id": "by-python"}, "papers": [answer.results[0].key]}
    cited = call("graph.cite_in_context", body=models.CitationRequest.from_dict(body))
    assert cited.recorded == 1
    running.drain_queue()
    (item,) = call("graph.get_graph_context", type_=models.ContextType.DEBATE, id="by-python").items
    assert (item.key, item.relation) == (answer.results[0].key, "cited_in")

    saved = call("saved.save_search", body=models.SavedSearchRequest.from_dict(SAVED))
    assert call("saved.get_saved_search", id=saved.id).search["query"] == "TREM2 microglia"
    assert saved.id in [it.id for it in call("saved.list_saved_searches").saved_searches]
    refused = call("search.literature_search", body=models.SearchRequest(query="x", date_from="yesterday"))
    assert isinstance(refused, models.Problem) and refused.errors[0].field == "date_from"


@pytest.mark.skipif(not util.find_spec("datamodel_code_generator"), reason="the generator is not installed")
def test_datamodel_code_generator_makes_one_class_of_each_type(
    running: Machine, address: str, document: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python_models(document)
    source = document.with_name("python_models.py").read_text(encoding="utf-8")
    assert not re.findall(r"^class (\w*\d+)\b", source, re.MULTILINE)  # Format1, SearchRequest2: inline types
    assert not re.findall(r"con(?:int|float|str)\(.*\| con(?:int|float|str)\(", source)  # one form of each value
    assert "Absent" not in source

    monkeypatch.syspath_prepend(document.parent)
    models: Any = import_module("python_models")
    body = models.SearchRequest.model_validate(SEARCH).model_dump(mode="json", exclude_unset=True)
    with httpx.Client(base_url=address, headers={"x-api-key": "any"}) as client:
        answer = models.SearchAnswer.model_validate(client.post("/v1/literature-search", json=body).json())
        assert answer.total_count > 0
        got = client.get("/v1/papers/" + answer.results[0].key.replace("/", "%2F")).json()
        assert models.PaperAnswer.model_validate(got).paper.title == answer.results[0].title
        assert models.GraphStats.model_validate(client.get("/v1/graph/stats").json()).complete is True
        stored = models.ResultSetAnswer.model_validate(client.get(f"/v1/result-sets/{answer.result_set_id}").json())
        assert stored.total_count == answer.total_count

        context = {"type": "debate", "id": "by-models"}
        cite = models.CitationRequest(context=context, papers=[answer.results[0].key])
        cited = client.post("/v1/citations", json=cite.model_dump(mode="json", exclude_unset=True))
        assert models.CitationsAnswer.model_validate(cited.json()).recorded == 1
        running.drain_queue()
        read = models.GraphContextAnswer.model_validate(client.get("/v1/graph/contexts/debate/by-models").json())
        assert [it.key for it in read.items] == [answer.results[0].key]

        save = models.SavedSearchRequest.model_validate(SAVED).model_dump(mode="json", exclude_unset=True)
        saved = models.NewSavedSearchAnswer.model_validate(client.post("/v1/saved-searches", json=save).json())
        own = models.SavedSearchAnswer.model_validate(client.get(f"/v1/saved-searches/{saved.id}").json())
        assert own.search["query"] == "TREM2 microglia"


def test_a_typescript_client_is_checked_and_called(running: Machine, address: str, document: Path) -> None:
    script = typescript_client(document, Path(__file__).with_name("typescript_calls.ts"))
    answer = json.loads(run("node", script, address, cwd=script.parent))
    assert answer["total"] == answer["stored"] > 0 and answer["key"] and answer["title"]
    assert (answer["recorded"], answer["saved"]) == (1, "TREM2, each day")
    running.drain_queue()
    read = json.loads(run("node", script, address, "read", cwd=script.parent))
    assert read["cited"] == [answer["key"]] and read["papers"] > 0
