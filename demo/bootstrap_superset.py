"""Creates an empty Superset metadata file with its `admin` account; run inside Superset's venv.

One process does what `superset db upgrade`, `superset init` and `superset fab create-admin` do,
because each of those commands costs seconds of start-up. The modules are loaded by name: this
file is type-checked where Superset is not installed.
"""

import importlib
import sys


def main(password: str) -> None:
    """Upgrade the metadata schema, create the permissions and the human's `admin` account."""
    app = importlib.import_module("superset.app").create_app()
    with app.app_context():
        importlib.import_module("flask_migrate").upgrade()
        superset = importlib.import_module("superset")
        extensions = importlib.import_module("superset.extensions")
        superset.appbuilder.add_permissions(update_perms=True)
        manager = superset.security_manager
        manager.sync_role_definitions()
        extensions.db.session.commit()
        user = manager.add_user(
            "admin", "Demo", "Admin", "admin@example.org", manager.find_role("Admin"), password
        )
        if not user:
            message = "Superset did not create the admin account"
            raise RuntimeError(message)
        extensions.db.session.commit()


if __name__ == "__main__":
    main(sys.argv[1])
