"""The layer contains of botocore's data what the functions use, and a client of each service works with it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import botocore
import pytest
from botocore import xform_name
from botocore.session import get_session

from infra.trimmed_wheels import CALLED, CALLED_BY_BOTO3, trim
from tests.infra.built_layer import ROOT, built_layer, published_wheels, size_mb
from tests.source_tree import CODE, source_of

LAMBDAS = [path for path in CODE if path.relative_to(ROOT).parts[0] in ("functions", "shared")]
# The members of the structures, and the request of each operation in two regions.
DESCRIBE = r"""
import json, re, sys
sys.path.insert(0, sys.argv[1])
import boto3
from botocore.config import Config

class Sent(BaseException):
    pass

def stop(request, **_):
    headers = {name: str(value) for name, value in request.headers.items() if name in ("X-Amz-Target", "Content-Type")}
    # Without what is random: tokens, and the addresses of objects.
    random = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]+"
    raise Sent(re.sub(random, "", f"{request.method} {request.url} {headers} {request.body}"))

def example(shape, depth=0):
    if shape.type_name == "structure":
        return {name: example(shape.members[name], depth + 1) for name in shape.required_members}
    if shape.type_name == "list":
        return [example(shape.member, depth + 1)]
    if shape.type_name == "map":
        return {example(shape.key): example(shape.value, depth + 1)}
    if shape.type_name == "string":
        return shape.enum[0] if shape.enum else "a" * max(10, shape.metadata.get("min", 0))
    return {"blob": b"some", "boolean": True, "timestamp": 0}.get(shape.type_name, shape.metadata.get("min", 1))

answers = {}
for name in sys.argv[2:]:
    for region in ("eu-central-1", "cn-north-1"):
        client = boto3.client(name, region_name=region)
        model = client.meta.service_model
        client.meta.events.register("before-send", stop)
        shapes = {it: sorted(model.shape_for(it).members) for it in model.shape_names
                  if model.shape_for(it).type_name == "structure"}
        sent = {}
        for operation in model.operation_names:
            described = model.operation_model(operation)
            given = example(described.input_shape) if described.input_shape else {}
            try:
                client._make_api_call(operation, given)
            except Sent as request:
                sent[operation] = request.args[0]
            except Exception as error:
                sent[operation] = type(error).__name__
        answers[f"{name} {region}"] = [shapes, sent]
for region in ("eu-central-1", "cn-north-1"):
    table = boto3.resource("dynamodb", region_name=region).Table("papers")
    table.meta.client.meta.events.register("before-send", stop)
    try:
        table.put_item(Item={"pk": "a", "number": 1, "set": {"b"}}, ConditionExpression="attribute_not_exists(pk)")
    except Sent as request:
        answers[f"table {region}"] = [{}, {"PutItem": request.args[0]}]
print(json.dumps(answers, sort_keys=True))
"""


def described(wheels: Path, python: str) -> dict[str, list[dict[str, Any]]]:
    command = [python, "-I", "-B", "-S", "-c", DESCRIBE, str(wheels), *sorted(CALLED)]
    environment = {"PATH": os.defpath, "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True)
    answers: dict[str, list[dict[str, Any]]] = json.loads(done.stdout)
    return answers


@cache
def named_in_the_code() -> frozenset[str]:
    """Every name behind a dot, as of a method, or alone in a text, as of a paginator."""
    return frozenset(
        name
        for path in LAMBDAS
        for found in re.findall(r"""\.(\w+)|["'](\w+)["']""", source_of(path))
        for name in found
    )


@pytest.mark.parametrize("service", sorted(CALLED))
def test_trimming_leaves_the_operations_that_functions_call(service: str) -> None:
    known = get_session().get_service_model(service).operation_names
    assert sorted(CALLED[service]) == sorted(name for name in known if xform_name(name) in named_in_the_code())


def test_trimming_leaves_the_services_of_which_functions_make_clients() -> None:
    lambdas = list(map(source_of, LAMBDAS))
    made = {name for text in lambdas for name in re.findall(r'boto3\.(?:client|resource)\(\s*"([\w-]+)"', text)}
    calls = sum(len(re.findall(r"boto3\.(?:client|resource)\(", text)) for text in lambdas)
    named = sum(len(re.findall(r'boto3\.(?:client|resource)\(\s*"', text)) for text in lambdas)
    assert made == CALLED.keys()
    assert calls == named


@pytest.mark.slow
def test_clients_send_the_same_requests_with_trimmed_wheels(tmp_path: Path) -> None:
    layer, published = built_layer(tmp_path / "layer"), published_wheels(tmp_path / "published")
    whole = described(published.path / "python", published.python)
    trimmed = described(layer.path / "python", layer.python)
    assert trimmed.keys() == whole.keys()
    assert all(trimmed.pop(name) == whole[name] for name in ("table eu-central-1", "table cn-north-1"))
    for client, (shapes, sent) in trimmed.items():
        service = client.split()[0]
        assert sent.keys() == {*CALLED[service], *CALLED_BY_BOTO3.get(service, ())}
        assert sent.items() <= whole[client][1].items()
        assert {name: whole[client][0][name] for name in shapes} == shapes
        assert all(request.split()[0].isupper() for request in sent.values())


@pytest.mark.slow
def test_trimming_leaves_the_published_wheels_as_they_are(tmp_path: Path) -> None:
    published = published_wheels(tmp_path / "published").path / "python" / "botocore" / "data"
    before = {path: path.read_bytes() for path in published.rglob("*.json*")}
    layer = built_layer(tmp_path / "layer")
    data = layer.path / "python" / "botocore" / "data"
    assert {path.name for path in data.iterdir() if path.is_dir()} == CALLED.keys()
    assert size_mb(data) < 0.5
    assert {path: path.read_bytes() for path in before} == before


def test_a_service_that_botocore_does_not_know_is_an_error(tmp_path: Path) -> None:
    data = tmp_path / "botocore" / "data"
    shutil.copytree(Path(botocore.__file__).parent / "data" / "sqs", data / "sqs")
    with pytest.raises(ValueError, match="botocore does not know dynamodb, lambda"):
        trim(tmp_path)
