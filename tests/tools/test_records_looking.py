"""Records that are only looked at: nothing is made, migrated or written."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text as sql
from sqlalchemy.engine import URL

from scripts.layout import ROOT
from tests.postgres import Postgres
from tests.tools.records_help import NOW, request
from tools.records import AuditFilter, Records, RecordsError

AUDIT = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")


def test_what_is_there_is_read_also_while_it_is_written(url: URL) -> None:
    with Records.open(url) as records, Records.look(url) as looking:
        for n in range(3):
            records.approvals.ask(request(call_id=f"c{n}"), NOW)
            assert looking.audit.list() == records.audit.list()
            assert looking.verify().rows == n + 1


def test_nothing_can_be_written(url: URL) -> None:
    Records.open(url).close()
    with Records.look(url) as looking:
        with pytest.raises(RecordsError, match=r"readonly|read-only"):
            looking.approvals.ask(request(), NOW)
        assert looking.audit.list() == []


def test_a_missing_file_is_told_and_not_made() -> None:
    with pytest.raises(RecordsError, match="there is no such file"):
        Records.look("sqlite:///folder/records.db")
    assert not Path("folder").exists()


def test_a_closed_file_stays_as_it_is_to_the_byte() -> None:
    file = Path("r%20 #?.db")
    with Records.open(URL.create("sqlite", database=str(file))) as records:
        records.approvals.ask(request(), NOW)
    file.chmod(0o640)
    before = file.read_bytes()
    with Records.look(URL.create("sqlite", database=str(file))) as looking:
        assert len(looking.audit.list()) == 1
    assert file.read_bytes() == before
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_database_without_records_is_told_and_stays_empty(new_urls: Callable[[], URL]) -> None:
    url = new_urls()
    if url.get_backend_name() == "sqlite":
        path = Path(str(url.database))
        path.parent.mkdir(parents=True)
        path.touch()
    for _ in range(2):
        with pytest.raises(RecordsError, match="There are no records in this database"):
            Records.look(url)


@pytest.mark.parametrize(
    ("version", "words"), [("0002", "of an older version: start"), ("9999", "newer version")]
)
def test_records_of_another_version_are_left_alone(
    new_urls: Callable[[], URL], version: str, words: str
) -> None:
    url = new_urls()
    with Records.open(url) as records, records.database.write() as connection:
        connection.execute(sql("UPDATE alembic_version SET version_num = :v"), {"v": version})
    for _ in range(2):
        with pytest.raises(RecordsError, match=words):
            Records.look(url)


def test_in_postgresql_three_tables_are_enough_for_the_audit(postgres: Postgres) -> None:
    """As docs/audit.md tells."""
    place = postgres.empty()
    with Records.open(place) as records:
        records.approvals.ask(request(), NOW)
    [grant] = re.findall(r"```sql\n(.*?)```", AUDIT, re.DOTALL)
    postgres.run("DROP ROLE IF EXISTS auditor")
    postgres.run(f"CREATE ROLE auditor LOGIN PASSWORD '{postgres.password}'")
    postgres.run(grant, str(place.database))
    with Records.look(place.set(username="auditor")) as looking:
        assert looking.verify().rows == 1
        assert len(list(looking.export())) == 1
        assert [row.kind for row in looking.audit.list()] == ["asked"]
        assert looking.stats(AuditFilter()).outcomes == {}
        with pytest.raises(RecordsError, match="permission denied"):
            looking.approvals.for_call("thread", "call")
