"""Records the AWS calls of code under test as a policy must allow them: IAM actions with their resources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from botocore.client import BaseClient

from infra.local.resources import PREFIX
from infra.tables import SCHEDULE_GROUP
from tests.infra.template import Template

Calls = set[tuple[str, str]]
SCHEDULES = (
    "arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/literature-search-dev-saved-searches/*"
)
BUCKET = "AWS::S3::Bucket"
TABLE, QUEUE, TOPIC, ROLE = "AWS::DynamoDB::Table", "AWS::SQS::Queue", "AWS::SNS::Topic", "AWS::IAM::Role"
# IAM's names, where they differ from the API's.
IAM_NAMES = {"lambda:Invoke": "lambda:InvokeFunction", "sqs:SendMessageBatch": "sqs:SendMessage"}
# Creating a schedule passes the role that it runs under.
PASSING_A_ROLE = {"scheduler:CreateSchedule", "scheduler:UpdateSchedule"}


def arn(template: Template, kind: str, name: str) -> str:
    """Return the ARN of the resource with this name; logical ids in the template have eight more hexadecimal digits."""
    word = re.escape(re.sub(r"[-_]", "", name.removeprefix(f"{PREFIX}-")))
    (found,) = (it for it in template.resources(kind) if re.fullmatch(rf"{word}[0-9A-F]{{8}}", it))
    return f"<{found}.Arn>"


@contextmanager
def calls_to_aws(template: Template, monkeypatch: pytest.MonkeyPatch) -> Iterator[Calls]:
    """Collect the (action, resource) of all calls until the context ends, with the template's logical ids."""
    called: Calls = set()
    call = vars(BaseClient)["_make_api_call"]

    def recorded(client: Any, operation: str, arguments: Any) -> Any:
        action = f"{client.meta.service_model.service_name}:{operation}"
        called.update(_needed(template, IAM_NAMES.get(action, action), arguments))
        return call(client, operation, arguments)

    with monkeypatch.context() as patch:
        patch.setattr(BaseClient, "_make_api_call", recorded)
        yield called


def _needed(template: Template, action: str, arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    service = action.partition(":")[0]
    if service == "dynamodb":
        yield from ((f"dynamodb:{kind}", on) for kind, on in _in_tables(template, action, arguments))
    elif service == "lambda":
        yield action, template.live(arguments["FunctionName"].removeprefix(f"{PREFIX}-").removesuffix(":live"))
    elif service == "sqs":
        yield action, arn(template, QUEUE, arguments["QueueUrl"].rpartition("/")[2])
    elif service == "s3":
        yield action, f"<{template.only(BUCKET)}.Arn>/*"
    elif service == "sns":
        yield action, arn(template, TOPIC, arguments["TopicArn"].rpartition(":")[2]).replace(".Arn>", ">")
    elif action == "scheduler:ListSchedules":
        yield action, "*"
    else:
        assert (service, arguments["GroupName"]) == ("scheduler", f"{PREFIX}-{SCHEDULE_GROUP}")
        yield action, SCHEDULES
        if action in PASSING_A_ROLE:
            yield "iam:PassRole", arn(template, ROLE, arguments["Target"]["RoleArn"].rpartition("/")[2])


def _in_tables(template: Template, action: str, arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A transaction needs the permissions of its parts; a query of an index needs only that index."""
    kind = action.partition(":")[2]
    for part in arguments.get("TransactItems", ()):
        yield from ((f"{done}Item", arn(template, TABLE, what["TableName"])) for done, what in part.items())
    for table in arguments.get("RequestItems", ()):
        yield kind, arn(template, TABLE, table)
    if "TableName" in arguments:
        index = f"/index/{arguments['IndexName']}" if "IndexName" in arguments else ""
        yield kind, arn(template, TABLE, arguments["TableName"]) + index
