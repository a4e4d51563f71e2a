"""`pilothouse audit`: what is on record, is it whole, and what does it add up to? It only reads."""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, get_args

from graph.cli_audit_words import (
    problem_in_words,
    readable,
    row_of,
    stats_in_words,
    verdict_in_words,
)
from graph.cli_table import table
from tools.records import AuditFilter, AuditKind, AuditRow, Mark, Records, RecordsError
from tools.settings import Settings, SettingsError

_HEAD = re.compile(r"(\d{1,18}):([0-9a-f]{64})")
_COLUMNS = ("ID", "TIME (UTC)", "KIND", "USER", "ENV", "TOOL", "THREAD", "FACTS")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Run one of the actions, and return the exit code.

    Returns:
        0: done, and what was verified is whole. 1: the audit is not whole.

    Raises:
        SettingsError: there are no records, they cannot be read, or the file cannot be written.
    """
    actions = {"list": _list, "verify": _verify, "export": _export, "stats": _stats}
    try:
        with Records.look(settings.records.url) as records:
            return actions[options.action](records, options)
    except RecordsError as error:
        raise SettingsError(str(error)) from None
    except BrokenPipeError:
        # Whoever read the output has seen enough; at its end Python would try to write again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ValueError as error:
        if isinstance(error, SettingsError):
            raise
        print("A row cannot be read: `pilothouse audit verify` tells which.", file=sys.stderr)
        return 1


def add_parser(parser: argparse.ArgumentParser, common: argparse.ArgumentParser) -> None:
    """Declare the actions and their options."""
    parser.description = "Everything here only reads; nothing is made, migrated or changed."
    actions = parser.add_subparsers(dest="action", required=True)
    filters = _filters()
    shown = actions.add_parser("list", parents=[common, filters], help="show rows, newest last")
    shown.add_argument("--kind", choices=get_args(AuditKind), help="what happened")
    shown.add_argument("--limit", type=_count, default=50, metavar="N", help="default: 50")
    shown.add_argument("--json", action="store_true", help="write JSON")
    checked = actions.add_parser(
        "verify",
        parents=[common],
        help="is the audit whole? exit 1: it is not, 2: it could not be checked",
    )
    checked.add_argument(
        "--head",
        type=_mark,
        metavar="ID:HASH",
        help="a head that was printed earlier and noted elsewhere: must still be in the chain",
    )
    checked.add_argument("--json", action="store_true", help="write JSON")
    out = actions.add_parser("export", parents=[common], help="write all rows with their hashes")
    out.add_argument(
        "--output", type=Path, metavar="FILE", help="a new file; default: the standard output"
    )
    sums = actions.add_parser(
        "stats", parents=[common, filters], help="outcomes, second tries, shorter results"
    )
    sums.add_argument("--json", action="store_true", help="write JSON")


def _filters() -> argparse.ArgumentParser:
    filters = argparse.ArgumentParser(add_help=False)
    time = "such as 2026-03-01 or 2026-03-01T12:00, in UTC unless it has a zone"
    filters.add_argument("--since", type=_moment, metavar="TIME", help=f"not before it, {time}")
    filters.add_argument("--until", type=_moment, metavar="TIME", help="before it")
    filters.add_argument("--user", metavar="ID", help="the user's id")
    filters.add_argument("--thread", metavar="ID", help="the conversation")
    filters.add_argument("--tool", metavar="NAME", help="the tool's name")
    filters.add_argument("--env", metavar="ID", help="the environment")
    return filters


def _wanted(options: argparse.Namespace, kind: AuditKind | None = None) -> AuditFilter:
    return AuditFilter(
        since=options.since,
        until=options.until,
        user_id=options.user,
        thread_id=options.thread,
        tool=options.tool,
        env_id=options.env,
        kind=kind,
    )


def _list(records: Records, options: argparse.Namespace) -> int:
    rows = records.audit.latest(_wanted(options, options.kind), options.limit)
    if options.json:
        _print_json([_facts(row) for row in rows])
    else:
        print(table(_COLUMNS, [row_of(row) for row in rows]))
    return 0


def _facts(row: AuditRow) -> dict[str, Any]:
    return asdict(row) | {"at": row.at.isoformat()}


def _verify(records: Records, options: argparse.Namespace) -> int:
    verdict = records.verify(options.head)
    if options.json:
        words = None if verdict.bad is None else problem_in_words(verdict.bad)
        _print_json(asdict(verdict) | {"whole": verdict.bad is None, "problem": words})
    else:
        print(verdict_in_words(verdict))
    return 0 if verdict.bad is None else 1


def _export(records: Records, options: argparse.Namespace) -> int:
    with _target(options.output) as target:
        for line in records.export():
            target.write(line.encode() + b"\n")
    return 0


@contextmanager
def _target(path: Path | None) -> Iterator[BinaryIO]:
    """Where an export goes; half an export does not stay, nobody could tell it from a whole one."""
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        # Its owner's only, as the records are.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise SettingsError(f"{readable(str(path))}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
    except BaseException as error:
        path.unlink()
        if isinstance(error, OSError):
            raise SettingsError(f"{readable(str(path))}: {error.strerror}") from None
        raise


def _stats(records: Records, options: argparse.Namespace) -> int:
    found = records.stats(_wanted(options))
    if options.json:
        _print_json(vars(found))
    else:
        print(stats_in_words(found))
    return 0


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def _moment(value: str) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is no time such as 2026-03-01T12:00") from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _count(value: str) -> int:
    if not value.isascii() or not value.isdigit() or not 0 < int(value) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{value!r} is no number from 1 to 1000000")
    return int(value)


def _mark(value: str) -> Mark:
    found = _HEAD.fullmatch(value)
    if found is None:
        raise argparse.ArgumentTypeError("a head is ID:HASH, as `verify` prints it")
    return Mark(int(found[1]), found[2])
