"""Prints the service's OpenAPI document, from which the types of the page are generated."""

from __future__ import annotations

import sys

from infra.functions import providers_for
from shared.api.openapi import openapi_document
from shared.canonical_json import compact_json

if __name__ == "__main__":
    sys.stdout.write(compact_json(openapi_document("/", providers_for("search"))))
