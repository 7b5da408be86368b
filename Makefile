.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

PYTHON ?= python3
JOBS ?= 2
ARGS ?=
BIN := .venv/bin
STUBS := clients/python/ziggurat/v1/__init__.py
PROTOS := $(wildcard proto/ziggurat/v1 proto/ziggurat/v1/*.proto)
SHELL_SCRIPTS := .ci/run $(wildcard bots/*/*.sh clients/*/*.sh deploy/*.sh)
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help setup proto bots check lint types arch lint-proto lint-deploy format test golden soak chaos demo bench serve clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

setup: .venv/.stamp $(STUBS)  ## .venv with everything, and the stubs; every other target does it by itself

.venv/.stamp: pyproject.toml constraints.txt proto/build_hook.py
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is missing: install it, or name one with: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11: install a newer Python, or name one with: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "$(PYTHON) lacks venv or ensurepip: install them (Debian, Ubuntu: apt-get install python3-venv) and try again" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Setting up .venv: a minute or two, once"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' --constraint constraints.txt
	@touch $@

$(STUBS): .venv/.stamp $(PROTOS)
	@$(BIN)/python proto/build_hook.py

proto: .venv/.stamp  ## generate the Python stubs again
	$(BIN)/python proto/build_hook.py

bots: setup  ## set up the bots that are not Python
	bash bots/typescript/setup.sh

check: lint types arch lint-proto lint-deploy  ## every linter and the type checker

lint: setup  ## ruff, shellcheck
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/shellcheck $(SHELL_SCRIPTS)

types: setup  ## mypy --strict
	$(BIN)/mypy

arch: setup  ## who may import whom
	$(BIN)/lint-imports --no-logo

lint-proto: setup  ## buf lint, buf format
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code

lint-deploy: setup  ## Dockerfile, compose file, YAML
	$(BIN)/hadolint deploy/Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec deploy/compose.yaml
	$(BIN)/yamllint --strict buf.yaml deploy

format: setup  ## let ruff and buf write what they would complain about
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/buf format --write

test: setup bots  ## the whole suite but for `soak`; ARGS="-k granary" narrows it
	$(BIN)/pytest -q -n $(JOBS) --dist worksteal $(ARGS)

golden: setup  ## rewrite the golden playthroughs
	$(BIN)/pytest -q tests/golden --rewrite-golden $(ARGS)

soak: setup bots  ## the tests that run for minutes
	$(BIN)/pytest -q -m soak --timeout 3600 $(ARGS)

chaos: setup bots  ## the tests that kill processes and cut connections
	$(BIN)/pytest -q -m chaos $(ARGS)

demo: setup  ## a tournament of three bots at Flow, with its own server
	$(BIN)/ziggurat tournament run --game flow --seats 3 \
	  --bot random-1=random --bot random-2=random --bot greedy=greedy \
	  --games 24 --concurrency 8 --seed 1 \
	  --records .demo/records --data-dir .demo/data --json .demo/result.json $(ARGS)

bench: setup  ## measure; report in .bench/result.json
	@mkdir -p .bench
	$(BIN)/python -m tests.bench --work .bench --json .bench/result.json $(ARGS)

serve: setup  ## a server on this machine; ARGS go to `ziggurat serve`
	$(BIN)/ziggurat serve $(ARGS)

clean:  ## remove what make made, .venv too
	rm -rf .venv .demo .bench .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
	rm -rf clients/python/ziggurat/v1 bots/typescript/node_modules bots/typescript/dist
