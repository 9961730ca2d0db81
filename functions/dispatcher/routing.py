"""The module of each path, imported at its first request.

A search needs only its own; importing all of them would double the cold start.
"""

from __future__ import annotations

import threading
from importlib import import_module

from aws_lambda_powertools.event_handler import APIGatewayRestResolver

# The beginning of the path -> the module under functions/dispatcher.
MODULES = {
    "/v1/literature-search": "routes.search",
    "/v1/pubmed-search": "routes.search",
    "/v1/papers": "routes.papers",
    "/v1/citation-network": "routes.networks",
    "/v1/passages": "routes.passages",
    "/v1/similar": "routes.similar",
    "/v1/resolve": "routes.references",
    "/v1/exports": "routes.exports",
    "/v1/result-sets": "routes.result_sets",
    "/v1/reference-checks": "routes.reference_checks",
    "/v1/exhaustive-searches": "routes.exhaustive_searches",
    "/v1/citations": "routes.citations",
    "/v1/graph": "routes.graph",
    "/v1/saved-searches": "routes.saved_searches",
    "/v1/providers": "routes.service",
    "/v1/tools": "routes.service",
    "/": "routes.service",
    "/assets": "routes.page",
    "/health": "routes.service",
    "/openapi.json": "routes.documentation",
    "/docs": "routes.documentation",
    "/llms.txt": "routes.documentation",
    "/.well-known": "routes.authorization",
}


class Routes:
    """The routes of one application that have been imported."""

    def __init__(self, app: APIGatewayRestResolver) -> None:
        self._app = app
        self._included: set[str] = set()
        self._lock = threading.Lock()  # `make serve` answers several requests in parallel

    def include(self, path: str) -> None:
        """Import and include the routes of this path's module, if there is one."""
        parts = path.split("/")
        name = MODULES.get("/".join(parts[:2])) or MODULES.get("/".join(parts[:3]))
        if name is None or name in self._included:
            return
        with self._lock:
            if name not in self._included:
                self._app.include_router(import_module(f"functions.dispatcher.{name}").router)
                self._included.add(name)

    def methods_of(self, path: str) -> list[str]:
        """The methods of an included path; none for an unknown path."""
        routes = (*self._app._static_routes, *self._app._dynamic_routes)
        return sorted({route.method for route in routes if route.rule.match(path)})
