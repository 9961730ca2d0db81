"""Writes a parameter that several operations have once, under `components/parameters`.

https://spec.openapis.org/oas/v3.1.1.html#components-object
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import cast

from shared.api.openapi_types import OperationObject, Parameter, PathItem, Reference
from shared.canonical_json import canonical

REF = "#/components/parameters/{name}"


def with_shared_parameters(paths: Mapping[str, PathItem]) -> tuple[dict[str, PathItem], dict[str, Parameter]]:
    """The paths with references to the parameters that are equal in several operations, and those by name."""
    operations = [operation for path in paths.values() for operation in path.values()]
    every = [cast(Parameter, it) for operation in operations for it in operation.get("parameters", ())]
    counts = Counter(_content(it) for it in every)
    names: dict[str, str] = {}
    shared: dict[str, Parameter] = {}
    for parameter in every:
        content = _content(parameter)
        if counts[content] > 1 and content not in names:
            others = sum(it["name"] == parameter["name"] for it in shared.values())
            names[content] = f"{parameter['name']}_{others + 1}" if others else parameter["name"]
            shared[names[content]] = parameter
    small = {name: {method: _referring(it, names) for method, it in path.items()} for name, path in paths.items()}
    return small, dict(sorted(shared.items()))


def _referring(operation: OperationObject, names: Mapping[str, str]) -> OperationObject:
    parameters = operation.get("parameters")
    if not parameters:
        return operation
    found = [(it, names.get(_content(it))) for it in parameters]
    refs: list[Parameter | Reference] = [{"$ref": REF.format(name=name)} if name else it for it, name in found]
    return {**operation, "parameters": refs}


def _content(parameter: Parameter | Reference) -> str:
    return canonical(parameter)
