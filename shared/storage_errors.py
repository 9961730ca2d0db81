"""The error of tables and queues for which botocore has no name."""

from __future__ import annotations


class TableBusy(Exception):
    """DynamoDB did not process a whole batch, writers conflicted, or no time is left; retry the whole operation."""
