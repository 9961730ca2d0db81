"""The DynamoDB resource for tables that answers depend on, created by the first route that needs one."""

from __future__ import annotations

import boto3

from shared.aws.runtime.boto_configs import ESSENTIAL

TABLES = boto3.resource("dynamodb", config=ESSENTIAL)
