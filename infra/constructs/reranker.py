"""The re-ranker: a function with a layer of its own, deployed only where the setting `reranker_model` names a model."""

from __future__ import annotations

from pathlib import Path

from aws_cdk import ArnFormat, Stack
from aws_cdk.aws_lambda import Function

from infra.constructs.lambda_functions import Functions, allow, live, live_name
from infra.functions import timeout_s
from infra.settings import RerankerModel, Settings

# Nearly two processors, in proportion to memory: the time of a model. A new account may have no more.
MEMORY_MB = 3008


def new_rerankers(functions: Functions, dispatcher: Function, settings: Settings, layer: Path) -> tuple[Function, ...]:
    """Create the function if the deployment has a model; else there is none."""
    return (_new_reranker(functions, dispatcher, settings.reranker_model, layer),) if settings.reranker_model else ()


def _new_reranker(functions: Functions, dispatcher: Function, model: RerankerModel, layer: Path) -> Function:
    """Create the function. It may read the two files of the model; the dispatcher alone may invoke it."""
    reranker = functions.new(
        "reranker",
        "functions.reranker.handler.handler",
        {"RERANKER_MODEL": model.address},
        timeout_s=timeout_s("reranker"),
        memory_mb=MEMORY_MB,
        layer=functions.new_layer("reranker-wheels", layer, "the wheels of requirements-reranker.txt"),
    )
    files = [
        Stack.of(reranker).format_arn(
            service="s3", region="", account="", resource=model.bucket, resource_name=key,
            arn_format=ArnFormat.SLASH_RESOURCE_NAME,
        )
        for key in model.keys
    ]  # fmt: skip
    allow(reranker, ["s3:GetObject"], on=files)
    dispatcher.add_environment("RERANKER_FUNCTION", live_name(reranker))
    allow(dispatcher, ["lambda:InvokeFunction"], on=[live(reranker).function_arn])
    return reranker
