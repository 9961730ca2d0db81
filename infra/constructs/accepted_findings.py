"""Findings of the checks (cdk-nag) that are meant to be so: each beside what it is about, with its reason."""

from __future__ import annotations

from collections.abc import Mapping

from aws_cdk import Acknowledgment, Validations
from constructs import IConstruct


def accept(where: IConstruct, findings: Mapping[str, str]) -> None:
    """Rule, or `rule[finding]` -> why it is as it is. It holds for this construct and those in it."""
    Validations.of(where).acknowledge(*(Acknowledgment(id=id_, reason=reason) for id_, reason in findings.items()))
