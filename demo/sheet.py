"""What the demo prints when it is ready."""

from pathlib import Path

from demo.accounts import HUMAN, ROLES, accounts
from demo.live import Live
from demo.say import say
from demo.settings_files import SECRET, STUDIO, read_variables
from demo.supervisor import DEV, PROD, SERVER
from demo.tokens import make_token


def print_sheet(checkout: Path, live: Live) -> None:
    """Print addresses, logins, tokens and a first command."""
    services = live.services
    if not {DEV, PROD, SERVER} <= services.keys():
        say("It is still starting; see `python -m demo status`.")
        return
    server = services[SERVER].url
    say()
    say(f"  Page         {server}/agent")
    say(f"  Studio       https://smith.langchain.com/studio/?baseUrl={server}")
    role = read_variables(checkout).get(STUDIO, "")
    say(f"{'':15}Studio's user has the role {role or 'none'}: {STUDIO} in .env")
    say(f"  API          {server}")
    for name, installation in ((DEV, "dev"), (PROD, "prod")):
        say(f"  {name:12} {services[name].url}   (login {HUMAN[0]}, password {HUMAN[1]})")
        for login, password in accounts(installation).values():
            say(f"{'':15}{login:21} {password}")
    say()
    say("  Tokens (Authorization: Bearer ...), good for 30 days:")
    secret = read_variables(checkout).get(SECRET, "")
    for role in ROLES:
        say(f"  {role:9} {make_token(secret, role)}")
    say()
    say("  The main job, with a card to approve:")
    say("      .venv/bin/python -m demo.main_job --lang en")
    say("      .venv/bin/python -m demo.main_job --lang ru")
    say("  What runs:           .venv/bin/python -m demo status")
    say("  Stop everything:     make demo-stop")
