"""Switch a source off or on without a deployment: `python -m infra.source_switch off openalex --reason "…"`.

`list` shows those that are off. It writes to the table of rate limits of the deployed stage (or to `--table`); the next
search reads it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from infra.functions import provider_names
from infra.settings import stack_name
from shared.aws.dynamodb.source_switches import MAX_REASON_CHARS, read_switches, switch_off, switch_on

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

OUTPUT = "BudgetsTable"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 success, 1 AWS returned an error, 2 wrong arguments, or the stage is not deployed."""
    parser = argparse.ArgumentParser(prog="python -m infra.source_switch", description=__doc__)
    parser.add_argument("action", choices=["off", "on", "list"])
    parser.add_argument("source", nargs="?", choices=provider_names())
    parser.add_argument("--reason", default="", help="shown to callers")
    parser.add_argument("--stage", default="dev")
    parser.add_argument("--table", help="instead of the table of a deployed stage")
    given = parser.parse_args(arguments)
    if given.action != "list" and not given.source:
        parser.error("name a source")
    if given.action == "off" and not 0 < len(given.reason) <= MAX_REASON_CHARS:
        parser.error(f"--reason must have 1 to {MAX_REASON_CHARS} characters: callers read it")
    try:
        table = given.table or _table_of(stack_name(given.stage))
        if not table:
            print(f"error: the stage {given.stage} is not deployed with a table of rate limits", file=sys.stderr)
            return 2
        _carry_out(given, boto3.client("dynamodb"), table)
    except (ClientError, BotoCoreError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _carry_out(given: argparse.Namespace, client: DynamoDBClient, table: str) -> None:
    if given.action == "off":
        switch_off(client, table, given.source, given.reason)
    elif given.action == "on":
        switch_on(client, table, given.source)
    off = read_switches(client, table)
    for source, reason in sorted(off.items()):
        print(f"{source} is off: {reason}")
    if not off:
        print("every source is on")


def _table_of(stack: str) -> str | None:
    """Return the name of the table from the outputs of the stack."""
    (described,) = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in described.get("Outputs", [])}
    return outputs.get(OUTPUT)


if __name__ == "__main__":
    sys.exit(main())
