"""The re-ranker, if the deployment has one."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.search.ranking.reranker import Reranker


@cache
def reranker() -> Reranker | None:
    """What invokes the function that `RERANKER_FUNCTION` names; None where the variable is not set."""
    function = os.environ.get("RERANKER_FUNCTION")
    if not function:
        return None
    from shared.aws.lambda_functions.reranker_call import RerankerCall  # on first use: few deployments have one

    return RerankerCall(function)
