# Targets a person uses; each says how long its parts took. PYTHON=python3.12 make setup picks one.
.DEFAULT_GOAL := help
.PHONY: help setup demo demo-stop serve lint test bench prove lock contract readme

BIN := .venv/bin
STEP := sh scripts/step.sh

# All tests run in two processes, a file in one of them; each has Supersets of its own.
BESIDE := --numprocesses=2 --dist=loadfile

export LANGGRAPH_STRICT_MSGPACK := true
export LANGGRAPH_CLI_NO_ANALYTICS := 1
export LANGGRAPH_NO_VERSION_CHECK := true

help:  ## Show the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

setup:  ## Make .venv from the lock; no time when up to date
	@$(STEP) setup sh scripts/setup.sh

demo: setup  ## Two real Supersets and the server, with tokens and a first command
	@$(BIN)/python -m demo up

demo-stop:  ## Stop what `make demo` started
	@if [ -x $(BIN)/python ]; then $(BIN)/python -m demo down; else echo "demo: nothing runs"; fi

serve: setup  ## The server in the foreground, with your own pilothouse.toml and .env
	@sh scripts/serve.sh

lint: setup  ## Style, format, types, import contracts; all of them run
	@status=0; \
	$(STEP) "ruff check" $(BIN)/ruff check --quiet . || status=1; \
	$(STEP) "ruff format" $(BIN)/ruff format --quiet --check . || status=1; \
	$(STEP) mypy $(BIN)/mypy || status=1; \
	$(STEP) "import contracts" $(BIN)/lint-imports --no-logo || status=1; \
	exit $$status

test: lint  ## Everything: lint, the server's configuration, all tests. PYTEST="-k words" narrows
	@$(STEP) "langgraph validate" $(BIN)/langgraph validate
	@$(STEP) "langgraph dockerfile" $(BIN)/python scripts/image.py
	@$(STEP) "import check" $(BIN)/python scripts/check_imports.py
	@$(STEP) "test tools" sh scripts/test_tools.sh
	@$(STEP) tests $(BIN)/python -m pytest $(if $(PYTEST),$(PYTEST),$(BESIDE))

bench: setup  ## Measure: times and ratios, written to benchmarks/report.json
	@$(BIN)/python -m benchmarks.run $(BENCH)

prove: setup  ## The long proofs; a short form of each is in `test`
	@$(STEP) proofs $(BIN)/python -m pytest -m prove --long --timeout=3600 $(PYTEST)

lock: setup  ## Pin pyproject.toml's dependencies again; UPGRADE=--upgrade takes the newest
	@$(BIN)/uv pip compile --quiet --generate-hashes --no-emit-index-url --universal \
	    --python-version 3.11 --group dev --custom-compile-command "make lock" $(UPGRADE) \
	    -o requirements.lock pyproject.toml

contract: setup  ## Rewrite the committed snapshot of the tools' contract
	@$(BIN)/python scripts/contract.py

readme: setup  ## Rewrite the generated parts of README.md
	@$(BIN)/python scripts/readme.py
