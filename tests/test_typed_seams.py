"""What modules of `shared` hand to each other has a type of its own: no `dict[str, Any]`, which mypy never checks.

Nor is it `Any` alone: what a public function takes or returns is checked, an object, or a JsonObject.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.source_tree import CODE, ROOT, name_of, require_none, source_of

UNTYPED = re.compile(r"\b(dict|Dict|defaultdict|OrderedDict|Mapping|MutableMapping)\[(str|Any), (\w+\.)?Any\]")
ANY = re.compile(r"\bAny\b")
# Raw JSON of the providers: each reader checks the fields that it takes.
RAW, RAW_ANSWERS = "shared/providers/records/", "shared/providers/"
# A name, or a whole file, and why nothing better is possible.
EXCEPTIONS = {
    "shared/field_schema.py JsonSchema": "the keywords of a JSON Schema nest without end",
    "shared/client/json_types.py ToolAnswer": "callers are promised a plain dict; the OpenAPI document has its fields",
    "shared/aws/dynamodb/batches.py": "boto3 takes and returns the attributes of an item so",
    "shared/aws/rest_api/application.py": "Lambda's events and Powertools' answers are so",
    "shared/aws/rest_api/problem_responses.py within_limit": "Powertools' answers are so",
    "shared/aws/rest_api/request_body.py": "the JSON of a request, which each route checks",
    "shared/full_texts/pdf_content.py Content.__init__": "pypdf's reader, whose objects have no types",
    "shared/full_texts/pdf_content.py Content.read": "pypdf's resources",
    "shared/full_texts/pdf_fonts.py font_of": "pypdf's font",
    "shared/jobs/job.py Attributes": "boto3 takes and returns the attributes of an item so",
    "shared/json_types.py": "JSON of unknown content, or of a dataclass: the types of its fields are not known here",
    "shared/unique_json.py read_unique": "JSON of unknown content, which each caller checks",
    "shared/search/result_sets/stored_results.py": "stored JSON; to check what this code has written takes too long",
    # Written and read in one module each; what is read is checked there.
    "shared/providers/provider.py": "the JSON of a provider's reply",
    "shared/papers/fitting.py": "any answer of the API, of which the size alone matters",
    "shared/search/sizes/token_budget.py": "any answer of the API, of which the size alone matters",
    "shared/query/query.py": "the JSON of a query",
    "shared/query/question.py": "the JSON of a question to a provider",
    "shared/rate_limits/stored_state.py": "the JSON of a provider's state",
    "shared/rate_limits/state.py": "the part of a provider's state that the API shows",
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_public(name: str) -> bool:
    """Special methods are part of the interface, such as `__init__` and `__call__`."""
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def is_untyped(node: ast.AST | None, untyped: re.Pattern[str] = UNTYPED) -> bool:
    return node is not None and untyped.search(ast.unparse(node)) is not None


def arguments(function: Function) -> list[ast.expr]:
    """The annotations of the arguments."""
    given = function.args
    all_of = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [it.annotation for it in all_of if it and it.annotation]


def has_untyped_signature(function: Function, untyped: re.Pattern[str]) -> bool:
    return is_untyped(function.returns, untyped) or any(is_untyped(it, untyped) for it in arguments(function))


def takes_any(function: Function) -> bool:
    """Whether an argument is `Any` alone: what is checked inside is an `object`."""
    return any(re.fullmatch(r"(\w+\.)?Any", ast.unparse(it)) for it in arguments(function))


def with_aliases(module: ast.Module) -> re.Pattern[str]:
    """The pattern of what is untyped, with the private names that a module gives to such types."""
    untyped = UNTYPED
    for it in module.body:
        if isinstance(it, ast.Assign | ast.AnnAssign) and is_untyped(it.value, untyped):
            name = ast.unparse(it.target if isinstance(it, ast.AnnAssign) else it.targets[0])
            if name.isidentifier() and not is_public(name):
                untyped = re.compile(rf"{untyped.pattern}|\b{name}\b")
    return untyped


def untyped_in(module: ast.Module, *, raw: bool = False) -> Iterator[str]:
    """The public names of a module whose types have `dict[str, Any]` in them, or that take or return `Any`.

    Functions of raw JSON may do the latter.
    """
    return untyped_members(module.body, with_aliases(module), UNTYPED if raw else ANY)


def untyped_members(
    body: list[ast.stmt], untyped: re.Pattern[str], returned: re.Pattern[str], owner: str = ""
) -> Iterator[str]:
    """The same in the body of a module or class."""
    for node in body:
        if isinstance(node, Function) and is_public(node.name):
            any_taken = returned is ANY and takes_any(node)
            if has_untyped_signature(node, untyped) or is_untyped(node.returns, returned) or any_taken:
                yield owner + node.name
            if owner:
                yield from untyped_attributes(node, owner)
        elif isinstance(node, ast.ClassDef) and is_public(node.name):
            yield from untyped_members(node.body, untyped, returned, f"{owner}{node.name}.")
        elif isinstance(node, ast.AnnAssign) and is_public(name := ast.unparse(node.target)):
            alias = node.value if ast.unparse(node.annotation) == "TypeAlias" else None
            if is_untyped(node.annotation, untyped) or is_untyped(alias):
                yield owner + name
        elif (
            isinstance(node, ast.Assign) and is_public(name := ast.unparse(node.targets[0])) and is_untyped(node.value)
        ):
            yield owner + name


def untyped_attributes(method: Function, owner: str) -> Iterator[str]:
    """The public attributes that a method declares: `self.name: dict[str, Any] = …`."""
    declared = [node for node in ast.walk(method) if isinstance(node, ast.AnnAssign) and is_untyped(node.annotation)]
    for node in declared:
        if isinstance(node.target, ast.Attribute) and is_public(node.target.attr):
            yield owner + node.target.attr


def untyped_names() -> list[tuple[str, str]]:
    """Every such name in `shared`, with its file."""
    shared = [path for path in CODE if path.is_relative_to(ROOT / "shared") and not name_of(path).startswith(RAW)]
    return [
        (name_of(path), name)
        for path in shared
        for name in untyped_in(ast.parse(source_of(path)), raw=name_of(path).startswith(RAW_ANSWERS))
    ]


def test_no_untyped_dict_crosses_a_module_boundary_in_shared() -> None:
    require_none(
        f"{path}: {name} has Any or dict[str, Any]; use a dataclass, a TypedDict, an object or a JsonObject"
        for path, name in untyped_names()
        if path not in EXCEPTIONS and f"{path} {name}" not in EXCEPTIONS
    )


def test_every_exception_is_still_needed() -> None:
    found = {it for path, name in untyped_names() for it in (path, f"{path} {name}")}
    require_none(f"{exception} is typed: remove the exception" for exception in EXCEPTIONS.keys() - found)


@pytest.mark.parametrize(
    "code",
    [
        "def name(data: Mapping[str, Any]) -> None: ...",
        "def name(*, more: int = 0, **data: dict[str, Any]) -> None: ...",
        "def name() -> list[tuple[str, dict[str, dict[str, Any]]]]: ...",
        "name = Callable[[Mapping[str, Any]], None]",
        "name: TypeAlias = dict[str, Any]",
        "name: dict[str, Any] = {}",
        "_Fields = dict[str, Any]\ndef name() -> list[_Fields]: ...",
        "_Fields = dict[str, Any]\n_All = list[_Fields]\ndef name(them: _All) -> None: ...",
        "def name() -> dict[str, typing.Any]: ...",
        "def name() -> list[Any] | None: ...",
        "def name(data: Any) -> int: ...",
        "def name(*, data: typing.Any, **more: int) -> int: ...",
    ],
)
def test_an_untyped_dict_is_found(code: str) -> None:
    assert list(untyped_in(ast.parse(code))) == ["name"]


def test_the_interface_of_a_class_is_checked() -> None:
    code = """
class Public:
    field: dict[str, Any]
    def __init__(self, data: dict[str, Any]) -> None:
        self.attribute: dict[str, Any] = data
        self._own: dict[str, Any] = data
        local: dict[str, Any] = data
    def _own_method(self) -> dict[str, Any]: ...
class _Own:
    field: dict[str, Any]
"""
    assert list(untyped_in(ast.parse(code))) == ["Public.field", "Public.__init__", "Public.attribute"]


def test_private_functions_are_not_checked() -> None:
    code = "_Fields = dict[str, Any]\ndef _own(data: dict[str, Any]) -> None: ...\ndef name() -> dict[str, object]: ..."
    assert not list(untyped_in(ast.parse(code)))
