"""Which function an event file is meant for."""

from __future__ import annotations

import re
from typing import Any

from infra.functions import QUEUES_READ, function_of_path
from shared.aws.messaging.schedules import SOURCE

# CloudFormation appends this to the name of a queue.
STACK_SUFFIX = r"([0-9A-F]{8}-\w+)?"


def function_for(event: dict[str, Any]) -> str | None:
    """Return the function that an event is meant for: a queue's consumer, what answers its path, a provider, ….

    None: the event has messages of a queue that no function reads.
    """
    if "Records" in event:
        queue = event["Records"][0]["eventSourceARN"]
        matches = (name for name, read in QUEUES_READ.items() if re.search(f"-{read.name}{STACK_SUFFIX}$", queue))
        return next(matches, None)
    if "httpMethod" in event:
        return function_of_path(event["path"])
    if event.get("source") == SOURCE:
        return "saved_search_runner"
    return str(event["provider"]) if "operation" in event else "dispatcher"
