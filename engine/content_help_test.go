package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// drafts is an LLM that is a function.
type drafts func(context.Context, engine.WriteRequest) (string, error)

func (w drafts) Write(ctx context.Context, req engine.WriteRequest) (string, error) {
	return w(ctx, req)
}

func (drafts) ContextTokens() int { return 100_000 }

// answers is an LLM that says the same whatever it is asked.
func answers(text string) drafts {
	return func(context.Context, engine.WriteRequest) (string, error) { return text, nil }
}

// translates is a Translator that is a function of one text.
type translates func(engine.TranslateRequest) ([]string, error)

func (f translates) Translate(_ context.Context, req engine.TranslateRequest) ([]string, error) {
	return f(req)
}

// dialogue is a Transcriber that hears two people.
func dialogue(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
	return engine.Transcription{Words: []engine.Word{
		said("A", "Hello", 0, 400), said("A", "there.", 500, 900), said("B", "Good", 2000, 2400), said("B", "morning.", 2500, 2900),
	}}, nil
}

// completed makes a recording and waits for its transcript.
func (s *stage) completed() engine.Recording {
	s.t.Helper()
	r, err := s.WaitRecording(s.t.Context(), s.caller, s.record().ID)
	require.NoError(s.t, err)
	require.Equal(s.t, engine.TranscriptCompleted, r.TranscriptStatus)
	return r
}

// stranger is a caller of another account on the same engine.
func (s *stage) stranger() engine.Caller {
	s.t.Helper()
	c, err := s.CreateAccount(s.t.Context(), engine.NewAccount{Name: "Other", AccountID: "account2", UserID: "user2", SpaceID: "space2"})
	require.NoError(s.t, err)
	return c
}

// quiet turns automatic generation off.
func (s *stage) quiet() {
	s.t.Helper()
	_, err := s.UpdateSpace(s.t.Context(), s.caller, "space", func(sp *engine.Space) error {
		sp.AutoGenerate = false
		return nil
	})
	require.NoError(s.t, err)
}

func outputsOf(t *testing.T, s *stage, id engine.RecordingID) []engine.Output {
	t.Helper()
	outputs, err := s.ListOutputs(t.Context(), s.caller, id, "")
	require.NoError(t, err)
	return outputs
}
