"""Choose the server's port: the wanted one or the next free one; say which before it starts.

Prints the port; the sentence for the person goes to the standard error.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demo.errors import DemoError
from demo.ports import next_free

LAST = 65_535


def sentence(host: str, wanted: int, port: int) -> str:
    """What the person reads before the server starts."""
    taken = f"port {wanted} is taken, " if port != wanted else ""
    return f"serve: {taken}the server's address is http://{host}:{port}"


def main(arguments: list[str]) -> int:
    """Print a free port for the host and the port of the arguments; 2: there is none."""
    host, wanted = arguments
    if not (wanted.isdecimal() and 0 < int(wanted) <= LAST):
        print(f"serve: PORT={wanted} is no port: give a number, 1 to {LAST}", file=sys.stderr)
        return 2
    try:
        port = next_free(int(wanted))
    except DemoError as error:
        print(f"serve: {error}", file=sys.stderr)
        return 2
    print(sentence(host, int(wanted), port), file=sys.stderr)
    print(port)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
