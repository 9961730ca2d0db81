"""Files of S3 as a worker process reaches them: through the connection to the process that has the emulated AWS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from botocore.session import Session
from moto import mock_aws

from infra.local.aws_server import answering_other_processes, forward_requests

BUCKET, REGION = "files-of-a-test", "eu-central-1"


@pytest.fixture
def files() -> Iterator[Any]:
    """A client of a session that reaches AWS through the connection alone."""
    with mock_aws(), answering_other_processes() as address:
        place: Any = {"LocationConstraint": REGION}
        boto3.client("s3", region_name=REGION).create_bucket(Bucket=BUCKET, CreateBucketConfiguration=place)
        session = boto3.Session(region_name=REGION, botocore_session=Session())
        forward_requests(session, address)
        yield session.client("s3")


def test_a_file_that_a_worker_writes_is_the_one_that_it_reads(files: Any) -> None:
    data = bytes(range(256)) * 100
    files.put_object(Bucket=BUCKET, Key="legs/a b+c", Body=data)
    assert files.get_object(Bucket=BUCKET, Key="legs/a b+c")["Body"].read() == data


@pytest.mark.parametrize(("bucket", "code"), [(BUCKET, "NoSuchKey"), ("no-such-bucket-of-a-test", "NoSuchBucket")])
def test_a_file_that_is_missing_is_the_error_that_s3_names(files: Any, bucket: str, code: str) -> None:
    with pytest.raises(ClientError) as error:
        files.get_object(Bucket=bucket, Key="legs/a")
    assert error.value.response["Error"]["Code"] == code


def test_a_bucket_that_is_missing_is_an_error_and_not_a_crash_on_the_stream_of_the_file(files: Any) -> None:
    with pytest.raises(ClientError) as error:
        files.put_object(Bucket="no-such-bucket-of-a-test", Key="a", Body=b"x" * 5_000)
    assert error.value.response["Error"]["Code"] == "NoSuchBucket"
