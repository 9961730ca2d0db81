"""Imports inside `shared` go one way, and only `shared/aws` knows AWS."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.source_tree import AWS, CODE, ROOT, imported, imports, name_of, require_none, source_of, top_imports

# From the bottom up: a folder of shared imports only folders above it in this list, and modules directly in shared.
LAYERS = (
    "bibliography", "answers", "query", "providers", "rate_limits", "matching", "merging", "legs", "search", "exports",
    "graph", "papers", "passages", "references", "networks", "documents", "full_texts", "jobs", "reference_checks",
    "exhaustive_searches", "delivery", "saved_searches", "client", "api", "agent_tools",
)  # fmt: skip
# From the bottom up: the folders inside a folder.
SEARCH_LAYERS = ("requests", "wording", "hints", "ranking", "filtering", "sizes", "result_sets")
PAPERS_LAYERS = ("texts", "links", "similar")
AWS_LAYERS = ("runtime", "rest_api", "s3", "dynamodb", "messaging", "lambda_functions")

FILES = {name_of(path) for path in CODE}


BOTO_ERRORS = "shared.aws.dynamodb.errors."  # botocore's errors, under names that say what they mean


def place(module: str, top: str, layers: tuple[str, ...]) -> int | None:
    """The position in `layers` of the folder of `top` in which a module lies."""
    folder = module.removeprefix(f"{top}.").split(".")[0] if module.startswith(f"{top}.") else ""
    return layers.index(folder) if folder in layers else None


def folders_of(folder: str) -> set[str]:
    return {path.name for path in (ROOT / folder).iterdir() if (path / "__init__.py").is_file()}


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def resolved(module: str, modules: dict[str, Path]) -> str | None:
    """The module that an imported name lies in: `shared.clock.timestamp` is in `shared.clock`."""
    return module if module in modules else parent if (parent := module.rpartition(".")[0]) in modules else None


def test_every_folder_of_shared_has_its_place_in_the_layers() -> None:
    assert folders_of("shared") == {*LAYERS, "aws"}
    assert folders_of("shared/aws") == set(AWS_LAYERS)
    assert [path.name for path in (ROOT / "shared" / "aws").glob("*.py")] == ["__init__.py"]
    assert folders_of("shared/search") == set(SEARCH_LAYERS)
    assert folders_of("shared/papers") == set(PAPERS_LAYERS)


def test_modules_directly_in_shared_lie_below_its_folders() -> None:
    """Else a folder could reach one above it by way of them. They may use the lowest folder; tools.py is above all."""
    require_none(
        f"{name_of(path)} imports {module}"
        for path in (ROOT / "shared").glob("*.py")
        if path.stem != "tools"
        for module in imports(path)
        if (place(module, "shared", LAYERS) or 0) > 0
    )
    require_none(f"{name_of(path)} imports the tools" for path in CODE for module in imports(path)
                 if module.startswith("shared.tools") and path.is_relative_to(ROOT / "shared"))  # fmt: skip


def test_no_folder_imports_one_above_it() -> None:
    offences = []
    tops = {"shared": LAYERS, "shared.aws": AWS_LAYERS, "shared.search": SEARCH_LAYERS, "shared.papers": PAPERS_LAYERS}
    for path in CODE:
        own = module_of(path)
        for module in imports(path):
            for top, layers in tops.items():
                here, there = place(own, top, layers), place(module, top, layers)
                if here is not None and there is not None and there > here:
                    offences.append(f"{name_of(path)} imports {module}")
    require_none(offences)


def test_modules_of_the_search_lie_above_its_folders() -> None:
    """A folder of the search imports no module that lies beside it: those put its parts together."""
    require_none(
        f"{name_of(path)} imports {module}"
        for path in CODE
        if place(module_of(path), "shared.search", SEARCH_LAYERS) is not None
        for module in imports(path)
        if module.startswith("shared.search.") and place(module, "shared.search", SEARCH_LAYERS) is None
    )


def test_a_module_that_is_imported_by_its_name_is_found() -> None:
    code = """
def at_call(name: str) -> object:
    load("shared.search.run")
    return import_module(f"functions.providers.{name}"), __import__("boto3"), sys.modules["shared.papers.papers"]
from .b import c
from .. import clock
"""
    assert set(imported(ast.walk(ast.parse(code)), ("shared", "query"))) == {
        "shared.search.run", "functions.providers", "boto3", "shared.papers.papers", "shared.query.b.c", "shared.clock",
    }  # fmt: skip


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also within a folder; imports inside functions and for types alone count as well."""
    modules = {module_of(path): path for path in CODE}
    edges = {
        own: {target for module in imports(path) if (target := resolved(module, modules)) and target != own}
        for own, path in modules.items()
    }
    waiting = dict(edges)
    while free := {own for own, targets in waiting.items() if not targets & waiting.keys()}:
        waiting = {own: targets for own, targets in waiting.items() if own not in free}
    require_none(
        f"in or behind a circle: {own} imports {sorted(targets & waiting.keys())}" for own, targets in waiting.items()
    )


def test_every_file_in_shared_aws_imports_aws() -> None:
    aws = ROOT / "shared" / "aws"
    require_none(
        f"{name_of(path)} imports no AWS: it belongs to a folder of the domain"
        for path in CODE
        if path.is_relative_to(aws) and path.stem != "__init__"
        if not {top for top in top_imports(path) if top in AWS or top.startswith("mypy_boto3_")}
        and not any(module.startswith(BOTO_ERRORS) for module in imports(path))
    )


def imported_with(path: str) -> set[str]:
    """The files that are imported with one: at the top of it, and of each that this imports."""
    found, waiting = set[str](), [path]
    while waiting:
        here = waiting.pop()
        found.add(here)
        for node in ast.parse(source_of(ROOT / here)).body:
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
            else:
                continue
            files = {f"{name.replace('.', '/')}.py" for name in names}
            waiting += (files & FILES) - found
    return found


# Of the routes of the graph, of citations and of references.
OF_OTHER_ROUTES = {
    "functions/dispatcher/routes/graph.py", "functions/dispatcher/routes/citations.py",
    "functions/dispatcher/routes/references.py", "functions/dispatcher/wiring/graph.py",
    "functions/dispatcher/wiring/papers.py", "shared/bibliography/reference_text.py", "shared/graph/exports.py",
    "shared/papers/papers.py", "shared/references/resolve.py",
}  # fmt: skip


def test_saved_searches_load_neither_the_graphs_routes_nor_references() -> None:
    loaded = imported_with("functions/dispatcher/routes/saved_searches.py") | imported_with(
        "functions/saved_search_runner/handler.py"
    )
    assert "shared/saved_searches/run.py" in loaded
    assert FILES >= OF_OTHER_ROUTES
    assert not loaded & OF_OTHER_ROUTES


def test_the_client_of_webhooks_is_no_client_of_providers() -> None:
    assert {"shared/providers/http_client.py", "functions/deliverer/handler.py"} <= FILES
    assert "shared/providers/http_client.py" not in imported_with("functions/deliverer/handler.py")
