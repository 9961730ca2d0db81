"""What HTTP offers, over MCP: files, lists of references, the graph, contexts, saved searches, prompts."""

from __future__ import annotations

import base64
import io
import json
from typing import Any
from urllib.parse import quote

import anyio
import docx
import pytest
from mcp import Client
from mcp.types import TextContent

from functions.mcp_server.resources import RESOURCES, TEMPLATES
from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.agent_tools.hints import in_words_of_mcp
from shared.api.operations import OPERATIONS
from shared.search.sizes.token_budget import tokens
from tests.integration.mcp_calls import called, message, refusal, resource, rpc
from tests.unit.mcp.test_server import VERSIONS, in_both_versions

ELIFE = "10.7554/eLife.20391"
CITED = "10.1056/NEJMoa1211851"
FORMATS = {
    "bibtex": "@article{",
    "ris": "TY  - ",
    "csl-json": '"type": "article-journal"',
    "csv": ",",
    "markdown": "| # |",
}
# Of the service itself: MCP lists its own tools, and documents itself.
NOT_READ = {"/v1/tools", "/v1/literature-search", "/v1/pubmed-search"}


def http(local: Machine, path: str, key_id: str | None = None, **query: str) -> Any:
    event = rest_event("GET", path, query={name: [value] for name, value in query.items()})
    event["requestContext"]["identity"]["apiKeyId"] = key_id
    answer = local.invoke("dispatcher", event)
    assert answer["statusCode"] == 200, answer
    json_answer = "json" in answer["multiValueHeaders"]["Content-Type"][0]
    return json.loads(answer["body"]) if json_answer else answer["body"]


@pytest.mark.parametrize("form", FORMATS)
def test_a_search_is_exported_as_over_http(running: Machine, form: str) -> None:
    file = called(running, "literature_search", query="TREM2 microglia", max_results=3, format=form)
    assert FORMATS[form] in file["text"]
    assert file["complete"] is True
    assert file["content_trust"] == "untrusted_external"
    by_http = http(running, "/v1/literature-search", query="TREM2 microglia", max_results="3", format=form)
    assert file["text"] == by_http or json.loads(file["text"]) == by_http


@pytest.mark.parametrize("form", FORMATS)
def test_papers_are_exported_and_those_not_found_counted(running: Machine, form: str) -> None:
    file = called(running, "get_papers", ids=[ELIFE, "10.9999/none"], format=form)
    assert ELIFE.lower() in file["text"].lower()
    assert file["not_found"] == 1


@pytest.mark.parametrize(("relation", "seed"), [("references", ELIFE), ("citations", CITED)])
def test_the_lists_of_a_paper_have_pages(running: Machine, relation: str, seed: str) -> None:
    first = called(running, "citation_network", seeds=[seed], relation=relation, max_results=1)
    assert (first["relation"], first["returned"]) == (relation, 1)
    by_http = http(running, f"/v1/papers/{quote(seed, safe='')}/{relation}", max_results="1")
    assert first["results"] == by_http["results"]
    if cursor := first["next_cursor"]:
        rest = called(running, "citation_network", seeds=[seed], relation=relation, cursor=cursor)
        assert first["results"][0] not in rest["results"]
        assert 1 + rest["returned"] <= first["total_count"]


def test_similar_papers_of_several_seeds_are_as_over_http(running: Machine) -> None:
    asked: dict[str, Any] = {"seeds": [ELIFE, CITED], "unlike": ["10.1002/jrsm.1411"], "max_results": 3}
    found = called(running, "citation_network", relation="similar", cite_in_kg=False, **asked)
    body = json.dumps({**asked, "detail": "compact", "cite_in_kg": False})
    by_http = json.loads(running.invoke("dispatcher", rest_event("POST", "/v1/similar", body=body))["body"])
    assert found["results"] == by_http["results"]
    assert len(found["results"]) == 3
    assert {name for it in found["results"] for name in it["votes"]}


@pytest.mark.parametrize(("arguments", "said"), [
    ({"relation": "cousins"}, "must be one of references, citations, similar"),
    ({"relation": "citations", "seeds": [ELIFE, "PMID:1"]}, "must be one paper with relation citations"),
])  # fmt: skip
def test_a_list_is_of_one_paper_and_of_a_known_relation(running: Machine, arguments: dict[str, Any], said: str) -> None:
    result = message(running, "citation_network", {"seeds": [ELIFE], **arguments})
    assert (result["isError"], result["structuredContent"]["code"]) == (True, "bad_request")
    assert said in result["structuredContent"]["detail"]


def test_the_graph_and_contexts_are_read_as_over_http(running: Machine) -> None:
    cited = {"context": {"type": "debate", "id": "a / b?"}, "papers": [ELIFE]}
    called(running, "get_papers", "key-1", ids=[ELIFE])
    called(running, "cite_in_context", "key-1", **cited)
    running.drain_queue()
    uri, path = "literature://graph/contexts/debate/a%20%2F%20b%3F", "/v1/graph/contexts/debate/a / b?"
    assert resource(running, uri, "key-1") == http(running, path, "key-1")
    assert resource(running, uri, "key-1")["items"][0]["key"] == f"doi:{ELIFE.lower()}"
    assert json.loads(called(running, "fetch", "key-1", id=uri)["text"]) == http(running, path, "key-1")
    paper = resource(running, f"literature://graph/papers/{ELIFE}?limit=1", "key-1")
    assert [it["context"]["id"] for it in paper["contexts"]["items"]] == ["a / b?"]
    assert resource(running, f"literature://graph/papers/{ELIFE}?limit=1", "key-2")["contexts"]["items"] == []
    assert resource(running, "literature://graph/stats")["papers"] >= 1
    assert ELIFE.lower() in resource(running, "literature://graph/export?format=csv")
    assert refusal(running, uri, "key-2")["status"] == 404


def test_saved_searches_are_read_by_their_owner_alone(running: Machine) -> None:
    body = {"search": {"query": "TREM2", "providers": ["crossref"]}, "schedule": "rate(1 day)"}
    event = rest_event("POST", "/v1/saved-searches", body=json.dumps(body))
    event["requestContext"]["identity"]["apiKeyId"] = "key-1"
    saved = json.loads(running.invoke("dispatcher", event)["body"])
    (mine,) = resource(running, "literature://saved-searches", "key-1")["saved_searches"]
    assert mine["id"] == saved["id"]
    new = resource(running, f"literature://saved-searches/{saved['id']}/new", "key-1")
    assert new["events"] == []
    assert called(running, "fetch", "key-1", id="literature://saved-searches")["metadata"] == {
        "media_type": "application/json"
    }
    assert resource(running, "literature://saved-searches", "key-2")["saved_searches"] == []
    problem = refusal(running, f"literature://saved-searches/{saved['id']}/new", "key-2")
    assert (problem["status"], problem["hint"]) == (404, "literature://saved-searches lists yours.")


def test_a_stored_search_is_filtered_and_counted_as_over_http(running: Machine) -> None:
    found = called(running, "literature_search", query="TREM2 microglia", max_results=2)
    path = f"result-sets/{found['result_set_id']}"
    counted = resource(running, f"literature://{path}/facets")
    assert counted["facets"] == http(running, f"/v1/{path}/facets")["facets"]
    venues = [it["value"] for it in counted["facets"]["venue"]["values"]][:2]
    query = "&".join(f"venue={quote(name)}" for name in venues)
    page = resource(running, f"literature://{path}?{query}&max_results=100&fields=key")
    assert page["matching"] == sum(it["count"] for it in counted["facets"]["venue"]["values"][:2])
    by_fetch = json.loads(
        called(running, "fetch", id=f"literature://{path}?{query}&max_results=100&fields=key")["text"]
    )
    assert by_fetch["results"] == page["results"]


@pytest.mark.slow
def test_every_listed_resource_can_be_read(running: Machine) -> None:
    for template in (*RESOURCES, *TEMPLATES):
        path = template.partition("{?")[0].replace("{type}", "debate").replace("{+id}", ELIFE).replace("{id}", "0" * 32)
        answer = rpc(running, "resources/read", {"uri": f"literature://{path}"})
        problem = answer["error"]["data"] if "error" in answer else {"errors": []}
        assert "uri" not in [it["field"] for it in problem["errors"]], path


def test_search_returns_as_many_as_requested(running: Machine) -> None:
    assert [
        len(called(running, "search", query="TREM2 microglia", max_results=most)["results"]) for most in (1, 12)
    ] == [1, 12]
    assert len(called(running, "search", query="TREM2 microglia")["results"]) == 10


def test_a_stored_search_and_its_counts_are_read_as_over_http(running: Machine) -> None:
    name = called(running, "literature_search", query="TREM2", providers=["crossref"])["result_set_id"]
    for path in (f"result-sets/{name}", f"result-sets/{name}/facets"):
        read = resource(running, f"literature://{path}?type=preprint")
        over_http = http(running, f"/v1/{path}", type="preprint")
        assert (read["matching"], read["total_count"]) == (over_http["matching"], over_http["total_count"])
        assert read.keys() == over_http.keys()


def test_reading_a_resource_adds_nothing_to_the_graph(running: Machine) -> None:
    running.drain_queue()
    assert resource(running, f"literature://papers/{ELIFE}")["status"] == "found"
    assert resource(running, f"literature://papers/{ELIFE}/references?max_results=1")["returned"] == 1
    assert running.drain_queue() == 0


@pytest.mark.parametrize(
    "uri",
    ["literature://", "literature://tools", "literature://../health", "https://a.example/v1/papers/x", "x" * 9_000],
)
def test_an_address_that_is_no_resource_is_refused_with_examples(running: Machine, uri: str) -> None:
    problem = refusal(running, uri)
    assert (problem["status"], problem["errors"][0]["field"]) == (404, "uri")
    assert message(running, "fetch", {"id": uri})["isError"] is True


def test_every_get_of_the_api_is_a_tool_or_a_resource() -> None:
    readable = {name.partition("{?")[0].replace("{+", "{") for name in (*RESOURCES, *TEMPLATES)}
    routes = {it.path for it in OPERATIONS if it.method == "GET" and it.path.startswith("/v1/")} - NOT_READ
    assert {path.removeprefix("/v1/") for path in routes} == readable


def test_every_post_of_the_api_is_a_tool() -> None:
    routes = [it.path for it in OPERATIONS if it.method == "POST"]
    assert not [path for path in routes if "://" in in_words_of_mcp(f"POST {path}")]


def test_an_exhaustive_search_is_begun_and_read(running: Machine) -> None:
    asked: dict[str, Any] = {"query": "TREM2 AND microglia", "providers": ["openalex"], "date_from": "2019"}
    begun = called(running, "literature_search", "key-1", **asked, max_records=40, detail="compact", max_tokens=3_000)
    body = json.dumps({**asked, "max_records": 40})
    event = rest_event("POST", "/v1/exhaustive-searches", body=body)
    event["requestContext"]["identity"]["apiKeyId"] = "key-1"
    assert json.loads(running.invoke("dispatcher", event)["body"])["search_id"] == begun["search_id"]
    while running.search_exhaustively():
        pass
    read = resource(running, f"literature://exhaustive-searches/{begun['search_id']}", "key-1")
    assert (read["complete"], read["done"] > 0) == (True, True)


def test_an_exhaustive_search_is_answered_within_its_budget(running: Machine) -> None:
    asked: dict[str, Any] = {"query": "TREM2 AND microglia", "providers": ["openalex", "crossref"], "max_records": 30}
    begun = called(running, "literature_search", **asked, max_tokens=1_000)
    while running.search_exhaustively():
        pass
    ended = called(running, "literature_search", **asked, max_tokens=1_000, detail="compact", max_results=3)
    assert (ended["search_id"], ended["state"], tokens(ended) <= 1_000) == (begun["search_id"], "done", True)
    assert 0 < ended["returned"] <= 3 < called(running, "literature_search", **asked)["returned"]
    refused = message(running, "literature_search", {**asked, "max_tokens": 500})
    assert refused["structuredContent"]["errors"][0]["field"] == "max_tokens"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"query": "TREM2", "max_records": 40, "schedule": "rate(1 day)"}, "max_records"),
        ({"query": "TREM2", "max_records": 40, "passages": "Why?"}, "max_records"),
        ({"query": "TREM2", "max_records": 40, "cursor": "MTIz"}, "cursor"),
        ({"query": "TREM2", "max_records": 40, "format": "bibtex"}, "format"),
        ({"query": "TREM2", "max_records": 5_001}, "max_records"),
    ],
)
def test_an_exhaustive_search_refuses_fields_that_it_does_not_take(
    running: Machine, arguments: dict[str, Any], field: str
) -> None:
    refused = message(running, "literature_search", arguments)
    assert (refused["isError"], refused["structuredContent"]["errors"][0]["field"]) == (True, field)


def test_a_word_file_is_checked_as_over_http(running: Machine) -> None:
    written, file = docx.Document(), io.BytesIO()
    written.add_heading("References")
    written.add_paragraph(f"Guerreiro R. TREM2 variants in Alzheimer's disease. N Engl J Med. 2013. doi:{CITED}")
    written.save(file)
    encoded = base64.b64encode(file.getvalue())
    checked = called(running, "resolve_reference", document_base64=encoded.decode(), cite_in_kg=False)
    body = json.dumps({"document_base64": encoded.decode(), "detail": "compact", "cite_in_kg": False})
    by_http = json.loads(running.invoke("dispatcher", rest_event("POST", "/v1/reference-checks", body=body))["body"])
    assert checked["references"] == by_http["references"]
    assert len(checked["references"]) == 1
    both = message(running, "resolve_reference", {"document": "a", "document_base64": encoded.decode()})
    assert both["structuredContent"]["errors"][0]["field"] == "document_base64"


@pytest.mark.parametrize(("tool", "arguments", "field"), [
    ("resolve_reference", {"title": "A title", "year": "soon"}, "year"),
    ("resolve_reference", {"title": "A title", "year": 20_000}, "year"),
    ("resolve_reference", {"id": "hello"}, "reference"),
    ("resolve_reference", {"references": ["a"], "title": "A title"}, "title"),
    ("resolve_reference", {"references": [{"title": "A title", "year": "soon"}]}, "references.0.year"),
    ("citation_network", {"seeds": ["hello"], "relation": "references"}, "seeds"),
])  # fmt: skip
def test_an_error_names_the_argument_of_the_tool(
    running: Machine, tool: str, arguments: dict[str, Any], field: str
) -> None:
    problem = message(running, tool, arguments)["structuredContent"]
    assert problem["errors"][0]["field"] == field
    assert problem["detail"].startswith(f"{field}: ")
    assert "unknown field" not in problem["detail"]


@in_both_versions
def test_the_sdks_client_lists_and_reads_resources_and_prompts(address: str, mode: str) -> None:
    async def run() -> None:
        async with Client(f"{address}/mcp", mode=mode) as client:
            assert client.protocol_version == VERSIONS[mode]
            uris = [it.uri for it in (await client.list_resources()).resources]
            assert uris == [f"literature://{path}" for path in RESOURCES]
            templates = (await client.list_resource_templates()).resource_templates
            assert len(templates) == len(TEMPLATES)
            assert (await client.read_resource(uris[0])).contents[0].mime_type == "application/json"
            prompts = (await client.list_prompts()).prompts
            assert {it.name for it in prompts} == {"literature_review", "check_references"}
            review = await client.get_prompt("literature_review", {"topic": "a {since} b", "since": "2020"})
            content = review.messages[0].content
            assert isinstance(content, TextContent)
            assert "date_from 2020" in content.text
            assert "---\na {since} b\n---" in content.text

    anyio.run(run)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("no_such", {}), ("check_references", {}), ("check_references", {"references": "a", "colour": "red"})],
)
def test_a_prompt_without_its_argument_is_refused(running: Machine, name: str, arguments: dict[str, str]) -> None:
    assert rpc(running, "prompts/get", {"name": name, "arguments": arguments})["error"]["code"] == -32602
