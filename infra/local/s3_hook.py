"""S3's files answered by moto's own bucket, without the HTTP in between, as `dynamodb_hook` does for items."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import boto3
from botocore.model import OperationModel
from moto.core.models import DEFAULT_ACCOUNT_ID, botocore_stubber
from moto.s3.models import s3_backends

from infra.local.dynamodb_hook import LOCK

OPERATIONS = frozenset({"GetObject", "PutObject"})


def answer_file_operations(session: boto3.Session) -> None:
    """From now on, S3 clients of this session reach moto's buckets directly while moto is active."""
    session.events.register_last("before-call.s3", _answer)


def _answer(model: OperationModel, params: dict[str, Any], **_: Any) -> Any:
    """The HTTP response and the parsed one; None, which lets botocore send the request, for anything else."""
    if model.name not in OPERATIONS or not botocore_stubber.enabled or ".amazonaws.com" not in params["url"]:
        return None
    with LOCK:
        return answer(model.name, params)


def answer(operation: str, params: dict[str, Any]) -> Any:
    """Read or write a file of moto's; None for a bucket or a file that is not there: moto says so in S3's form."""
    address = urlsplit(params["url"])
    bucket, key = (address.hostname or "").partition(".s3.")[0], unquote(address.path.lstrip("/"))
    backend: Any = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
    if bucket not in backend.buckets:
        return None
    parsed: dict[str, Any] = {"ResponseMetadata": {"HTTPStatusCode": 200, "HTTPHeaders": {}, "RetryAttempts": 0}}
    if operation == "PutObject":
        body = params["body"]
        backend.put_object(bucket, key, body if isinstance(body, bytes) else body.read())
    else:
        found = backend.get_object(bucket, key)
        if found is None:
            return None
        parsed["Body"] = io.BytesIO(found.value)
    return SimpleNamespace(status_code=200), parsed
