"""The API keys of callers: `python -m infra.caller_keys create alice --stage prod`, `list`, `delete ID`.

A key is `<tenant>.<secret>`. What a caller owns belongs to the tenant: to replace a key, create another one for the
same tenant, give it to the caller, and delete the old one. The owner of what a key without a tenant has made is the
key's id: `create <that id>` makes a key for it.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Sequence
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from infra.settings import stack_name
from shared.api.credentials import tenant_of_key

SECRET_BYTES = 32


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 success, 1 AWS returned an error, 2 wrong arguments."""
    parser = argparse.ArgumentParser(prog="python -m infra.caller_keys", description=__doc__)
    parser.add_argument("--stage", default="dev")
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("create").add_argument("tenant")
    actions.add_parser("list")
    actions.add_parser("delete").add_argument("id")
    given = parser.parse_args(arguments)
    value = f"{getattr(given, 'tenant', '')}.{secrets.token_urlsafe(SECRET_BYTES)}"
    if given.action == "create" and not tenant_of_key(value):
        parser.error("a tenant has 1 to 63 lower-case letters, digits and hyphens")
    try:
        gateway: Any = boto3.client("apigateway")
        plan = _usage_plan(given.stage)
        if given.action == "create":
            _create(gateway, plan, given.tenant, value)
        elif given.action == "delete":
            gateway.delete_usage_plan_key(usagePlanId=plan, keyId=given.id)
            gateway.delete_api_key(apiKey=given.id)
        else:
            _list(gateway, plan)
    except (ClientError, BotoCoreError, KeyError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _create(gateway: Any, plan: str, tenant: str, value: str) -> None:
    """Create the key under the plan that all callers have, and print its value, which is shown nowhere else."""
    key = gateway.create_api_key(name=tenant, value=value, enabled=True)
    gateway.create_usage_plan_key(usagePlanId=plan, keyId=key["id"], keyType="API_KEY")
    print(f"{key['id']}  {value}")


def _list(gateway: Any, plan: str) -> None:
    for page in gateway.get_paginator("get_usage_plan_keys").paginate(usagePlanId=plan):
        for key in page["items"]:
            print(f"{key['id']}  {key['name']}")


def _usage_plan(stage: str) -> str:
    """Return the id of the callers' usage plan. Raises KeyError if the stage has none."""
    (described,) = boto3.client("cloudformation").describe_stacks(StackName=stack_name(stage))["Stacks"]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in described.get("Outputs", [])}
    return str(outputs["UsagePlanId"])


if __name__ == "__main__":
    sys.exit(main())
