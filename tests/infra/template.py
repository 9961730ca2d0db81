"""Queries on a synthesised template: functions by name, their environment and permissions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

FUNCTION, ALIAS = "AWS::Lambda::Function", "AWS::Lambda::Alias"


@dataclass(frozen=True)
class Template:
    """`path` is the template file, next to its assets; `body` its content."""

    path: Path
    body: dict[str, Any]

    def resources(self, kind: str) -> dict[str, dict[str, Any]]:
        """Properties by logical id."""
        return {
            name: resource.get("Properties", {})
            for name, resource in self.body["Resources"].items()
            if resource["Type"] == kind
        }

    @cached_property
    def functions(self) -> dict[str, dict[str, Any]]:
        """Each Lambda's properties by the name of its file or folder."""
        found = self.resources(FUNCTION).values()
        named = [(properties["Handler"].removesuffix(".handler").split("."), properties) for properties in found]
        return {parts[2] if parts[1] == "providers" else parts[1]: properties for parts, properties in named}

    def environment(self, function: str) -> dict[str, str]:
        """Return a function's environment variables; a reference is written `<logical id>`."""
        given = self.functions[function].get("Environment", {"Variables": {}})["Variables"]
        return {name: text(value) for name, value in given.items()}

    def logical_id(self, function: str) -> str:
        """Return a function's logical id."""
        return next(name for name, it in self.resources(FUNCTION).items() if it is self.functions[function])

    def live(self, function: str) -> str:
        """Return a reference to the alias by which a function is invoked: its ARN."""
        of = {"Ref": self.logical_id(function)}
        (alias,) = (name for name, it in self.resources(ALIAS).items() if it["FunctionName"] == of)
        return f"<{alias}>"

    def only(self, kind: str, part: str = "") -> str:
        """Return the logical id of the only resource of a kind whose id contains `part`."""
        (found,) = (name for name in self.resources(kind) if part in name)
        return found

    def permissions(self, function: str) -> set[tuple[str, str]]:
        """Return every (action, resource) that a function's own policies allow."""
        return self.permissions_of(self.functions[function]["Role"]["Fn::GetAtt"][0])

    def permissions_of(self, role: str) -> set[tuple[str, str]]:
        """Return the (action, resource) pairs that a role's policies allow, given its logical id."""
        return {
            (action, text(resource))
            for policy in self.resources("AWS::IAM::Policy").values()
            if {"Ref": role} in policy["Roles"]
            for statement in policy["PolicyDocument"]["Statement"]
            for action in listed(statement["Action"])
            for resource in listed(statement["Resource"])
        }

    def asset(self, key: str) -> Path:
        """Return the folder that is archived under this S3 key."""
        return self.path.parent / f"asset.{key.removesuffix('.zip')}"


def listed(value: Any) -> list[Any]:
    """Return a list; in policies, a list of one may be written as its element."""
    return value if isinstance(value, list) else [value]


def text(value: Any) -> str:
    """Return a value as text, with `<logical id>` or `<logical id.attribute>` for references."""
    if isinstance(value, str):
        return value
    (function, argument), *more = value.items()
    assert not more, value
    if function == "Fn::Join":
        return str(argument[0]).join(text(part) for part in argument[1])
    if function == "Fn::GetAtt":
        return f"<{'.'.join(argument)}>"
    if function == "Fn::Select":  # the CDK takes names and regions out of ARNs so
        return text(argument[1]["Fn::Split"][1])
    assert function == "Ref", value
    return f"<{argument}>"


def references(value: Any) -> Iterator[str]:
    """Yield the logical ids that a value refers to."""
    if isinstance(value, list):
        for part in value:
            yield from references(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            if name == "Ref":
                yield part
            elif name == "Fn::GetAtt":
                yield part[0]
            elif name == "DependsOn":
                yield from listed(part)
            else:
                yield from references(part)
