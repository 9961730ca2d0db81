"""Secrets stay where they are used: in no variable, template or log, in no answer but the one that returns them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from shared.aws.dynamodb.saved_searches.keys import event_item
from shared.delivery.deliveries import Delivery, to_message
from tests.e2e.deployment import LOG, WRITTEN_S, Deployment, until

PROVIDER_KEY = "a-key-that-only-its-provider-may-see"
TOKEN = "a-token-in-the-address-of-a-webhook"
SAVED = "v1/saved-searches"


@pytest.fixture
def provider_key(deployed: Deployment) -> Iterator[str]:
    """OpenAlex has a key; that there was none is remembered for minutes, by a process."""
    secrets, name = deployed.aws.client("secretsmanager"), f"{deployed.outputs['SecretsPrefix']}/openalex"
    secrets.create_secret(Name=name, SecretString=PROVIDER_KEY)
    deployed.restart("openalex")
    yield PROVIDER_KEY
    secrets.delete_secret(SecretId=name, ForceDeleteWithoutRecovery=True)
    deployed.restart("openalex")


@pytest.fixture
def webhook(deployed: Deployment) -> Iterator[dict[str, Any]]:
    """A saved search with a webhook, as returned to its owner; it is not enabled."""
    delivery = {"webhook": {"url": f"https://8.8.8.8/{TOKEN}"}}
    body = {"search": {"query": "TREM2"}, "schedule": "rate(1 day)", "delivery": delivery, "enabled": False}
    response = deployed.caller.post(SAVED, json=body)
    assert response.status_code == 201, response.text
    yield response.json()
    assert deployed.caller.delete(f"{SAVED}/{response.json()['id']}").status_code == 204


def attempt(deployed: Deployment, saved: dict[str, Any]) -> None:
    """Let the deliverer sign a delivery and try to send it to a host that does not exist."""
    client = deployed.aws.client("dynamodb")
    (table,) = deployed.resources("AWS::DynamoDB::Table", "saved")
    (item,) = [it for it in client.scan(TableName=table)["Items"] if it.get("id", {}).get("S") == saved["id"]]
    nowhere = item["delivery"]["S"].replace("8.8.8.8", "hooks.invalid")
    client.put_item(TableName=table, Item={**item, "delivery": {"S": nowhere}, "next_number": {"N": "2"}})
    content: Any = {"type": "new_paper", "at": "2026-11-22T06:00:03Z", "key": "doi:10.1000/1", "paper": {"title": "A"}}
    event = event_item(saved["id"], content, 1)
    attributes = {name: {"N" if isinstance(value, int) else "S": str(value)} for name, value in event.items()}
    client.put_item(TableName=table, Item=attributes)
    message = json.dumps(to_message(Delivery(item["owner"]["S"], saved["id"], 1, 1, "webhook")))
    deployed.aws.client("sqs").send_message(QueueUrl=deployed.outputs["DeliveriesQueueUrl"], MessageBody=message)
    sent = f"{saved['id']}-00000001-00000001"
    lines = until(WRITTEN_S, lambda: [line for line in deployed.logged("deliverer") if sent in line])
    assert '"ended":"failed"' in lines[0]


def test_secrets_are_in_no_log_no_variable_and_no_template(
    deployed: Deployment, provider_key: str, webhook: dict[str, Any]
) -> None:
    answer = deployed.search("TREM2 and nobody else", providers=["openalex", "crossref"], fresh=True)
    assert answer["providers"]["openalex"]["outcome"] in ("ok", "empty")
    assert deployed.invoke("openalex", {"operation": "describe"})["has_key"] is True
    secret = webhook["delivery"]["webhook"]["secret"]
    attempt(deployed, webhook)
    client = deployed.aws.client("lambda")
    variables = [
        client.get_function_configuration(FunctionName=it)["Environment"] for it in deployed.functions.values()
    ]
    template = deployed.aws.client("cloudformation").get_template(StackName=deployed.stack)["TemplateBody"]
    lines = deployed.logged()
    assert any('"message":"leg"' in line for line in lines)
    everything = "\n".join([*lines, json.dumps([variables, template, answer]), LOG.read_text(encoding="utf-8")])
    for hidden in (provider_key, deployed.key, secret, secret.removeprefix("whsec_"), TOKEN):
        assert hidden not in everything


def test_a_webhooks_secret_is_shown_once(deployed: Deployment, webhook: dict[str, Any]) -> None:
    assert webhook["delivery"]["webhook"]["secret"].startswith("whsec_")
    for path in (SAVED, f"{SAVED}/{webhook['id']}", f"{SAVED}/{webhook['id']}/new"):
        assert "whsec_" not in deployed.caller.get(path).text
    renamed = deployed.caller.patch(f"{SAVED}/{webhook['id']}", json={"name": "renamed"})
    assert renamed.status_code == 200
    assert "whsec_" not in renamed.text


@pytest.mark.parametrize(
    "url",
    [
        "http://8.8.8.8/", "https://127.0.0.1/", "https://169.254.169.254/latest/meta-data/", "https://[::1]/",
        "https://localhost/", "https://2130706433/", "https://8.8.8.8:22/x\r\nX-Injected: yes", "https://u:p@8.8.8.8/",
        "file:///etc/passwd",
    ],
)  # fmt: skip
def test_a_webhook_to_a_private_address_is_rejected(deployed: Deployment, url: str) -> None:
    body = {"search": {"query": "TREM2"}, "schedule": "rate(1 day)", "delivery": {"webhook": {"url": url}}}
    response = deployed.caller.post(SAVED, json=body)
    assert response.status_code == 422, response.text
    assert [error["field"] for error in response.json()["errors"]] == ["delivery.webhook.url"]


def test_a_new_key_enables_its_provider_in_a_new_process(deployed: Deployment) -> None:
    before = deployed.search("TREM2", providers=["paperclip", "crossref"], cite_in_kg=False)
    assert before["providers"]["paperclip"]["outcome"] == "skipped_no_key"
    secrets, name = deployed.aws.client("secretsmanager"), f"{deployed.outputs['SecretsPrefix']}/paperclip"
    secrets.create_secret(Name=name, SecretString="sandbox-key")
    deployed.restart("paperclip")
    after = deployed.search("TREM2 R47H", providers=["paperclip", "crossref"], cite_in_kg=False)
    assert after["providers"]["paperclip"]["outcome"] in ("ok", "empty")
    assert deployed.requests_received()["paperclip"] >= 1
    secrets.delete_secret(SecretId=name, ForceDeleteWithoutRecovery=True)
    deployed.restart("paperclip")
