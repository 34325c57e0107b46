//go:build !race

package conformance_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// TestSuiteDetectsMistakes repeats the suite about 155 times. It is excluded under the race detector, where TestSandboxConforms
// covers the same code.

// mistakes returns every mistake with the statements to check.
func mistakes() []mistake {
	return slices.Concat(
		checking("recording*,states.recording.*,languages.recording,service.*,upload*,isolation.*", recordingMistakes()),
		checking("transcript*,states.transcript.*,languages.*,service.*,isolation.transcripts", urlMistakes()),
		checking("recordings.*,suggestions.*,isolation.recordings", documentMistakes()),
		checking("upload*,recordings.create.*,spaces.*,auth.*,tiers.uploads,isolation.uploads", uploadMistakes()),
		checking("import*,states.import.*,recording.rss.*,service.*,tiers.imports,isolation.imports", importMistakes()),
		checking("speaker*,labels.*,prompt*,auth.*,tiers.[slpc]*,isolation.[ls]*", peopleMistakes()),
		checking("generate.*,output*,chat.*,recordings.outputs.*,prompts.*,states.[oc]*,search.content,isolation.*", contentMistakes()),
		checking("suggestions.*,search.*,usage.*,renders.create.*,uploads.storage-limit", findingMistakes()),
		checking("render*,states.render.*,suggestions.*,tiers.*,isolation.renders", renderMistakes()),
		checking("webhooks.*,events.*,isolation.webhooks", webhookMistakes()),
		checking("webhooks.*,events.*", eventMistakes()),
		checking("auth.*,tiers.*,space*,isolation.*,version.*", guardMistakes()),
		refusalMistakes())
}

// Each mistake fails exactly the statements that forbid it. The runs replay recorded responses, so the server has no work.
func TestSuiteDetectsMistakes(t *testing.T) {
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
