"""What `pilothouse audit` tells people: rows, verdicts and sums in words."""

from collections import Counter

from tools.records import AuditProblem, AuditRow, BadRow, Stats, Verdict
from tools.records.canonical import canonical

_FACTS = 100
"""Characters of a row's facts in the table; --json has them whole."""

_PROBLEMS: dict[AuditProblem, str] = {
    "changed": "it is not what was written, or stands in another place",
    "unreadable": "it holds what was never written there",
    "missing_before": "rows before it were removed, or put in",
    "missing_start": "the rows before it were removed, and no checkpoint tells of it",
    "missing_end": "the end of the audit is not there: the newest rows, or the note of the last one"
    ", were removed or changed",
    "other_chain": "the noted head is not in this audit: it was rewritten, or is another one",
    "cut_off": "the noted head was cut off with the rows whose time was over: nothing tells any "
    "more whether it was in this audit; note heads more often than rows are cut",
}


def readable(words: str) -> str:
    """Words from outside without what would steer a terminal."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in words
    )


def row_of(row: AuditRow) -> tuple[str, ...]:
    """A row as cells of a table."""
    facts = canonical(row.detail)
    short = facts if len(facts) <= _FACTS else f"{facts[: _FACTS - 1]}…"
    named = (row.kind, row.user_id, row.env_id, row.tool, row.thread_id)
    cells = (readable(cell or "-") for cell in named)
    return (str(row.id), f"{row.at:%Y-%m-%d %H:%M:%S}", *cells, readable(short))


def problem_in_words(bad: BadRow) -> str:
    """Where the audit is not whole, and why."""
    return f"row {bad.id}: {_PROBLEMS[bad.problem]}"


def verdict_in_words(verdict: Verdict) -> str:
    """What was found, and the head to note."""
    lines = [f"{verdict.rows} rows are whole."]
    if verdict.cut is not None:
        lines.append(f"Rows up to {verdict.cut.id} were cut off: their time was over.")
    if verdict.bad is not None:
        lines[0] = f"{verdict.rows} rows are whole, then the proof ends."
        lines.append(f"The audit is NOT whole: {problem_in_words(verdict.bad)}.")
    elif verdict.head is not None:
        lines.append(f"Head: {verdict.head.id}:{verdict.head.hash}")
    return "\n".join(lines)


def stats_in_words(found: Stats) -> str:
    """The sums, a line each."""
    mean = found.ms // found.timed if found.timed else 0
    reduced = _share(found.raw - found.sent, found.raw, " less")
    return "\n".join(
        [
            f"Outcomes: {_counts(found.outcomes)}",
            f"Faults of failed calls: {_counts(found.errors)}",
            f"Duration: {mean} ms on average, of {found.timed} calls",
            f"Passing faults: {found.met} calls met one ({_counts(found.faults)})",
            f"Retry success: {found.helped} of {found.again} reads sent again were answered"
            f"{_share(found.helped, found.again)}; {found.saved} of {found.met} calls ended well"
            f"{_share(found.saved, found.met)}",
            f"Result reduction: {found.raw} characters of {found.results} results, "
            f"{found.sent} sent to the model{reduced}",
        ]
    )


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{readable(name)} {n}" for name, n in sorted(counts.items())) or "none"


def _share(part: int, whole: int, more: str = "") -> str:
    return f" ({100 * part / whole:.1f} %{more})" if whole else ""
