package engine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// Whichever operation of the store fails, the use case returns its error, and writes nothing: afterwards it succeeds as if it were the
// first try.
func TestEveryOperationMayFail(t *testing.T) {
	t.Parallel()
	store := memory.NewStore()
	before := newStage(t, scripted(engine.Config{Store: store}))
	stop := before.start()
	r := before.spoken("Talk", "en", monologue)
	stop()
	upload := before.upload()
	rows := &brittle{Store: store}
	s := newStage(t, scripted(engine.Config{Store: rows, Blobs: before.blobs, LLM: answers("Text."), Sender: &recorder{post: replies(200)}}))
	prompt, err := s.CreatePrompt(t.Context(), s.caller, engine.NewPrompt{SpaceID: "space", Name: "Sum", Text: "Sum it up."})
	require.NoError(t, err)
	speaker, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Ann"})
	require.NoError(t, err)
	hook, _, err := s.CreateWebhook(t.Context(), s.caller, engine.NewWebhook{
		URL: "https://receiver.example/", Events: []engine.EventType{engine.EventTranscriptCompleted},
	})
	require.NoError(t, err)
	key, _, err := s.CreateKey(t.Context(), s.caller, engine.NewKey{Name: "Key"})
	require.NoError(t, err)
	label := s.transcript(r.TranscriptID).Labels()[0]
	for _, c := range []struct {
		name string
		call func() error
	}{
		{"ListSpaces", func() error { _, err := s.ListSpaces(t.Context(), s.caller); return err }},
		{"ListSpeakers", func() error { _, _, err := s.ListSpeakers(t.Context(), s.caller, "space"); return err }},
		{"ListRoles", func() error { _, err := s.ListRoles(t.Context(), s.caller, "space"); return err }},
		{"ListPrompts", func() error { _, _, err := s.ListPrompts(t.Context(), s.caller, "space"); return err }},
		{"ListRecordings", func() error { _, err := s.ListRecordings(t.Context(), s.caller, engine.ListRecordings{}); return err }},
		{"ListLabels", func() error { _, err := s.ListLabels(t.Context(), s.caller, r.ID); return err }},
		{"ListWebhooks", func() error { _, err := s.ListWebhooks(t.Context(), s.caller); return err }},
		{"ListDeliveries", func() error { _, err := s.ListDeliveries(t.Context(), s.caller, hook.ID, 5); return err }},
		{"ListKeys", func() error { _, err := s.ListKeys(t.Context(), s.caller); return err }},
		{"ListOutputs", func() error { _, err := s.ListOutputs(t.Context(), s.caller, r.ID, ""); return err }},
		{"GetRecording", func() error { _, _, err := s.GetRecording(t.Context(), s.caller, r.ID); return err }},
		{"GetRecordingTranscript", func() error { _, err := s.GetRecordingTranscript(t.Context(), s.caller, r.ID); return err }},
		{"GetUsage", func() error { _, err := s.GetUsage(t.Context(), s.caller); return err }},
		{"Search", func() error {
			_, err := s.Search(t.Context(), s.caller, engine.SearchRequest{Query: "granite"})
			return err
		}},
		{"CreateSpace", func() error { _, err := s.CreateSpace(t.Context(), s.caller, engine.Space{Name: "Two"}); return err }},
		{"UpdateSpace", func() error {
			_, err := s.UpdateSpace(t.Context(), s.caller, "space", func(x *engine.Space) error { x.Name = "One"; return nil })
			return err
		}},
		{"CreateUpload", func() error {
			_, err := s.CreateUpload(t.Context(), s.caller, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: 5})
			return err
		}},
		{"CreateRecording", func() error {
			_, _, err := s.CreateRecording(t.Context(), s.caller, engine.NewRecording{ObjectID: upload.ID})
			return err
		}},
		{"UpdatePrompt", func() error {
			_, err := s.UpdatePrompt(t.Context(), s.caller, prompt.ID, func(x *engine.Prompt) error { x.Text = "Shorter."; return nil })
			return err
		}},
		{"AssignSpeaker", func() error {
			_, err := s.AssignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: r.ID, Label: label, SpeakerID: speaker.ID})
			return err
		}},
		{"UnassignSpeaker", func() error {
			return s.UnassignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: r.ID, Label: label, SpeakerID: speaker.ID})
		}},
		{"GenerateOutput", func() error {
			_, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "Sum it up.", Name: "Sum"})
			return err
		}},
		{"CreateImport", func() error {
			_, err := s.CreateImport(t.Context(), s.caller, engine.NewImport{URL: "https://media.example/a.mp3"})
			return err
		}},
		{"CreateTranscript", func() error {
			_, err := s.CreateTranscript(t.Context(), s.caller, engine.NewTranscript{URL: "https://media.example/a.mp3"})
			return err
		}},
		{"TestWebhook", func() error { _, err := s.TestWebhook(t.Context(), s.caller, hook.ID); return err }},
		{"RotateWebhookSecret", func() error { _, _, err := s.RotateWebhookSecret(t.Context(), s.caller, hook.ID); return err }},
		{"DeleteWebhook", func() error { return s.DeleteWebhook(t.Context(), s.caller, hook.ID) }},
		{"DeleteKey", func() error { return s.DeleteKey(t.Context(), s.caller, key.ID) }},
	} {
		for fails := 1; ; fails++ {
			rows.fails, rows.done = fails, 0
			err := c.call()
			if rows.done < fails {
				assert.NoError(t, err, c.name)
				break
			}
			assert.Equal(t, engine.CodeNoSpace, engine.CodeOf(err), "%s, operation %d: %v", c.name, fails, err)
			require.Less(t, fails, 1000, c.name)
		}
		assert.Positive(t, rows.done, c.name)
	}
}
