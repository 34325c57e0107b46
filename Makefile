# `make demo` shows what the program does, `make test` runs every test. Both first install what is missing (.ci/setup).
GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
MISSPELL = github.com/golangci/misspell/cmd/misspell@v0.8.0
VULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.9.0
# American spellings of APIs and of the wire, and words of other languages.
SPELLED = analyze,artifact,artifacts,center,color,eles,emphasize,emphasized,emphasizes,flavor,generalized,humanize,initialize,initialized,initializing,itemize,labeled,materialized,normalizes,optimize,panelist,possibile,randomized,recognizes,signaled,summarize,unrecognizable,utilization,unrecognized
SPECTRAL = emulator/api/clients/testdata/npm/node_modules/.bin/spectral
# `make lint` runs vet. Tests wait for other programs a third of the time, so half as many packages again as cores are tested at a time. On a slow
# machine, those of render and cmd/soundstage then take more than the usual 10 minutes.
TEST = test -vet=off -ldflags=-s -shuffle=on -timeout 20m -p $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) * 3 / 2 )))
# Each program with the race detector sleeps for a second before it ends, in case goroutines that are left race then. They do so at once or
# wait for something that never comes, so 100 ms do.
RACE = atexit_sleep_ms=100
.DEFAULT_GOAL = help

.PHONY: console console-dev help demo demo-cluster pictures test quick golden generate generated packages packages-js client-js bench bench-compare limits frames lint systems lint-contract lint-deploy vuln labels licences sbom snapshot packages-python campaign fmt setup setup-run setup-cluster build cross fuzz mutate

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' $(MAKEFILE_LIST) | expand -t 16

demo: setup-run ## run the main use case on real media, and list the results
	$(GO) run ./cmd/soundstage demo
	@docs/pictures/make.sh demo-output && echo "The README's pictures of a clip, an audiogram, and a PDF page are in demo-output, too."

demo-cluster: setup-cluster ## run the demo on PostgreSQL, S3, and many nodes, and kill the worker that renders
	$(GO) build -o bin/soundstage ./cmd/soundstage
	$(GO) run ./internal/cluster/demo

pictures: setup ## make the pictures of the README, and of the focus in docs/clips.md
	docs/pictures/make.sh
	docs/pictures/focus.sh

test: setup ## run every test: with cgo and the race detector, without cgo, or both (.ci/packages)
	packages=$$(.ci/packages plain) && CGO_ENABLED=0 $(GO) $(TEST) $$packages
	packages=$$(.ci/packages race) && CGO_ENABLED=1 GORACE='$(RACE)' $(GO) $(TEST) -race $$packages

quick: ## run the fast tests of all packages; installs nothing
	$(GO) test -vet=off -short ./...

golden: ## rewrite every golden file; review the diff
	UPDATE_GOLDEN=1 $(GO) test -vet=off -count=1 ./...

generate: ## rewrite generated files: diagrams, tables of docs, and tables of /v1
	$(GO) generate ./...

generated: generate console client-js ## fail if generated files are out of date
	@git diff --exit-code || { echo "generated files were out of date: commit the files that make generate changed"; exit 1; }

CONSOLE = emulator/console/web

# npm ci runs again only when the list of packages has changed.
$(CONSOLE)/node_modules/.package-lock.json: $(CONSOLE)/package-lock.json
	cd $(CONSOLE) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

console: $(CONSOLE)/node_modules/.package-lock.json ## build the pages of the console into emulator/console/dist
	cd $(CONSOLE) && npm run --silent generate && npm run --silent build

console-dev: $(CONSOLE)/node_modules/.package-lock.json ## serve the pages with reload; SOUNDSTAGE_URL is the sandbox that they show
	@echo "The pages show the sandbox at $${SOUNDSTAGE_URL:-http://127.0.0.1:8765}. Start one there with: soundstage serve"
	@cd $(CONSOLE) && npm run --silent dev

# npm packages of tests, and the types of the npm client; npm ci runs again only when the list of packages has changed.
clients/js/node_modules/.package-lock.json: clients/js/package-lock.json
	cd clients/js && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

client-js: clients/js/node_modules/.package-lock.json ## write the types of clients/js from the contracts
	cd clients/js && npm run --silent generate

packages: packages-js packages-python ## write bin/packages: the npm packages and wheels, with the program for each system

packages-js: cross client-js
	cd clients/js && npm run --silent build && npm run --silent pack

bench: setup ## measure the figures of docs/benchmarks.md, and print the machine
	@echo "$$(uname -sm), $$(nproc 2>/dev/null || sysctl -n hw.ncpu) processors, $$($(GO) version | cut -d' ' -f3), ffmpeg $$(ffmpeg -version | head -n 1 | cut -d' ' -f3)"
	$(GO) test -run '^$$' -bench . -benchmem -timeout 60m ./...
	cd $(CONSOLE) && npm run --silent bench
	$(GO) test -tags peers -count=1 -run '^TestPeers' -v -timeout 60m ./cmd/soundstage ./formats ./render

bench-compare: ## compare benchmarks with those of the commit BASE, in turns (PKG, BENCH, COUNT, BENCHTIME)
	@PKG='$(PKG)' BENCH='$(BENCH)' COUNT='$(COUNT)' BENCHTIME='$(BENCHTIME)' .ci/bench-compare '$(BASE)'

limits: setup ## measure the table of limits in docs/benchmarks.md, 10 minutes on a quiet machine; ROWS=get,start for some rows
	$(GO) run ./internal/limits -rows '$(ROWS)' docs/benchmarks.md

frames: setup ## render contact sheets of every clip and audiogram style for review
	$(GO) test ./render -count=1 -timeout 60m -run 'Frames|TestPresetsLegible' -frames $(or $(DIR),$(CURDIR)/bench-output/frames)

lint: ## run gofmt, vet, staticcheck, misspell, and golangci-lint if it is installed
	@test -z "$$(gofmt -l .)" || { echo "not formatted (run make fmt):"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	@GOBIN=$(CURDIR)/bin $(GO) install $(STATICCHECK)
	bin/staticcheck ./...
	@GOBIN=$(CURDIR)/bin $(GO) install $(MISSPELL)
	git ls-files '*.go' '*.md' '*.yaml' '*.sh' | grep -v -e testdata/ -e captions/bondwords.go -e captions/smallwords.go -e formats/documentwords.go | xargs bin/misspell -locale UK -error -i $(SPELLED)
	@! command -v golangci-lint >/dev/null || golangci-lint run ./...

CONTRACTS = emulator/api/openapi.yaml emulator/control/openapi.yaml

lint-contract: setup ## lint the OpenAPI documents with Spectral and Redocly
	$(SPECTRAL) lint --quiet --fail-severity=hint --ruleset emulator/api/spectral.yaml $(CONTRACTS)
	node emulator/api/clients/testdata/npm/redocly.mjs $(CONTRACTS)

lint-deploy: setup ## check the files of deploy with compose-go, kustomize, kubeconform, and promtool
	cd deploy/testdata/lint && $(GO) test -vet=off -count=1 . # go does not notice changes of files outside the module
	bin/promtool check rules deploy/prometheus-rules.yaml
	bin/promtool test rules deploy/prometheus-rules.test.yaml

fmt: ## format every Go file
	gofmt -w .

build: setup-run ## build bin/soundstage
	$(GO) build -trimpath -ldflags '-s -w' -o bin/soundstage ./cmd/soundstage

CROSS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

cross: ## build for the systems of CROSS, by default all of a release, without cgo
	set -e; for to in $(CROSS); do echo "$$to"; CGO_ENABLED=0 GOOS=$${to%/*} GOARCH=$${to#*/} $(GO) build -trimpath -ldflags '-s -w' -o bin/cross/$$to/ ./cmd/soundstage; done

systems: ## check that the code and its tests compile for the systems of CROSS, by reading their types
	$(GO) run ./internal/systems $(CROSS)

vuln: ## look for known vulnerabilities in what the code calls; needs the network
	@.ci/vuln $(VULNCHECK)

labels: ## check the marks in the sentences that engine/phrases learns from, with the dictionaries that made them
	cd engine/phrases/testdata/label && $(GO) run . -check

licences: ## write docs/licences.md: the licence of each module that the code imports
	$(GO) run ./internal/modules licences >docs/licences.md.new && mv docs/licences.md.new docs/licences.md

sbom: build ## write bin/soundstage.cdx.json, the bill of materials of bin/soundstage (CycloneDX 1.5)
	$(GO) run ./internal/modules sbom bin/soundstage >bin/soundstage.cdx.json

snapshot: ## write bin/release, what a release has, without publishing it; TARGETS='linux_amd64 windows_arm64' for these systems only
	.ci/snapshot $(TARGETS)

packages-python: cross ## write bin/packages: the wheels of clients/python for each system, and its source distribution
	clients/python/build

campaign: setup ## run the attacks of docs/security.md; ROW=name for one of them, LONG=1 for the long forms
	@.ci/campaign $(ROW)

fuzz: ## run each fuzz test for FUZZTIME: a duration (5s) or a number of inputs (300x)
	.ci/fuzz $(or $(FUZZTIME),5s)

mutate: ## score the tests of PKG (N mutants of each file; SEED, FILES, MIN; WITH=other packages whose tests run, too)
	$(GO) run ./internal/mutate -n $(or $(N),10) -seed $(or $(SEED),1) -files '$(FILES)' -min $(or $(MIN),0) -with '$(WITH)' -write '$(PAGE)' $(or $(PKG),$(error Set PKG, such as PKG=./engine/queue))

setup: setup-run ## install what the tests need
	@.ci/setup test
setup-run: ## install what the program needs at run time
	@.ci/setup run
setup-cluster: ## install what many nodes need on this machine
	@.ci/setup cluster
