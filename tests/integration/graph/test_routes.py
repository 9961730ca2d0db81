"""The knowledge graph over HTTP: recording citations, reading and exporting, through the real queue and writer."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import boto3
import networkx
import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from infra.local.sandbox.facts import read_facts
from infra.local.sandbox.semantic_scholar.records import external_ids
from shared.graph.citation_request import MAX_MENTIONS, MAX_TEXT_BYTES

DEBATE = {"type": "debate", "id": "on-microglia/7"}


def call(local: Machine, method: str, path: str, body: Any = None, **event: Any) -> tuple[int, Any]:
    text = None if body is None else json.dumps(body)
    response = local.invoke("dispatcher", rest_event(method, path, body=text, **event))
    return response["statusCode"], json.loads(response["body"])


def get(local: Machine, path: str, **query: str) -> Any:
    status, answer = call(local, "GET", path, query={name: [value] for name, value in query.items()})
    assert status == 200, answer
    return answer


def cite(local: Machine, **fields: Any) -> Any:
    headers = {"Idempotency-Key": fields.pop("key")} if "key" in fields else {}
    status, answer = call(local, "POST", "/v1/citations", {"context": DEBATE, **fields}, headers=headers)
    assert status == 200, answer
    return answer


def found(local: Machine, **fields: Any) -> list[dict[str, Any]]:
    """Results of a search that are in the graph afterwards."""
    status, answer = call(local, "POST", "/v1/literature-search", {"query": "TREM2 microglia", **fields})
    assert status == 200
    local.drain_queue()
    return [result for result in answer["results"] if result["doi"]]


def waiting(local: Machine) -> int:
    sqs = boto3.client("sqs")
    url = sqs.get_queue_url(QueueName="local-citations")["QueueUrl"]
    answer = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["ApproximateNumberOfMessages"])
    return int(answer["Attributes"]["ApproximateNumberOfMessages"])


def test_citations_in_the_text_of_a_debate_are_recorded_resolved_and_listed(local: Machine) -> None:
    first, second = found(local)[:2]
    text = f"As [one study](https://doi.org/{first['doi'].upper()}) shows, and PMID: 99999999; see {second['doi']}."
    recorded = cite(local, text=text, by="agent-7")
    assert [(it["key"], it["status"]) for it in recorded["mentions"]] == [
        (first["key"], "in_graph"), (None, "not_found"), (second["key"], "in_graph"),
    ]  # fmt: skip
    assert [text[it["start"] : it["end"]] for it in recorded["mentions"]] == [it["text"] for it in recorded["mentions"]]
    assert recorded["unresolved"] == ["pmid:99999999"]
    assert recorded["mentions"][0]["title"] == first["title"]
    local.drain_queue()
    context = get(local, "/v1/graph/contexts/debate/on-microglia/7")
    assert {(it["key"], it["relation"], it["by"], it["at"]) for it in context["items"]} == {
        (key, "cited_in", "local/agent-7", recorded["at"]) for key in (first["key"], "pmid:99999999", second["key"])
    }
    paper = get(local, f"/v1/graph/papers/{first['doi']}")
    assert paper["key"] == first["key"]
    assert [(it["context"], it["relation"]) for it in paper["contexts"]["items"]] == [(DEBATE, "cited_in")]


def test_a_corpus_id_leads_to_its_paper_in_the_graph(local: Machine) -> None:
    fact = next(fact for fact in read_facts() if fact.doi and fact.s2_paper_id and not fact.versions)
    doi = str(fact.doi).lower()
    number = external_ids(fact)["CorpusId"]
    recorded = cite(local, text=f"See https://api.semanticscholar.org/CorpusID:{number} and CorpusId: 9999999999.")
    assert [(it["id"], it["key"], it["status"]) for it in recorded["mentions"]] == [
        (f"corpus:{number}", f"doi:{doi}", "resolved"), ("corpus:9999999999", None, "not_found"),
    ]  # fmt: skip
    assert recorded["unresolved"] == ["corpus:9999999999"]
    local.drain_queue()
    (mention,) = get(local, f"/v1/graph/papers/{fact.doi}")["contexts"]["items"]
    assert mention["context"] == DEBATE
    assert cite(local, papers=[f"CorpusId:{number}"])["mentions"][0]["status"] == "resolved"


def test_an_over_long_doi_is_not_recorded_as_another(local: Machine) -> None:
    assert cite(local, text=f"See 10.1000/{'x' * 600} and {{\\textless}}.")["recorded"] == 0
    status, refused = call(local, "POST", "/v1/citations", {"context": DEBATE, "papers": ["10.1000/" + "x" * 600]})
    assert (status, refused["errors"][0]["field"]) == (422, "papers.0")


def test_a_paper_that_a_search_showed_is_not_a_citation(local: Machine) -> None:
    shown = found(local, context=DEBATE)
    relations = {it["relation"] for it in get(local, "/v1/graph/contexts/debate/on-microglia/7")["items"]}
    assert relations == {"shown_in"}
    stats = get(local, "/v1/graph/stats")
    assert (stats["papers"], stats["shown_in"], stats["cited_in"]) == (len(shown), len(shown), 0)


@pytest.mark.slow
def test_a_reference_becomes_an_edge_when_both_papers_are_in_the_graph(local: Machine) -> None:
    # OpenAlex states the references and requires every word: the paper that cites the others does not say "microglia".
    keys = [result["key"] for result in found(local, query="TREM2", max_results=50)]
    edges = get(local, "/v1/graph/stats")["cites"]
    assert edges > 0
    papers = get(local, "/v1/graph/export", format="jsonld", limit="100")["@graph"]
    assert papers
    listed = [(key, get(local, f"/v1/graph/papers/{key}")) for key in keys]
    cites = {(key, it["key"]) for key, paper in listed for it in paper["cites"]["items"]}
    assert len(cites) == edges
    assert {(it["key"], key) for key, paper in listed for it in paper["cited_by"]["items"]} == cites
    assert all(it["providers"] for _, paper in listed for it in paper["cites"]["items"])


def test_one_idempotency_key_has_one_effect_and_one_answer(local: Machine) -> None:
    first, again = (cite(local, key="k1", text="see 10.1000/abc") for _ in range(2))
    assert {**first, "request_id": ""} == {**again, "request_id": ""}
    assert waiting(local) == 1
    status, problem = call(
        local,
        "POST",
        "/v1/citations",
        {"context": DEBATE, "text": "see 10.1000/other"},
        headers={"Idempotency-Key": "k1"},
    )
    assert (status, problem["code"], problem["retryable"]) == (409, "conflict", False)
    assert waiting(local) == 1
    cite(local, key="k2", text="see 10.1000/other")
    assert waiting(local) == 2


def test_the_same_key_of_another_caller_is_another_key(local: Machine) -> None:
    body = {"context": {**DEBATE, "shared": True}, "text": "10.1000/a"}
    for caller in ("alice", "bob"):
        headers = {"Idempotency-Key": "k", "x-api-key": caller}
        assert call(local, "POST", "/v1/citations", body, headers=headers)[0] == 200
    assert waiting(local) == 2


def test_after_a_queue_failure_the_same_key_can_be_used_again(local: Machine) -> None:
    sqs = boto3.client("sqs")
    url = sqs.get_queue_url(QueueName="local-citations")["QueueUrl"]
    sqs.delete_queue(QueueUrl=url)
    body = {"context": DEBATE, "text": "see 10.1000/abc"}
    status, problem = call(local, "POST", "/v1/citations", body, headers={"Idempotency-Key": "k"})
    assert (status, problem["code"], problem["retryable"]) == (503, "storage_unavailable", True)
    sqs.create_queue(QueueName="local-citations")
    assert cite(local, key="k", text="see 10.1000/abc")["recorded"] == 1
    assert waiting(local) == 1


@pytest.mark.parametrize("path", ["papers/10.7554/elife.20391", "contexts/debate/1", "stats", "export"])
def test_an_unavailable_table_is_a_storage_error(local: Machine, path: str) -> None:
    boto3.client("dynamodb").delete_table(TableName="local-papers")
    status, problem = call(local, "GET", f"/v1/graph/{path}")
    assert (status, problem["code"], problem["retryable"]) == (503, "storage_unavailable", True)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        pytest.param({"text": "10.1000/a " + "x" * MAX_TEXT_BYTES}, "text", id="text over 100 kB"),
        pytest.param({"text": " ".join(f"10.1000/{it}" for it in range(1000))}, "text", id="1,000 references"),
        pytest.param({"papers": [f"10.1000/{it}" for it in range(MAX_MENTIONS + 1)]}, "papers", id="too many papers"),
        pytest.param(
            {"text": "a", "context": {"type": "gossip", "id": "1"}}, "context.type", id="unknown context type"
        ),
        pytest.param({"text": "a", "context": {"type": "debate"}}, "context.id", id="context without id"),
        pytest.param({"papers": ["10.1000/a", "no id", "12345"]}, "papers.1", id="invalid ids"),
        pytest.param({"papers": ["10.1000/a and 10.1000/b"]}, "papers.0", id="two ids in one"),
        pytest.param({}, "text", id="neither text nor papers"),
        pytest.param({"text": "10.1000/a", "papers": ["10.1000/a"]}, "papers", id="both"),
        pytest.param({"text": "a", "whom": "me"}, "whom", id="unknown field"),
        pytest.param({"text": "a", "by": "x" * 257}, "by", id="a very long name"),
    ],
)
def test_invalid_input_names_its_field_and_nothing_is_written(
    local: Machine, fields: dict[str, Any], field: str
) -> None:
    status, problem = call(local, "POST", "/v1/citations", {"context": DEBATE, **fields})
    assert status in (400, 422)
    assert field in {error["field"] for error in problem["errors"]}
    assert waiting(local) == 0


def test_a_text_without_references_is_valid(local: Machine) -> None:
    recorded = cite(local, text="I hold this to be true.")
    assert (recorded["recorded"], recorded["mentions"], waiting(local)) == (0, [], 0)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/graph/papers/10.9999/never.seen", 404),
        ("/v1/graph/papers/nonsense", 422),
        ("/v1/graph/papers/", 404),
        ("/v1/graph/nothing", 404),
    ],
)
def test_unknown_papers_ids_and_paths_are_errors(local: Machine, path: str, status: int) -> None:
    assert call(local, "GET", path)[0] == status


@pytest.mark.parametrize("query", [{"limit": "0"}, {"limit": "101"}, {"limit": "x"}, {"cursor": "x"}])
def test_an_invalid_limit_or_cursor_is_unprocessable(local: Machine, query: dict[str, str]) -> None:
    parameters = {name: [value] for name, value in query.items()}
    status, problem = call(local, "GET", "/v1/graph/contexts/debate/1", query=parameters)
    assert (status, problem["errors"][0]["field"]) == (422, next(iter(query)))


def test_a_context_is_paged_in_order_of_time(local: Machine) -> None:
    cite(local, papers=[f"10.1000/{number}" for number in range(25)])
    local.drain_queue()
    whole = get(local, "/v1/graph/contexts/debate/on-microglia/7", limit="100")["items"]
    pages = []
    page = get(local, "/v1/graph/contexts/debate/on-microglia/7", limit="10")
    while page["items"]:
        pages += page["items"]
        if not page["next_cursor"]:
            break
        page = get(local, "/v1/graph/contexts/debate/on-microglia/7", limit="10", cursor=page["next_cursor"])
    assert pages == whole
    assert len(whole) == 25


@pytest.mark.slow
def test_exports_contain_the_whole_graph(local: Machine) -> None:
    found(local, max_results=50, context=DEBATE)
    stats = get(local, "/v1/graph/stats")

    def exported(**query: str) -> tuple[str, str]:
        parameters = {name: [value] for name, value in {"limit": "100", **query}.items()}
        response = local.invoke("dispatcher", rest_event("GET", "/v1/graph/export", query=parameters))
        assert response["statusCode"] == 200
        return response["multiValueHeaders"]["Content-Type"][0], response["body"]

    kind, body = exported(format="graphml")
    graph = networkx.parse_graphml(body)
    papers = [node for node, data in graph.nodes(data=True) if data.get("kind", "paper") == "paper"]
    assert (kind, len(papers)) == ("application/graphml+xml", stats["papers"])
    kind, body = exported(format="csv")
    assert (kind, len(list(csv.DictReader(io.StringIO(body))))) == ("text/csv; charset=utf-8", stats["papers"])
    kind, body = exported(format="jsonld")
    assert kind == "application/ld+json"
    assert sum(it["@type"] == "ScholarlyArticle" for it in json.loads(body)["@graph"]) == stats["papers"]


@pytest.mark.slow
def test_the_cursor_of_an_export_continues_after_its_page(local: Machine) -> None:
    found(local, max_results=50)
    keys: list[str] = []
    cursor: str | None = None
    while True:
        query = {"format": ["csv"], "limit": ["7"], **({"cursor": [cursor]} if cursor else {})}
        response = local.invoke("dispatcher", rest_event("GET", "/v1/graph/export", query=query))
        keys += [row["key"] for row in csv.DictReader(io.StringIO(response["body"]))]
        cursor = response["multiValueHeaders"].get("Next-Cursor", [None])[0]
        if cursor is None:
            break
    assert len(keys) == len(set(keys)) == get(local, "/v1/graph/stats")["papers"]
