"""What a running demo says about itself, in a file that other commands read."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

_FILE = "state.json"
Phase = Literal["starting", "ready", "stopping", "failed", "stopped"]


@dataclass
class ServiceState:
    """One of the demo's programs."""

    url: str
    pid: int
    restarts: int = 0
    running: bool = True


@dataclass
class Live:
    """State of the demo; everything in it may be read by anybody: no secrets."""

    phase: Phase = "starting"
    lines: list[str] = field(default_factory=list)
    error: str = ""
    services: dict[str, ServiceState] = field(default_factory=dict)

    def save(self, folder: Path) -> None:
        """Replace the file in `folder` in one step."""
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f"{_FILE}.draft"
        draft.write_text(json.dumps(asdict(self), ensure_ascii=False, indent=1), encoding="utf-8")
        draft.replace(folder / _FILE)

    @classmethod
    def load(cls, folder: Path) -> "Live":
        """Return what the file in `folder` says; an empty state when there is none."""
        try:
            content = json.loads((folder / _FILE).read_text(encoding="utf-8"))
            services = {
                name: ServiceState(**entry) for name, entry in content.pop("services").items()
            }
            return cls(**content, services=services)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return cls()
