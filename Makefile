# Two commands do everything: make demo, make test. Both install what is missing first (.ci/setup).
GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
SPECTRAL = emulator/api/clients/testdata/npm/node_modules/.bin/spectral
# These compute, or drive other programs: the race detector finds nothing to watch in them and makes them ten times slower. In the
# other packages, tests of that kind say slow.Skip (internal/slow).
COMPUTING = /(formats|diarize|emulator/conformance|emulator/api/clients|engine/(fake|writer|prose|wav|enginetest))(/|$$)
# make lint vets.
TEST = test -vet=off -shuffle=on
.DEFAULT_GOAL = help

.PHONY: help demo test quick golden generate generated bench frames lint lint-contract fmt setup setup-run build cross fuzz

help: ## these targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' $(MAKEFILE_LIST) | expand -t 16

demo: setup-run ## the main job on real media, and what it made
	$(GO) run ./cmd/soundstage demo

test: setup ## every test: once without cgo, and once with cgo and the race detector where that has something to watch
	CGO_ENABLED=0 $(GO) $(TEST) ./...
	$(GO) $(TEST) -race $$($(GO) list ./... | grep -vE '$(COMPUTING)')

quick: ## the tests that are fast, of all packages; installs nothing
	$(GO) test -vet=off -short ./...

golden: ## write every golden file anew; look at the difference
	UPDATE_GOLDEN=1 $(GO) test -vet=off -count=1 ./...

generate: ## write what is made from something else: tables of the README and of /v1
	$(GO) generate ./...

generated: generate ## fails when make generate changes something
	@git diff --exit-code || { echo "make generate changed these files: commit them"; exit 1; }

bench: setup ## the figures of the README, with the machine that they were measured on
	@echo "$$(uname -sm), $$(nproc 2>/dev/null || sysctl -n hw.ncpu) processors, $$($(GO) version | cut -d' ' -f3), ffmpeg $$(ffmpeg -version | head -n 1 | cut -d' ' -f3)"
	$(GO) test -run '^$$' -bench . -benchmem -timeout 60m ./...
	$(GO) test -tags peers -count=1 -run '^TestPeers$$' -v -timeout 60m ./cmd/soundstage ./formats ./render

frames: setup ## contact sheets of every style of clip and audiogram, to look at
	$(GO) test ./render -count=1 -run TestFrames -frames $(or $(DIR),$(CURDIR)/bench-output/frames)

lint: ## format, vet, staticcheck, and golangci-lint where it is installed
	@test -z "$$(gofmt -l .)" || { echo "not formatted (make fmt):"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	@GOBIN=$(CURDIR)/bin $(GO) install $(STATICCHECK)
	bin/staticcheck ./...
	@! command -v golangci-lint >/dev/null || golangci-lint run ./...

lint-contract: setup ## the OpenAPI documents, by Spectral
	$(SPECTRAL) lint --quiet --fail-severity=hint --ruleset emulator/api/spectral.yaml emulator/api/openapi.yaml emulator/control/openapi.yaml

fmt: ## gofmt
	gofmt -w .

build: setup-run ## the program, as bin/soundstage
	$(GO) build -trimpath -ldflags '-s -w' -o bin/soundstage ./cmd/soundstage

CROSS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

cross: ## the program for every system, and vet, without cgo
	set -e; for to in $(CROSS); do echo "$$to"; CGO_ENABLED=0 GOOS=$${to%/*} GOARCH=$${to#*/} $(GO) build -trimpath -ldflags '-s -w' -o bin/cross/$$to/ ./cmd/soundstage; done
	CGO_ENABLED=0 GOOS=windows $(GO) vet ./...
	CGO_ENABLED=0 GOOS=darwin $(GO) vet ./...

fuzz: ## each fuzz test for a short time, or for a number of inputs: FUZZTIME=300x
	.ci/fuzz $(or $(FUZZTIME),5s)

setup: setup-run ## install what tests need
	@.ci/setup test
setup-run: ## install what the program needs
	@.ci/setup run
