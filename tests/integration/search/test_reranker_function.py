"""The re-ranker's function by itself: where its model comes from, and the requests that it refuses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest

from infra.local.machine import Machine
from shared.search.ranking.reranker import MAX_CHARS, MAX_TEXTS
from tests.integration.passages import new_machine
from tests.tiny_reranker import write_tiny_reranker

BUCKET = "models"
MODEL = f"s3://{BUCKET}/cross-encoders/tiny"
TEXTS = ["Microglia eat plaques.", "They rest."]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    folder = write_tiny_reranker(tmp_path / "tiny", ["microglia", "eat"])
    return {name: (folder / name).read_bytes() for name in ("model.onnx", "tokenizer.json")}


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Everything running with the address of a bucket, which is empty still."""
    monkeypatch.setenv("RERANKER_MODEL", MODEL)
    with new_machine() as running:
        s3 = boto3.client("s3")
        if BUCKET not in {it["Name"] for it in s3.list_buckets()["Buckets"]}:
            s3.create_bucket(Bucket=BUCKET)
        yield running


def upload(files: dict[str, bytes]) -> None:
    for name, content in files.items():
        boto3.client("s3").put_object(Bucket=BUCKET, Key=f"cross-encoders/tiny/{name}", Body=content)


def scored(local: Machine, **fields: Any) -> Any:
    return local.invoke("reranker", {"query": "Do microglia eat?", "texts": TEXTS, **fields})


def test_the_model_comes_from_its_bucket_at_the_first_request_and_stays(
    local: Machine, files: dict[str, bytes]
) -> None:
    upload(files)
    assert scored(local) == {"scores": [2.0, 0.0], "model": "tiny"}
    for name in files:
        boto3.client("s3").delete_object(Bucket=BUCKET, Key=f"cross-encoders/tiny/{name}")
    assert scored(local, texts=[]) == {"scores": [], "model": "tiny"}


def test_a_model_that_is_not_there_is_reported_and_read_once_it_is(
    local: Machine, files: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    upload({"tokenizer.json": files["tokenizer.json"]})
    boto3.client("s3").delete_object(Bucket=BUCKET, Key="cross-encoders/tiny/model.onnx")
    with pytest.raises(ValueError, match=r"bucket models has no cross-encoders/tiny/model\.onnx"):
        scored(local)
    upload(files)
    assert scored(local)["scores"] == [2.0, 0.0]


def test_a_folder_without_a_model_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RERANKER_MODEL", str(tmp_path))
    with new_machine() as running, pytest.raises(ValueError, match=r"model\.onnx and tokenizer\.json: No such file"):
        scored(running)


@pytest.mark.parametrize("fields", [
    {"texts": ["a"] * (MAX_TEXTS + 1)}, {"texts": ["a" * (MAX_CHARS + 1)]}, {"query": "a" * (MAX_CHARS + 1)},
    {"texts": "text"}, {"texts": [1]}, {"texts": None}, {"query": None}, {"query": 5},
])  # fmt: skip
def test_a_request_out_of_bounds_is_refused_before_a_model_is_loaded(local: Machine, fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must be text|at most 50 texts of 4000 characters"):
        scored(local, **fields)


def test_a_request_whose_caller_has_left_gets_no_scores_and_leaves_the_model_loaded(
    local: Machine, files: dict[str, bytes]
) -> None:
    upload(files)
    assert scored(local, deadline_ms=1) == {"scores": None, "model": "tiny"}
    assert scored(local, deadline_ms=4_000_000_000_000)["scores"] == [2.0, 0.0]
    assert os.environ["RERANKER_MODEL"] == MODEL
