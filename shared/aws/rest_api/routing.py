"""The module of each path, imported at its first request.

A search needs only its own; importing all of them would double the cold start.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from importlib import import_module

from aws_lambda_powertools.event_handler import APIGatewayRestResolver


class Routes:
    """The routes of one application that have been imported.

    `modules` names the module in `package` that has the routes of all paths that begin so; the GET of those in `costly`
    is more than reading, so that they have no HEAD.
    """

    def __init__(
        self, app: APIGatewayRestResolver, package: str, modules: Mapping[str, str], costly: Collection[str]
    ) -> None:
        self._app, self._package, self._modules, self._costly = app, package, modules, costly
        self._included: set[str] = set()
        self._lock = threading.Lock()  # `make serve` answers several requests in parallel

    def include(self, path: str) -> None:
        """Import and include the routes of this path's module, if there is one."""
        name = self._module_of(path)
        if name is None or name in self._included:
            return
        with self._lock:
            if name not in self._included:
                self._app.include_router(import_module(f"{self._package}.{name}").router)
                self._included.add(name)

    def methods_of(self, path: str) -> list[str]:
        """The methods of an included path; none for an unknown path."""
        routes = (*self._app._static_routes, *self._app._dynamic_routes)
        methods = {route.method for route in routes if route.rule.match(path)}
        with_head = "GET" in methods and self._module_of(path) not in self._costly
        return sorted({*methods, "HEAD"} if with_head else methods)

    def _module_of(self, path: str) -> str | None:
        parts = path.split("/")
        return self._modules.get("/".join(parts[:2])) or self._modules.get("/".join(parts[:3]))
