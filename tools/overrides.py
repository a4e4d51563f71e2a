"""What a deployment changes about the tools: the `[policy]` section and its words."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Role = Literal["viewer", "analyst", "editor", "operator", "admin"]
"""What a user may do, each role more than the one before it."""

Stage = Literal["dev", "staging", "prod"]
"""How much a mistake in an environment hurts."""

Risk = Literal["safe", "guarded", "dangerous"]
"""How a mistake with a call would hurt: not at all, mendable, or badly."""

Approver = Literal["own", "peer"]
"""Who approves a call: the one who asked for it, or another user who may make it (four eyes)."""

ANY_TOOL = "*"
"""Instead of a tool's name: every tool."""


class Section(BaseModel):
    """A closed section of the settings."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ToolPolicy(Section):
    """What a deployment changes about one tool.

    It may only tighten what the declaration, or a wider entry, says; where it is meant to loosen,
    `widen` says so.
    """

    roles: list[Role] | None = None
    """Replaces the roles of the declaration; none beyond them unless `widen` says so."""
    risk: Risk | None = None
    """Replaces the risk of the declaration; not lower unless `widen` says so."""
    widen: bool = False
    """Whether more roles, less risk or fewer questions than otherwise are meant."""
    stages: list[Stage] | None = None
    """Stages in which the tool may act; none: all."""
    deny: bool | None = None
    """Whether nobody may call the tool; `false` with `widen` takes a wider entry back."""
    confirm: bool | None = None
    """Whether a person is asked before a read; writes always ask."""
    approval: Approver | None = None
    """Who approves: `"own"` the asker, `"peer"` another user who may call the tool there."""


ToolPolicies = dict[str, ToolPolicy]
"""Entries by the tool's name; `*` is every tool."""


class Policy(Section):
    """Tightens or moves what the declarations say; the narrower entry wins, key by key."""

    confirm_reads: bool = False
    affinity: Literal["default", "strict"] = "default"
    tools: ToolPolicies = {}
    stages: dict[Stage, ToolPolicies] = {}
    """Per stage, what wins over `tools` there."""
    environments: dict[str, ToolPolicies] = {}
    """Per environment, what wins over `stages` there."""
