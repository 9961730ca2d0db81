"""A leg is encoded once, by the provider's function: its bytes go to the cache as they are."""

from __future__ import annotations

import os
import zlib

import boto3
import msgspec
import pytest

from infra.local.machine import Machine
from shared.aws.dynamodb import leg_cache
from shared.aws.lambda_functions import provider_fan_out
from shared.providers.encoded_replies import form
from shared.providers.provider import ProviderReply
from tests.integration.test_own_faults import search


def stored_legs() -> list[dict[str, object]]:
    """The texts of the stored legs."""
    client, bucket = boto3.client("s3"), os.environ["SEARCH_CACHE_BUCKET"]
    keys = [it["Key"] for it in client.list_objects_v2(Bucket=bucket, Prefix="leg")["Contents"]]
    packed = [client.get_object(Bucket=bucket, Key=key)["Body"].read() for key in keys]
    return [msgspec.json.decode(zlib.decompress(it)) for it in packed]


def test_the_dispatcher_stores_a_leg_without_encoding_it(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def encode_reply(reply: ProviderReply) -> bytes:
        raise AssertionError(f"encoded {reply.provider} again")

    monkeypatch.setattr(leg_cache, "encode_reply", encode_reply)
    first = search(local)
    assert [it["form"] for it in stored_legs()] == [form()] * 2
    again = search(local, ranking="relevance")  # another result set of the same legs
    assert {it["source"] for it in again["providers"].values()} == {"cache"}
    assert {it["key"] for it in again["results"]} & {it["key"] for it in first["results"]}


def test_a_function_of_another_version_is_read_as_json_and_its_leg_encoded(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider_fan_out, "form", lambda: "of another version")
    assert search(local)["complete"]
    assert [it["form"] for it in stored_legs()] == [form()] * 2
    assert search(local, ranking="relevance")["cache"] == "hit"
