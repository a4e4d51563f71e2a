"""Who may do what where, and how it is shown: pure functions of facts, nothing is read.

Everything unknown is denied: a tool, a user, a role, an environment.
"""

from tools.policy.decision import (
    MANY,
    GuardrailDecision,
    Reason,
    Tone,
    Verdict,
    decide,
    refused_everywhere,
)
from tools.policy.offers import CAPABILITIES, STRICT_AFFINITY, offer
from tools.policy.version import check_policy, policy_problems, policy_version

__all__ = [
    "CAPABILITIES",
    "MANY",
    "STRICT_AFFINITY",
    "GuardrailDecision",
    "Reason",
    "Tone",
    "Verdict",
    "check_policy",
    "decide",
    "offer",
    "policy_problems",
    "policy_version",
    "refused_everywhere",
]
