package llm_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/anthropic"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/llm"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/openai"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// studio is an engine with a transcribed recording and a model.
type studio struct {
	*engine.Engine
	caller    engine.Caller
	recording engine.Recording
	said      []transcript.Utterance
}

func newStudio(t *testing.T, m *llm.Model) *studio {
	t.Helper()
	e, err := engine.New(engine.Config{
		Store: memory.NewStore(), Blobs: memory.NewBlobs(), Media: wav.Media{}, Transcriber: &fake.Transcriber{Media: wav.Media{}}, LLM: m, Translator: m,
	})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
	})
	s := &studio{Engine: e}
	s.caller, err = e.CreateAccount(t.Context(), engine.NewAccount{Name: "Studio"})
	require.NoError(t, err)
	_, err = e.UpdateSpace(t.Context(), s.caller, s.caller.DefaultSpaceID, func(sp *engine.Space) error {
		sp.BoostedWords = []string{"Bristol"}
		return nil
	})
	require.NoError(t, err)
	f, err := os.Open("../../testdata/conversation.wav")
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	require.NoError(t, err)
	u, err := e.CreateUpload(t.Context(), s.caller, engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: info.Size()})
	require.NoError(t, err)
	_, err = e.ReceiveUpload(t.Context(), u.ID, f)
	require.NoError(t, err)
	r, _, err := e.CreateRecording(t.Context(), s.caller, engine.NewRecording{ObjectID: u.ID, Title: "A talk"})
	require.NoError(t, err)
	s.recording, err = e.WaitRecording(t.Context(), s.caller, r.ID)
	require.NoError(t, err)
	require.Equal(t, engine.TranscriptCompleted, s.recording.TranscriptStatus)
	rt, err := e.GetRecordingTranscript(t.Context(), s.caller, r.ID)
	require.NoError(t, err)
	s.said = rt.Transcript.Utterances
	return s
}

// dialects returns a model for each API, with its test server and a function that breaks it.
func dialects(t *testing.T, o backendtest.ModelOptions) map[string]struct {
	model  *llm.Model
	server *backendtest.Server
} {
	t.Helper()
	chat, messages := backendtest.NewOpenAIChat(t, o), backendtest.NewAnthropic(t, o)
	one, err := openai.NewLLM(openai.LLMConfig{URL: chat.URL, Key: o.Key, Model: "test", ContextTokens: 16_000})
	require.NoError(t, err)
	two, err := anthropic.New(anthropic.Config{URL: messages.URL, Key: o.Key, Model: "test"})
	require.NoError(t, err)
	return map[string]struct {
		model  *llm.Model
		server *backendtest.Server
	}{"chat completions": {one, &chat.Server}, "messages": {two, &messages.Server}}
}

// An engine generates, chats, suggests, describes speakers, and translates over each API, and stores only text based on the transcript.
func TestEngineOverHTTP(t *testing.T) {
	t.Parallel()
	for name, d := range dialects(t, backendtest.ModelOptions{Key: "secret"}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStudio(t, d.model)
			id := s.recording.ID

			o, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: id, Prompt: "What is it about?"})
			require.NoError(t, err)
			o, err = s.WaitOutput(t.Context(), s.caller, o.ID)
			require.NoError(t, err)
			require.Equal(t, engine.OutputCompleted, o.Status, o.Error)
			require.Contains(t, o.Text, "- 0:00 "+s.said[0].Speaker+": "+s.said[0].Text)

			c, err := s.CreateChat(t.Context(), s.caller, engine.NewChat{Message: "Who said: " + s.said[0].Text, RecordingIDs: []engine.RecordingID{id}})
			require.NoError(t, err)
			c, err = s.WaitChat(t.Context(), s.caller, c.ID)
			require.NoError(t, err)
			require.Equal(t, s.said[0].Text+" [“A talk”, 0:00]", c.Answer)

			require.Eventually(t, func() bool {
				found, err := s.ListSuggestions(t.Context(), s.caller, id, true)
				return err == nil && len(found) > 0 && found[0].Title == "A moment" && strings.HasPrefix(found[0].Excerpt, s.said[0].Text)
			}, time.Minute, time.Millisecond)

			p, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: s.recording.SpaceID, Name: "Mara"})
			require.NoError(t, err)
			_, err = s.AssignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: id, Label: s.said[0].Speaker, SpeakerID: p.ID})
			require.NoError(t, err)
			require.Eventually(t, func() bool {
				_, all, err := s.ListSpeakers(t.Context(), s.caller, s.recording.SpaceID)
				return err == nil && all[0].AISummary == "Mara says: "+s.said[0].Text
			}, time.Minute, time.Millisecond)

			rt, err := s.TranslateTranscript(t.Context(), s.caller, id, "de")
			require.NoError(t, err)
			require.Len(t, rt.Transcript.Utterances, len(s.said))
			kept := 0
			for i, u := range rt.Transcript.Utterances {
				want := backendtest.Translated(strings.ReplaceAll(s.said[i].Text, "Bristol", "[[T0]]"))
				kept += strings.Count(want, "[[T0]]")
				require.Equal(t, strings.ReplaceAll(want, "[[T0]]", "Bristol"), u.Text)
			}
			require.Positive(t, kept, "the boosted word is in the translation")
			for _, r := range d.server.Requests() {
				require.NotContains(t, string(r.Body), "secret")
			}
		})
	}
}

// Markup and false citations of a manipulated model are not stored.
func TestEngineIsNotTalkedRound(t *testing.T) {
	t.Parallel()
	evil := "<[9.9]img src=x onerror=alert(1)> ![p](https://e.example/?q=1) [x](javascript:alert(1)) as said [1.1], [1.9] and [5.1].\n``[9.9]`\n<script>\n"
	for name, d := range dialects(t, backendtest.ModelOptions{Reply: func(string, string) string { return evil }}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStudio(t, d.model)
			c, err := s.CreateChat(t.Context(), s.caller, engine.NewChat{Message: evil, RecordingIDs: []engine.RecordingID{s.recording.ID}})
			require.NoError(t, err)
			c, err = s.WaitChat(t.Context(), s.caller, c.ID)
			require.NoError(t, err)
			require.Equal(t, "\\<img src=x onerror=alert(1)> p x as said [“A talk”, 0:00], and.\n```\n\\<script>", c.Answer)

			o, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: s.recording.ID, Prompt: evil})
			require.NoError(t, err)
			o, err = s.WaitOutput(t.Context(), s.caller, o.ID)
			require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err), "it cites what it was not given")
			require.Equal(t, engine.OutputFailed, o.Status)
			require.Empty(t, o.Text)

			_, err = s.TranslateTranscript(t.Context(), s.caller, s.recording.ID, "de")
			require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
		})
	}
}
