"""Superset settings of both demo installations; what differs comes from the environment.

Superset imports this file by SUPERSET_CONFIG_PATH. It is part of the key of the cached base:
changing it builds a new base.
"""

import os
from pathlib import Path

_NAME = os.environ["PILOTHOUSE_DEMO_NAME"]
_HOME = Path(os.environ["PILOTHOUSE_DEMO_HOME"])

# One key for the life of a base: the stored database credentials are encrypted with it.
SECRET_KEY = Path(os.environ["PILOTHOUSE_DEMO_SECRET_FILE"]).read_text(encoding="utf-8").strip()
SQLALCHEMY_DATABASE_URI = f"sqlite:///{_HOME / 'superset.db'}?check_same_thread=false"
# The analytics data of the demo are SQLite files, which Superset refuses by default.
PREVENT_UNSAFE_DB_CONNECTIONS = False

# Two installations share one host name, and browsers keep cookies by host, not by port.
SESSION_COOKIE_NAME = f"pilothouse_demo_{_NAME}"
APP_NAME = f"Superset ({_NAME})"
# The demo listens on the loopback address over plain http and must not throttle tests.
TALISMAN_ENABLED = False
RATELIMIT_ENABLED = False
AUTH_RATE_LIMITED = False

# Keys that stand for an account, for whom signs in elsewhere: `POST /api/v1/security/api_keys/`.
FAB_API_KEY_ENABLED = True

FEATURE_FLAGS = {"DASHBOARD_RBAC": True, "EMBEDDED_SUPERSET": True, "TAGGING_SYSTEM": True}
SUPERSET_WEBSERVER_TIMEOUT = 60
SQLLAB_TIMEOUT = 10
