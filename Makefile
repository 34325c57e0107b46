# Two commands do everything: make demo, make test. Both install what is missing first (.ci/setup).
GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
SPECTRAL = emulator/api/clients/testdata/npm/node_modules/.bin/spectral
PURE = ./engine/... ./formats/... ./render/... ./diarize/...
# These compute, or drive other programs: the race detector finds nothing to watch in them and makes them ten times slower.
UNRACED = ./emulator/conformance ./emulator/api/clients ./cmd/soundstage
COMPUTING = /(formats|render|diarize|cmd|emulator/conformance|engine/(fake|wav|enginetest))(/|$$)
# So do these tests of other packages, for minutes: those of pure packages run without it before.
LONG = Determinism|SnapshotRoundTrip|SnapshotRefused|Replay|ForeignIDs|MutatedRequests|UploadToExports|RenderRules|RenderPoster|AssignedNamesReachExports|TranslatedExports
LONG_PURE = DumpKeepsEverything|SuggestionProperties|LongAnswers|ChosenFormat|YTDLPFailures|PublicAgreesWithIndependentImplementation
LONG_PARTS = ^TestConformanceTranscriber$$/(openai|whispercpp)_.
# make lint vets.
TEST = test -vet=off -shuffle=on

.PHONY: demo test bench frames docs lint lint-contract fmt setup build pure fuzz

demo: setup-run ## the main job on real media, and what it made
	$(GO) run ./cmd/soundstage demo

test: setup ## every test
	CGO_ENABLED=0 $(GO) $(TEST) $(PURE)
	$(GO) $(TEST) -race -skip '^Test($(LONG)|$(LONG_PURE))$$|$(LONG_PARTS)' $$($(GO) list ./... | grep -vE '$(COMPUTING)')
	$(GO) $(TEST) -race -run 'Cancel|Limits|Process|Exec|Ready|Listen' ./render ./cmd/soundstage
	$(GO) $(TEST) $(UNRACED)
	$(GO) $(TEST) -run '^Test($(LONG))$$' ./emulator ./emulator/api

bench: setup ## the figures of the README, with the machine that they were measured on
	@echo "$$(uname -sm), $$(nproc 2>/dev/null || sysctl -n hw.ncpu) processors, $$($(GO) version | cut -d' ' -f3), ffmpeg $$(ffmpeg -version | head -n 1 | cut -d' ' -f3)"
	$(GO) test -run '^$$' -bench . -benchmem -timeout 60m ./...
	$(GO) test -tags peers -count=1 -run '^TestPeers$$' -v -timeout 60m ./cmd/soundstage ./formats ./render

frames: setup ## contact sheets of every style of clip and audiogram, to look at
	$(GO) test ./render -count=1 -run TestFrames -frames $(or $(DIR),$(CURDIR)/bench-output/frames)

docs: ## the tables of the README and of /v1 that are made from something else
	$(GO) test -count=1 -run TestReadmeFidelity ./emulator/control -update
	$(GO) test -count=1 -run TestTables ./emulator/api -update
	$(GO) test -count=1 -run TestMagicTable ./emulator/fixture -update
	$(GO) test -count=1 -run TestReadmeBackendTables ./cmd/soundstage -update

lint: ## format, vet, staticcheck
	@test -z "$$(gofmt -l .)" || { echo "not formatted (make fmt):"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	@GOBIN=$(CURDIR)/bin $(GO) install $(STATICCHECK)
	bin/staticcheck ./...

lint-contract: setup ## the OpenAPI documents, by Spectral
	$(SPECTRAL) lint --quiet --fail-severity=hint --ruleset emulator/api/spectral.yaml emulator/api/openapi.yaml emulator/control/openapi.yaml

fmt:
	gofmt -w .

build: setup-run
	$(GO) build -trimpath -ldflags '-s -w' -o bin/soundstage ./cmd/soundstage

pure: ## the packages without cgo, tested without cgo; make test does so, too
	CGO_ENABLED=0 $(GO) $(TEST) $(PURE)

fuzz: ## each fuzz test for a short time, or for a number of inputs: FUZZTIME=300x
	.ci/fuzz $(or $(FUZZTIME),5s)

setup: setup-run
	@.ci/setup test
setup-run:
	@.ci/setup run
