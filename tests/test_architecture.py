"""The layout is the architecture: one direction of imports, AWS at its doors only, names that say what is inside."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from infra.functions import provider_names
from tests.source_tree import (
    AWS,
    CLIENT,
    CODE,
    ROOT,
    TESTS,
    imports,
    name_of,
    nodes_of,
    require_none,
    source_of,
    top_imports,
)

MAX_FILE_LINES, MAX_TEST_FILE_LINES = 250, 300  # sentences as names make tests longer
MAX_FUNCTION_LINES = 45
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc", "main"}
CLOUD_DEFINITION = {"aws_cdk", "constructs"}


def folder(path: Path) -> str:
    """shared, shared.aws, functions.<one>, infra.local, infra."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "functions":
        return ".".join(("functions", *(part.removesuffix(".py") for part in parts[1:3])))
    if parts[:2] in (("shared", "aws"), ("infra", "local")):
        return ".".join(parts[:2])
    return parts[0]


def may_import(here: str, module: str) -> bool:
    """Whether a file of this folder may import that module."""
    top = module.partition(".")[0]
    forbidden = {"tests"}
    if here.startswith("shared"):
        forbidden |= {"functions", "infra"}
    if here.startswith("functions"):
        forbidden |= {"infra"}
    upward = (here == "shared" and module.startswith("shared.aws")) or (
        here == "infra" and module.startswith("infra.local")
    )
    return top not in forbidden and not upward


def test_no_import_is_relative() -> None:
    require_none(
        f"{name_of(path)}: a relative import hides where it leads"
        for path in CODE
        if path.parent != CLIENT and any(isinstance(node, ast.ImportFrom) and node.level for node in nodes_of(path))
    )


def test_the_client_imports_nothing_else_of_the_project() -> None:
    require_none(
        f"{name_of(path)} imports {module}"
        for path in CODE
        if path.parent == CLIENT
        for module in imports(path)
        if module.partition(".")[0] in {"shared", "functions", "infra"} and not module.startswith("shared.client.")
    )


def test_imports_go_one_way() -> None:
    require_none(
        f"{name_of(path)} imports {module}"
        for path in CODE
        for module in imports(path)
        if not may_import(folder(path), module)
    )


def test_functions_do_not_import_each_other() -> None:
    functions = ROOT / "functions"
    own = {path: path.relative_to(functions).parts[0] for path in CODE if path.is_relative_to(functions)}
    require_none(
        f"{name_of(path)} imports {module}" + (": a provider is one file" if name == "providers" else "")
        for path, name in own.items()
        for module in imports(path)
        if module.startswith("functions.") and (module.split(".")[1] != name or name == "providers")
    )


def asks_for_the_time(node: ast.AST) -> bool:
    """`datetime.now(UTC)` or `date.today()`, whatever name the class is imported by."""
    called = node.func if isinstance(node, ast.Call) else None
    if not isinstance(called, ast.Attribute) or not isinstance(node, ast.Call):
        return False
    return called.attr in {"today", "utcnow"} or (called.attr == "now" and bool(node.args or node.keywords))


def test_the_domain_knows_neither_aws_nor_the_clock() -> None:
    offences: list[str] = []
    for path in CODE:
        if folder(path) != "shared":
            continue
        forbidden = AWS | {"random", "secrets", "uuid", "socket"}
        if path.name == "host_lookup.py":  # what it finds is checked before anybody connects
            forbidden -= {"socket"}
        if path.parent != CLIENT:  # it runs in the caller's process
            forbidden |= {"time"}
            own_clock = any(map(asks_for_the_time, nodes_of(path))) and name_of(path) != "shared/clock.py"
            if own_clock or imports(path) & {"shared.clock", "shared.clock.now"}:
                offences.append(f"{name_of(path)} asks for the time")
        offences += [f"{name_of(path)} imports {module}" for module in top_imports(path) & forbidden]
    require_none(offences)


def test_only_the_clients_and_tools_speak_http() -> None:
    speakers = {name_of(path) for path in CODE if {"httpx", "httpcore"} & top_imports(path)}
    below = {
        f"shared/providers/{name}.py"
        for name in ("bounded_transport", "connection_pool", "deadline_sockets", "exchange_errors", "redirects")
    }
    clients = {"shared/providers/http_client.py", "shared/delivery/webhook_client.py", "shared/client/transport.py"}
    issuer = {"functions/authorizer/issuer_keys.py"}
    assert speakers == clients | below | issuer | {"shared/aws/lambda_functions/provider_handler.py"}


def test_only_the_stack_and_its_constructs_define_the_cloud() -> None:
    here = {path for path in CODE if CLOUD_DEFINITION & top_imports(path)}
    constructs = {path for path in here if path.parent == ROOT / "infra" / "constructs"}
    assert constructs
    assert {name_of(path) for path in here - constructs} == {"infra/app.py", "infra/stack.py"}


def test_a_provider_does_not_know_aws() -> None:
    providers = [path for path in CODE if path.is_relative_to(ROOT / "functions" / "providers")]
    assert providers
    require_none(f"{name_of(path)} imports {module}" for path in providers for module in top_imports(path) & AWS)


def test_a_name_says_what_is_inside() -> None:
    standard = sys.stdlib_module_names - {"__init__", "__main__"}
    require_none(name_of(path) for path in CODE if path.stem in EMPTY_NAMES | standard)


def test_packages_are_empty() -> None:
    require_none(name_of(path) for path in CODE if path.stem == "__init__" and source_of(path) != "")


def test_files_stay_short() -> None:
    lines = {path: len(source_of(path).splitlines()) for path in CODE + TESTS}
    require_none(
        f"{name_of(path)} has {count} lines"
        for path, count in lines.items()
        if count > (MAX_TEST_FILE_LINES if path in TESTS else MAX_FILE_LINES)
    )


def test_functions_stay_short() -> None:
    require_none(
        f"{name_of(path)}: {node.name} has {length} lines"
        for path in CODE + TESTS
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > MAX_FUNCTION_LINES
    )


def test_every_provider_has_its_sandbox_and_its_recorded_answers() -> None:
    assert len(provider_names()) >= 7
    files = {
        name: (f"infra/local/sandbox/services/{name}.py", f"tests/recorded/{name}/outcomes.json")
        for name in provider_names()
    }
    require_none(
        f"functions/providers/{name}.py has no {file}"
        for name, needed in files.items()
        for file in needed
        if not (ROOT / file).is_file()
    )


def test_conditions_are_written_as_text() -> None:
    """boto3's own condition objects go through one builder a resource: two threads at once can mix their queries up."""
    require_none(
        f"{name_of(path)} imports {module}"
        for path in CODE
        for module in imports(path)
        if module.startswith("boto3.dynamodb.conditions")
    )
