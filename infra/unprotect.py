"""Lift a stack's protection against deletion, right before `make destroy`: `python -m infra.unprotect STACK`."""

from __future__ import annotations

import sys

import boto3
from botocore.exceptions import BotoCoreError, ClientError


def main(arguments: list[str] | None = None) -> int:
    """Exit status 1: AWS refused it, or there is no such stack."""
    (stack,) = sys.argv[1:] if arguments is None else arguments
    try:
        boto3.client("cloudformation").update_termination_protection(StackName=stack, EnableTerminationProtection=False)
    except (ClientError, BotoCoreError) as error:
        print(f"error: the protection of {stack} cannot be lifted: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
