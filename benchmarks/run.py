"""Run the benchmarks, print a table, and write benchmarks/report.json, one key a figure.

    python -m benchmarks.run [NAME ...]

Names choose benchmarks (functions); the report keeps the figures of those that did not run. Times
depend on the machine: compare the ratios, which are taken in turns with a peer in the same run.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks import audit, guardrails, results, sql, turns
from benchmarks.measure import Figure

REPORT = Path(__file__).parent / "report.json"
BENCHMARKS: tuple[Callable[[], Iterable[Figure]], ...] = (
    *guardrails.BENCHMARKS,
    *turns.BENCHMARKS,
    *sql.BENCHMARKS,
    *results.BENCHMARKS,
    *audit.BENCHMARKS,
)


def main(arguments: list[str], report: Path = REPORT) -> int:
    """Run the chosen benchmarks; 0 when all of them ran."""
    known = {benchmark.__name__: benchmark for benchmark in BENCHMARKS}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(known)}")
    chosen = parser.parse_args(arguments).names or list(known)
    if unknown := sorted(set(chosen) - set(known)):
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(known)}")
    figures: list[Figure] = []
    for name in chosen:
        for figure in known[name]():
            print(line(figure), flush=True)
            figures.append(figure)
    write(figures, report)
    return 0


def line(figure: Figure) -> str:
    """A figure as a line of the table."""
    unit = "x" if figure.unit == "ratio" else figure.unit
    goal = "" if figure.goal is None else f" (goal: {figure.goal:g} {unit})"
    return f"{figure.key:32} {figure.value:10.2f} {unit:3} {figure.what}{goal}"


def write(figures: Iterable[Figure], report: Path) -> None:
    """Put the figures into the report, rounded to four digits that matter."""
    kept = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    kept |= {figure.key: float(f"{figure.value:.4g}") for figure in figures}
    report.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
