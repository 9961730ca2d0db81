"""Scores texts for a question with the model that the deployer has brought (`RERANKER_MODEL`).

{"query": "…", "texts": ["…"], "deadline_ms": 1767225600000}  ->  {"scores": [1.5], "model": "ms-marco-MiniLM-L6-v2"}

`deadline_ms` (epoch milliseconds) may be absent. When it comes first, `scores` is null: the caller has left, and the
model stays loaded for the next. A request that is out of bounds and a model that is unusable raise: both are errors of
the deployment, which its alarm reports.
"""

from __future__ import annotations

import threading
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict

from functions.reranker.cross_encoder import CrossEncoder, TimeOver, UnusableModel
from shared.aws.runtime.observability import bind_request_ids, error_code, logger
from shared.aws.runtime.settings import required
from shared.search.ranking.reranker import MAX_CHARS, MAX_TEXTS

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

S3 = "s3://"
FILES = ("model.onnx", "tokenizer.json")
PLACE = required("RERANKER_MODEL").rstrip("/")
NAME = PLACE.rpartition("/")[2]
_LOADING = threading.Lock()


class Request(TypedDict):
    """What the dispatcher sends."""

    query: str
    texts: list[str]
    deadline_ms: NotRequired[int]
    request_id: NotRequired[str]
    correlation_id: NotRequired[str]


class Scores(TypedDict):
    """One score for each text, in order; null if the time was over."""

    scores: list[float] | None
    model: str


def handler(event: Request, context: LambdaContext) -> Scores:
    """Score the texts. Raises ValueError for a request out of bounds, and UnusableModel."""
    bind_request_ids(event.get("request_id") or context.aws_request_id, event.get("correlation_id"))
    query, texts = event.get("query"), event.get("texts")
    if not isinstance(query, str) or not isinstance(texts, list) or not all(isinstance(it, str) for it in texts):
        raise ValueError("query must be text, and texts a list of texts")
    if len(texts) > MAX_TEXTS or max(map(len, [query, *texts])) > MAX_CHARS:
        raise ValueError(f"at most {MAX_TEXTS} texts of {MAX_CHARS} characters are scored at a time")
    deadline_ms = event.get("deadline_ms")
    try:
        model = _loaded()
        scores = model.scores(query, texts, lambda: deadline_ms is not None and time.time() * 1000 > deadline_ms)
    except TimeOver:
        logger.info("the time was over before all texts were scored", texts=len(texts))
        return {"scores": None, "model": NAME}
    except UnusableModel as error:
        logger.error("the model is unusable", reason=str(error), model=NAME)
        raise
    return {"scores": scores, "model": NAME}


def _loaded() -> CrossEncoder:
    """The model, loaded by the first request: Lambda ends an initialisation after ten seconds."""
    with _LOADING:
        return _load(PLACE)


@cache
def _load(place: str) -> CrossEncoder:
    model, tokenizer = _from_s3(place) if place.startswith(S3) else _from_folder(Path(place))
    return CrossEncoder(model, tokenizer)


def _from_folder(folder: Path) -> list[bytes]:
    try:
        return [(folder / name).read_bytes() for name in FILES]
    except OSError as error:
        raise UnusableModel(f"RERANKER_MODEL names a folder without {' and '.join(FILES)}: {error.strerror}") from None


def _from_s3(place: str) -> list[bytes]:
    from botocore.exceptions import ClientError

    from shared.aws.s3.files import Files

    bucket, _, prefix = place.removeprefix(S3).partition("/")
    keys = [f"{prefix}/{name}" for name in FILES]
    try:
        found = Files(bucket).read(keys)
    except ClientError as error:  # of a file that is missing as well: the function may not list the bucket
        raise UnusableModel(
            f"{place}/{' or '.join(FILES)} is missing or may not be read: {error_code(error)}"
        ) from None
    if missing := [key for key in keys if key not in found]:
        raise UnusableModel(f"the bucket {bucket} has no {' and no '.join(missing)}")
    return [found[key] for key in keys]
