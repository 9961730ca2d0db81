"""The re-ranker in the template: only with its setting, with a layer of its own, and with the least that it needs."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from infra.app import RERANKER_LAYER, synthesise
from tests.infra.built_layer import ROOT, built_layer, size_mb
from tests.infra.conftest import ALL_SETTINGS, CONTACT, MEASURED
from tests.infra.template import Template, text
from tests.infra.test_code_asset import UNPACKED_MB, asset, required_variables, sources
from tests.infra.test_permissions import allowed
from tests.tiny_reranker import write_tiny_reranker

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds
LAYER = "AWS::Lambda::LayerVersion"
WHEELS = ROOT / "requirements-reranker.txt"
# For an interpreter that can import only the asset, the layer and the standard library.
SCORE = """
import json, sys
sys.path[:0] = sys.argv[1:3]
from functions.reranker.handler import handler
class Context: aws_request_id = "1"
print(json.dumps(handler({"query": "microglia eat", "texts": ["they eat", "", "microglia eat"]}, Context())))
imported = {getattr(it, "__file__", None) or sys.argv[1] for it in list(sys.modules.values())}
assert not [it for it in imported if not it.startswith((*sys.argv[1:3], sys.base_prefix))]
"""


def test_without_the_setting_there_is_no_function_no_layer_and_no_variable(template: Template) -> None:
    assert "reranker" not in json.dumps(template.body).lower()


def test_with_it_the_function_has_a_layer_of_its_own_and_the_others_keep_theirs(production: Template) -> None:
    own = production.only(LAYER, "rerankerwheels")
    (wheels,) = production.resources(LAYER).keys() - {own}
    layers = {name: [text(it) for it in function["Layers"]] for name, function in production.functions.items()}
    assert layers.pop("reranker") == [f"<{own}>"]
    assert {tuple(it) for it in layers.values()} == {(f"<{wheels}>",)}


def test_its_memory_is_what_a_new_account_may_have_and_its_time_enough_to_load_a_model(production: Template) -> None:
    function = production.functions["reranker"]
    assert (function["MemorySize"], function["Timeout"]) == (3008, 60)


def test_it_may_read_the_two_files_of_its_model_and_nothing_else(production: Template) -> None:
    folder = "arn:<AWS::Partition>:s3:::models.example/cross/tiny-model"
    assert allowed(production, "reranker") == {
        ("s3:GetObject", f"{folder}/model.onnx"), ("s3:GetObject", f"{folder}/tokenizer.json"),
    }  # fmt: skip


def test_the_dispatcher_alone_may_invoke_it_and_knows_its_name(production: Template) -> None:
    live = production.live("reranker")
    invoking = [name for name in production.functions if ("lambda:InvokeFunction", live) in allowed(production, name)]
    assert invoking == ["dispatcher"]
    knowing = [name for name in production.functions if "RERANKER_FUNCTION" in production.environment(name)]
    assert knowing == ["dispatcher"]
    assert production.environment("dispatcher")["RERANKER_FUNCTION"] == f"<{production.logical_id('reranker')}>:live"


def test_its_environment_is_what_it_requires(production: Template) -> None:
    required = set().union(*(required_variables(path) for path in sources("functions.reranker.handler")))
    assert set(production.environment("reranker")) == required == {"RERANKER_MODEL"}
    assert production.environment("reranker")["RERANKER_MODEL"] == ALL_SETTINGS["reranker_model"]


def test_its_errors_have_an_alarm(production: Template) -> None:
    names = {str(it["AlarmName"]) for it in production.resources("AWS::CloudWatch::Alarm").values()}
    assert "literature-search-prod-reranker-errors" in names


def test_a_deployment_without_its_wheels_is_refused(layer: Path, tmp_path: Path) -> None:
    alone = tmp_path / "layer"
    (alone / "python").mkdir(parents=True)
    with pytest.raises(ValueError, match="make build-reranker"):
        synthesise(alone, tmp_path / "out", {"contact": CONTACT, "reranker_model": ALL_SETTINGS["reranker_model"]})
    assert layer.with_name(layer.name + RERANKER_LAYER).is_dir()


def test_it_scores_with_the_code_and_its_layer_alone_and_both_fit_into_a_function(
    template: Template, tmp_path: Path
) -> None:
    wheels = built_layer(tmp_path / "wheels", WHEELS)
    folder = write_tiny_reranker(tmp_path / "tiny", ["microglia", "eat"])
    done = subprocess.run(
        [wheels.python, "-I", "-B", "-S", "-c", SCORE, str(asset(template)), str(wheels.path / "python")],
        env={"RERANKER_MODEL": str(folder), "AWS_DEFAULT_REGION": "eu-central-1", "PATH": os.defpath},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"scores": [1.0, 0.0, 2.0], "model": "tiny"}
    unpacked = size_mb(wheels.path) + size_mb(asset(template))
    MEASURED.append(f"re-ranker: code and layer ({wheels.why}) unpack to {unpacked:.0f} MB")
    assert unpacked < UNPACKED_MB
