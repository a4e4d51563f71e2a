"""Opening the records: the file, its schema, and what is refused."""

import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text as sql

from tests.tools.records_help import NOW, request
from tools.records import Records, RecordsError
from tools.records.schema import metadata

URL = "sqlite:///folder/inner/records.db"
FILE = Path("folder/inner/records.db")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_and_files_are_made_for_their_owner_only():
    with Records.open(URL) as records:
        records.approvals.ask(request(), NOW)
        files = sorted(FILE.parent.iterdir())
        assert [path.name for path in files] == ["records.db", "records.db-shm", "records.db-wal"]
        assert {mode(path) for path in files} == {0o600}
        assert mode(FILE.parent) == 0o700


def test_a_file_that_others_could_read_is_closed_to_them():
    Records.open(URL).close()
    FILE.chmod(0o644)
    Records.open(URL).close()
    assert mode(FILE) == 0o600


def test_every_connection_is_durable_and_checks_keys():
    with Records.open(URL) as records:
        wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
        with records.database.read() as one, records.database.read() as two:
            for connection in (one, two):
                found = {
                    name: connection.execute(sql(f"PRAGMA {name}")).scalar_one() for name in wanted
                }
                assert found == wanted


def test_a_writer_has_its_turn_from_the_start():
    with Records.open(URL) as records, records.database.write():
        other = sqlite3.connect(FILE, timeout=0, isolation_level=None)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()


def test_opening_twice_in_a_process_keeps_the_first_ones_locks():
    """Closing any handle of a file drops all locks that its process holds on it (POSIX).

    Then the next other process that closes the file removes the journal under those who use it.
    """
    with Records.open(URL) as first, Records.open(URL):
        row = first.approvals.ask(request(), NOW)
        look = (
            "c = sqlite3.connect({!r}); c.execute('SELECT * FROM approvals').fetchall(); c.close()"
        )
        code = f"import sqlite3; {look.format(str(FILE))}"
        subprocess.run([sys.executable, "-c", code], check=True)
        assert FILE.with_name("records.db-wal").exists()
        assert first.approvals.get(row.id) == row
        first.approvals.approve(row.id, row.digest, row.user_id, NOW)


def test_what_was_written_is_there_after_reopening_and_a_change_of_folder(monkeypatch):
    records = Records.open(URL)
    row = records.approvals.ask(request(), NOW)
    monkeypatch.chdir("folder")
    assert records.approvals.get(row.id) == row
    records.close()
    with Records.open("sqlite:///inner/records.db") as again:
        assert again.approvals.get(row.id) == row
    assert not Path("folder").exists()


def test_the_migrations_make_the_schema_that_the_code_uses():
    with Records.open(URL) as records, records.database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_database_of_a_newer_version_is_refused_untouched():
    with Records.open(URL) as records, records.database.write() as connection:
        connection.execute(sql("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(RecordsError, match=r"newer version \(schema 9999\); update this program"):
        Records.open(URL)
    connection = sqlite3.connect(FILE)
    assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("9999",)]
    connection.close()


def test_a_migration_that_fails_leaves_nothing_behind():
    FILE.parent.mkdir(parents=True)
    other = sqlite3.connect(FILE)
    other.execute("CREATE TABLE tasks (x)")  # in the way of the third table
    other.commit()
    with pytest.raises(RecordsError, match="tasks already exists"):
        Records.open(URL)
    tables = other.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    other.execute("DROP TABLE tasks")
    other.commit()
    other.close()
    assert tables == [("tasks",)]
    Records.open(URL).close()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("", "no database URL"),
        ("records.db", "no database URL"),
        ("mysql://user:secret@host/db", "cannot be kept in mysql"),
        ("postgresql+psycopg2://user:secret@host/db", r"cannot be kept in postgresql\+psycopg2"),
        ("postgresql://user:secret@127.0.0.1:1/db", "connection failed"),
        ("sqlite://", "need a file"),
        ("sqlite:///:memory:", "need a file"),
        ("sqlite:///records.db?mode=memory", "need a file"),
        ("sqlite:///.", "Is a directory"),
        ("sqlite:////dev/null/records.db", "Not a directory|File exists"),
    ],
)
def test_a_url_that_cannot_be_used_says_why(url, says):
    with pytest.raises(RecordsError, match=says) as caught:
        Records.open(url)
    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_database_is_refused_and_kept():
    FILE.parent.mkdir(parents=True)
    FILE.write_bytes(b"precious " * 1000)
    with pytest.raises(RecordsError, match="not a database"):
        Records.open(URL)
    assert FILE.read_bytes() == b"precious " * 1000


def test_a_path_with_odd_letters():
    with Records.open("sqlite:///папка с %25/records.db") as records:
        records.approvals.ask(request(), NOW)
    assert Path("папка с %/records.db").exists()
