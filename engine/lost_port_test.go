package engine_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// A job queued by a process with a backend fails in a process without one, with a message that names what is missing.
func TestJobsOfLostPorts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, blobs := memory.NewStore(), memory.NewBlobs()
		rich := newStage(t, engine.Config{Store: store, Blobs: blobs, LLM: answers("Text."), Renderer: drawsSlowly(0)})
		rich.disableAutoGenerate()
		stop := rich.start()
		r := rich.completed()
		stop()
		o, err := rich.GenerateOutput(t.Context(), rich.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "Sum it up."})
		require.NoError(t, err)
		c, err := rich.CreateChat(t.Context(), rich.caller, engine.NewChat{RecordingIDs: []engine.RecordingID{r.ID}, Message: "?"})
		require.NoError(t, err)
		v, err := rich.CreateRender(t.Context(), rich.caller, engine.NewRender{RecordingID: r.ID, Window: sample.Window(0, 1000)})
		require.NoError(t, err)

		poor := newStage(t, engine.Config{Store: store, Blobs: blobs})
		defer poor.start()()
		o, err = poor.WaitOutput(t.Context(), poor.caller, o.ID)
		require.Error(t, err)
		require.Equal(t, "No language model is configured.", o.Error)
		c, err = poor.WaitChat(t.Context(), poor.caller, c.ID)
		require.NoError(t, err)
		require.Contains(t, c.Answer, "No language model is configured.")
		v, err = poor.WaitRender(t.Context(), poor.caller, v.ID)
		require.Error(t, err)
		require.Contains(t, v.Message, "Rendering is not configured.")
	})
}

// Renders need Config.Media: without it, CreateRender fails.
func TestRenderWithoutMedia(t *testing.T) {
	t.Parallel()
	e, err := engine.New(engine.Config{Store: memory.NewStore(), Blobs: memory.NewBlobs(), Renderer: drawsSlowly(0)})
	require.NoError(t, err)
	_, err = e.CreateRender(t.Context(), engine.Caller{}, engine.NewRender{RecordingID: "r", Window: sample.Window(0, 1000)})
	requireCode(t, engine.CodeUnavailable, err)
}

// boundless is an LLM with an unlimited context.
type boundless struct{ writes }

func (boundless) ContextTokens() int { return int(^uint(0) >> 1) }

// A backend with an unlimited context gets the whole recording.
func TestBoundlessContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		told := 0
		s := quietStage(t, scripted(engine.Config{LLM: boundless{func(_ context.Context, req engine.WriteRequest) (string, error) {
			for _, p := range req.Passages {
				told += len(p.Utterances)
			}
			return "Yes [1.1].", nil
		}}}))
		defer s.start()()
		r := s.spoken("Talk", "en", monologue+"\nB: Sure.\n"+monologue)
		s.chat("What is known of the lighthouse?", r.ID)
		require.Equal(t, len(s.transcript(r.TranscriptID).Utterances), told)
	})
}
