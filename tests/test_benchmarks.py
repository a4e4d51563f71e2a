"""The frame of the benchmarks: medians, ratios, the report. No test asserts a time."""

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks import guardrails, results, run
from benchmarks.measure import Figure, Work, compare, figure, measure
from tools.context import check_context
from tools.records import Approval


def test_measure_counts_rounds_calls_and_a_warm_up() -> None:
    calls: list[int] = []
    assert measure(lambda: calls.append(1), rounds=3, calls=4) > 0
    assert len(calls) == 1 + 3 * 4


def test_compare_takes_turns() -> None:
    order: list[str] = []
    result = compare(lambda: order.append("a"), lambda: order.append("b"), rounds=2, calls=1)
    assert order == ["a", "b"] * 3
    assert all(value > 0 for value in result)


def test_a_key_ends_with_its_unit() -> None:
    assert figure("x", 0.0015, "ms", "words") == Figure("x_ms", 1.5, "ms", "words")


def test_the_report_has_one_key_a_figure_and_keeps_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def quick() -> list[Figure]:
        return [Figure("a_us", 1.23456, "us", "an a", 10), Figure("b_vs_c", 2, "ratio", "a b")]

    monkeypatch.setattr(run, "BENCHMARKS", (quick,))
    report = Path("report.json").absolute()
    report.write_text('{"old": 7, "a_us": 9}')
    assert run.main([], report) == 0
    assert json.loads(report.read_text()) == {"a_us": 1.235, "b_vs_c": 2.0, "old": 7}
    out = capsys.readouterr().out
    assert "1.23 us  an a (goal: 10 us)" in out
    assert "2.00 x   a b" in out


def once(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> list[tuple[Any, Any]]:
    """Let a module's contenders work once; gives what each pair returned."""
    done: list[tuple[Any, Any]] = []

    def compared(work: Work, peer: Work, **rounds: int) -> tuple[float, float, float]:
        done.append((work(), peer()))
        return 1.0, 1.0, 1.0

    monkeypatch.setattr(module, "compare", compared)
    return done


def test_results_and_their_peers_do_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    done = once(monkeypatch, results)
    figures = [figure for benchmark in results.BENCHMARKS for figure in benchmark()]
    assert [figure.key for figure in figures if figure.unit == "ratio"] == [
        "shorten_100kb_vs_json",
        "shorten_8mb_vs_json",
        "result_page_vs_slice",
        "search_paging_vs_slice",
    ]
    assert {figure.key: figure.goal for figure in figures}["shorten_100kb_ms"] == 5
    small, big, page, search = done
    for (shortened, written), size in ((small, 100_000), (big, 8_000_000)):
        assert len(str(shortened)) <= 4000
        assert size * 0.9 < len(str(written).encode()) < size * 1.1
    assert json.loads(str(page[0]))["items"] == json.loads(str(page[1]))
    assert search[0] == [n for n in range(262) if n % 3]


def test_the_longest_context_is_a_good_one(monkeypatch: pytest.MonkeyPatch) -> None:
    done = once(monkeypatch, guardrails)
    assert [figure.goal for figure in guardrails.context() if figure.unit == "us"] == [20, 20]
    assert [problems for problems, _ in done] == [[], []]
    longest: dict[str, Any] = done[1][1]
    assert 9_000 < len(json.dumps(longest)) < 10_000
    longest["ui"]["objectName"] += "x"
    assert check_context(longest, guardrails.SETTINGS.environments)


def test_a_transition_is_one_step_and_its_peer_writes_as_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = once(monkeypatch, guardrails)
    _, ratio = guardrails.transition()
    [(row, _)] = done
    assert isinstance(row, Approval)
    assert row.state == "approved"
    size = int(re.findall(r"\d+", ratio.what)[0])
    assert size > 4 * len(json.dumps(row.arguments, ensure_ascii=False))


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run.main(["nothing"], Path("report.json"))
    assert (
        "there are judgement, context, canonical, ledger, transition, turns"
        in capsys.readouterr().err
    )


def test_the_committed_report_has_a_figure_of_every_benchmark() -> None:
    report = json.loads(run.REPORT.read_text(encoding="utf-8"))
    promised = {"policy_decision_us", "context_page_us", "context_longest_us"}
    promised |= {"canonical_digest_us", "ledger_transition_ms", "ledger_transition_vs_sqlite"}
    promised |= {"canonical_digest_vs_json", "ledger_life_vs_sqlite"}
    promised |= {"turn_vs_create_agent_memory", "turn_with_records_vs_create_agent_memory"}
    assert promised <= set(report)
    assert all(isinstance(value, float) for value in report.values())
