"""Do the top-level names come from this checkout? A stranger's `tools` on the path wins silently.

Run as a program it fails and names each stranger, also one that would only win elsewhere.
"""

import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("graph", "nodes", "tools", "evals", "web")
DISTRIBUTION = "pilothouse"


def strangers(root: Path = ROOT) -> list[str]:
    """What is wrong with the origin of our packages, a sentence each."""
    owners = packages_distributions()
    wrong = []
    for name in PACKAGES:
        spec = find_spec(name)
        origin = Path(spec.origin) if spec is not None and spec.origin is not None else None
        if origin is None or origin.resolve() != root / name / "__init__.py":
            wrong.append(f"{name} comes from {origin or 'nowhere'}, not from this checkout")
        others = set(owners.get(name, ())) - {DISTRIBUTION}
        wrong += [f"{name} is also shipped by {other}" for other in sorted(others)]
    return wrong


if __name__ == "__main__":
    found = strangers()
    print("\n".join(found) or "All packages come from this checkout.")
    sys.exit(1 if found else 0)
