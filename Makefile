# Everything lives in .venv and build/; stamps in .venv keep anything from being done twice.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
ifndef SIDE_BY_SIDE
.NOTPARALLEL:
endif
.PHONY: help play web frontend wasm quick test test-all docs bench ladder soak fresh wheels lint format clean
.PHONY: toolchain ruff mypy imports clang-format freestanding sanitize two-worlds page site npm programs pytest doctest counts wasm-package
SHELL := /bin/bash
# Node is there where the machine has none. A game is played with the path of who plays, as what it prints is typed there.
PLAYERS_PATH := $(PATH)
export PATH := $(PATH):$(CURDIR)/.venv/bin
# pip leaves it to Python to compile packages when they are first imported; with this set, every process would do it again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
WORKERS ?= 2
TESTS ?= $(wildcard tests/unit/test_rules_*.py tests/unit/test_rulebook.py tests/unit/test_state.py tests/unit/test_table.py \
	tests/unit/test_record.py tests/unit/test_batch.py tests/docs/test_undocumented.py)
# A tenth of the counts of `make test-all`.
DRIVER_ROUNDS ?= 10000
SANITIZERS ?= address,undefined
# The sanitizers see rounds, and the official game of two players compiled for itself; `make test-all` adds that of four,
# searches, which take a minute to compile, and spoiled records.
SEARCH_ROUNDS ?= 0
RECORDS ?= 100
COMPILED_PLAYERS ?= 2
WORLD_PAIRS ?= 3000
# A newer compiler than ours may warn of more; that must not keep anybody from playing.
WERROR ?= $(if $(CI),ON,OFF)
ifeq ($(origin CXX),default)
CXX = $(firstword $(foreach name,c++ g++ clang++,$(shell command -v $(name))))
endif

BIN := .venv/bin
CMAKE = $(firstword $(wildcard $(BIN)/cmake) cmake)
NODE_TOOLS := frontend/node_modules/.package-lock.json
PYTHON_CODE = $(wildcard src tests tools wasm benchmarks examples docs/hooks docs/images docs/reference/make_cli.py)
CORE_CODE = $(shell find core -name '*.hpp' -o -name '*.cpp')
INSTALLED_FROM := $(shell find core src \( -name tests -o -name __pycache__ \) -prune -o \
	\( -type d -o -type f \) ! -name _core.pyi ! -name _configs.py ! -name '.*' -print 2>/dev/null)
# Nothing is built on a virtual environment that was made elsewhere or halfway.
REMOVED := $(shell tools/setup stale "$(PYTHON)")
# Newer kernels randomize more of the address space than older thread sanitizers can map.
WITHOUT_ASLR = $(shell setarch -R true 2>/dev/null && echo setarch -R)

# The bit tricks have a portable body and one for chips with BMI2; both have to compile.
WITH_BMI2 = $(shell $(CXX) -march=x86-64-v3 -fsyntax-only -x c++ /dev/null 2>/dev/null && echo -march=x86-64-v3)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: .venv/.installed ## Play a game in the terminal
	@PATH="$(PLAYERS_PATH)" $(BIN)/lastcard play

web: .venv/.web ## Play in a browser
	@$(MAKE) --no-print-directory .venv/.engine \
		|| echo "The engine for browsers could not be built: games are played on the server only." >&2
	@PATH="$(PLAYERS_PATH)" $(BIN)/lastcard serve

frontend: .venv/.web $(NODE_TOOLS) ## Rebuild the web page in src/lastcard/web/static (needs Node)
	@echo "== frontend"
	@$(BIN)/python tools/contract.py
	@cd frontend && npm run --silent format && npm run --silent build

wasm: build/wasm/lastcard.wasm ## Build the core for browsers and Node in build/wasm/lastcard.wasm

quick: .venv/.quick ruff imports clang-format ## Check style and the engine in under a minute; CHANGED=1 tests the files changed since main
ifdef CHANGED
	@$(BIN)/python -m tests.changed
else
	@echo "== pytest $(firstword $(TESTS)) ..."
	@$(BIN)/pytest -q -n $(WORKERS) $(TESTS)
endif

# What only computes fills the pauses of the rest: installing waits for the network, tests of browsers, servers and kills
# for each other. $(1): targets, $(2): name of the log, $(3): priority. Each is a group of processes, which ends as one.
in-background = set -m; nice -n $(3) $(MAKE) --no-print-directory $(1) > build/$(2).log 2>&1 & set +m; running="$$running $$!:$(2)"
side-by-side = $(MAKE) --no-print-directory SIDE_BY_SIDE=1 -j 2 --output-sync=target

test: toolchain ## Check everything, with a small part of the counts
	@mkdir -p build; running=; \
	stop() { for job in $$running; do kill -- -$${job%:*} 2>/dev/null; done; exit 1; }; trap stop HUP INT TERM; \
	finish() { \
		for job in $$running; do \
			[ $${job#*:} != $$1 ] || wait $${job%:*} || { cat build/$$1.log >&2; stop; }; \
		done; \
		cat build/$$1.log; \
	}; \
	$(call in-background,programs,installed,0); \
	$(MAKE) --no-print-directory .venv/.wasm || stop; \
	$(call in-background,wasm,wasm-module,5); \
	$(call in-background,freestanding sanitize two-worlds,programs,19); \
	$(side-by-side) .venv/.dev npm AFTER=.venv/.dev || stop; \
	finish installed; finish wasm-module; \
	$(side-by-side) wasm-package ruff imports clang-format site || stop; \
	$(call in-background,mypy page,types,19); \
	$(MAKE) --no-print-directory pytest || stop; \
	$(MAKE) --no-print-directory doctest || stop; \
	finish programs; finish types
	@echo "== all passed"

test-all: test counts wheels ## Check everything, with all of the counts, and a wheel

# What `make test-all` adds to `make test`.
counts: .venv/.dev programs site
	@$(MAKE) --no-print-directory SIDE_BY_SIDE=1 -j 2 --output-sync=target sanitize two-worlds \
		SANITIZERS="address,undefined thread" COMPILED_PLAYERS=4 DRIVER_ROUNDS=100000 SEARCH_ROUNDS=11 WORLD_PAIRS=100000
	@echo "== pytest of the slow tests, with all of their counts"
	@LASTCARD_COUNTS=all $(BIN)/pytest -q -n $(WORKERS) --dist worksteal -m "slow or long"
	@echo "== all counts passed"

fresh: ## Run the README's commands on a bare Debian (as root), or in a clean clone with an empty home (half an hour)
	@tools/fresh $(PARTS)

docs: .venv/.docs ## Copy the committed results into the pages and build the site in build/site
	@$(BIN)/python -m benchmarks.pages
	@$(BIN)/python -m docs.images.make_figures
	$(build-site)
	@echo "open build/site/index.html"
	@[ -e build/wasm/lastcard.wasm ] || echo "make site also builds the engine of the live boards, which show fixed tables without it"

bench: .venv/.dev ## Measure the speed of the engine
	@$(BIN)/python -m benchmarks.speed

ladder: ## Play the matches of the ladder that have no result yet (all of them take 40 minutes)
	@$(MAKE) --no-print-directory matches ONLY=ladder

matches: .venv/.dev ## Play the matches that have no result yet, and copy the results into the pages (all of them take hours)
	@$(BIN)/python -m benchmarks.matches --jobs $(WORKERS) --only "$(ONLY)" $(if $(ROUNDS),--rounds $(ROUNDS))
	@$(BIN)/python -m benchmarks.pages

soak: .venv/.dev ## Run the long counts: invariants, agreement with the rulebook (an hour)
	@$(BIN)/python -m tests.soak

lint: ruff mypy imports clang-format ## Check style, types and imports

format: .venv/.quick ## Format the Python and C++ sources
	@echo "== ruff, clang-format"
	@$(BIN)/ruff check -q --fix-only $(PYTHON_CODE)
	@$(BIN)/ruff format -q $(PYTHON_CODE)
	@$(BIN)/clang-format -i $(CORE_CODE)

clean: ## Remove everything that was built or installed
	@rm -rf .venv build dist src/lastcard/_core.pyi src/lastcard/_configs.py .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the steps of `make test`

ruff: .venv/.quick
	@echo "== ruff"
	@$(BIN)/ruff check -q $(PYTHON_CODE)
	@$(BIN)/ruff format -q --check $(PYTHON_CODE)

mypy: .venv/.dev
	@echo "== mypy"
	@$(BIN)/mypy --strict --no-error-summary $(PYTHON_CODE)

imports: .venv/.quick
	@echo "== lint-imports"
	@log=$$($(BIN)/lint-imports 2>&1) || { echo "$$log"; exit 1; }

clang-format: .venv/.quick
	@echo "== clang-format"
	@$(BIN)/clang-format --dry-run -Werror $(CORE_CODE)

# The rules must compile without any standard library, as they do for a GPU.
freestanding: toolchain
	@echo "== freestanding core"
	@for chip in "" $(WITH_BMI2); do \
		$(CXX) -std=c++20 -ffreestanding -nostdinc -nostdinc++ -fno-exceptions -fno-rtti -Wall -Wextra -Werror \
			$$chip -fsyntax-only -Icore core/tests/freestanding.cpp || exit 1; \
	done

# The thread sanitizer's is built without BMI2, so that both bodies of the bit tricks are run. Side by side: each is one long
# thread. `make test` leaves it to `make test-all`, since building it takes a minute and a half.
sanitize: .venv/.tools
	@echo "== sanitizers: $(SANITIZERS) ($(DRIVER_ROUNDS) rounds, $(SEARCH_ROUNDS) of searches)"
	@check() { \
		dir=build/sanitize-$${1%%,*}; mkdir -p $$dir; \
		{ CXX="$(CXX)" $(CMAKE) -S . -B $$dir -DLASTCARD_DRIVER=ON -DLASTCARD_WERROR=ON -DLASTCARD_SANITIZE=$$1 \
			-DLASTCARD_PORTABLE=$$2 -DLASTCARD_COMPILED_PLAYERS=$(COMPILED_PLAYERS) \
			&& $(CMAKE) --build $$dir --target sanitize_rounds $(if $(filter-out 0,$(SEARCH_ROUNDS)),sanitize_searches sanitize_records); } \
			> $$dir/log 2>&1 || { cat $$dir/log; return 1; }; \
		$(WITHOUT_ASLR) $$dir/sanitize_rounds $(DRIVER_ROUNDS) || return 1; \
		[ $(SEARCH_ROUNDS) = 0 ] && return; \
		$(WITHOUT_ASLR) $$dir/sanitize_searches $(SEARCH_ROUNDS) && $(WITHOUT_ASLR) $$dir/sanitize_records $(RECORDS); \
	}; \
	running=; \
	for name in $(SANITIZERS); do \
		portable=OFF; [ $$name != thread ] || portable=ON; \
		check $$name $$portable & running="$$running $$!"; \
	done; \
	for job in $$running; do wait $$job || exit 1; done

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
	@frontend/node_modules/.bin/tsc -p docs/boards
	@cd frontend && for step in lint check "build -- --outDir ../build/page"; do \
		log=$$(npm run --silent $$step 2>&1) || { echo "$$log" >&2; exit 1; }; \
	done
	@diff -rq build/page src/lastcard/web/static \
		|| { echo "src/lastcard/web/static is not what frontend/ makes: run make frontend" >&2; exit 1; }

# Warnings are errors: a dead link or anchor, a page that nobody can find, something loaded from another host.
define build-site
	@echo "== documentation site"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q --strict
endef

# With the engine of the live boards, which takes a minute to compile; `make docs` uses the one that is there, if any.
site: .venv/.docs build/wasm/lastcard.wasm
	$(build-site)

# One more than cores: tests of browsers, servers and kills spend half of their time waiting. Slow tests run with a
# thirtieth of their counts; those of browsers have no counts, and are left to `make test-all`.
pytest: .venv/.dev .venv/.engine programs $(NODE_TOOLS)
	@echo "== pytest"
	@$(BIN)/pytest -q -n $$(($(WORKERS) + 1)) --dist worksteal -m "not wheel and not long and not (slow and browser)"

# The doctests of the installed package, not of src/: only there is the compiled core next to them.
doctest: .venv/.dev
	@echo "== doctests of lastcard, README.md and docs/"
	@$(BIN)/pytest -q -n $(WORKERS) --doctest-modules --doctest-glob='*.md' --pyargs lastcard $(wildcard README.md docs)

# --- WebAssembly

build/wasm/tables.hpp: wasm/make_tables.py .venv/.installed
	@$(BIN)/python wasm/make_tables.py $@

build/wasm/lastcard.wasm: $(CORE_CODE) build/wasm/tables.hpp wasm/make_engine.py | .venv/.wasm
	@echo "== core as WebAssembly (about a minute the first time)"
	@$(BIN)/python -m wasm.make_engine $@

# Where the server looks for it; a wheel has it there, too.
.venv/.engine: build/wasm/lastcard.wasm .venv/.installed
	@to=$$($(BIN)/python -c 'from importlib.util import find_spec; print(find_spec("lastcard.web").submodule_search_locations[0])')/engine \
		&& mkdir -p "$$to" && cp build/wasm/lastcard.wasm "$$to/" && touch $@

# What `npm pack` in wasm/ packs: `npm pack` itself calls this.
wasm-package: build/wasm/lastcard.wasm $(NODE_TOOLS)
	@echo "== npm package: types"
	@cp build/wasm/lastcard.wasm LICENSE wasm/
	@frontend/node_modules/.bin/tsc -p wasm

# --- the environment: tools/setup does each step, and says what is wrong where one fails

toolchain:
	@tools/setup system "$(PYTHON)" "$(CXX)"

.venv/.created: | toolchain
	@tools/setup venv "$(PYTHON)"

# The build tools stay in .venv, so that a rebuild compiles only what changed.
.venv/.tools: .venv/.created pyproject.toml
	@tools/setup tools
	@touch $@

.venv/.installed: .venv/.tools pyproject.toml CMakeLists.txt $(INSTALLED_FROM) | toolchain
	@CXX="$(CXX)" WERROR=$(WERROR) tools/setup package
	@touch $@

.venv/.web .venv/.quick .venv/.docs .venv/.wasm: .venv/.%: pyproject.toml | .venv/.installed
	@tools/setup extras $*
	@touch $@

.venv/.dev: pyproject.toml | .venv/.installed
	@tools/setup extras dev
	@touch .venv/.web .venv/.quick .venv/.docs $@

# Node builds the page, Chromium and PostgreSQL are for tests; playing needs none of them. AFTER: there can be only one pip
# at a time.
.venv/.node: pyproject.toml | .venv/.created $(AFTER)
	@tools/setup node
	@touch $@

$(NODE_TOOLS): frontend/package-lock.json | .venv/.node
	@tools/setup npm
	@touch $@

npm: $(NODE_TOOLS)

programs: | toolchain
	@tools/setup programs

# --- wheels

# `make wheels PYTHON=python3.13` in a clean clone builds for another Python. The build folder is not the one of
# `make play`, which compiles only the code path of this CPU.
wheels: .venv/.wheels build/wasm/lastcard.wasm site ## Build an sdist and a wheel for other machines in dist/, and test the wheel
	@echo "== sdist and wheel"
	@rm -rf build/raw dist && mkdir -p build/wheels
	@{ $(BIN)/python -m build --sdist --no-isolation --outdir dist . \
		&& $(BIN)/python -m build --wheel --no-isolation --outdir build/raw -C build-dir=build/wheels \
			-C cmake.define.LASTCARD_WHEEL=ON -C cmake.define.LASTCARD_WERROR=ON . ; } > build/wheels/log 2>&1 \
		|| { cat build/wheels/log >&2; exit 1; }
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m auditwheel repair --wheel-dir dist build/raw/*.whl > build/wheels/log 2>&1 \
		|| { cat build/wheels/log >&2; exit 1; }
	@ls -l dist | awk 'NR > 1 { printf "%s %.2f MB\n", $$NF, $$5 / 1e6 }'
	@echo "== the wheel in an empty environment"
	@LASTCARD_WHEEL=$$(echo dist/*.whl) $(BIN)/python -m pytest -q tests/wheel

.venv/.wheels: pyproject.toml | .venv/.tools
	@tools/setup extras wheels
	@touch $@
