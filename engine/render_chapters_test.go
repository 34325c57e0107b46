package engine_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A render gets the chapters that were complete when it was requested, in every attempt, at the exact times of their utterances.
func TestRenderChapters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []engine.RenderRequest
		s := newStage(t, engine.Config{
			Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
				return engine.Transcription{Words: []transcript.Word{
					sample.Said("A", "Hello", 0, 400), sample.Said("A", "there.", 500, 900), sample.Said("B", "Good", 2340, 2400), sample.Said("B", "morning.", 2500, 2900),
				}}, nil
			}),
			LLM: drafts(func(_ context.Context, req engine.WriteRequest) (string, error) {
				if req.Type == engine.OutputChapters {
					time.Sleep(time.Millisecond) // until after the request
					return "- 0:00 Hello\n- 0:02 **Good** morning\n- 0:40 Nobody speaks\n- no chapter", nil
				}
				return "text", nil
			}),
			Renderer: draws(func(_ context.Context, req engine.RenderRequest) (string, error) {
				asked = append(asked, req)
				if len(asked) == 1 {
					return "", engine.Errorf(engine.CodeUnavailable, "", "Once more.").Transient()
				}
				return "", nil
			}),
		})
		stop := s.start()
		early := s.render(engine.NewRender{})
		_, err := s.WaitRender(t.Context(), s.caller, early.ID)
		require.NoError(t, err)
		time.Sleep(time.Minute)
		late, err := s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: early.RecordingID, Window: early.Window})
		require.NoError(t, err)
		_, err = s.WaitRender(t.Context(), s.caller, late.ID)
		require.NoError(t, err)
		require.Len(t, asked, 3)
		require.Empty(t, asked[0].Chapters)
		require.Empty(t, asked[1].Chapters, "chapters that came later must not change an attempt")
		require.Equal(t, []engine.Chapter{{Start: 0, Title: "Hello"}, {Start: 2340 * time.Millisecond, Title: "Good morning"}, {Start: 40 * time.Second, Title: "Nobody speaks"}}, asked[2].Chapters)
		stop()
	})
}
