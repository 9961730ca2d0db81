"""The one fault that DynamoDB's batches have and botocore has no name for."""

from __future__ import annotations


class TableBusy(Exception):
    """DynamoDB would not take or give a whole batch, or the time is up; what was not done is to be done again."""
