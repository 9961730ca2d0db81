"""How long a query may be, and how many wordings a search may have.

Apart from the readers of queries, which are slow to import: a module that names a bound in an error needs none of them.
"""

from __future__ import annotations

MAX_QUERY_CHARS = 2_000
MAX_QUERIES = 5
MAX_WORDINGS = 1 + MAX_QUERIES  # of one search: `query` and `queries`
