# Everything lives in .venv and build/; stamps in .venv keep anything from being done twice.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
ifndef SIDE_BY_SIDE
.NOTPARALLEL:
endif
.PHONY: help play web frontend test quick docs bench ladder soak lint format clean
.PHONY: toolchain ruff mypy imports clang-format freestanding sanitize two-worlds page site chromium pytest doctest
SHELL := /bin/bash

PYTHON ?= python3
WORKERS ?= 2
TESTS ?= $(wildcard tests/unit/test_rules_*.py tests/unit/test_rulebook.py tests/unit/test_state.py tests/unit/test_table.py \
	tests/unit/test_record.py tests/unit/test_batch.py tests/docs/test_undocumented.py)
DRIVER_ROUNDS ?= 100000
WORLD_PAIRS ?= 100000
ifeq ($(origin CXX),default)
CXX = $(firstword $(foreach name,c++ g++ clang++,$(shell command -v $(name))))
endif

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
CMAKE = $(firstword $(wildcard $(BIN)/cmake) cmake)
NODE_TOOLS := frontend/node_modules/.package-lock.json
PYTHON_CODE = $(wildcard src tests benchmarks examples docs/hooks docs/images docs/reference/make_cli.py)
CORE_CODE = $(shell find core -name '*.hpp' -o -name '*.cpp')
INSTALLED_FROM := $(shell find core src \( -name tests -o -name __pycache__ \) -prune -o \
	\( -type d -o -type f \) ! -name _core.pyi ! -name '.*' -print 2>/dev/null)
# Newer kernels randomize more of the address space than older thread sanitizers can map.
WITHOUT_ASLR = $(shell setarch -R true 2>/dev/null && echo setarch -R)

# The bit tricks have a portable body and one for chips with BMI2; both have to compile.
WITH_BMI2 = $(shell $(CXX) -march=x86-64-v3 -fsyntax-only -x c++ /dev/null 2>/dev/null && echo -march=x86-64-v3)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: .venv/.installed ## Play a game in the terminal
	@$(BIN)/lastcard play

web: .venv/.web ## Play in a browser
	@$(BIN)/lastcard serve

frontend: $(NODE_TOOLS) ## Rebuild the web page in src/lastcard/web/static (needs Node)
	@echo "== frontend"
	@cd frontend && npm run --silent format && npm run --silent build

# What waits for a network or needs one core goes side by side; the tests take all there are.
test: toolchain ## Check everything, as the continuous integration does
	@$(MAKE) --no-print-directory SIDE_BY_SIDE=1 -j 2 --output-sync=target lint sanitize two-worlds freestanding page site
	@$(MAKE) --no-print-directory pytest
	@$(MAKE) --no-print-directory doctest
	@echo "== all passed"

quick: .venv/.dev ruff ## Check style and the engine's unit tests, in under a minute; TESTS=... for others
	@echo "== pytest $(firstword $(TESTS)) ..."
	@$(BIN)/pytest -q -n $(WORKERS) $(TESTS)

docs: .venv/.dev ## Put the committed results into the pages and build the site, into build/site
	@$(BIN)/python -m benchmarks.pages
	@$(BIN)/python docs/images/make_figures.py
	@$(MAKE) --no-print-directory site
	@echo "open build/site/index.html"

bench: .venv/.dev ## Measure the speed of the engine
	@$(BIN)/python -m benchmarks.speed

ladder: .venv/.dev ## Play the standing tournament and make its page anew (20 minutes)
	@$(BIN)/python -m benchmarks.strength.ladder --jobs $(WORKERS) $(if $(LADDER_GAMES),--rounds $(LADDER_GAMES))

soak: .venv/.dev ## Run the long counts: invariants, agreement with the rulebook (an hour)
	@$(BIN)/python -m tests.soak

lint: ruff mypy imports clang-format ## Check style, types and imports

format: .venv/.dev ## Rewrite Python and C++ sources in the house style
	@echo "== ruff, clang-format"
	@$(BIN)/ruff check -q --fix-only $(PYTHON_CODE)
	@$(BIN)/ruff format -q $(PYTHON_CODE)
	@$(BIN)/clang-format -i $(CORE_CODE)

clean: ## Remove everything that was built or installed
	@rm -rf .venv build dist src/lastcard/_core.pyi .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the steps of `make test`

ruff: .venv/.dev
	@echo "== ruff"
	@$(BIN)/ruff check -q $(PYTHON_CODE)
	@$(BIN)/ruff format -q --check $(PYTHON_CODE)

mypy: .venv/.dev
	@echo "== mypy"
	@$(BIN)/mypy --strict --no-error-summary $(PYTHON_CODE)

imports: .venv/.dev
	@echo "== lint-imports"
	@log=$$($(BIN)/lint-imports 2>&1) || { echo "$$log"; exit 1; }

clang-format: .venv/.dev
	@echo "== clang-format"
	@$(BIN)/clang-format --dry-run -Werror $(CORE_CODE)

# The rules must compile without any standard library, as they do for a GPU.
freestanding: toolchain
	@echo "== freestanding core"
	@for chip in "" $(WITH_BMI2); do \
		$(CXX) -std=c++20 -ffreestanding -nostdinc -nostdinc++ -fno-exceptions -fno-rtti -Wall -Wextra -Werror \
			$$chip -fsyntax-only -Icore core/tests/freestanding.cpp || exit 1; \
	done

# One of the two is built without BMI2, so that both bodies of the bit tricks are run. Side by side: each is one long thread.
sanitize: .venv/.tools
	@echo "== sanitizers: address,undefined and thread ($(DRIVER_ROUNDS) rounds)"
	@check() { \
		dir=build/sanitize-$${1%%,*}; mkdir -p $$dir; \
		{ CXX="$(CXX)" $(CMAKE) -S . -B $$dir -DLASTCARD_DRIVER=ON -DLASTCARD_WERROR=ON -DLASTCARD_SANITIZE=$$1 \
			-DLASTCARD_PORTABLE=$$2 && $(CMAKE) --build $$dir --target sanitize_driver; } \
			> $$dir/log 2>&1 || { cat $$dir/log; return 1; }; \
		$(WITHOUT_ASLR) $$dir/sanitize_driver $(DRIVER_ROUNDS); \
	}; \
	check address,undefined OFF & address=$$!; \
	check thread ON; thread=$$?; \
	wait $$address && exit $$thread

# Does an observer notice when only what it cannot know is different? And are planted leaks caught?
two-worlds: .venv/.tools
	@echo "== two worlds ($(WORLD_PAIRS) pairs)"
	@dir=build/programs; mkdir -p $$dir; \
	{ CXX="$(CXX)" $(CMAKE) -S . -B $$dir -DLASTCARD_DRIVER=ON -DLASTCARD_WERROR=ON && $(CMAKE) --build $$dir --target two_worlds; } \
		> $$dir/log 2>&1 || { cat $$dir/log; exit 1; }; \
	$$dir/two_worlds $(WORLD_PAIRS)

# Does the committed page come from its sources? Files are named after what they hold, so a rebuild is the same to the byte.
page: $(NODE_TOOLS)
	@echo "== frontend: style, types, bundle"
	@cd frontend && for step in lint check "build -- --outDir ../build/page"; do \
		log=$$(npm run --silent $$step 2>&1) || { echo "$$log" >&2; exit 1; }; \
	done
	@diff -rq build/page src/lastcard/web/static \
		|| { echo "src/lastcard/web/static is not what frontend/ makes: run make frontend" >&2; exit 1; }

# Warnings are errors: a dead link or anchor, a page that nobody can find, something loaded from another host.
site: .venv/.dev
	@echo "== documentation site"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q --strict

pytest: .venv/.dev chromium $(NODE_TOOLS)
	@echo "== pytest"
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal

# The doctests of the installed package, not of src/: only there is the compiled core next to them.
doctest: .venv/.dev
	@echo "== doctests of lastcard, README.md and docs/"
	@$(BIN)/pytest -q --doctest-modules --doctest-glob='*.md' --pyargs lastcard $(wildcard README.md docs)

# --- the environment

# What pip cannot bring: installed where we may (root on Debian), otherwise named in one line.
define install_missing
if [ -n "$$missing" ]; then \
		if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
			echo "lastcard needs these first, by their Debian names$(1):$$missing" >&2; exit 1; \
		fi; \
		echo "== apt-get install$$missing"; \
		export DEBIAN_FRONTEND=noninteractive; \
		log=$$( { apt-get -qq update; apt-get -qq install -y --no-install-recommends $$missing; } 2>&1 ) \
			|| { echo "$$log" >&2; exit 1; }; \
	fi
endef

toolchain:
	@missing=; \
	command -v c++ g++ clang++ >/dev/null || missing="$$missing g++"; \
	if [ ! -e .venv/.created ]; then \
		if [ $(PYTHON) = python3 ] && ! command -v python3 >/dev/null; then \
			missing="$$missing python3 python3-venv python3-dev"; \
		elif ! $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "lastcard needs Python 3.11 or newer, which $(PYTHON) is not: try make PYTHON=/path/to/python3.11" >&2; \
			exit 1; \
		else \
			$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || missing="$$missing python3-venv"; \
			$(PYTHON) -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null \
				|| missing="$$missing python3-dev"; \
		fi; \
	fi; \
	$(call install_missing, (any C++20 compiler will do))

# The page is built with Node and tested in a browser; who only plays needs neither.
$(NODE_TOOLS): frontend/package-lock.json | toolchain
	@missing=; command -v npm >/dev/null || missing=" nodejs npm"; $(call install_missing)
	@echo "== npm ci"
	@cd frontend && log=$$(npm ci --no-audit --no-fund 2>&1) || { echo "$$log" >&2; exit 1; }
	@touch $@

chromium: | $(NODE_TOOLS)
	@missing=; command -v chromium >/dev/null || missing=" chromium"; $(call install_missing)

.venv/.created: | toolchain
	@echo "== virtual environment"
	@$(PYTHON) -m venv --clear .venv
	@touch $@

# The build tools stay in .venv, so that a rebuild compiles only what changed.
.venv/.tools: .venv/.created pyproject.toml
	@echo "== build tools"
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
		> .venv/requires.txt
	@$(PIP) install -r .venv/requires.txt
	@$(BIN)/python -m scikit_build_core.build requires --mode wheel > .venv/requires.json
	@$(BIN)/python -c 'import json; print(*json.load(open(".venv/requires.json")), sep="\n")' > .venv/requires.txt
	@$(PIP) install -r .venv/requires.txt
	@touch $@

.venv/.installed: .venv/.tools pyproject.toml CMakeLists.txt $(INSTALLED_FROM) | toolchain
	@echo "== build and install lastcard"
	@$(PIP) install --no-build-isolation -C cmake.define.LASTCARD_WERROR=ON .
	@cp $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')/lastcard/_core.pyi src/lastcard/
	@touch $@

.venv/.web: pyproject.toml | .venv/.installed
	@echo "== what the web table needs"
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["web"], sep="\n")' \
		> .venv/requires.txt
	@$(PIP) install -r .venv/requires.txt
	@touch $@

.venv/.dev: pyproject.toml | .venv/.installed
	@echo "== development tools"
	@$(PIP) install --no-build-isolation -C cmake.define.LASTCARD_WERROR=ON '.[dev]'
	@touch $@

# --- wheels

.PHONY: wheels
# `make wheels PYTHON=python3.13` in a clean clone builds for another Python. The build folder is not the one of
# `make play`, which compiles only the code path of this CPU.
wheels: .venv/.wheels ## Build the sdist and a wheel for other machines into dist/, and test the wheel
	@echo "== sdist and wheel"
	@rm -rf build/raw dist && mkdir -p build/wheels
	@{ $(BIN)/python -m build --sdist --no-isolation --outdir dist . \
		&& $(BIN)/python -m build --wheel --no-isolation --outdir build/raw -C build-dir=build/wheels \
			-C cmake.define.LASTCARD_WHEEL=ON -C cmake.define.LASTCARD_WERROR=ON . ; } > build/wheels/log 2>&1 \
		|| { cat build/wheels/log >&2; exit 1; }
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m auditwheel repair --wheel-dir dist build/raw/*.whl > build/wheels/log 2>&1 \
		|| { cat build/wheels/log >&2; exit 1; }
	@ls -l dist | awk 'NR > 1 { printf "%s %.2f MB\n", $$NF, $$5 / 1e6 }'
	@echo "== the wheel in an empty environment"
	@LASTCARD_WHEEL=$$(echo dist/*.whl) $(BIN)/python -m pytest -q tests/wheel

.venv/.wheels: pyproject.toml | .venv/.tools
	@echo "== tools for wheels"
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["wheels"], sep="\n")' \
		> .venv/requires-wheels.txt
	@$(PIP) install -r .venv/requires-wheels.txt
	@touch $@
