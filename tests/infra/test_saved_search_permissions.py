"""The roles of what runs saved searches on their schedules: the runner, and EventBridge Scheduler."""

from __future__ import annotations

import os
from typing import Any

import boto3
import pytest

from infra.functions import providers_for
from infra.local.machine import machine
from infra.local.sandbox.server import Sandbox
from tests.infra.aws_calls import BUCKET, Calls, calls_to_aws
from tests.infra.policies import policies
from tests.infra.template import Template, text
from tests.infra.test_permissions import allowed, rate_limit_calls
from tests.integration.saved_searches.faults import RUNNER, Saved, paper, saved_searches
from tests.integration.saved_searches.requests import rows, run, save
from tests.integration.saved_searches.watching import SOUND, watching

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds
RECONCILE = {"source": "literature-search.schedules", "detail-type": "Schedules Reconciled", "detail": {}}
WRITTEN = ("GroupName", "ScheduleExpression", "ScheduleExpressionTimezone", "FlexibleTimeWindow", "State", "Target")


def called_for_reconciliation(template: Template, saved: Saved, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Return the calls with a missing and a superfluous schedule, and a search whose deletion was interrupted."""
    scheduler: Any = boto3.client("scheduler")
    group = os.environ["SCHEDULE_GROUP"]
    missing, changed, deleted = saved.save(), saved.save(), saved.save(delivery={"sns": True})
    saved.papers = [paper(1)]
    with calls_to_aws(template, monkeypatch) as delivering:
        saved.run(deleted)
    form = scheduler.get_schedule(Name=missing, GroupName=group)
    scheduler.create_schedule(**{key: form[key] for key in WRITTEN}, Name="left-over")
    scheduler.update_schedule(**{key: form[key] for key in WRITTEN}, Name=changed)
    scheduler.delete_schedule(Name=missing, GroupName=group)
    saved.wiring.SEARCHES.delete(saved.item(deleted), lambda: False)
    with calls_to_aws(template, monkeypatch) as reconciling:
        done = saved.running.invoke(RUNNER, RECONCILE)
    assert (done["created"], done["changed"], done["swept"]) == (1, 1, 1)
    return delivering | reconciling


def called_for_runs(template: Template, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Return the calls of runs that query every source: a watch, and a search whose context nobody owns any more."""
    every, one = list(providers_for("search")), {"type": "debate", "id": "7"}
    cited = {"query": "microglia", "providers": every, "context": one}
    with watching() as debate:
        debate.cite(SOUND, context=one)  # a single paper, of which every source is asked
        events = [debate.event(it) for it in (debate.watch(), debate.watch(watch=one))]
        with calls_to_aws(template, monkeypatch) as watched:
            assert not any("skipped" in debate.running.invoke(RUNNER, event) for event in events)
    with machine(sandbox=Sandbox(faults={})) as local:
        search, owner = save(local, search=cited), str(rows()[0]["owner"])
        papers: Any = boto3.resource("dynamodb").Table("local-papers")
        for item in papers.scan()["Items"]:
            papers.delete_item(Key={"pk": item["pk"], "sk": item["sk"]})
        with calls_to_aws(template, monkeypatch) as searched:
            assert "skipped" not in run(local, search, owner)
    # In one process the providers' calls are seen as well.
    return (watched | searched) - rate_limit_calls(template)


def test_the_runner_may_do_what_runs_and_the_reconciliation_do_and_no_more(
    template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = called_for_runs(template, monkeypatch)
    with monkeypatch.context() as patch, saved_searches(patch) as saved:
        reconciling = called_for_reconciliation(template, saved, monkeypatch)
    # A reply that another search fetches at the same time may be in a file.
    shared = {("s3:GetObject", f"<{template.only(BUCKET)}.Arn>/*")}
    assert allowed(template, "saved_search_runner") == running | reconciling | shared


def test_scheduler_may_only_invoke_the_runner_and_for_former_schedules_the_dispatcher_for_our_groups(
    template: Template,
) -> None:
    name = template.only("AWS::IAM::Role", "scheduler")
    (trust,) = template.resources("AWS::IAM::Role")[name]["AssumeRolePolicyDocument"]["Statement"]
    assert trust["Principal"] == {"Service": "scheduler.amazonaws.com"}
    conditions = trust["Condition"]["StringEquals"]
    assert text(conditions["aws:SourceAccount"]) == "<AWS::AccountId>"
    # The group's ARN: AWS checks the role when a schedule is made, which has no ARN then.
    ours = {text(group["Name"]) for group in template.resources("AWS::Scheduler::ScheduleGroup").values()}
    assert {text(arn).rpartition(":schedule-group/")[2] for arn in conditions["aws:SourceArn"]} == ours
    invoked = {template.live(it) for it in ("saved_search_runner", "dispatcher")}
    assert template.permissions_of(name) == {("lambda:InvokeFunction", it) for it in invoked}
    passed_roles = [line for line in policies(template).splitlines() if "iam:PassRole" in line]
    condition = "if StringEquals iam:PassedToService scheduler.amazonaws.com"
    assert passed_roles == 2 * [f"  iam:PassRole  <{name}.Arn>  {condition}"]


def test_a_request_of_a_caller_can_list_neither_all_schedules_nor_the_searches_of_others(template: Template) -> None:
    """The dispatcher lists neither: only the reconciliation needs the searches of all owners."""
    listing = {"scheduler:ListSchedules", "scheduler:GetSchedule"}
    assert not listing & {action for action, _ in allowed(template, "dispatcher")}
    all_searches = {on for _, on in allowed(template, "dispatcher") if on.endswith("/index/all_searches")}
    assert not all_searches
