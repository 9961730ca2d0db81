"""Invokes the re-ranker's function: `shared.search.ranking.reranker.Reranker` on AWS."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import cast

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.lambda_functions.invoker import Invoker
from shared.aws.runtime.observability import current_request_ids, error_code, logger
from shared.search.ranking.reranker import PASSAGES_S, SEARCH_S, ModelScores

# A model that is loading takes seconds. Its callers do not wait so long, and the next one finds it loaded.
AT_ONCE = 4


class RerankerCall:
    """The function by its name. An invocation that is late goes on in its thread, without an effect."""

    def __init__(self, function: str) -> None:
        self._function = function
        self._invoker = Invoker.within(math.ceil(max(SEARCH_S, PASSAGES_S)), AT_ONCE)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="rerank")

    def __call__(self, question: str, texts: Sequence[str], seconds: float) -> ModelScores | None:
        """The model's scores. None if it fails, is late, or gives no scores; the log says which."""
        event = {
            "query": question,
            "texts": list(texts),
            "deadline_ms": round((time.time() + seconds) * 1000),
            **current_request_ids(),
        }
        work = self._threads.submit(
            copy_context().run, self._invoker.invoke, self._function, json.dumps(event).encode()
        )
        try:
            answer = json.loads(work.result(timeout=seconds))
            scores, model = answer["scores"], answer["model"]
        except TimeoutError:
            work.cancel()  # if it has not begun
            logger.warning("the re-ranker is late", seconds=seconds)
            return None
        except (ClientError, BotoCoreError, ValueError, KeyError, TypeError) as error:
            logger.error("the re-ranker gives no answer", error=error_code(error))
            return None
        if not isinstance(scores, list) or not isinstance(model, str):
            logger.warning("the re-ranker gives no scores")
            return None
        return ModelScores(cast("list[float]", scores), model)
