"""A leg is encoded once, by the provider's function: its bytes go to the cache as they are."""

from __future__ import annotations

import json
import os
import random
import zlib
from dataclasses import replace
from typing import Any

import boto3
import msgspec
import pytest

from infra.functions import provider_spec
from infra.local.lambda_hook import InvocationContext
from infra.local.machine import Machine
from shared.aws.dynamodb import leg_cache
from shared.aws.lambda_functions import provider_handler
from shared.bibliography.paper import MAX_AUTHORS, Author, Paper
from shared.outcomes import Outcome
from shared.providers.encoded_replies import form
from shared.providers.provider import Page, ProviderReply, reply_from_json, reply_to_json
from tests.integration.sources.test_own_faults import search

pytestmark = pytest.mark.slow  # answers of several megabytes


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


def test_fields_that_only_a_newer_function_has_are_ignored_and_its_leg_is_encoded_again(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During a deployment, functions of two versions work together for some minutes."""

    def encode_newer(reply: ProviderReply) -> bytes:
        newer = {**msgspec.to_builtins(reply), "of_a_newer_version": [1]}
        return zlib.compress(msgspec.json.encode({"form": "newer", "reply": newer}))

    monkeypatch.setattr(provider_handler, "encode_reply", encode_newer)
    answer = search(local)
    assert {it["outcome"] for it in answer["providers"].values()} == {"ok"}
    assert [it["form"] for it in stored_legs()] == [form()] * 2
    assert search(local)["cache"] == "hit"


def test_a_reply_in_json_with_an_unknown_field_is_read() -> None:
    reply = ProviderReply(provider="crossref", family="crossref", outcome=Outcome.EMPTY)
    assert reply_from_json({**reply_to_json(reply), "of_a_newer_version": [1]}) == reply


@pytest.mark.parametrize("accepted", [form(), "of another version"])
def test_a_reply_of_collaborations_is_compressed_to_less_than_lambda_returns(accepted: str) -> None:
    names, chance = tuple(f"{n:x}" for n in range(4_000)), random.Random(1)
    papers = [
        Paper(
            provider="crossref",
            rank=rank,
            title="A measurement",
            authors=tuple(Author(family=chance.choice(names), given=chance.choice(names)) for _ in range(MAX_AUTHORS)),
            references=tuple(f"doi:10.1000/{chance.randrange(10**6)}" for _ in range(3_000)),
        )
        for rank in range(1, 101)
    ]
    page = Page(papers=papers, total=100, effective_query="CERN")
    handler = provider_handler.provider_handler(replace(provider_spec("crossref"), operations={"search": ()}),
                                                search=lambda question, client: page)  # fmt: skip
    event = {"operation": "search", "query": {"text": "CERN"}, "timeout_ms": 15_000}
    context: Any = InvocationContext("crossref")
    assert len(json.dumps(handler(event, context))) > 6 * 1024 * 1024
    assert len(json.dumps(handler({**event, "accepts": accepted}, context))) < 3 * 1024 * 1024
