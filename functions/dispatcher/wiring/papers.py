"""The adapters of the routes about known papers: the search's own, and the graph as a memory of papers."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from functions.dispatcher.wiring.graph import STORE, now
from functions.dispatcher.wiring.search import ABILITIES, PUBLISH, leg_dependencies, result_sets
from shared.aws.runtime.metrics import observe
from shared.aws.runtime.observability import error_code, logger
from shared.papers.dependencies import PapersWorld
from shared.storage_errors import TableBusy


def _known(names: Sequence[str]) -> Mapping[str, Mapping[str, Any] | None]:
    """What the graph knows; a help, so that a table that is away only means that the providers are asked."""
    try:
        return STORE.known(names)
    except (ClientError, BotoCoreError, TableBusy) as error:
        logger.error("the graph cannot be read", error=error_code(error))
        return {}


def papers_world(request_id: str) -> PapersWorld:
    """The outside world of one request."""
    return PapersWorld(
        legs=leg_dependencies(request_id),
        abilities=ABILITIES,
        result_sets=result_sets(),
        known=_known,
        publish=PUBLISH,
        observe=observe,
        monotonic=time.monotonic,
        now=now,
        request_id=request_id,
    )
