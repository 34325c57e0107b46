package engine_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// A failed row stores the code, the hint, and the rule of its error besides the message, and its Wait method returns them as an error.
func TestFailedRowsKeepTheHint(t *testing.T) {
	t.Parallel()
	const sentence, hint, rule = "It can't be done.", "Do another thing.", engine.Rule("url.invalid")
	fails := engine.Errorf(engine.CodeBadMedia, "", sentence).WithHint(hint).WithRule(rule)
	requireFailure := func(t *testing.T, op string, err error) {
		t.Helper()
		require.Equal(t, &engine.Error{Code: fails.Code, Rule: rule, Op: op, Msg: sentence, Hint: hint}, err)
	}
	synctest.Test(t, func(t *testing.T) {
		deaf := newStage(t, engine.Config{Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
			return engine.Transcription{}, fails
		})})
		stop := deaf.start()
		r := deaf.record()
		_, err := deaf.WaitRecording(t.Context(), deaf.caller, r.ID)
		requireFailure(t, "WaitRecording", err)
		tr := deaf.transcript(r.TranscriptID)
		require.Equal(t, []any{sentence, hint, rule}, []any{tr.Error, tr.ErrorHint, tr.ErrorRule})
		_, err = deaf.GetRecordingTranscript(t.Context(), deaf.caller, r.ID)
		var notReady, why *engine.Error
		require.ErrorAs(t, err, &notReady)
		require.Equal(t, sentence, notReady.Hint, "the hint must be the transcript's error")
		require.True(t, errors.As(notReady.Err, &why))
		require.Equal(t, engine.Error{Code: engine.CodeBadMedia, Rule: rule, Msg: sentence, Hint: hint}, *why)
		stop()

		s := newStage(t, engine.Config{
			Fetcher: fetches(func(context.Context, engine.FetchRequest, io.Writer) (engine.FetchInfo, error) {
				return engine.FetchInfo{}, fails
			}),
			LLM: drafts(func(context.Context, engine.WriteRequest) (string, error) { return "", fails }),
			Renderer: draws(func(context.Context, engine.RenderRequest) (string, error) {
				return "", fails
			}),
		})
		stop = s.start()
		i := s.importing(engine.NewImport{URL: "https://media.example/a.mp3"})
		i, err = s.WaitImport(t.Context(), s.caller, i.ID)
		requireFailure(t, "WaitImport", err)
		require.Equal(t, []any{sentence, hint, rule}, []any{i.Error, i.ErrorHint, i.ErrorRule})
		spoken := s.completed()
		o, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: spoken.ID, Prompt: "Sum it up."})
		require.NoError(t, err)
		o, err = s.WaitOutput(t.Context(), s.caller, o.ID)
		requireFailure(t, "WaitOutput", err)
		require.Equal(t, []any{sentence, hint, rule}, []any{o.Error, o.ErrorHint, o.ErrorRule})
		clip, err := s.WaitRender(t.Context(), s.caller, s.render(engine.NewRender{}).ID)
		requireFailure(t, "WaitRender", err)
		require.Equal(t, []any{sentence + " " + hint, hint, rule}, []any{clip.Message, clip.ErrorHint, clip.ErrorRule})
		stop()
	})
}
