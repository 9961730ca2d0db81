"""How long the legs of a search wait, and what is kept of its time, in seconds."""

from __future__ import annotations

RENEW_EVERY_S = 1.0
# With less time left no query is started: its answer would come too late.
MIN_QUERY_S = 0.5
# At its deadline a search waits this long for its leases to be released; otherwise they expire.
RELEASE_S = 0.05
# The interval between two reads of a leg that another search queries doubles each time, up to the second value.
MIN_POLL_S, MAX_POLL_S = 0.2, 1.0
# What reading the replies of the legs may take at the end of a search's time.
READ_S = 1.0
# After an early response, the lease of a leg outlasts the leg by this long: its provider's function stores the reply.
BACKGROUND_LEASE_S = 1.0
