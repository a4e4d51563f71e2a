"""Why a query did not bring rows, in the user's language."""

from langchain_core.tools import ToolException

from tools.clients.http import BadAnswer, Forbidden, Invalid, ServerFault, SupersetError
from tools.connect import Call
from tools.messages import text
from tools.messages.markdown import escape
from tools.sql.refusal import Refused
from tools.toolsets.sql.base import Place


def refusal(error: Refused, call: Call) -> ToolException:
    """Why a text is not sent."""
    why = text(call.language, f"sql-refused-{error.reason}", found=escape(error.found))
    return ToolException(text(call.language, "sql-refused", why=why))


def closed(place: Place, call: Call) -> ToolException:
    """The database is not for queries of people."""
    return ToolException(text(call.language, "sql-closed", database=escape(place.database.name)))


def explained(error: SupersetError, place: Place, call: Call) -> Exception:
    """What a failed query is told as: the database's own words in a frame, or the error itself."""
    key = _key(error)
    if key is None:
        return error
    name, detail = escape(place.database.name), escape(_short(error.detail))
    return ToolException(text(call.language, key, database=name, detail=detail))


def _key(error: SupersetError) -> str | None:
    """The text for an error; None: it says nothing of the query."""
    if isinstance(error, Forbidden):
        return "sql-no-right"
    if isinstance(error, Invalid):
        return "sql-failed"
    if not isinstance(error, ServerFault) or isinstance(error, BadAnswer) or error.transient:
        return None
    if "SECURITY_ACCESS" in error.error_type:
        return "sql-no-access"
    if error.error_type == "DML_NOT_ALLOWED_ERROR":
        return "sql-dml"
    if "TIMEOUT" in error.error_type:
        return "sql-killed"
    # The words are in the language of the installation, the type is not.
    if error.error_type == "GENERIC_BACKEND_ERROR":
        return "sql-no-database"
    return "sql-failed"


def _short(words: str) -> str:
    """The error without what SQLAlchemy adds for programmers."""
    return words.split(" (Background on this error", 1)[0].split(" [SQL: ", 1)[0] or "-"
