"""What is recorded, in groups with a machine each: events, HTTP by subject, faults, saved searches, providers, data."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import boto3

from infra.functions import providers_for
from tests.compatibility import http_cases as cases
from tests.compatibility.recording import TABLES, Recorder, recorder
from tests.compatibility.requests_and_faults import (
    HOST,
    MCP,
    faulty,
    http,
    internet,
    questions,
    rpc,
    run,
    schedules,
    signed,
    tool,
)

EVENTS = Path(__file__).parents[2] / "events"
# Who reads an event; all others are for the dispatcher.
READERS = {
    "direct_provider": "openalex", "direct_similar": "pubmed", "rest_api_health": "public_pages",
    "rest_api_mcp": "mcp_server", "scheduled_search": "saved_search_runner",
    "schedules_reconciled": "saved_search_runner",
    "sqs_citations": "citation_writer", "sqs_deliveries": "deliverer", "sqs_mentions": "citation_writer",
}  # fmt: skip
DAY_S = 86_400.0
SEARCHED = providers_for("search")
HOOK = f"https://{HOST}/new-papers"
SAVED = "/v1/saved-searches"
MCP_CALLS: dict[str, dict[str, Any]] = {
    "literature_search": {"query": "TREM2 microglia", "max_results": 1, "detail": "compact"},
    "pubmed_search": {"query": "TREM2", "max_results": 1},
    "get_papers": {"ids": ["10.7554/eLife.20391", "PMID:1"], "fields": "key,title"},
    "citation_network": {"seeds": ["10.7554/eLife.20391"], "max_nodes": 2},
    "resolve_reference": {"title": "Attention is all you need", "year": 2017},
    "cite_in_context": {"context": {"type": "debate", "id": "mcp"}, "text": "as in doi:10.7554/eLife.20391"},
    "search": {"query": "TREM2 microglia"},
    "fetch": {"id": "doi:10.7554/elife.20391"},
}
MCP_REFUSED: dict[str, dict[str, Any]] = {
    "literature_search": {"query": "a", "max_results": 1000}, "fetch": {"id": "doi:10.9999/none"}, "no_such_tool": {},
}  # fmt: skip
FAULTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "rate_limited": ({"crossref": {"status": 429, "retry_after": 40}}, {"detail": "full"}),
    "truncated": ({"openalex": {"body": "truncated"}}, {}),
    "html": ({"pubmed": {"body": "html"}}, {}),
    "error_body": ({"europe_pmc": {"body": "error"}}, {}),
    "empty_body": ({"semantic_scholar": {"body": "empty"}}, {}),
    "server_error": ({"arxiv": {"status": 503}}, {}),
    "refused_key": ({"paperclip": {"status": 401}}, {}),
    "silent": ({"pubmed": {"delay_ms": 3000}}, {"providers": ["pubmed", "arxiv"], "timeout_ms": 1000}),
    "all_silent": ({"pubmed": {"delay_ms": 3000}}, {"providers": ["pubmed"], "timeout_ms": 1000}),
    "all_failing": ({name: {"status": 500} for name in SEARCHED}, {}),
}


def events(it: Recorder) -> None:
    """Every file in events/, one after the other on one machine."""
    for path in sorted(EVENTS.glob("*.json")):
        it.event(path.stem, READERS.get(path.stem, "dispatcher"), json.loads(path.read_text(encoding="utf-8")))


def searches(it: Recorder) -> None:
    http(it, cases.SEARCHES)
    first = it.http("first_page", "POST", cases.SEARCH, {**cases.TREM2, "detail": "compact"})
    page = {"cursor": first["next_cursor"], "max_results": 3, "detail": "compact"}
    it.http("second_page", "POST", cases.SEARCH, page, effects=True)
    it.http("cursor_with_a_query", "POST", cases.SEARCH, {**page, "query": "another"})
    whole = {"result_set_id": first["result_set_id"], "format": "csv"}
    it.http("result_set_as_csv", "POST", "/v1/exports", whole)
    it.clock.shift(2 * DAY_S)
    it.http("cursor_after_two_days", "POST", cases.SEARCH, page)


def papers(it: Recorder) -> None:
    http(it, cases.PAPERS)
    first = it.http("list_first_page", "GET", f"/v1/papers/{cases.REVIEW}/references", query={"max_results": "1"})
    more = {"cursor": first["next_cursor"] or "", "max_results": "1", "detail": "compact"}
    it.http("list_second_page", "GET", f"/v1/papers/{cases.REVIEW}/references", query=more)


def graph(it: Recorder) -> None:
    it.http("search", "POST", cases.SEARCH, cases.TREM2 | {"context": cases.DEBATE}, key="caller", keep=False)
    it.effects()
    http(it, cases.GRAPH, key="caller")  # the owner of the debate
    page = it.http("context", "GET", "/v1/graph/contexts/debate/42", query={"limit": "1"}, key="caller", keep=False)
    it.http("context_second_page", "GET", "/v1/graph/contexts/debate/42",
            query={"limit": "1", "cursor": page["next_cursor"]}, key="caller")  # fmt: skip
    it.http("context_of_another_caller", "GET", "/v1/graph/contexts/debate/42", key="another")


def _parameter(given: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    """`limit in query`, of a parameter or of a reference to one."""
    one = document["components"]["parameters"][given["$ref"].rpartition("/")[2]] if "$ref" in given else given
    return f"{one['name']} in {one['in']}"


def service(it: Recorder) -> None:
    """The service's descriptions of itself; of long documents that people read, only what programs rely on."""
    http(it, cases.SERVICE)
    document = it.http("openapi", "GET", "/openapi.json", keep=False)
    routes = [
        {
            "call": f"{method.upper()} {path}", "id": of.get("operationId"), "answers": list(of["responses"]),
            "parameters": [_parameter(one, document) for one in of.get("parameters", [])],
            "bodies": list(of.get("requestBody", {}).get("content", {})),
        }
        for path, methods in document["paths"].items() for method, of in methods.items() if "responses" in of
    ]  # fmt: skip
    it.keep("openapi", {"openapi": document["openapi"], "routes": routes})
    forms = it.http("tools", "GET", "/v1/tools", keep=False)["tools"]
    it.keep("tools", forms if not isinstance(forms, list) else [tool(each) for each in forms])
    page = it.invoke("public_pages", json.loads((EVENTS / "rest_api_health.json").read_text()) | {"path": "/docs"})
    it.keep("docs", {**page, "body": None})


def mcp(it: Recorder) -> None:
    listed = rpc(it, "tools/list", {})
    it.keep("tools_list", [tool(each) for each in listed["result"]["tools"]])
    for name, arguments in MCP_CALLS.items():
        rpc(it, "tools/call", {"name": name, "arguments": arguments}, saved_as=f"call_{name}")
    for name, arguments in MCP_REFUSED.items():
        rpc(it, "tools/call", {"name": name, "arguments": arguments}, saved_as=f"refused_{name}")
    rpc(it, "no/such", {}, saved_as="unknown_method")
    it.http("get", "GET", "/mcp", function="mcp_server")
    it.http("no_json", "POST", "/mcp", raw="{", headers=MCP, function="mcp_server")
    it.http("other_media_type", "POST", "/mcp", raw="{}", headers={"Content-Type": "text/plain"}, function="mcp_server")


def faults(it: Recorder) -> None:
    """One provider at a time, a day apart, so that neither circuits nor cached answers reach from case to case."""
    search_arguments = {"query": "TREM2 microglia", "max_results": 1, "detail": "compact"}
    for name, (faults, more) in FAULTS.items():
        with faulty(it, faults):
            it.http(name, "POST", cases.SEARCH, search_arguments | more | {"fresh": True})
            if name == "rate_limited":
                it.http("circuit_open", "POST", cases.SEARCH, search_arguments | {"fresh": True})
                it.http("circuit_told", "GET", "/v1/providers")
        it.clock.shift(10 * DAY_S)
    with faulty(it, {"crossref": {"status": 500}}):
        it.http("paper_one_failing", "GET", f"/v1/papers/{cases.REVIEW}", query={"fields": "key,title"})
    with faulty(it, {name: {"status": 500} for name in (*SEARCHED, "opencitations", "unpaywall")}):
        it.http("paper_all_failing", "GET", f"/v1/papers/{cases.ELIFE}")
        it.http("resolve_all_failing", "POST", "/v1/resolve", {"title": "Attention is all you need"})
        it.http("network_all_failing", "POST", "/v1/citation-network", {"seeds": ["10.7554/eLife.20391"]})
    it.clock.shift(10 * DAY_S)
    it.http("before_stale", "POST", cases.SEARCH, search_arguments | {"providers": ["crossref", "pubmed"]})
    it.clock.shift(1.5 * DAY_S)
    with faulty(it, {"crossref": {"status": 500}}):
        it.http("stale", "POST", cases.SEARCH, search_arguments | {"providers": ["crossref", "pubmed"]})


def saved(it: Recorder) -> None:
    """The life of a saved search: made, run, read, delivered, changed, deleted; and how its routes refuse."""
    with internet() as posts:
        body = {"search": {"query": "TREM2 microglia", "providers": ["crossref"]}, "schedule": "rate(1 day)",
                "delivery": {"webhook": {"url": HOOK}, "sns": True, "baseline": True}}  # fmt: skip
        made: dict[str, Any] = {"headers": {"Idempotency-Key": "one"}, "key": "caller"}
        created = it.http("create", "POST", SAVED, body, effects=True, **made)
        it.http("create_again", "POST", SAVED, body, **made)
        it.http("create_other_under_the_same_key", "POST", SAVED, {**body, "name": "Other"}, **made)
        one = f"{SAVED}/{created['id']}"
        it.keep("schedules", schedules())
        run(it, "first_run", created["id"], "2026-11-20T06:02:00Z")
        it.keep("webhook", [signed(post, created["delivery"]["webhook"]["secret"]) for post in posts])
        it.clock.shift(DAY_S)
        run(it, "second_run", created["id"], "2026-11-21T06:02:00Z")
        for name, query in {"feed": {"limit": "2"}, "feed_atom": {"format": "atom", "limit": "2"},
                            "feed_types": {"types": "baseline", "limit": "1"}, "feed_wrong": {"types": "old"},
                            "feed_wrong_cursor": {"cursor": "none"}}.items():  # fmt: skip
            it.http(name, "GET", f"{one}/new", query=query, key="caller")
        it.http("get", "GET", one, key="caller")
        it.http("get_as_another", "GET", one, key="stranger")
        it.http("list", "GET", SAVED, key="caller")
        it.http("renew_secret", "POST", f"{one}/webhook-secret", key="caller", effects=True)
        zone = {"expression": "cron(0 7 ? * MON-FRI *)", "timezone": "Europe/Berlin"}
        changes = {"name": "Microglia", "schedule": zone, "delivery": {"webhook": None}}
        it.http("patch", "PATCH", one, changes, key="caller", effects=True)
        it.http("patch_disabled", "PATCH", one, {"enabled": False}, key="caller")
        it.http("patch_wrong", "PATCH", one, {"schedule": "rate(1 minute)", "colour": "red"}, key="caller")
        it.keep("schedules_changed", schedules())
        it.event("reconciled", "saved_search_runner", json.loads((EVENTS / "schedules_reconciled.json").read_text()))
        it.http("renew_no_secret", "POST", f"{one}/webhook-secret", key="caller")
        inward = {**body, "delivery": {"webhook": {"url": "https://127.0.0.1/x"}}}
        it.http("create_inward", "POST", SAVED, inward, key="caller")
        it.http("create_wrong", "POST", SAVED, {"search": {"sort": "size"}, "schedule": "daily"}, key="caller")
        it.http("create_empty", "POST", SAVED, {}, key="caller")
        it.http("delete", "DELETE", one, key="caller", effects=True)
        it.http("delete_again", "DELETE", one, key="caller")
        it.keep("schedules_deleted", schedules())


def providers(it: Recorder) -> None:
    """Each provider's Lambda with each operation that it offers, by each scheme that it reads; found and not found."""
    for name in (*SEARCHED, "opencitations", "unpaywall"):
        declared = it.invoke(name, {"operation": "describe"})
        replies = {"describe": declared}
        for operation, schemes in declared["operations"].items():
            for label, event in questions(name, operation, schemes):
                replies[label] = it.invoke(name, {"operation": operation, **event, "timeout_ms": 8000})
        replies["unknown operation"] = it.invoke(name, {"operation": "guess"})
        replies["no question"] = it.invoke(name, {"operation": next(iter(declared["operations"]))})
        it.keep(name, replies)
    items = boto3.client("dynamodb").scan(TableName=os.environ["PROVIDER_BUDGETS_TABLE"])["Items"]
    shapes = {item["pk"]["S"]: {part: next(iter(item[part])) for part in sorted(item)} for item in items}
    it.keep("budgets", dict(sorted(shapes.items())))


def resources(it: Recorder) -> None:
    """Tables and queues as they are made, and the environment that names them and the providers."""
    dynamodb, sqs = boto3.client("dynamodb"), boto3.client("sqs")
    for name in TABLES:
        table = dynamodb.describe_table(TableName=os.environ[f"{name}_TABLE"])["Table"]
        parts = ("TableName", "KeySchema", "AttributeDefinitions", "BillingModeSummary", "GlobalSecondaryIndexes")
        lifetime = dynamodb.describe_time_to_live(TableName=table["TableName"])["TimeToLiveDescription"]
        it.keep(f"table_{name.lower()}", {part: table.get(part) for part in parts} | {"TimeToLive": lifetime})
    attributes = ["VisibilityTimeout", "MessageRetentionPeriod", "RedrivePolicy", "QueueArn"]
    urls = {name: url for name, url in sorted(os.environ.items()) if name.endswith("_QUEUE_URL")}
    queues = {name: sqs.get_queue_attributes(QueueUrl=url, AttributeNames=attributes) for name, url in urls.items()}  # type: ignore[arg-type]
    it.keep("queues", {name: {"url": urls[name], **queue["Attributes"]} for name, queue in queues.items()})
    named = ("DISPATCHER_FUNCTION", "PROVIDER_FUNCTIONS", "SCHEDULE_GROUP", "SCHEDULER_ROLE_ARN", "NEWS_TOPIC_ARN")
    it.keep("environment", {name: os.environ[name] for name in named})


GROUPS: dict[str, Callable[[Recorder], None]] = {
    group.__name__: group
    for group in (events, searches, papers, graph, service, mcp, faults, saved, providers, resources)
}


def recorded(group: str) -> dict[str, str]:
    """The cases of a group, recorded now on a machine of its own: normalised text by name."""
    with recorder() as it:
        GROUPS[group](it)
    return it.cases
