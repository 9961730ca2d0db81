"""Which module answers which paths. Each is imported when the first request for it comes.

A search needs none of the others, and all together they would double its cold start.
"""

from __future__ import annotations

import threading
from importlib import import_module

from aws_lambda_powertools.event_handler import APIGatewayRestResolver

# The first part of the path that tells them apart -> the module.
MODULES = {
    "/v1/literature-search": "routes.search",
    "/v1/pubmed-search": "routes.search",
    "/v1/papers": "routes.papers",
    "/v1/citation-network": "routes.networks",
    "/v1/resolve": "routes.references",
    "/v1/exports": "routes.exports",
    "/v1/citations": "routes.graph",
    "/v1/graph": "routes.graph",
    "/v1/saved-searches": "routes.saved_searches",
    "/v1/providers": "routes.service",
    "/v1/tools": "routes.service",
    "/health": "routes.service",
    "/openapi.json": "routes.documentation",
    "/docs": "routes.documentation",
    "/llms.txt": "routes.documentation",
}


class Routes:
    """The routes of one application, as far as they were asked for."""

    def __init__(self, app: APIGatewayRestResolver) -> None:
        self._app = app
        self._there: set[str] = set()
        self._making = threading.Lock()  # `make serve` answers several requests at the same time

    def include(self, path: str) -> None:
        """Everything that may answer this path; nothing for a path that is none of ours."""
        parts = path.split("/")
        name = MODULES.get("/".join(parts[:2])) or MODULES.get("/".join(parts[:3]))
        if name is None or name in self._there:
            return
        with self._making:
            if name not in self._there:
                self._app.include_router(import_module(f"functions.dispatcher.{name}").router)
                self._there.add(name)

    def methods_of(self, path: str) -> list[str]:
        """The methods that an included path is offered with; none when there is no such path."""
        routes = (*self._app._static_routes, *self._app._dynamic_routes)
        return sorted({route.method for route in routes if route.rule.match(path)})

    def include_all(self) -> None:
        """For who wants to see them all."""
        for path in MODULES:
            self.include(path)
