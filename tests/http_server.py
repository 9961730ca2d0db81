"""An application served over HTTP on loopback, for as long as a test or a benchmark needs it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from wsgiref.types import WSGIApplication

from werkzeug.serving import WSGIRequestHandler, make_server


@contextmanager
def serving(application: WSGIApplication, handler: type[WSGIRequestHandler] | None = None) -> Iterator[str]:
    """The address of the application; `handler` may write another access log."""
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
