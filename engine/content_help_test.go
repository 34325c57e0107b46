package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// drafts is an LLM implemented by a function.
type drafts func(context.Context, engine.WriteRequest) (string, error)

func (w drafts) Write(ctx context.Context, req engine.WriteRequest) (string, error) {
	return w(ctx, req)
}

func (drafts) ContextTokens() int { return 100_000 }

// answers is an LLM that always returns the same text.
func answers(text string) drafts {
	return func(context.Context, engine.WriteRequest) (string, error) { return text, nil }
}

// translates is a Translator implemented by a function.
type translates func(engine.TranslateRequest) ([]string, error)

func (f translates) Translate(_ context.Context, req engine.TranslateRequest) ([]string, error) {
	return f(req)
}

// dialogue is a Transcriber that returns words of two speakers.
func dialogue(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
	return engine.Transcription{Words: []transcript.Word{
		sample.Said("A", "Hello", 0, 400), sample.Said("A", "there.", 500, 900), sample.Said("B", "Good", 2000, 2400), sample.Said("B", "morning.", 2500, 2900),
	}}, nil
}

// completed creates a recording and waits for its transcript.
func (s *stage) completed() engine.Recording {
	s.t.Helper()
	r, err := s.WaitRecording(s.t.Context(), s.caller, s.record().ID)
	require.NoError(s.t, err)
	require.Equal(s.t, engine.TranscriptCompleted, r.TranscriptStatus)
	return r
}

// otherCaller returns a caller of another account on the same engine.
func (s *stage) otherCaller() engine.Caller {
	s.t.Helper()
	c, err := s.CreateAccount(s.t.Context(), engine.NewAccount{Name: "Other", AccountID: "account2", UserID: "user2", SpaceID: "space2"})
	require.NoError(s.t, err)
	return c
}

// disableAutoGenerate disables automatic generation.
func (s *stage) disableAutoGenerate() {
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

// quietStage returns a stage without automatic generation.
func quietStage(t *testing.T, c engine.Config) *stage {
	t.Helper()
	s := newStage(t, c)
	s.disableAutoGenerate()
	return s
}
