"""Imports inside `shared` go one way, and only `shared/aws` knows AWS."""

from __future__ import annotations

from pathlib import Path

from tests.source_tree import AWS, CODE, ROOT, imports, name_of, require_none, top_imports

# From the bottom up: a folder of shared imports only folders above it in this list, and modules directly in shared.
LAYERS = (
    "bibliography", "answers", "query", "providers", "rate_limits", "matching", "merging", "legs", "search", "exports",
    "graph", "papers", "passages", "references", "networks", "documents", "full_texts", "jobs", "reference_checks",
    "exhaustive_searches", "delivery", "saved_searches", "client", "api", "agent_tools",
)  # fmt: skip
AWS_LAYERS = ("runtime", "rest_api", "s3", "dynamodb", "messaging", "lambda_functions")


def place(module: str, layers: tuple[str, ...], depth: int) -> int | None:
    """The position in `layers` of the folder in which a module of `shared` lies."""
    parts = module.split(".")
    top = "shared" if depth == 1 else "shared.aws"
    inside = ".".join(parts[:depth]) == top and len(parts) > depth and parts[depth] in layers
    return layers.index(parts[depth]) if inside else None


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def resolved(module: str, modules: dict[str, Path]) -> str | None:
    """The module that an imported name lies in: `shared.clock.timestamp` is in `shared.clock`."""
    return module if module in modules else parent if (parent := module.rpartition(".")[0]) in modules else None


def test_every_folder_of_shared_has_its_place_in_the_layers() -> None:
    folders = {path.name for path in (ROOT / "shared").iterdir() if (path / "__init__.py").is_file()}
    assert folders == {*LAYERS, "aws"}
    aws = {path.name for path in (ROOT / "shared" / "aws").iterdir() if (path / "__init__.py").is_file()}
    assert aws == set(AWS_LAYERS)


def test_no_folder_of_shared_imports_one_above_it() -> None:
    offences = []
    for path in CODE:
        own = module_of(path)
        for module in imports(path):
            for layers, depth in ((LAYERS, 1), (AWS_LAYERS, 2)):
                here, there = place(own, layers, depth), place(module, layers, depth)
                if here is not None and there is not None and there > here:
                    offences.append(f"{name_of(path)} imports {module}")
    require_none(offences)


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
    )
