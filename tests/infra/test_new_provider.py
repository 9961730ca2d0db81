"""Adding a provider means adding a file: the template gains the provider's resources, and nothing else changes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.providers.capabilities import read_capabilities
from shared.providers.function_names import function_name
from tests.infra.conftest import DEV, read
from tests.infra.template import Template, listed, text

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds

ROOT = Path(__file__).parents[2]
NAME = "zenodo"
SYNTHESISE = """
import json, sys
from pathlib import Path
from infra.app import synthesise
print(synthesise(Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])))
"""
HASH_OF_A_VERSION = 32  # hexadecimal digits at the end of its logical id
GROWN = {
    "AWS::Lambda::Function": ["zenodo"],
    "AWS::Lambda::Version": ["zenodoCurrentVersion"],
    "AWS::Lambda::Alias": ["zenodolive"],
    "AWS::IAM::Role": ["zenodorole"],
    "AWS::IAM::Policy": ["zenodoroleDefaultPolicy"],
    "AWS::Logs::LogGroup": ["zenodolog"],
    "AWS::CloudWatch::Alarm": ["providerzenodoalarm"],
}


@pytest.fixture(scope="module")
def grown(layer: Path, tmp_path_factory: pytest.TempPathFactory) -> Template:
    """The stack of a copy of the repository, with one more file in `functions/providers`."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("functions", "shared", "infra"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    file = (ROOT / "functions" / "providers" / "arxiv.py").read_text(encoding="utf-8")
    file = file.replace('name="arxiv"', f'name="{NAME}"')
    (copy / "functions" / "providers" / f"{NAME}.py").write_text(file, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SYNTHESISE, str(layer), str(copy / "out"), json.dumps(DEV)],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return read(Path(done.stdout.splitlines()[-1]))


def without_code(template: Template) -> dict[str, Any]:
    """Return the resources without the code's hash, and the hashes of versions: they change with every file."""
    written = json.dumps(template.body["Resources"])
    for key in {properties["Code"]["S3Key"] for properties in template.functions.values()}:
        written = written.replace(key.removesuffix(".zip"), "-")
    for version in template.resources("AWS::Lambda::Version"):
        written = written.replace(version, version[:-HASH_OF_A_VERSION])
    resources: dict[str, Any] = json.loads(written)
    return resources


def replaced(on: str, names: dict[str, str]) -> str:
    for name, general in names.items():
        on = on.replace(name, general)
    return on


def differences(old: Any, new: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the smallest parts in which two values differ."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for name in old:
            yield from differences(old[name], new[name], f"{where}/{name}")
    elif old != new:
        yield where, old, new


def test_a_new_provider_adds_a_lambda_with_its_log_role_and_alarm(template: Template, grown: Template) -> None:
    before, after = without_code(template), without_code(grown)
    new: dict[str, list[str]] = {}
    for name in sorted(set(after) - set(before)):
        new.setdefault(after[name]["Type"], []).append(name[:-8])  # without the CDK's hash
    assert new == GROWN
    assert not set(before) - set(after)
    assert set(grown.functions) == {*template.functions, NAME}


def test_of_the_existing_resources_only_what_queries_providers_changes(template: Template, grown: Template) -> None:
    before, after = without_code(template), without_code(grown)
    changed = [it for name in before for it in differences(before[name], after[name], name)]
    expected = [f"{template.logical_id('mcp_server')}/Properties/Environment/Variables/SEARCHED_PROVIDERS"]
    expected += [f"{template.logical_id('public_pages')}/Properties/Environment/Variables/CAPABILITIES"]
    for name in ("dispatcher", "exhaustive_searcher", "saved_search_runner"):
        environment = f"{template.logical_id(name)}/Properties/Environment/Variables"
        policy = template.only("AWS::IAM::Policy", f"{name.replace('_', '')}role")
        expected += [f"{environment}/CAPABILITIES"]
        expected += [f"{policy}/Properties/PolicyDocument/Statement"]
        assert grown.permissions(name) - template.permissions(name) == {("lambda:InvokeFunction", grown.live(NAME))}
        assert template.permissions(name) <= grown.permissions(name)
    assert sorted(where for where, _, _ in changed) == sorted(expected)
    named = grown.environment("dispatcher")["PROVIDER_FUNCTIONS"]
    assert function_name(named, NAME) == f"{grown.functions[NAME]['FunctionName']}:live"
    before, after = (read_capabilities(it.environment("dispatcher")["CAPABILITIES"]) for it in (template, grown))
    assert after == {**before, NAME: before["arxiv"]}


def test_a_new_provider_has_the_permissions_of_the_others_on_its_own_secret(
    template: Template, grown: Template
) -> None:
    def plain(stage: Template, name: str) -> set[tuple[str, str]]:
        log = stage.functions[name]["LoggingConfig"]["LogGroup"]["Ref"]
        granted = stage.permissions(name)
        own = {log: "<log>", f"/dev/{name}": "/dev/<name>", f"?/{name}/": "?/<name>/"}
        return {(action, replaced(on, own)) for action, on in granted}

    assert plain(grown, NAME) == plain(template, "arxiv")
    (alarm,) = (it for name, it in grown.resources("AWS::CloudWatch::Alarm").items() if NAME in name)
    assert text(alarm["AlarmName"]).endswith(f"-provider-{NAME}")
    assert len(listed(alarm["AlarmActions"])) == 1
