"""Python looks for garbage more rarely in a process that imports this; a function imports it before all else.

By default it looks after every 700 to 2,000 new objects: a twentieth of the processor time of a cold start, whose
modules and classes stay, and a fifth of a search's, whose records are freed without it.
https://docs.python.org/3/library/gc.html#gc.set_threshold
"""

from __future__ import annotations

import gc

gc.set_threshold(50_000, 20, 20)
