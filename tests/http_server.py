"""An application served over HTTP on loopback, for as long as a test or a benchmark needs it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from wsgiref.types import WSGIApplication

from werkzeug.serving import make_server


@contextmanager
def serving(application: WSGIApplication) -> Iterator[str]:
    """The address of the application."""
    server = make_server("127.0.0.1", 0, application, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
