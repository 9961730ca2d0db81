"""One permit by one state: what the circuit, the limits, and in an outage this process's share of them, allow now."""

from __future__ import annotations

from dataclasses import dataclass

from shared.errors import BudgetSpent, CircuitOpen, ProviderError
from shared.rate_limits.budget import (
    DAY_S,
    GRACE_S,
    Grant,
    PermitRequest,
    Reject,
    Retry,
    decide,
    effective_limits,
    requests_on,
)
from shared.rate_limits.circuit_breaker import admit, open_for
from shared.rate_limits.outage import Share, check_in, share_of
from shared.rate_limits.permits import NoRoom, Permit, without
from shared.rate_limits.state import Outage, ProviderState


@dataclass(frozen=True, slots=True)
class Granting:
    """The decisions of one process about the permits of one provider; times are in epoch seconds."""

    title: str
    process_id: str

    def decide(
        self,
        state: ProviderState,
        request: PermitRequest,
        *,
        now: float,
        outage: Outage | None,
        unused: Permit | None = None,
        lead_s: float = 0.0,
    ) -> tuple[Permit, ProviderState] | Retry | ProviderError:
        """A permit and the state with it; or when to try again; or why there is none."""
        deadline = now + request.time_left()
        state = without(state, unused)
        if blocked := open_for(state.circuit, now):
            message, seconds = blocked
            return CircuitOpen(f"{self.title} {message}", retry_after_s=round(seconds, 1))
        release_by = deadline + GRACE_S
        share = self._share(state, request, outage, now)
        decision = decide(state.budget, request, now=now + lead_s, deadline=deadline, share=share)
        if not isinstance(decision, Grant):
            return decision if isinstance(decision, Retry) else self.refusal(decision)
        permit = Permit(
            permit_id=request.permit_id,
            at=decision.at,
            until=decision.until,
            release_by=release_by,
            circuit_probe=state.circuit.open_until is not None,
            wait_probe=decision.budget.probe_at if decision.probe else None,
            shared=outage is None,
            charge=request.charge,
            parts=decision.parts,
        )
        processes = state.processes if outage else check_in(state.processes, self.process_id, now)
        return permit, ProviderState(decision.budget, admit(state.circuit, release_by), processes, state.hour)

    def refusal(self, decision: Reject) -> ProviderError:
        """The error that a caller without a permit gets."""
        if decision.is_ours:
            return NoRoom(f"{self.title} was not queried: this service was too busy", retry_after_s=1.0)
        message = f"{self.title} was not queried: {decision.reason}"
        return BudgetSpent(message, retry_after_s=round(decision.retry_after_s, 1))

    def _share(self, state: ProviderState, request: PermitRequest, outage: Outage | None, now: float) -> Share | None:
        """The share of this process during an outage; None without an outage or if it is the only process.

        A process that the table throttles has no place: the others may reach the table and use all limits.
        """
        if outage is None:
            return None
        return share_of(
            {} if outage.throttled else state.processes,
            self.process_id,
            effective_limits(request.limits, state.budget, now),
            since=outage.since,
            now=now,
            sent_before=requests_on(int(now // DAY_S), outage.shared.budget),
        )
