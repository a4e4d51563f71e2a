"""`python -m demo up|down|status`."""

import argparse
import signal
import sys
from types import FrameType

from demo.control import down, status, up
from demo.errors import DemoError
from demo.places import CHECKOUT
from demo.say import say
from demo.supervisor import Supervisor, stop_without


def main(arguments: list[str]) -> int:
    """Run one command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    parser.add_argument("command", choices=("up", "down", "status", "supervise"))
    parser.add_argument(
        "--fresh", action="store_true", help="begin with the seeded content, forget all records"
    )
    options = parser.parse_args(arguments)
    if options.command == "supervise":
        stop_without(sys.stdin.fileno())
        return Supervisor(CHECKOUT, fresh=options.fresh).run()
    # Closing the terminal and `kill` end the command as Ctrl-C does: with everything stopped.
    # Ctrl-C itself is set too: a program started in the background inherits that it is ignored.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        if options.command == "up":
            return up(CHECKOUT, fresh=options.fresh)
        return down(CHECKOUT) if options.command == "down" else status(CHECKOUT)
    except DemoError as error:
        say(f"demo: {error}")
    except KeyboardInterrupt:
        say("demo: interrupted; nothing was left running")
    return 1


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
