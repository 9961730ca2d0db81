"""moto's reading of DynamoDB's expressions, each text read once: nearly all the time of an UpdateItem.

For each update moto parses the expression twice, copies the tree with `copy.deepcopy` up to twice, and walks it ten
times, asking at each node for the abstract base classes of the node. The same texts recur all the time, so the trees
are remembered. Evaluation, with the names, values and item of a request, is moto's own; but for an item that is not
there, moto validates an expression once before it makes the item and once more after, and the first of these is
remembered as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from typing import Any
from unittest.mock import patch

from moto.dynamodb.comparisons import ConditionExpressionParser
from moto.dynamodb.parsing.ast_nodes import DepthFirstTraverser, Node  # type: ignore[attr-defined]  # moto has no types here
from moto.dynamodb.parsing.expressions import UpdateExpressionParser  # type: ignore[attr-defined]
from moto.dynamodb.parsing.validators import (
    ActionCountValidator,
    OverlappingPathsValidator,
    UpdateExpressionValidator,
    Validator,
)

_REMEMBERED = 1024  # texts; the code has some dozens

_parse = UpdateExpressionParser.make
_lex = ConditionExpressionParser._lex_condition_expression
_validate = Validator.validate
_NODE = (Node,)
_kinds_of: dict[type, tuple[type, ...]] = {}  # what each class of traversers processes, which its instances share


@lru_cache(_REMEMBERED)
def _tree_of(update: str) -> Any:
    """The tree, which its users copy before they change it; its copies share `passed`."""
    tree = _parse(update)
    tree.passed = set()
    return tree


@lru_cache(_REMEMBERED)
def _nodes_of(condition: str) -> tuple[Any, ...]:
    return tuple(_lex(ConditionExpressionParser(condition, {}, {})))


@lru_cache(_REMEMBERED)
def _is_any(node: type, kinds: tuple[type, ...]) -> bool:
    """`issubclass`, which is slow for abstract base classes."""
    return issubclass(node, kinds)


@contextmanager
def expressions_read_once() -> Iterator[None]:
    """While inside, moto remembers the trees of the expressions that it has read."""

    def lexed(parser: ConditionExpressionParser) -> deque[Any]:
        return deque(_nodes_of(parser.condition_expression or ""))

    with ExitStack() as stack:
        stack.enter_context(patch.object(UpdateExpressionParser, "make", _tree_of))
        stack.enter_context(patch.object(ConditionExpressionParser, "_lex_condition_expression", lexed))
        stack.enter_context(patch.object(DepthFirstTraverser, "traverse_node_recursively", _traversed))
        for validator in (ActionCountValidator, OverlappingPathsValidator):
            stack.enter_context(patch.object(validator, "traverse", _validated_once, create=True))
        stack.enter_context(patch.object(UpdateExpressionValidator, "validate", _validated))
        stack.enter_context(patch.object(Node, "__deepcopy__", _copied, create=True))
        yield


def _traversed(traverser: Any, node: Any, child_id: int = -1) -> Any:
    """As moto's method: process the children, then the node, and put what comes of it in its place."""
    if not _is_any(node.__class__, _NODE):
        return node
    for number, child in enumerate(node.children or ()):
        traverser.pre_processing_of_child(node, number)
        _traversed(traverser, child, number)
    kinds = _kinds_of.get(type(traverser))
    if kinds is None:
        kinds = _kinds_of[type(traverser)] = traverser.nodes_to_be_processed()
    if not _is_any(node.__class__, kinds):
        return node
    parent = node.parent
    processed = traverser.process(node)
    processed.parent = parent
    if parent:
        parent.children[child_id] = processed
    return processed


def _validated_once(validator: Any, tree: Any) -> Any:
    """As `traverse` of a validator that looks at the text and the names alone, and changes nothing."""
    names = getattr(validator, "expression_attribute_names", None) or {}
    case = (type(validator), *sorted(names.items()))
    if case not in tree.passed:
        _traversed(validator, tree)
        tree.passed.add(case)
    return tree


def _validated(validator: Any) -> Any:
    """As `Validator.validate`; for an item without attributes its result is not used, and it only raises or not.

    That depends on the names, on the keys of the table, and on the types of the values and whether they are empty.
    """
    tree = validator.node_to_validate
    if validator.item.attrs:
        return _validate(validator)
    names, values = validator.expression_attribute_names or {}, validator.expression_attribute_values or {}
    kinds = sorted((name, *value, not all(value.values())) for name, value in values.items())
    case = ("new", validator.table.name, *sorted(names.items()), *kinds)
    if case not in tree.passed:
        _validate(validator)
        tree.passed.add(case)
    return tree


def _copied(node: Any, memo: dict[int, Any]) -> Any:
    """A tree of its own; leaves that are not nodes are texts and numbers."""
    copy = node.__class__.__new__(node.__class__)
    copy.__dict__.update(node.__dict__)
    if node.children is not None:
        copy.children = [_copied(child, memo) if _is_any(child.__class__, _NODE) else child for child in node.children]
        for child in copy.children:
            if _is_any(child.__class__, _NODE):
                child.parent = copy
    return copy
