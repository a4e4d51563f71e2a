"""The demo: two real Superset installations and the LangGraph server, for people and tests.

`demo.supersets` is the part that tests use; `python -m demo up|down|status` is what people run.
Everything that prepares the installations needs nothing but the standard library.
"""
