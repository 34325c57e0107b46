//go:build !race

package conformance_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// publicStatements lists the statements that only the sandbox of startPublic decides.
const publicStatements = "imports.create.not-public*,uploads.storage-limit,suggestions.carousel.*,recording.rss.fields"

// threePoints has a recording, and a transcript from which a carousel can be made.
const threePoints = `version: 1
spaces:
  - id: default
    recordings: [{title: Pilot, media: {silence: 1s}}]
transcripts:
  - match: {sha256: "%x"}
    utterances:
      - {speaker: A, text: "First, the river rose 4 metres in one night and took the old bridge away.", start: 1s, end: 7s}
      - {speaker: A, text: "Second, the town rebuilt the stone bridge within 90 days of that flood.", start: 8s, end: 14s}
      - {speaker: A, text: "Third, the new bridge has carried 12000 people across the river every day.", start: 15s, end: 21s}
`

// startPublic starts a sandbox that rejects private addresses, has little storage, and suggests a carousel.
var startPublic = sync.OnceValue(func() originalRun {
	talk, err := os.ReadFile("media/talk.m4a")
	if err != nil {
		return originalRun{err: err, close: func() {}}
	}
	f, err := fixture.Parse(strings.NewReader(fmt.Sprintf(threePoints, sha256.Sum256(talk))), "points.yaml")
	if err != nil {
		return originalRun{err: err, close: func() {}}
	}
	return start(0, publicStatements, emulator.Options{StorageHardLimit: 1 << 30, Fixtures: []*fixture.Fixture{f}})
})

// publicMistakes returns mistakes of a server that rejects private addresses, has little storage, and suggests a carousel.
func publicMistakes() []mistake {
	return []mistake{
		{name: "the refusal of a private address doesn't say why", method: "POST", path: "/v1/imports$", edit: set("No.", "error"),
			fails: []string{"imports.create.not-public", "imports.create.not-public-400", "imports.create.not-public-forms"}},
		{name: "a private address returns 422", method: "POST", path: "/v1/imports$", status: [2]int{400, 422}, fails: []string{"imports.create.not-public-400", "imports.create.not-public-forms"}},
		{name: "a hexadecimal address has another message", method: "POST", path: "/v1/imports$", request: replaceBody("0x7f.1", "http://"),
			fails: []string{"imports.create.not-public-forms"}},
		{name: "storage has no limit", method: "POST", path: "/v1/uploads$", status: [2]int{402, 201}, fails: []string{"uploads.storage-limit"}},
		{name: "a carousel has a start", method: "GET", path: "/v1/recordings/*/clip-suggestions$", edit: every("suggestions", when("kind", "carousel", set(0, "start_ms"))),
			fails: []string{"suggestions.carousel.null-times"}},
		{name: "a carousel is rendered", method: "POST", path: "/v1/renders$", status: [2]int{400, 202}, fails: []string{"suggestions.carousel.no-render"}},
		{name: "a feed's item has no guid", method: "GET", path: "/v1/recordings$", edit: every("recordings", set(map[string]any{"published_at": "2026-01-02T03:04:05Z"}, "rss")),
			fails: []string{"recording.rss.fields"}},
	}
}

// Each mistake fails exactly the statements that forbid it, and nothing fails without one. The API imports no feeds, so the
// replay adds an item of a feed.
func TestPublicMistakes(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts a sandbox of its own")
	o := begun(t, "public", startPublic)
	honest := mistake{method: "GET", path: "/v1/recordings$", statements: publicStatements,
		edit: every("recordings", set(map[string]any{"guid": "1", "published_at": "2026-01-02T03:04:05Z"}, "rss"))}
	report, failed := repeated(t, o, honest)
	require.Empty(t, failed)
	for _, r := range report.Results {
		require.Equal(t, conformance.Pass, r.Outcome, "%s: %s", r.ID, r.Why)
	}
	for _, m := range publicMistakes() {
		m.statements = publicStatements
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			report, failed := repeated(t, o, m)
			require.ElementsMatch(t, m.fails, failed, "%v", report)
		})
	}
}
