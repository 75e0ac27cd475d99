# Each goal does all of its own set-up. The runtime is the Node that package-lock.json pins,
# whatever `node` the machine has: node_modules/.bin comes first in PATH.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
# Node keeps what it compiled: a second start needs half the processor time.
export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/node
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help setup run test check bench

# A copy of the lock file that was installed last. Its text decides, not its time: a copied or
# checked-out tree has any times.
INSTALLED := node_modules/.installed-lock.json

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

setup: ## install what is missing and build the screens and the CLI if their sources changed; start nothing
	@cmp -s package-lock.json $(INSTALLED) || { \
	  npm ci --loglevel=error && cp package-lock.json $(INSTALLED); }
	@node scripts/require-runtime.cjs
	@node scripts/builds/build.ts

run: setup ## run the whole service in the foreground; Ctrl-C stops it
	@exec node api/src/stack.ts

# npm leaves half of the machine idle: meanwhile the programs for tests are installed.
test: ## every check and every test
	@sh scripts/test-programs.sh & $(MAKE) --no-print-directory setup; ready=$$?; wait; \
	  [ $$ready -eq 0 ] && exec node scripts/test.ts

check: setup ## the checks that need no test run: format, lint, types, drift, dead code, docs
	@exec node scripts/test.ts --checks

bench: setup ## the benchmarks; results in bench/results/
	@exec node bench/run.ts
