"""A boto3 session that makes each client once: making one takes twenty milliseconds, and a machine wants forty."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import boto3
from botocore.config import Config


class ReusingSession(boto3.Session):
    """Equal arguments get the same client or resource, for as long as the session lives.

    botocore's clients may be shared between threads. Code that changes one (a `Stubber`, an event handler) must undo
    the change, or use a session of its own.
    """

    def __init__(self, region_name: str) -> None:
        super().__init__(region_name=region_name)
        # botocore would compose the header anew for each request.
        self._session.set_default_client_config(Config(user_agent="local"))
        self._made: dict[str, Any] = {}
        self._lock = threading.RLock()
        self._inside_resource = False

    def client(self, service_name: Any, *args: Any, **options: Any) -> Any:
        """As `boto3.Session.client`."""

        def make() -> Any:
            return super(ReusingSession, self).client(service_name, *args, **options)

        with self._lock:
            # A resource changes how its client reads and writes values, so that client is its own.
            return make() if self._inside_resource else self._once("client", service_name, args, options, make)

    def resource(self, service_name: Any, *args: Any, **options: Any) -> Any:
        """As `boto3.Session.resource`."""

        def make() -> Any:
            self._inside_resource = True
            try:
                return super(ReusingSession, self).resource(service_name, *args, **options)
            finally:
                self._inside_resource = False

        with self._lock:
            return self._once("resource", service_name, args, options, make)

    def _once(
        self, kind: str, service: str, args: tuple[Any, ...], options: Mapping[str, Any], make: Callable[[], Any]
    ) -> Any:
        named = {name: vars(value) if isinstance(value, Config) else value for name, value in options.items()}
        key = repr((kind, service, args, sorted(named.items())))
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]
