"""The API keys of providers in Secrets Manager: absent, deleted, changed, and not readable."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError, ReadTimeoutError

from infra.functions import provider_spec
from infra.local.lambda_hook import InvocationContext
from infra.local.machine import Machine
from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.aws.runtime import settings
from shared.aws.runtime.observability import logger
from shared.aws.runtime.settings import provider_key
from shared.providers.provider import Page

NAME = "literature/test/paperclip"


@pytest.fixture
def clock(local: Machine, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The monotonic clock of a process that has read no secret yet."""
    now = [0.0]
    monkeypatch.delenv("PAPERCLIP_API_KEY")
    monkeypatch.setenv("SECRETS_PREFIX", "literature/test")
    monkeypatch.setattr(settings, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(settings, "_secrets", {})
    yield now


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr(
        logger, "error", lambda message, **fields: lines.append(f"{message} {fields['secret']} {fields['error']}")
    )
    return lines


def fail(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """From now on every call fails with this error."""

    def refused(client: Any, operation: str, arguments: Any) -> Any:
        raise error

    monkeypatch.setattr(BaseClient, "_make_api_call", refused)


def refusal(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "no"}}, "GetSecretValue")


def test_a_key_comes_from_its_secret_and_an_absent_secret_yields_none(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert provider_key("paperclip") is None
    boto3.client("secretsmanager").create_secret(Name=NAME, SecretString="from-secret\n")
    assert provider_key("paperclip") is None  # not requested again at once
    clock[0] = settings.SECRET_MAX_AGE_S
    assert provider_key("paperclip") == "from-secret"
    monkeypatch.setenv("PAPERCLIP_API_KEY", "from-environment")
    assert provider_key("paperclip") == "from-environment"


def test_a_secret_marked_for_deletion_is_no_key(clock: list[float], logged: list[str]) -> None:
    """It is there for 7 to 30 days more, and its value is refused."""
    client = boto3.client("secretsmanager")
    client.create_secret(Name=NAME, SecretString="from-secret")
    assert provider_key("paperclip") == "from-secret"
    client.delete_secret(SecretId=NAME, RecoveryWindowInDays=7)
    clock[0] = settings.SECRET_MAX_AGE_S
    assert provider_key("paperclip") is None
    assert not logged


@pytest.mark.parametrize(
    "error",
    [
        refusal("AccessDeniedException"),
        refusal("DecryptionFailure"),
        refusal("InternalServiceError"),
        ReadTimeoutError(endpoint_url="https://secrets"),
    ],
)
@pytest.mark.parametrize("last", ["from-secret", None])
def test_after_any_other_fault_the_last_key_is_used(
    clock: list[float], logged: list[str], monkeypatch: pytest.MonkeyPatch, last: str | None, error: Exception
) -> None:
    if last:
        boto3.client("secretsmanager").create_secret(Name=NAME, SecretString=last)
    assert provider_key("paperclip") == last
    clock[0] = settings.SECRET_MAX_AGE_S
    with monkeypatch.context() as failing:
        fail(failing, error)
        assert provider_key("paperclip") == last
        assert provider_key("paperclip") == last  # without another call
    assert len(logged) == 1
    assert logged[0].startswith(f"a secret cannot be read {NAME} ")
    clock[0] += settings.SECRET_FAULT_PAUSE_S
    assert provider_key("paperclip") == last
    assert len(logged) == 1


def test_a_call_for_a_secret_takes_seconds_at_most(clock: list[float]) -> None:
    config: Any = settings._secrets_client().meta.config
    assert (config.connect_timeout, config.read_timeout) == (1, 1)
    assert config.retries["total_max_attempts"] == 2


def test_lambda_reads_the_key_and_the_rate_limit_before_the_first_leg(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a function starts it has a whole processor, and for a request a seventh."""
    called: list[str] = []
    call = vars(BaseClient)["_make_api_call"]

    def recorded(client: Any, operation: str, arguments: Any) -> Any:
        called.append(operation)
        return call(client, operation, arguments)

    monkeypatch.setattr(BaseClient, "_make_api_call", recorded)
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "paperclip")
    page = Page(papers=[], total=0, effective_query="TREM2")
    handler = provider_handler(provider_spec("paperclip"), search=lambda question, client: page)
    assert called == ["GetSecretValue", "GetItem"]
    context: Any = InvocationContext("paperclip")
    handler({"operation": "search", "query": {"text": "TREM2"}, "timeout_ms": 15_000}, context)
    assert called == ["GetSecretValue", "GetItem"]
