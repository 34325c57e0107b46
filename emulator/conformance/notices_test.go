//go:build !race

package conformance_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// What is here is 155 runs of the suite against a recorded one: it is run without the race detector (make test), which has
// TestSandboxConforms to look at.

func mistakes() []mistake {
	return slices.Concat(
		near("recording*,states.recording.*,languages.recording,service.*,upload*,isolation.*", recordingMistakes()),
		near("transcript*,states.transcript.*,languages.*,service.*,isolation.transcripts", urlMistakes()),
		near("recordings.*,suggestions.*,isolation.recordings", documentMistakes()),
		near("upload*,recordings.create.*,spaces.*,auth.*,tiers.uploads,isolation.uploads", uploadMistakes()),
		near("import*,states.import.*,recording.rss.*,service.*,tiers.imports,isolation.imports", importMistakes()),
		near("speaker*,labels.*,prompt*,auth.*,tiers.[slpc]*,isolation.[ls]*", peopleMistakes()),
		near("generate.*,output*,chat.*,recordings.outputs.*,prompts.*,states.[oc]*,search.content,isolation.*", contentMistakes()),
		near("suggestions.*,search.*,usage.*,renders.create.*,uploads.storage-limit", findingMistakes()),
		near("render*,states.render.*,suggestions.*,tiers.*,isolation.renders", renderMistakes()),
		near("webhooks.*,events.*,isolation.webhooks", webhookMistakes()),
		near("webhooks.*,events.*", eventMistakes()),
		near("auth.*,tiers.*,space*,isolation.*,version.*", guardMistakes()),
		refusalMistakes())
}

// A run against the same server but for one mistake makes exactly those statements fail that say it is one. What the server
// answered to the original run is answered again, so that it has nothing to do.
func TestSuiteNotices(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it runs the whole suite many times")
	o := original(t)
	_, noMistake := repeated(t, o, mistake{})
	require.Empty(t, noMistake)
	for _, m := range mistakes() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			report, failed := repeated(t, o, m)
			require.ElementsMatch(t, m.fails, failed, "%v", report)
		})
	}
}
