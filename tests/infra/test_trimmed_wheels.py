"""The layer contains of botocore's data what the functions use, and a client of each service works with it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import botocore
import pytest

from infra.trimmed_wheels import SERVICES, trim
from tests.infra.built_layer import ROOT, built_layer, published_wheels, size_mb
from tests.source_tree import CODE, source_of

# The operations with their members, and the address in two regions, of each service.
DESCRIBE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import boto3
answers = {}
for name in sys.argv[2:]:
    for region in ("eu-central-1", "cn-north-1"):
        client = boto3.client(name, region_name=region)
        model = client.meta.service_model
        shapes = {it: sorted(model.shape_for(it).members) for it in model.shape_names
                  if model.shape_for(it).type_name == "structure"}
        answers[f"{name} {region}"] = [client.meta.endpoint_url, sorted(model.operation_names), shapes]
print(json.dumps(answers, sort_keys=True))
"""


def described(wheels: Path, python: str) -> dict[str, list[object]]:
    command = [python, "-I", "-B", "-S", "-c", DESCRIBE, str(wheels), *sorted(SERVICES)]
    environment = {"PATH": os.defpath, "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True)
    answers: dict[str, list[object]] = json.loads(done.stdout)
    return answers


def test_trimming_leaves_the_services_of_which_functions_make_clients() -> None:
    lambdas = [source_of(path) for path in CODE if path.relative_to(ROOT).parts[0] in ("functions", "shared")]
    made = {name for text in lambdas for name in re.findall(r'boto3\.(?:client|resource)\(\s*"([\w-]+)"', text)}
    calls = sum(len(re.findall(r"boto3\.(?:client|resource)\(", text)) for text in lambdas)
    named = sum(len(re.findall(r'boto3\.(?:client|resource)\(\s*"', text)) for text in lambdas)
    assert made == SERVICES
    assert calls == named


@pytest.mark.slow
def test_clients_know_the_same_operations_and_addresses_with_trimmed_wheels(tmp_path: Path) -> None:
    layer, published = built_layer(tmp_path / "layer"), published_wheels(tmp_path / "published")
    whole = described(published.path / "python", published.python)
    assert described(layer.path / "python", layer.python) == whole
    assert len(whole) == 2 * len(SERVICES)


@pytest.mark.slow
def test_trimming_leaves_the_published_wheels_as_they_are(tmp_path: Path) -> None:
    published = published_wheels(tmp_path / "published").path / "python" / "botocore" / "data"
    before = {path: path.read_bytes() for path in published.rglob("*.json*")}
    layer = built_layer(tmp_path / "layer")
    data = layer.path / "python" / "botocore" / "data"
    assert {path.name for path in data.iterdir() if path.is_dir()} == SERVICES
    assert size_mb(data) < 2
    assert {path: path.read_bytes() for path in before} == before


def test_a_service_that_botocore_does_not_know_is_an_error(tmp_path: Path) -> None:
    data = tmp_path / "botocore" / "data"
    shutil.copytree(Path(botocore.__file__).parent / "data" / "sqs", data / "sqs")
    with pytest.raises(ValueError, match="botocore does not know dynamodb, lambda"):
        trim(tmp_path)
