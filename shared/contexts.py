"""The types of contexts that cite papers, and how long a caller's name for one may be."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

ContextType: TypeAlias = Literal["debate", "analysis", "report"]
CONTEXT_TYPES: tuple[ContextType, ...] = get_args(ContextType)
MAX_CONTEXT_CHARS = 256
