"""One service for each module, and each way of asking sent once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ways_of_asking.capture import Asked, service
from tests.ways_of_asking.row_tests import Ask
from tests.ways_of_asking.table import KINDS
from tests.ways_of_asking.way import Way


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize the tests of a module by the ways of its KIND."""
    if "way" in metafunc.fixturenames:
        ways = KINDS[metafunc.module.KIND]
        metafunc.parametrize("way", ways, ids=[way.name.encode("unicode-escape").decode() for way in ways])


@pytest.fixture
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.module.KIND)


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Send a way of asking, or remember what came of it."""
    with service() as running:
        answered: dict[str, Asked] = {}

        def once(way: Way) -> Asked:
            if way.name not in answered:
                answered[way.name] = running.ask(way)
            return answered[way.name]

        yield once
