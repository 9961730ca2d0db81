"""The decisions of the authorizer, in the form that API Gateway expects."""

from __future__ import annotations

import pytest

from functions.authorizer.handler import handler
from shared.api.credentials import MAX_CHARS, credential, tenant_id, tenant_of_key

ARN = "arn:aws:execute-api:eu-central-1:000000000000:abc/dev/GET/v1/tools"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"x-api-key": "k"}, "k"),
        ({"X-API-Key": " k "}, "k"),
        ({"Authorization": "Bearer k"}, "k"),
        ({"AUTHORIZATION": "bEaReR  k"}, "k"),
        ({"x-api-key": "a", "Authorization": "Bearer b"}, "a"),
        ({"x-api-key": "", "Authorization": "Bearer b"}, "b"),
        ({}, None),
        ({"Authorization": "k"}, None),
        ({"Authorization": "Basic k"}, None),
        ({"Authorization": "Bearer"}, None),
        ({"x-api-key": "k" * (MAX_CHARS + 1)}, None),
        ({"x-api-key": "ké"}, None),
        ({"x-api-key": "a\nb"}, None),
    ],
)
def test_a_credential_is_read_from_either_header(headers: dict[str, str], expected: str | None) -> None:
    assert credential(headers) == expected
    decision = handler({"methodArn": ARN, "headers": headers}, None)
    statement = decision["policyDocument"]["Statement"][0]
    assert (statement["Action"], statement["Effect"]) == ("execute-api:Invoke", "Allow" if expected else "Deny")
    assert decision.get("usageIdentifierKey") == expected


@pytest.mark.parametrize("path", ["v1/papers/10.1/${aws:x}", "v1/papers/10.1/*?", "v1/papers/ü", "", "a" * 8_000])
def test_the_policy_has_no_part_of_the_path(path: str) -> None:
    decision = handler({"methodArn": f"{ARN.rpartition('/v1')[0]}/{path}", "headers": {"x-api-key": "k"}}, None)
    statement = decision["policyDocument"]["Statement"][0]
    assert statement["Resource"] == "arn:aws:execute-api:eu-central-1:000000000000:abc/dev/*"


def test_the_key_is_only_where_api_gateway_reads_it() -> None:
    decision = handler({"methodArn": ARN, "headers": {"x-api-key": "the-secret"}}, None)
    assert decision.pop("usageIdentifierKey") == "the-secret"
    assert "the-secret" not in str(decision)


def test_a_request_without_headers_is_denied() -> None:
    assert handler({"methodArn": ARN, "headers": None}, None)["policyDocument"]["Statement"][0]["Effect"] == "Deny"


@pytest.mark.parametrize(
    ("context", "tenant"),
    [
        ({"identity": {"apiKeyId": "k"}}, "k"),
        ({"identity": {"apiKeyId": "k"}, "authorizer": {"tenant": "oauth:1"}}, "oauth:1"),
        ({"identity": {"apiKeyId": "k"}, "authorizer": {"principalId": "key"}}, "k"),
        ({"identity": {"apiKeyId": None}, "authorizer": None}, None),
        ({}, None),
    ],
)
def test_the_tenant_is_the_tokens_subject_or_the_key(context: dict[str, object], tenant: str | None) -> None:
    assert tenant_id(context) == tenant


SECRET = "s" * 40


@pytest.mark.parametrize(
    ("key", "tenant"),
    [
        (f"alice.{SECRET}", "alice"),
        (f"a1b2c3d4e5.{SECRET}", "a1b2c3d4e5"),  # the id of an older key, whose owner it stays
        (SECRET, None),
        ("alice.short", None),
        (f"Alice.{SECRET}", None),
        (f"oauth:1.{SECRET}", None),  # no key is the tenant of a token
        (f".{SECRET}", None),
        (f"{'a' * 64}.{SECRET}", None),
        (f"alice.{SECRET}\n", None),
        (f"alice.bob.{SECRET}", None),
    ],
)
def test_a_key_may_name_its_tenant(key: str, tenant: str | None) -> None:
    assert tenant_of_key(key) == tenant


def test_the_tenant_of_a_key_is_returned_with_the_whole_key_which_api_gateway_looks_up() -> None:
    decision = handler({"methodArn": ARN, "headers": {"x-api-key": f"alice.{SECRET}"}}, None)
    assert (decision["usageIdentifierKey"], decision["context"]) == (f"alice.{SECRET}", {"tenant": "alice"})
    assert "context" not in handler({"methodArn": ARN, "headers": {"x-api-key": SECRET}}, None)
