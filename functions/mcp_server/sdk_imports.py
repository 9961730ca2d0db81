"""Makes the imports of the MCP SDK fit a cold start; the handler imports this before the SDK.

In a Lambda, the packages `mcp` and `mcp.server` are imported without their `__init__`, which import the client, stdio
and a second server for those who write `from mcp import …`; the code here names the modules. And pydantic builds the
validator of a model when it is first used, since of the SDK's 500 models a request needs a dozen:
https://docs.pydantic.dev/latest/api/config/#pydantic.config.ConfigDict.defer_build
Event streams, which this server does not send, would import the web server uvicorn to end with it.

Elsewhere, where a process may use all of the SDK, nothing changes.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec

from pydantic import BaseModel

from shared.aws.runtime.settings import in_lambda

PACKAGES = ("mcp", "mcp.server")  # the outer one first


def _without_init(package: str) -> None:
    """Let imports find a package's modules as if its `__init__` were empty."""
    spec = find_spec(package)
    if spec is None or package in sys.modules:
        return
    spec.loader = None
    sys.modules[package] = module_from_spec(spec)


if in_lambda():
    BaseModel.model_config["defer_build"] = True
    for name in PACKAGES:
        _without_init(name)
    # As if it were not installed: sse_starlette does without.
    sys.modules["uvicorn"] = None  # type: ignore[assignment]
