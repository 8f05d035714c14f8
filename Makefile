# WoodStock. `make help` tells what there is.
#
# Needs Python 3.10 or newer, a C++20 compiler and PyPI; cmake and ninja come from there.

PYTHON ?= python3
CXX    ?= g++
VENV   ?= .venv
BUILD  ?= build
JOBS   ?= 2
RUNS   ?= 1000000
SEED   ?= 1
PLAY   ?= match connect-four --players woodstock,uct --start-clock 1 --play-clock 0.5 --watch

PY       := $(VENV)/bin/python
# Our cmake, ninja and clang-format before the system's.
WITH_ENV := PATH="$(abspath $(VENV))/bin:$$PATH" CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) CXX="$(CXX)"
CMAKE    := $(WITH_ENV) cmake -S . -G Ninja --log-level=WARNING \
            -DPython_EXECUTABLE="$(abspath $(PY))" -DWOODSTOCK_TESTS=ON -DWOODSTOCK_PYTHON=OFF

DEPS    := $(VENV)/.dependencies
WRITERS := $(VENV)/.documentation
NATIVE  := $(BUILD)/.installed
MODULES := $(BUILD)/.modules
STUB    := src/woodstock/_core.pyi
SOURCES := $(shell find core bindings -name '*.cpp' -o -name '*.h') CMakeLists.txt pyproject.toml
FORMAT  := $(shell find core bindings core_tests benchmarks -name '*.cpp' -o -name '*.h')
CHECKED := $(wildcard src tests fuzz examples benchmarks tools)

.DEFAULT_GOAL := help
.PHONY: FORCE help play build test lint types core-tests python-tests test-long docs sanitize fuzz stubs format clean
.DELETE_ON_ERROR:

help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

play: build ## watch two players at connect four
	@$(VENV)/bin/woodstock $(PLAY)

build: $(NATIVE) ## environment in .venv, native core, woodstock command

test: lint types core-tests python-tests ## everything a change has to pass

$(DEPS): requirements-ci.txt
	@sh .ci/check-tools "$(PYTHON)" "$(CXX)"
	@echo "Preparing $(VENV) ..."
	@"$(PYTHON)" -m venv "$(VENV)"
	@"$(PY)" -m pip install -qq --disable-pip-version-check --requirement requirements-ci.txt
	@touch $@

# An editable installation knows the modules it was made with: a new one needs a new installation.
$(MODULES): FORCE
	@mkdir -p $(BUILD)
	@find src/woodstock -name '*.py' | sort > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(NATIVE): $(DEPS) $(SOURCES) $(MODULES)
	@echo "Building the native core ..."
	@mkdir -p $(BUILD)
	@$(WITH_ENV) "$(PY)" -m pip install -qq --disable-pip-version-check --no-deps \
	    --no-build-isolation --editable . --config-settings=build-dir=$(BUILD)/module \
	    --config-settings=cmake.define.WOODSTOCK_WERROR=ON
	@touch $@

lint: $(DEPS)
	@$(WITH_ENV) ruff check --quiet $(CHECKED)
	@$(WITH_ENV) ruff format --quiet --check $(CHECKED) || { echo "'make format' puts it right"; exit 1; }
	@$(WITH_ENV) clang-format --dry-run -Werror $(FORMAT) || { echo "'make format' puts it right"; exit 1; }

types: $(NATIVE)
	@$(WITH_ENV) mypy --no-error-summary

core-tests: $(DEPS)
	@$(CMAKE) -B $(BUILD)/tests -DWOODSTOCK_WERROR=ON > /dev/null
	@$(WITH_ENV) cmake --build $(BUILD)/tests -- --quiet
	@$(BUILD)/tests/core_tests

python-tests: $(NATIVE)
	@$(WITH_ENV) "$(PY)" -m pytest --quiet --numprocesses $(JOBS) --dist loadfile

test-long: $(NATIVE) ## pytest on all games, seeds and examples there are, not only on the usual ones
	@$(WITH_ENV) WOODSTOCK_TESTS=long "$(PY)" -m pytest --quiet --numprocesses $(JOBS) --dist loadfile

$(WRITERS): $(DEPS) requirements-docs.txt
	@"$(PY)" -m pip install -qq --disable-pip-version-check --requirement requirements-docs.txt
	@touch $@

docs: $(NATIVE) $(WRITERS) ## the documentation as a site, in build/site
	@$(WITH_ENV) "$(PY)" tools/documentation.py $(BUILD)/site

sanitize: $(DEPS) ## C++ tests under the address and undefined-behaviour sanitizers
	@$(CMAKE) -B $(BUILD)/sanitize -DWOODSTOCK_SANITIZE=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo > /dev/null
	@$(WITH_ENV) cmake --build $(BUILD)/sanitize -- --quiet
	@$(BUILD)/sanitize/core_tests

fuzz: $(NATIVE) ## RUNS broken rulesheets and requests (a million each; SEED chooses which)
	@$(WITH_ENV) nice "$(PY)" fuzz/fuzz_reader.py --runs $(RUNS) --seed $(SEED) --jobs $(JOBS)
	@$(WITH_ENV) nice "$(PY)" fuzz/fuzz_protocol.py --runs $(RUNS) --seed $(SEED) --jobs $(JOBS)

stubs: $(NATIVE) ## write src/woodstock/_core.pyi anew from the built module
	@"$(PY)" -m nanobind.stubgen --quiet --module woodstock._core --output-file $(STUB)

format: $(DEPS) ## bring Python and C++ into the common format
	@$(WITH_ENV) ruff check --quiet --fix $(CHECKED) || true
	@$(WITH_ENV) ruff format --quiet $(CHECKED)
	@$(WITH_ENV) clang-format -i $(FORMAT)

clean: ## remove environment, builds and caches
	rm -rf $(VENV) $(BUILD) dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
