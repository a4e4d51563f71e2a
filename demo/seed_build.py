"""Builds the two seeded installations of the base, through their REST API."""

import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from demo.accounts import HUMAN, INSTALLATIONS
from demo.base import Base
from demo.instances import environment, launch, wait_ready
from demo.metadata import compact
from demo.rest import Rest
from demo.seeding.data import write_data
from demo.seeding.seed import seed_installation
from demo.tooling import run

_BOOTSTRAP = Path(__file__).with_name("bootstrap_superset.py")


def build_seed(base: Base, report: Callable[[str], None]) -> None:
    """Fill `base.seed` (which holds the secret keys) with metadata and data files."""
    report("Creating the metadata of Superset")
    first, *others = INSTALLATIONS
    prepared = base.installation(first, base.seed / first)
    command = [str(base.python), str(_BOOTSTRAP), HUMAN[1]]
    run(command, "Preparing Superset's metadata", environment(prepared))
    for name in others:
        # Nothing in a fresh metadata file depends on the secret key yet.
        shutil.copyfile(base.seed / first / "superset.db", base.seed / name / "superset.db")
    for name in INSTALLATIONS:
        write_data(name, base.seed / name)
    report("Starting both installations to seed them")
    # The pool is the outer one: on an error the servers stop first, which ends its calls.
    with ThreadPoolExecutor(len(INSTALLATIONS)) as pool, ExitStack() as running:
        started = []
        for name in INSTALLATIONS:
            superset = launch(base.installation(name, base.seed / name))
            running.callback(superset.stop)
            started.append(superset)
        work = []
        for superset in started:
            wait_ready(superset)
            client = Rest(superset.url).login(*HUMAN)
            folder = base.seed / superset.name
            work.append(pool.submit(_seed, client, superset.name, folder, report))
        for job in work:
            job.result()
    for name in INSTALLATIONS:
        compact(base.seed / name / "superset.db")


def _seed(client: Rest, name: str, folder: Path, report: Callable[[str], None]) -> None:
    began = time.monotonic()
    count = seed_installation(client, name, folder)
    report(f"Seeded {name}: {count} dashboards in {time.monotonic() - began:.0f} s")
