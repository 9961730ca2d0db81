"""Lists the permissions of each role for reviewers: `python -m tests.infra.policies` writes policies.txt.

<role>
  trust <service>  [if <condition>]
  <action>  <resource>  [if <condition>]
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from infra.app import synthesise
from tests.infra.template import Template, listed, text

SNAPSHOT = Path(__file__).with_name("policies.txt")
HEADER = """\
What each role of the stack may do, in the stage dev. Made by `python -m tests.infra.policies`: read what it changes.
Names in <> are the template's own; <X.Arn> is the ARN of X.
"""


def policies(template: Template) -> str:
    """List all roles by name, each with its trust policy and its statements."""
    roles = template.resources("AWS::IAM::Role")
    return HEADER + "".join(f"\n{name}\n{_lines(_of_role(template, name, roles[name]))}" for name in sorted(roles))


def _lines(lines: Iterator[str]) -> str:
    return "".join(f"  {line}\n" for line in sorted(lines, key=lambda line: (not line.startswith("trust"), line)))


def _of_role(template: Template, name: str, role: Mapping[str, Any]) -> Iterator[str]:
    for statement in role["AssumeRolePolicyDocument"]["Statement"]:
        yield f"trust {statement['Principal']['Service']}{_condition(statement)}"
    yield from (f"managed {text(arn)}" for arn in role.get("ManagedPolicyArns", []))
    yield from (f"inline {json.dumps(policy)}" for policy in role.get("Policies", []))
    for policy in template.resources("AWS::IAM::Policy").values():
        if {"Ref": name} not in policy["Roles"]:
            continue
        for statement in policy["PolicyDocument"]["Statement"]:
            assert statement["Effect"] == "Allow"
            for action in listed(statement["Action"]):
                yield from (f"{action}  {text(on)}{_condition(statement)}" for on in listed(statement["Resource"]))


def _condition(statement: Mapping[str, Any]) -> str:
    conditions = [
        f"{operator} {key} {' or '.join(text(value) for value in listed(values))}"
        for operator, keys in sorted(statement.get("Condition", {}).items())
        for key, values in sorted(keys.items())
    ]
    return f"  if {' and '.join(conditions)}" if conditions else ""


def main() -> int:
    """Rewrite the snapshot."""
    with tempfile.TemporaryDirectory() as folder:
        layer = Path(folder) / "layer"
        (layer / "python").mkdir(parents=True)
        (layer / "python" / "none.txt").touch()
        path = synthesise(layer, Path(folder) / "out", {"contact": "operator@example.org"})
        SNAPSHOT.write_text(policies(Template(path, json.loads(path.read_text(encoding="utf-8")))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
