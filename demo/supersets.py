"""A pair of running Superset installations, for the demo and for the integration tests.

Example:
    base = ensure_base(print)
    with start_pair(base, tmp_path) as pair:
        url, (login, password) = pair.dev.url, pair.dev.accounts["editor"]
        ...
        pair.reset()
"""

import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from demo import disk, metadata
from demo.accounts import INSTALLATIONS
from demo.base import Base
from demo.cache import ensure_base
from demo.instances import Superset, launch, wait_ready

__all__ = ["Base", "Pair", "Superset", "continues", "ensure_base", "restore", "start_pair"]


class Pair:
    """Both installations, running on copies of the seeded files in a folder of their own."""

    def __init__(self, base: Base, folder: Path, supersets: Mapping[str, Superset]) -> None:
        """Take over installations that `start_pair` has started."""
        self.base = base
        self.folder = folder
        self._supersets = dict(supersets)

    @property
    def dev(self) -> Superset:
        """Return the development installation."""
        return self._supersets["dev"]

    @property
    def prod(self) -> Superset:
        """Return the production installation."""
        return self._supersets["prod"]

    def reset(self) -> None:
        """Put the seeded content back into both running installations, without a restart."""
        for name in self._supersets:
            restore(self.base, name, self.folder / name)

    def restart(self, name: str) -> None:
        """Start one installation again on its port, with its files as they are."""
        old = self._supersets[name]
        old.stop()
        installation = self.base.installation(name, self.folder / name)
        superset = self._supersets[name] = launch(installation, old.port)
        try:
            wait_ready(superset)
        except BaseException:
            superset.stop()
            raise

    def stop(self) -> None:
        """Stop both installations; returns when their processes are gone. May be repeated."""
        for superset in self._supersets.values():
            superset.child.begin_stop()
        for superset in self._supersets.values():
            superset.stop()

    def __enter__(self) -> Self:
        """Return the pair itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop both installations."""
        self.stop()


def start_pair(
    base: Base,
    folder: Path,
    ports: tuple[int, int] | None = None,
    report: Callable[[str], None] = lambda line: None,
    *,
    keep: bool = False,
) -> Pair:
    """Start both installations on files in `folder` and return when both answer.

    Args:
        base: What `ensure_base` returned.
        folder: Gets a folder for each installation: metadata, data files, log.
        ports: Ports of dev and prod on the loopback address; any free ones by default.
        report: Called with one line for each step.
        keep: Continue with the files of an earlier pair of the same base, where there are any.

    Raises:
        DemoError: A port is taken, or an installation did not start; nothing stays running.
    """
    folder = folder.resolve()
    disk.require_free(folder, disk.STATE_MB, "the live files of Superset")
    chosen = dict(zip(INSTALLATIONS, ports or (0, 0), strict=True))
    started: dict[str, Superset] = {}
    with ExitStack() as undo:
        for name, port in chosen.items():
            home = folder / name
            home.mkdir(parents=True, exist_ok=True)
            if keep and _fits(base, home):
                _point_at_home(home)
            else:
                _prepare(base, name, home)
            started[name] = launch(base.installation(name, home), port)
            undo.callback(started[name].stop)
            report(f"Starting Superset {name} on {started[name].url}")
        for superset in started.values():
            wait_ready(superset)
            report(f"Superset {superset.name} answers")
        undo.pop_all()
    return Pair(base, folder, started)


def restore(base: Base, name: str, home: Path) -> None:
    """Put the seeded metadata and data files of installation `name` back into `home`."""
    metadata.copy_database(home / "seeded.db", home / "superset.db")
    for data in metadata.DATA_FILES:
        metadata.copy_database(base.seed / name / data, home / data)


def _prepare(base: Base, name: str, home: Path) -> None:
    # What reset copies is the seeded file with this folder's own paths in it.
    for file in ("superset.db", *metadata.DATA_FILES):
        for leftover in home.glob(f"{file}*"):
            leftover.unlink()
    shutil.copyfile(base.seed / name / "superset.db", home / "seeded.db")
    metadata.point_at(home / "seeded.db", home)
    restore(base, name, home)
    (home / "build").write_text(base.build, encoding="utf-8")


def continues(base: Base, folder: Path) -> bool:
    """Tell whether `start_pair(..., keep=True)` would go on with the files in `folder`."""
    return all(_fits(base, folder / name) for name in INSTALLATIONS)


def _fits(base: Base, home: Path) -> bool:
    # Metadata of another build are encrypted with another key.
    mark = home / "build"
    return mark.is_file() and mark.read_text(encoding="utf-8") == base.build


def _point_at_home(home: Path) -> None:
    # The checkout may have been moved since.
    for file in ("seeded.db", "superset.db"):
        metadata.point_at(home / file, home)
