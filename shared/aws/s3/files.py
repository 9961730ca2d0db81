"""Files in one S3 bucket, for values that would be expensive in DynamoDB.

Writing costs $0.005 per 1,000 files of any size, as much as eight write units of 1 KB; a file can be read as soon as it
was written (https://docs.aws.amazon.com/AmazonS3/latest/userguide/Welcome.html#ConsistencyModel). The bucket deletes
files by their age (`infra/constructs/cache_files.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING

import boto3
from botocore.exceptions import ClientError

from shared.aws.runtime.boto_configs import BEST_EFFORT
from shared.aws.runtime.observability import error_code

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_AT_ONCE = 8


class Files:
    """The files of a bucket. Methods raise ClientError and BotoCoreError."""

    def __init__(self, bucket: str) -> None:
        self._bucket = bucket
        self._client: S3Client = boto3.client("s3", config=BEST_EFFORT)

    def put(self, key: str, data: bytes) -> None:
        """Write a file, or replace it."""
        self._client.put_object(Bucket=self._bucket, Key=key, Body=data)

    def read(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The files that exist among these."""
        found = map(self._read, keys) if len(keys) < 2 else self._readers.map(self._read, keys)
        return {key: data for key, data in zip(keys, found, strict=True) if data is not None}

    def _read(self, key: str) -> bytes | None:
        try:
            return self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()
        except ClientError as error:
            if error_code(error) == "NoSuchKey":
                return None
            raise

    @cached_property
    def _readers(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="file")
