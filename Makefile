# Every target does its own set-up: `make demo` and `make test` work on a machine that has Python 3.11 (or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
UV := $(shell command -v uv 2>/dev/null)

.PHONY: help setup demo test check vectors bench eval e2e e2e-harness e2e-rest adapters clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    the founding story on a demo vault, in English and Japanese"
	@echo "make test    all tests that need nothing installed beyond the project"
	@echo "make check   format, lint, types, floors"
	@echo "make vectors given/expected cases, a line each"
	@echo "make bench   speed, as ratios to a reference point in the same run"
	@echo "make eval    quality: dates, captures, Japanese queries, LoCoMo"
	@echo "make e2e     what needs more: the full wheel install, 200 kills, 10,000 prompts from 16 clients"
	@echo "make e2e-harness  six real coding agents from npm (1.4 GB) against a model on the loopback"
	@echo "make e2e-rest  four real clients of the Local REST API (PyPI, npm) against vaultkit serve"
	@echo "make adapters  generate the shipped plugins and copies of the skills anew"
	@echo "make clean   remove .venv, caches and the demo vault"

setup: $(STAMP)

$(STAMP): pyproject.toml
ifneq ($(UV),)
	$(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
	$(UV) pip install --quiet --python $(BIN)/python -e '.[dev,embed,mcp]'
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,embed,mcp]'
endif
	@touch $(STAMP)

demo: setup
	$(BIN)/python tools/demo.py

test: setup
	$(BIN)/python -m pytest -q -n 2

vectors: setup
	$(BIN)/python -m pytest -q -s tests/vectors

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python tools/bench.py

eval: setup
	$(BIN)/python tools/evaluate.py

e2e: setup
	VAULTKIT_KILLS=200 $(BIN)/python -m pytest -q tests/e2e tests/system/test_kill.py tests/system/test_dream.py
	$(BIN)/python tools/soak.py

adapters: setup
	$(BIN)/python tools/build_adapters.py

e2e-harness: setup
	$(BIN)/python tools/e2e_harness.py

e2e-rest: setup
	$(BIN)/python -m pytest -q tests/e2e/test_rest_clients.py

clean:
	rm -rf $(VENV) .e2e demo-vault .bench dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
