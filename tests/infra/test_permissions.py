"""Least privilege: each function may do exactly what its code does, on exactly the resources that it uses."""

from __future__ import annotations

import importlib
import json
from difflib import unified_diff
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import boto3
import pytest

from infra.functions import provider_names, providers_for
from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from infra.tables import CHECKS, CITATIONS, COMPLETIONS, DELIVERIES, EXHAUSTIVE, PROVIDER_BUDGETS, SEARCH_CACHE, Queue
from shared.aws.dynamodb import leg_cache
from shared.aws.dynamodb.large_items import file_name
from shared.delivery.webhook_client import ReceiverResponse
from shared.graph import citing_tree
from shared.legs.leg import Leg
from shared.query.query import Query
from tests.infra.aws_calls import BUCKET, QUEUE, SCHEDULES, TABLE, Calls, arn, calls_to_aws
from tests.infra.policies import SNAPSHOT, policies
from tests.infra.template import Template, text
from tests.integration.exhaustive_searches import begin, finished
from tests.integration.reference_checks import message_event
from tests.integration.saved_searches.faults import Saved, paper, saved_searches

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds
EVENTS = Path(__file__).parents[2] / "events"
SECRET = "arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:literature-search/dev"
# Lambda polls the queue with the consumer's role.
POLLING_ACTIONS = {"ChangeMessageVisibility", "DeleteMessage", "GetQueueAttributes", "GetQueueUrl", "ReceiveMessage"}
RATE_LIMIT_ACTIONS = ("dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem")
LOG_AND_TRACE_ACTIONS = {  # allowed for every function, of its own
    "logs:CreateLogStream", "logs:PutLogEvents", "xray:PutTraceSegments", "xray:PutTelemetryRecords",
}  # fmt: skip


def allowed(template: Template, function: str) -> Calls:
    """Return what a function may do, except writing logs and traces."""
    granted = template.permissions(function)
    assert granted >= log_and_trace_calls(template, function)
    return granted - log_and_trace_calls(template, function)


def log_and_trace_calls(template: Template, function: str) -> Calls:
    """Return the actions on its own log and on X-Ray, which has no resource-level permissions."""
    log = f"<{template.functions[function]['LoggingConfig']['LogGroup']['Ref']}.Arn>"
    return {(action, log if action.startswith("logs:") else "*") for action in LOG_AND_TRACE_ACTIONS}


def polling_calls(template: Template, queue: Queue) -> Calls:
    """Return the actions with which Lambda polls the queue, using the consumer's role."""
    return {(f"sqs:{action}", arn(template, QUEUE, queue.name)) for action in POLLING_ACTIONS}


def graph_events(key: str) -> list[dict[str, Any]]:
    """Return events that use everything of the graph's routes, with an Idempotency-Key."""
    cited = {"context": {"type": "debate", "id": "42"}, "papers": [key]}
    post = rest_event("POST", "/v1/citations", body=json.dumps(cited), headers={"Idempotency-Key": "k"})
    paths = (f"papers/{key}", "contexts/debate/42", "stats", "export")
    return [post, *(rest_event("GET", f"/v1/graph/{path}") for path in paths)]


def rate_limit_calls(template: Template) -> Calls:
    """Return the calls of the rate limiter, which providers make in functions of their own."""
    return {(action, arn(template, TABLE, PROVIDER_BUDGETS.name)) for action in RATE_LIMIT_ACTIONS}


def called_for_searches(template: Template, local: Machine, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Return the calls of searches, the graph's routes, the list of providers, and a failing queue."""
    asked = {"query": "TREM2 microglia", "fresh": True}
    search = rest_event("POST", "/v1/literature-search", body=json.dumps(asked))
    with calls_to_aws(template, monkeypatch) as searching:
        answer = json.loads(local.invoke("dispatcher", search)["body"])
    pending = rest_event("POST", "/v1/literature-search", body=json.dumps({**asked, "patience_ms": 0}))
    with calls_to_aws(template, monkeypatch) as responding:
        assert json.loads(local.invoke("dispatcher", pending)["body"])["complete"] is False
    assert local.complete() == 1
    local.drain_queue()
    events = graph_events(answer["results"][0]["key"])
    with calls_to_aws(template, monkeypatch) as reading:
        for event in (*events, rest_event("GET", "/v1/providers")):
            assert local.invoke("dispatcher", event)["statusCode"] == 200
    sqs = boto3.client("sqs")
    sqs.delete_queue(QueueUrl=sqs.get_queue_url(QueueName="local-citations")["QueueUrl"])
    refused = {**events[0], "headers": {"Idempotency-Key": "another"}, "multiValueHeaders": None}
    with calls_to_aws(template, monkeypatch) as refusing:
        assert local.invoke("dispatcher", refused)["statusCode"] == 503
    # In one process the providers' calls are seen as well.
    return ((searching | responding) - rate_limit_calls(template)) | reading | refusing


def called_by_owners(template: Template, saved: Saved, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Return the calls of the routes of saved searches, and of events that are handed over."""
    hook = {"webhook": {"url": "https://receiver.example.org/new"}, "baseline": True}
    with calls_to_aws(template, monkeypatch) as called:
        made = saved.create(delivery=hook)
        saved.call("PATCH", f"/{made['id']}", {"schedule": "rate(2 days)"})
        saved.call("GET")
    saved.papers = [paper(1)]
    saved.run(made["id"])
    item = saved.item(made["id"])
    off = {**item["delivery"]["webhook"], "status": "disabled", "disabled_reason": "gone", "undelivered_from": 1}
    saved.wiring.SEARCHES.change(item, {"delivery": {**item["delivery"], "webhook": off}})
    runner = importlib.import_module("functions.saved_search_runner.handler")
    monkeypatch.setattr(runner, "run", lambda *_: {})  # what it does is its own
    with calls_to_aws(template, monkeypatch) as more:
        saved.call("PATCH", f"/{made['id']}", {"delivery": hook})
        saved.call("GET", f"/{made['id']}/new")
        saved.running.invoke("dispatcher", saved.event(made["id"]))
        saved.call("DELETE", f"/{made['id']}")
    return called | more


def test_the_dispatcher_may_do_what_searches_the_graph_and_saved_searches_do_and_no_more(
    template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    with machine(sandbox=Sandbox(faults={})) as local:
        searching = called_for_searches(template, local, monkeypatch)
    with machine(sandbox=Sandbox(faults={})) as local, calls_to_aws(template, monkeypatch) as checking:
        check_references(local, 31)
        begin(local)
    with monkeypatch.context() as patch, saved_searches(patch) as saved:
        saving = called_by_owners(template, saved, monkeypatch)
    assert allowed(template, "dispatcher") == searching | saving | checking | polling_calls(template, COMPLETIONS)


def check_references(local: Machine, count: int) -> str:
    """Start the check of so many references; returns its id."""
    body = json.dumps({"references": [f"Nobody A. A title of number {number}. 2011." for number in range(count)]})
    answer = local.invoke("dispatcher", rest_event("POST", "/v1/reference-checks", body=body))
    assert answer["statusCode"] == 202
    return str(json.loads(answer["body"])["check_id"])


def test_the_reference_checker_may_do_what_a_batch_does_and_receive_its_messages(
    template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    with machine(sandbox=Sandbox(faults={})) as local:
        event = message_event(check_references(local, 60))
        checker = importlib.import_module("functions.reference_checker.handler")
        with calls_to_aws(template, monkeypatch) as called, monkeypatch.context() as patch:
            patch.setattr(checker, "_resolve", lambda *_: None)  # what the dispatcher does is its own
            assert local.invoke("reference_checker", event) == {"batchItemFailures": []}
    invoking = ("lambda:InvokeFunction", template.live("dispatcher"))
    assert allowed(template, "reference_checker") == called | {invoking} | polling_calls(template, CHECKS)


def test_the_exhaustive_searcher_may_do_what_its_steps_do_and_receive_its_messages(
    template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    with machine(sandbox=Sandbox(faults={})) as local:
        # The second reads the pages of the first, from files.
        request = {"query": "microglia", "providers": list(providers_for("search"))}
        ids = [begin(local, {**request, "max_records": most}).json()["search_id"] for most in (5_000, 4_000)]
        with calls_to_aws(template, monkeypatch) as called:
            for search_id in ids:
                finished(local, search_id)
    # In one process the providers' calls, and those of reading the state, are seen as well.
    mine = called - rate_limit_calls(template)
    assert allowed(template, "exhaustive_searcher") == mine | polling_calls(template, EXHAUSTIVE)


def test_the_deliverer_may_do_what_deliveries_do_and_receive_its_messages(
    template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: Calls = set()
    hook = {"webhook": {"url": "https://receiver.example.org/new"}, "sns": True, "baseline": True}
    with saved_searches(monkeypatch) as saved:
        deliverer = importlib.import_module("functions.deliverer.handler")
        saved.papers = [paper(1)]
        for status in (500, 410):  # a failure to retry; one that disables the webhook and notifies its owner
            monkeypatch.setattr(deliverer, "post", lambda *_, status=status, **__: ReceiverResponse(status))
            saved.run(saved.save(delivery=hook))
            with calls_to_aws(template, monkeypatch) as by_deliveries:
                saved.running.deliver()
            called |= by_deliveries
    assert {action for action, _ in called} >= {"sns:Publish", "sqs:ChangeMessageVisibility", "dynamodb:PutItem"}
    assert allowed(template, "deliverer") == called | polling_calls(template, DELIVERIES)


def test_the_writer_may_do_what_a_batch_does_and_receive_its_messages(
    template: Template, local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = json.loads((EVENTS / "sqs_citations.json").read_text(encoding="utf-8"))
    # A writer looks after the tree of cited ids for some of the segments that it adds, here for each.
    monkeypatch.setattr(citing_tree, "CHECKED", frozenset("0123456789abcdef"))
    with calls_to_aws(template, monkeypatch) as called:
        assert local.invoke("citation_writer", event) == {"batchItemFailures": []}
    assert allowed(template, "citation_writer") == called | polling_calls(template, CITATIONS)


def leg_files(template: Template, provider: str) -> set[tuple[str, str]]:
    """Return the calls that write a provider's replies as files."""
    return {("s3:PutObject", f"<{template.only(BUCKET)}.Arn>/leg{form}/{provider}/*") for form in ("?", "??")}


@pytest.mark.parametrize("name", provider_names())
def test_a_provider_may_only_read_its_own_secret_update_rate_limits_and_store_late_replies(
    template: Template, name: str
) -> None:
    cache = arn(template, TABLE, SEARCH_CACHE.name)
    late = {("dynamodb:BatchWriteItem", cache), ("dynamodb:UpdateItem", cache), *leg_files(template, name)}
    assert allowed(template, name) == rate_limit_calls(template) | {
        ("secretsmanager:GetSecretValue", f"{SECRET}/{name}"),
        ("secretsmanager:GetSecretValue", f"{SECRET}/{name}-??????"),
    } | (late if name in providers_for("search") else set())


@pytest.mark.parametrize("name", providers_for("search"))
@pytest.mark.parametrize("form", [leg_cache.FORM, 9, 10, 99])
def test_a_provider_may_write_its_own_legs_alone_whatever_their_form(
    template: Template, name: str, form: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = next(line for line in policies(template).splitlines() if f"#{name}#" in line)
    patterns = line.partition("dynamodb:LeadingKeys ")[2].split(" or ")
    monkeypatch.setattr(leg_cache, "FORM", form)
    legs_key = leg_cache.leg_key.__wrapped__(Leg(name, Query(text="TREM2")))
    assert any(fnmatchcase(legs_key, key) for key in patterns)
    files = {on for _, on in leg_files(template, name)}
    assert any(fnmatchcase(f"<{template.only(BUCKET)}.Arn>/{file_name(legs_key, b'')}", file) for file in files)
    assert file_name(legs_key, b"").startswith("leg")  # the lifecycle deletes by this
    others = [f"{other}#{name}#{'0' * 64}" for other in ("result3", "request3", f"leg{form}#arxiv.x")]
    assert not any(fnmatchcase(other, key) for other in others for key in patterns)


def test_the_mcp_server_may_only_invoke_the_dispatcher(template: Template) -> None:
    assert allowed(template, "mcp_server") == {("lambda:InvokeFunction", template.live("dispatcher"))}


@pytest.mark.parametrize("name", ["authorizer", "public_pages"])
def test_they_may_call_nothing(template: Template, production: Template, name: str) -> None:
    assert allowed(template, name) == allowed(production, name) == set()


def test_the_dispatcher_may_only_use_its_tables_queues_schedules_and_providers(template: Template) -> None:
    table = "AWS::DynamoDB::Table"
    kinds = (
        (table, "cache"), (table, "providerbudgets"), (table, "papers"), (table, "idempotency"), (table, "saved"),
        ("AWS::SQS::Queue", "citationsB"), ("AWS::SQS::Queue", "deliveriesD"), ("AWS::IAM::Role", "scheduler"),
        ("AWS::SQS::Queue", "completions6"), ("AWS::SQS::Queue", "checksC"), (table, "reference"),
        ("AWS::SQS::Queue", "exhaustive2"), (table, "exhaustive"),
    )  # fmt: skip
    expected = {f"<{template.only(*kind)}.Arn>" for kind in kinds} | {template.live(name) for name in provider_names()}
    expected |= {f"<{template.only(table, 'papers')}.Arn>/index/by_target", template.live("saved_search_runner")}
    granted = template.permissions("dispatcher") - log_and_trace_calls(template, "dispatcher")
    reached = {resource for _, resource in granted}
    files = f"<{template.only(BUCKET)}.Arn>/*"
    assert reached == expected | {SCHEDULES, files}


def test_wildcards_are_for_actions_without_resources_for_one_schedule_group_and_for_files(template: Template) -> None:
    wild = {(action, on) for it in template.functions for action, on in template.permissions(it) if "*" in action + on}
    on_schedules = {(f"scheduler:{kind}Schedule", SCHEDULES) for kind in ("Create", "Update", "Delete", "Get")}
    xray = {(action, "*") for action in LOG_AND_TRACE_ACTIONS if action.startswith("xray:")}
    bucket = f"<{template.only(BUCKET)}.Arn>"
    files = {file for name in providers_for("search") for file in leg_files(template, name)}
    files |= {("s3:GetObject", f"{bucket}/*"), ("s3:PutObject", f"{bucket}/*")}
    assert wild == xray | on_schedules | files | {("scheduler:ListSchedules", "*")}


def test_a_wildcard_is_not_allowed_without_its_reason(template: Template) -> None:
    from infra.constructs.lambda_functions import allow

    for actions, on in ((["s3:*"], ["arn:aws:s3:::one"]), (["s3:GetObject"], ["*"])):
        with pytest.raises(ValueError, match="say why"):
            allow(None, actions, on)


def test_every_function_has_its_own_role_without_managed_policies(template: Template) -> None:
    roles = template.resources("AWS::IAM::Role")
    used = [function["Role"]["Fn::GetAtt"][0] for function in template.functions.values()]
    assert sorted([*used, template.only("AWS::IAM::Role", "scheduler")]) == sorted(roles)
    for role in roles.values():
        assert not role.keys() & {"ManagedPolicyArns", "Policies"}


def test_only_api_gateway_may_invoke_and_only_its_functions(template: Template) -> None:
    doors = [template.live(name) for name in ("dispatcher", "mcp_server", "public_pages", "authorizer")]
    for permission in template.resources("AWS::Lambda::Permission").values():
        assert permission["Principal"] == "apigateway.amazonaws.com"
        assert text(permission["FunctionName"]) in doors
        assert "SourceArn" in permission


def test_the_permissions_match_the_reviewed_snapshot(template: Template) -> None:
    reviewed, now = SNAPSHOT.read_text(encoding="utf-8").splitlines(), policies(template).splitlines()
    changed = "\n".join(unified_diff(reviewed, now, "reviewed", "now", n=1, lineterm=""))
    assert not changed, f"run `python -m tests.infra.policies` if this is meant, and review the diff:\n{changed}"
