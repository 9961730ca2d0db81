"""The version of this product, as callers and the services that it asks are told it; pyproject.toml has the same."""

VERSION = "0.1.0"
