# Two commands bring a machine with Python and make from nothing to a running page or a tested tree:
#   make demo    make test
# Both use one virtual environment, .venv, and install only what its stamp files say is missing.

PYTHON ?= python3
VENV ?= .venv
DEMO ?=
TESTS ?= tests
UV ?= uv

BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed
BENCH := $(VENV)/.bench-installed
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help demo install test lint types imports tests format requirements bench bench-board clean

help:
	@echo "make demo      install into $(VENV) and open the page: photo counting, a live table (DEMO='--port 8080' for options)"
	@echo "make install   install into $(VENV); the command is then $(BIN)/remi"
	@echo "make test      install the development tools too, then lint, types, import contract and tests"
	@echo "make tests     only the tests (TESTS='tests/engine -k run')"
	@echo "make format    format the code and mend what ruff can mend"
	@echo "make bench     measure the reading speed and the referee on this machine"
	@echo "make bench-board   measure the board's answer to a press in a simulator"
	@echo "make requirements   pin the requirements anew (needs uv)"
	@echo "make clean     remove $(VENV) and the caches"

demo: $(RUNTIME)
	$(BIN)/remi demo $(DEMO)

install: $(RUNTIME)

test: lint types imports tests

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV)
	$(BIN)/mypy

imports: $(DEV)
	$(BIN)/lint-imports

tests: $(DEV)
	$(BIN)/python -m pytest $(TESTS)

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BENCH)
	$(BIN)/python -m benchmarks.read_speed
	$(BIN)/python -m pytest benchmarks/test_engine_speed.py --benchmark-only -s

bench-board: $(DEV)
	$(BIN)/python -m benchmarks.board_latency

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || \
	  { echo "Remi Companion needs Python 3.11, 3.12 or 3.13; $(PYTHON) is another, or missing. Name one: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Everything is checked against its hash, the build tool of the editable installation included.
$(RUNTIME): requirements/runtime.txt pyproject.toml | $(BIN)/python
	@echo "Installing Remi Companion into $(VENV) ..."
	$(PIP) install --require-hashes --requirement requirements/runtime.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): requirements/dev.txt $(RUNTIME)
	@echo "Installing the development tools into $(VENV) ..."
	$(PIP) install --require-hashes --requirement requirements/dev.txt
	@touch $@

$(BENCH): $(RUNTIME)
	$(PIP) install --no-build-isolation --editable ".[bench]"
	@touch $@

# Universal pins for Python 3.11 to 3.13 on every platform, with hashes and without registry addresses.
COMPILE := $(UV) pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-emit-find-links --no-annotate --no-header --quiet

requirements:
	$(COMPILE) --group dev --output-file requirements/dev.txt
	$(COMPILE) --group build --constraint requirements/dev.txt --output-file requirements/runtime.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .grimp_cache build dist
