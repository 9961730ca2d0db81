"""Runs MiniStack, with additions for features of AWS that this service relies on and MiniStack lacks.

- It has no CodeDeploy: `prod` is deployed with `-c canary=false`.
- CloudFormation accepts the association of a firewall with a stage, which has no effect.
- Alarms over metric math are stored but never evaluated; tests/infra checks them in the template.
- API Gateway takes the API key from the authorizer's answer, and passes its value and id to a function.
- Scheduler checks for due schedules every second instead of every ten. It assumes the schedule's role (if that trusts
  it for schedules of this group), is limited to the role's permissions, and puts execution id and due time in the
  input.
- The ARN of a schedule contains the name of its group when permissions are checked.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from ministack.app import app  # type: ignore[import-not-found]  # it has an environment of its own
from ministack.core import iam_actions, iam_evaluator  # type: ignore[import-not-found]
from ministack.services import (  # type: ignore[import-not-found]
    apigateway_v1,
    eventbridge,
    iam,
    scheduler,
)
from ministack.services.cloudformation import provisioners  # type: ignore[import-not-found]

__all__ = ["app"]
Record = Callable[[str, Mapping[str, Any]], dict[str, Any]]
Authorize = Callable[..., Awaitable[Any]]
EventOf = Callable[..., dict[str, Any]]
Invoke = Callable[..., None]
Resource = Callable[..., str]
SERVICE = "scheduler.amazonaws.com"
logger = logging.getLogger("ministack.bed")


def _accepting_metric_math(record: Record) -> Record:
    def accepted(name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
        if not properties.get("Metrics"):
            return record(name, properties)
        others = {key: value for key, value in properties.items() if key != "Metrics"}
        return record(name, {**others, "Namespace": "MetricMath", "MetricName": name})

    return accepted


# Each request is a task of its own.
_key_of_the_request: ContextVar[str | None] = ContextVar("key", default=None)


def _with_the_usage_identifier(authorize: Authorize) -> Authorize:
    async def authorized(*words: Any, **named: Any) -> Any:
        _key_of_the_request.set(None)
        result = await authorize(*words, **named)
        body = (result or {}).get("body")
        decision = json.loads(body) if isinstance(body, str | bytes) else body
        if isinstance(decision, dict):
            _key_of_the_request.set(decision.get("usageIdentifierKey"))
        return result

    return authorized


def _key_from_the_authorizer(_: Mapping[str, Any]) -> str | None:
    return _key_of_the_request.get()


def _with_the_key_id(event_of: EventOf) -> EventOf:
    def with_key(*words: Any, **named: Any) -> dict[str, Any]:
        event = event_of(*words, **named)
        value = _key_of_the_request.get()
        if key := apigateway_v1._resolve_api_key(value):
            event["requestContext"]["identity"] |= {"apiKey": value, "apiKeyId": key["id"]}
        return event

    return with_key


def _with_the_schedule_group(resource: Resource) -> Resource:
    def named(service: str, method: str, path: str, headers: Any, body: bytes, query: Any, *rest: Any) -> str:
        arn = resource(service, method, path, headers, body, query, *rest)
        if service != "scheduler" or ":schedule/default/" not in arn:
            return arn
        value = query.get("groupName") or json.loads(body or "{}").get("GroupName") or "default"
        group = value[0] if isinstance(value, list) else value
        return arn.replace(":schedule/default/", f":schedule/{group}/")

    return named


def _as_scheduler(invoke: Invoke) -> Invoke:
    def invoked(target: Mapping[str, Any], event: Mapping[str, Any], rule: Mapping[str, Any], *rest: Any) -> None:
        if event["Source"] != "aws.scheduler":
            return invoke(target, event, rule, *rest)
        if refusal := _refusal(target, rule, event):
            logger.warning("schedule %s was not run: %s", rule["Name"], refusal)
            return None
        due = datetime.fromtimestamp(event["Time"], UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        text = str(target.get("Input", "{}")).replace("<aws.scheduler.scheduled-time>", due)
        text = text.replace("<aws.scheduler.execution-id>", event["EventId"])
        return invoke({**target, "Input": text}, event, rule, *rest)

    return invoked


def _refusal(target: Mapping[str, Any], schedule: Mapping[str, Any], event: Mapping[str, Any]) -> str | None:
    account, name = event["Account"], str(target["RoleArn"]).rpartition("/")[2]
    role = iam._roles.get_scoped(account, None, name)
    if role is None:
        return "there is no such role"
    group = f"arn:aws:scheduler:{event['Region']}:{account}:schedule-group/{schedule['GroupName']}"
    # MiniStack knows no service as a caller: its own calls are the root's, which any trust in a service lets in.
    assume_role = _context(
        "sts:AssumeRole", target["RoleArn"], event, {"aws:sourceaccount": account, "aws:sourcearn": group}
    )
    trust = role["AssumeRolePolicyDocument"]
    trust = json.loads(trust) if isinstance(trust, str) else trust
    trusted = any(statement["Principal"].get("Service") == SERVICE for statement in trust["Statement"])
    if not trusted or not iam_evaluator.evaluate_trust_policy(trust, assume_role.principal_arn, assume_role):
        return "the role may not be assumed"
    policies = iam_evaluator._gather_role_policies(name, account)
    may = iam_evaluator.evaluate(_context("lambda:InvokeFunction", target["Arn"], event, {}), policies)
    return None if may.decision == "Allow" else "the role may not invoke the function"


def _context(action: str, resource: str, event: Mapping[str, Any], service_context: Mapping[str, str]) -> Any:
    return iam_evaluator.EvalContext(
        principal_arn=f"arn:aws:iam::{event['Account']}:root",
        principal_type="AssumedRole",
        principal_account=event["Account"],
        action=action,
        resource_arn=resource,
        region=event["Region"],
        service_context=dict(service_context),
    )


def _associated(logical_id: str, properties: Mapping[str, Any], _: str) -> tuple[str, dict[str, Any]]:
    return f"{properties['WebACLArn']}|{properties['ResourceArn']}|{logical_id}", {}


def _parted(_: str, properties: Mapping[str, Any]) -> None:
    logger.info("the firewall %s is off", properties.get("WebACLArn"))


provisioners._RESOURCE_HANDLERS["AWS::WAFv2::WebACLAssociation"] = {"create": _associated, "delete": _parted}
provisioners._cw_metric_alarm_record = _accepting_metric_math(provisioners._cw_metric_alarm_record)
apigateway_v1._build_lambda_event_v1 = _with_the_key_id(apigateway_v1._build_lambda_event_v1)
apigateway_v1._api_key_from_request = _key_from_the_authorizer
apigateway_v1._invoke_authorizer_lambda = _with_the_usage_identifier(apigateway_v1._invoke_authorizer_lambda)
iam_actions.extract_resource_arn = _with_the_schedule_group(iam_actions.extract_resource_arn)
eventbridge._invoke_target = _as_scheduler(eventbridge._invoke_target)
scheduler._SCHEDULE_TICK_INTERVAL = 1
