"""Not a test: processes that use one database at the same moment; run as a script.

    records_processes.py URL open 8        eight processes open it
    records_processes.py URL begin 20      twenty processes begin the call of records_help
    records_processes.py URL hold          one begins the call, says so, and waits to be killed

Prints what each process got, one word a line. It forks before any thread exists, so that all
processes start within a moment of each other.
"""

import os
import sys
import time

from tests.tools.records_help import approved, begin
from tools.records import LedgerError, Records


def act(url: str, what: str) -> str:
    """Do one thing and say in a word what came of it."""
    try:
        with Records.open(url) as records:
            if what == "open":
                records.approvals.open("thread")
                return "opened"
            begin(records)
            return "won"
    except LedgerError as error:
        return error.code
    except Exception as error:  # noqa: BLE001 - the parent shows it
        return f"{type(error).__name__}:{error}".replace("\n", " ")


def race(url: str, what: str, count: int) -> list[str]:
    """Let processes do one thing at once."""
    gate, opener = os.pipe()
    children = [child(url, what, gate, opener) for _ in range(count)]
    os.close(gate)
    os.close(opener)  # the gate opens: every child's read returns
    answers = []
    for pid, answer in children:
        with os.fdopen(answer) as pipe:
            answers.append(pipe.read() or "died")
        os.waitpid(pid, 0)
    return answers


def child(url: str, what: str, gate: int, opener: int) -> tuple[int, int]:
    """Fork one process that waits at the gate."""
    answer, say = os.pipe()
    pid = os.fork()
    if pid:
        os.close(say)
        return pid, answer
    os.close(opener)
    os.read(gate, 1)
    os.write(say, act(url, what).encode())
    os._exit(0)


def hold(url: str) -> None:
    """Begin the call and never end it."""
    records = Records.open(url)
    approved(records)
    sys.stdout.write(begin(records).id + "\n")
    sys.stdout.flush()
    time.sleep(600)


if __name__ == "__main__":
    if sys.argv[2] == "hold":
        hold(sys.argv[1])
    else:
        sys.stdout.write("\n".join(race(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
