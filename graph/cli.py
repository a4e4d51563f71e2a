"""The `pilothouse` command: the offer, the check of a deployment, tokens to try it, the audit."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from dotenv import load_dotenv

from graph.cli_audit import add_parser as add_audit
from graph.cli_audit import run as run_audit
from graph.cli_config import check
from graph.cli_token import Wish, issue
from graph.cli_tools import Question, show
from tools.connect import Services
from tools.context import ROLES
from tools.settings import SettingsError, load_settings


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: Its arguments; None: those of the process.

    Returns:
        0: all is well. 1: something that was checked failed, and the server would start; or the
        audit is not whole. 2: wrong arguments or settings: the server would not start, or let
        nobody in; or there is no audit to read.
    """
    options = _parser().parse_args(argv)
    # As the server does: the values of .env win over the environment.
    load_dotenv(options.env_file, override=True)
    try:
        settings = load_settings(options.config)
        if options.command == "config":
            return asyncio.run(check(Services(settings)))
        if options.command == "audit":
            return run_audit(settings, options)
        if options.command == "token":
            names = options.environments
            return issue(settings, Wish(options.role, options.sub, options.days, names))
        return show(settings, Question(options.role, options.page, options.env, options.json))
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--config",
        type=Path,
        metavar="PATH",
        help="settings; default: $PILOTHOUSE_CONFIG, else pilothouse.toml in this folder",
    )
    common.add_argument(
        "--env-file",
        type=Path,
        metavar="PATH",
        default=Path(".env"),
        help="file with secrets, read when it exists; default: .env in this folder",
    )
    parser = argparse.ArgumentParser(
        prog="pilothouse",
        description="Agents that operate Apache Superset with a person's approval.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    _tools(commands.add_parser("tools", parents=[common], help="show the tools"))
    _token(commands.add_parser("token", parents=[common], help="sign a token to try the server"))
    add_audit(commands.add_parser("audit", help="what is on record, and is it whole"), common)
    config = commands.add_parser("config", help="settings of this deployment")
    actions = config.add_subparsers(dest="action", required=True)
    actions.add_parser(
        "check",
        parents=[common],
        help="validate the settings, log in to every environment with every account; exit 1: "
        "something is amiss, 2: the server would not start or let nobody in",
    )
    return parser


def _tools(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Without --role: every declared tool with its facts. With it: what the graph would offer."
    )
    parser.add_argument("--role", choices=ROLES, help="role of the user who is offered the tools")
    parser.add_argument(
        "--page",
        choices=["dashboard", "dataset", "migration", "none"],
        help="what the user's page is about; default: no page, as in LangGraph Studio",
    )
    parser.add_argument("--env", metavar="ID", help="environment of the page")
    parser.add_argument("--json", action="store_true", help="write JSON")


def _token(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print a token, signed with the configured HS256 secret. It is a way to try the server; "
        "users bring tokens of your identity provider."
    )
    parser.add_argument("--role", choices=ROLES, required=True, help="role of the token's user")
    parser.add_argument("--sub", metavar="ID", help="the user's id; default: ROLE@trial")
    parser.add_argument(
        "--days", type=int, default=7, metavar="N", help="how long it is good; default: 7"
    )
    parser.add_argument(
        "--environments",
        type=lambda value: [name.strip() for name in value.split(",") if name.strip()],
        metavar="A,B",
        help="the only environments the user may touch; default: all",
    )


if __name__ == "__main__":
    sys.exit(main())
