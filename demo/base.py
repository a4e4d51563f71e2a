"""What a finished base is."""

from dataclasses import dataclass
from pathlib import Path

from demo.instances import Installation


@dataclass(frozen=True)
class Base:
    """A finished base. Its files are never changed; a running pair works on copies."""

    python: Path
    """Interpreter of Superset's environment."""
    seed: Path
    """Folder with a folder for each installation: metadata, data files, secret key."""
    build: str
    """Name of this build; state made from another build does not fit its secret keys."""

    def installation(self, name: str, home: Path) -> Installation:
        """Return the installation `name` as it runs with its live files in `home`."""
        return Installation(name, self.python, self.seed / name / "secret", home)
