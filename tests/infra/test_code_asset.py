"""The uploaded code contains everything that the functions import, every handler, and nothing else."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from infra.functions import OPTIONAL, provider_names, providers_for
from infra.lambda_python import lambda_python
from infra.uploaded_code import stage_code
from shared.agent_tools.declared_inputs import declared_input
from shared.agent_tools.registry import TOOLS
from tests.infra.built_layer import BuiltLayer, built_layer, size_mb
from tests.infra.conftest import MEASURED
from tests.infra.template import Template

ROOT = Path(__file__).parents[2]
OURS = ("functions", "shared")
INPUTS = "shared/agent_tools/inputs.json"  # made when the code is staged
WEB, BUILT = "functions/public_pages/web/", "functions/public_pages/web/built/"  # only what was built is uploaded
FOLDERS = sorted({path.parent.name for path in (ROOT / "functions").glob("*/handler.py")} - {*OPTIONAL})
# For an interpreter that can import only the asset, the layer and the standard library.
IMPORT_HANDLERS = """
import gc, sys
asset, layer = sys.argv[1:3]
sys.path[:0] = [asset, layer]
from importlib import import_module
handlers = sys.argv[3:]
for handler in handlers:
    module, _, name = handler.rpartition(".")
    found = import_module(module)
    assert found.__file__.startswith(asset), found.__file__
    assert callable(getattr(found, name)), handler
assert gc.isenabled()
if "boto3" in sys.modules:  # garbage is not looked for while so much is imported, and rarely afterwards
    assert gc.get_threshold()[0] == 50_000, handlers
    most = 10 if sys.version_info >= (3, 13) else 100  # without Lambda's Python, sources are compiled
    assert gc.get_stats()[0]["collections"] < most, gc.get_stats()
allowed = (asset, layer, sys.base_prefix)
files = [getattr(it, "__file__", None) or asset for it in list(sys.modules.values())]
foreign = [file for file in files if not file.startswith(allowed)]
assert not foreign, foreign
"""
UNPACKED_MB = 250  # as much as Lambda takes, with the layer


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> BuiltLayer:
    """The layer for this machine."""
    built = built_layer(tmp_path_factory.mktemp("wheels"))
    MEASURED.append(f"handlers were imported with {built.python} ({built.why})")
    return built


def asset(template: Template) -> Path:
    """The code of all functions but the public pages."""
    (key,) = {it["Code"]["S3Key"] for name, it in template.functions.items() if name != "public_pages"}
    return template.asset(key)


def asset_of(template: Template, function: str) -> Path:
    return template.asset(template.functions[function]["Code"]["S3Key"])


def files(folder: Path) -> dict[str, Path]:
    """Return the files of our packages, by their paths."""
    return {str(path.relative_to(folder)): path for package in OURS for path in (folder / package).rglob("*.*")}


def test_all_other_functions_share_one_asset_of_the_repositorys_code_without_the_page(template: Template) -> None:
    staged, code = (
        {
            name: path.read_bytes()
            for name, path in files(folder).items()
            if "__pycache__" not in name and WEB not in name and path.is_file()
        }
        for folder in (asset(template), ROOT)
    )
    inputs = json.loads(staged.pop(INPUTS))
    assert staged == code
    assert inputs == {name: declared_input(name, tool.parameters) for name, tool in TOOLS.items()}
    assert {path.name for path in asset(template).iterdir()} == set(OURS)


def test_the_public_pages_have_their_own_code_all_of_shared_and_the_built_page(template: Template) -> None:
    found = files(asset_of(template, "public_pages"))
    pages = {name: path.read_bytes() for name, path in found.items() if path.is_file()}
    others = {name: path.read_bytes() for name, path in files(asset(template)).items() if path.is_file()}
    own = ("shared/", "functions/__init__.py", "functions/__pycache__/", "functions/public_pages/")
    built = {str(path.relative_to(ROOT)): path.read_bytes() for path in (ROOT / BUILT).glob("*")}
    assert pages == {name: text for name, text in others.items() if name.startswith(own)} | built


def test_the_code_has_bytecode_if_lambdas_python_is_installed(template: Template) -> None:
    staged = files(asset(template))
    bytecode = {name for name in staged if name.endswith(".pyc")}
    sources = {name for name in staged if name.endswith(".py")}
    made = {re.sub(r"__pycache__/(\w+)\.cpython-313\.pyc$", r"\1.py", name) for name in bytecode}
    assert made == (sources if lambda_python() else set())
    MEASURED.append(f"code asset: bytecode of Python 3.13 for {len(made)} of {len(sources)} files")
    for name in bytecode:  # PEP 552: unchecked, so that Python compares it with neither times nor hashes of the source
        assert staged[name].read_bytes()[4:8] == bytes([1, 0, 0, 0])


def test_without_lambdas_python_the_code_is_staged_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("infra.uploaded_code.lambda_python", lambda: None)
    assert (stage_code(tmp_path / "code") / "shared" / "errors.py").is_file()
    assert not list((tmp_path / "code").rglob("*.pyc"))
    assert "no Python 3.13 (PYTHON313): the code has no bytecode" in capsys.readouterr().err


def test_code_that_cannot_be_compiled_is_not_staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in OURS:
        (tmp_path / package).mkdir()
    (tmp_path / "shared" / "broken.py").write_text("def :", encoding="utf-8")
    monkeypatch.setattr("infra.uploaded_code.ROOT", tmp_path)
    monkeypatch.setattr("infra.uploaded_code.lambda_python", lambda: sys.executable)
    with pytest.raises(RuntimeError, match=r"broken\.py"):
        stage_code(tmp_path / "code")


def test_the_bytecode_is_beside_the_code_wherever_the_deployers_python_keeps_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in OURS:
        (tmp_path / package).mkdir()
        (tmp_path / package / "module.py").touch()
    monkeypatch.setattr("infra.uploaded_code.ROOT", tmp_path)
    monkeypatch.setattr("infra.uploaded_code.lambda_python", lambda: sys.executable)
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path / "elsewhere"))
    staged = stage_code(tmp_path / "code")
    assert [len(list((staged / package).rglob("*.pyc"))) for package in OURS] == [1, 1]


@pytest.mark.parametrize("functions", [*([name] for name in FOLDERS), provider_names()], ids=" ".join)
def test_handlers_import_from_the_asset_with_the_layer_alone_and_the_templates_environment(
    template: Template, wheels: BuiltLayer, functions: list[str]
) -> None:
    environment = {name: value for function in functions for name, value in template.environment(function).items()}
    handlers = [template.functions[it]["Handler"] for it in functions]
    done = subprocess.run(
        [
            wheels.python,
            "-I",
            "-B",
            "-S",
            "-c",
            IMPORT_HANDLERS,
            str(asset_of(template, functions[0])),
            str(wheels.path / "python"),
            *handlers,
        ],
        env={**environment, "AWS_DEFAULT_REGION": "eu-central-1", "PATH": os.defpath},
        cwd=template.path.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# Each of `slow` would add a tenth or more to a cold start: the first request that needs it imports it. What each
# first request needs (`needed`) is imported when the function starts.
@pytest.mark.parametrize(
    ("function", "needed", "slow"),
    [
        (
            "dispatcher",
            "functions.dispatcher.wiring.legs",
            {
                "pydantic",
                "shared.api.openapi",
                "shared.merging",
                "shared.saved_searches",
                "shared.query.year_forms",
                "shared.query.other_syntaxes",
                "shared.query.request_frames",
                "httpx",
                "networkx",
            },
        ),
        (
            "mcp_server",
            "functions.mcp_server.server",
            {"boto3", "shared.query.understanding", "shared.search.requests.search_request", "httpx"},
        ),
        (
            "deliverer",
            "shared.aws.dynamodb.saved_searches.notices",
            {"pydantic", "shared.query.understanding", "shared.saved_searches.run", "shared.matching", "shared.search"},
        ),
    ],
)
def test_slow_imports_are_deferred_to_the_first_request_that_needs_them(
    template: Template, function: str, needed: str, slow: set[str]
) -> None:
    script = f"import sys, functions.{function}.handler as _; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-B", "-c", script],
        env={**template.environment(function), "AWS_DEFAULT_REGION": "eu-central-1", "PATH": os.defpath},
        cwd=asset(template), capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    imported = set(done.stdout.split())
    assert needed in imported
    assert slow & imported == set()


def test_every_handler_of_the_template_is_tested(template: Template) -> None:
    assert sorted([*FOLDERS, *provider_names()]) == sorted(template.functions)


def test_code_and_wheels_are_below_lambdas_size_limit(template: Template, wheels: BuiltLayer) -> None:
    real = ROOT / ".build" / "layer"
    layer, which = (real, "make build's") if real.is_dir() else (wheels.path, "this machine's")
    code_mb, layer_mb = size_mb(asset(template)), size_mb(layer)
    MEASURED.append(f"code asset: {code_mb:.2f} MB; layer ({which}): {layer_mb:.0f} MB; both must stay under 250 MB")
    assert 0 < code_mb < 10
    assert 20 < layer_mb < UNPACKED_MB - code_mb


def sources(module: str) -> list[Path]:
    """Return our files that importing a module reads, its own first."""
    files: list[Path] = []
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = ROOT / f"{name.replace('.', '/')}.py"
        if path in files or not name.startswith(OURS) or not path.is_file():
            continue
        files.append(path)
        waiting += imported(path)
    return files


@cache
def imported(path: Path) -> tuple[str, ...]:
    """The modules that a file imports; a name that it imports from one may be a module as well."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(names)


@cache
def required_variables(path: Path) -> set[str]:
    """The names in a file's `required("…")` calls, but for those that Lambda itself gives every function.

    A kind of job names its settings (`table_setting="…"`), which are required where its adapters are made.
    """
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    names = {str(ast.literal_eval(it.value)) for call in calls for it in call.keywords if is_setting(it)}
    settings = (it for it in nodes if isinstance(it, ast.ImportFrom) and it.module == "shared.aws.runtime.settings")
    if any(alias.name == "required" for it in settings for alias in it.names):  # not a function of its own
        called = [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "required"]
        names |= {str(ast.literal_eval(it)) for it in called if not isinstance(it, ast.Attribute)}
    return {name for name in names if not name.startswith("AWS_")}


@pytest.mark.parametrize("function", FOLDERS)
def test_a_functions_environment_is_exactly_what_it_requires(template: Template, function: str) -> None:
    # All of its files: the dispatcher imports its routes by name.
    files = [path for path in (ROOT / "functions" / function).rglob("*.py") if path.stem != "__init__"]
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files]
    required = set().union(*(required_variables(path) for module in modules for path in sources(module)))
    assert required or function == "authorizer"  # its variables are those of an optional issuer
    # The namespace of metrics, which test_monitoring checks, and the alias, which a machine without one does not set.
    optional = {"POWERTOOLS_METRICS_NAMESPACE", "SCHEDULED_ALIAS"}
    assert set(template.environment(function)) - optional == required


PLACES = {"SEARCH_CACHE_TABLE", "SEARCH_CACHE_BUCKET"}


def test_providers_require_the_place_of_late_replies_alone_which_those_that_are_searched_have(
    template: Template,
) -> None:
    files = [path for name in provider_names() for path in sources(f"functions.providers.{name}")]
    assert ROOT / "shared" / "aws" / "runtime" / "settings.py" in files
    assert set().union(*map(required_variables, files)) == PLACES
    assert all(set(template.environment(name)) >= PLACES for name in providers_for("search"))


def is_setting(keyword: ast.keyword) -> bool:
    return str(keyword.arg).endswith("_setting") and isinstance(keyword.value, ast.Constant)
