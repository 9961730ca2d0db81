"""What a command says of a deployment: `-c NAME=VALUE`, as the CDK's own command line takes it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def read_context(program: str, description: str | None, arguments: Sequence[str] | None) -> dict[str, str]:
    """Return the values by name; a wrong option ends the program with status 2, as argparse does."""
    parser = argparse.ArgumentParser(prog=program, description=description)
    parser.add_argument("-c", "--context", action="append", default=[], metavar="NAME=VALUE")
    given: list[str] = parser.parse_args(arguments).context
    return {name: value for name, _, value in (item.partition("=") for item in given)}
