import pytest
from langchain_core.tools import ToolException

from tools.clients import http
from tools.clients.http import SupersetError
from tools.judgement import explain


def kinds(base: type[SupersetError] = SupersetError) -> list[type[SupersetError]]:
    found = [base]
    for kind in base.__subclasses__():
        found += kinds(kind)
    return found


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_every_fault_of_superset_has_words(kind, language):
    words = explain(kind("the detail"), language)
    assert "the detail" in words
    assert ("а" in words.casefold()) == (language == "ru")


def test_other_faults_tell_no_more_than_their_kind():
    assert "secret" not in explain(RuntimeError("secret"), "en")
    assert explain(ToolException("as it is"), "en") == "as it is"
    assert "time" in explain(TimeoutError(), "en").casefold()
    assert http.SupersetError in kinds()
