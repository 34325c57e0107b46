package engine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Each rule of a request has its own sentence, and its limit is allowed.
func TestValidate(t *testing.T) {
	t.Parallel()
	window := transcript.Window{End: transcript.MaxWindow}
	for _, c := range []struct {
		request  interface{ Validate() error }
		sentence string // "" for a valid request
	}{
		{engine.NewRecording{ObjectID: "a"}, ""},
		{engine.NewRecording{ObjectID: "a", SpeakersExpected: engine.MaxSpeakersExpected}, ""},
		{engine.NewRecording{}, "object_id"},
		{engine.NewRecording{ObjectID: "a", Language: "xx"}, "language"},
		{engine.NewRecording{ObjectID: "a", SpeakersExpected: -1}, "speakers_expected"},
		{engine.NewRecording{ObjectID: "a", SpeakersExpected: engine.MaxSpeakersExpected + 1}, "speakers_expected"},
		{engine.NewRecording{ObjectID: "a", ContextPrompt: strings.Repeat("a", 100_000)}, "context_prompt"},
		{engine.NewRecording{ObjectID: "a", Title: "a\nb"}, "title"},
		{engine.NewRender{RecordingID: "a", Window: window}, ""},
		{engine.NewRender{RecordingID: "a", SuggestionID: "b"}, ""},
		{engine.NewRender{Window: window}, "recording_id"},
		{engine.NewRender{RecordingID: "a", SuggestionID: "b", Window: window}, "either suggestion_id"},
		{engine.NewRender{RecordingID: "a"}, "start_ms"},
		{engine.NewRender{RecordingID: "a", Window: transcript.Window{End: transcript.MaxWindow + 1}}, "3 minutes"},
		{engine.NewRender{RecordingID: "a", Window: window, AspectRatio: "2:1"}, "aspect_ratio"},
		{engine.NewRender{RecordingID: "a", Window: window, Style: "loud"}, "Unknown style"},
		{engine.NewRender{RecordingID: "a", Window: window, Title: strings.Repeat("a", 10_000)}, "title"},
	} {
		err := c.request.Validate()
		if c.sentence == "" {
			require.NoError(t, err, "%+v", c.request)
			continue
		}
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), "%+v", c.request)
		require.Contains(t, engine.Message(err), c.sentence)
	}
}
