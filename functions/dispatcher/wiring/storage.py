"""The connection to the tables that answers depend on, made for the first route that needs one of them."""

from __future__ import annotations

import boto3

from shared.aws.runtime.boto_configs import ESSENTIAL

TABLES = boto3.resource("dynamodb", config=ESSENTIAL)
