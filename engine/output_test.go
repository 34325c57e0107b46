package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// A space starts with the built-in prompts. Custom prompts are listed after them.
func TestPrompts(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	p, err := s.CreatePrompt(t.Context(), s.caller, engine.NewPrompt{Name: " Jokes ", Text: "Tell the jokes.\nAll of them.", Description: "d"})
	require.NoError(t, err)
	require.Equal(t, "Jokes", p.Name)
	space, prompts, err := s.ListPrompts(t.Context(), s.caller, "")
	require.NoError(t, err)
	require.Equal(t, engine.SpaceID("space"), space.ID)
	var types []engine.OutputType
	for _, p := range prompts {
		types = append(types, p.Type)
		require.NotEmpty(t, p.Name)
		require.NotEmpty(t, p.Text)
	}
	require.Equal(t, append(engine.BuiltInTypes(), engine.OutputDynamic), types)
	other := s.otherCaller()
	for what, n := range map[string]engine.NewPrompt{
		"name is required":   {Text: "x"},
		"prompt is required": {Name: "x", Text: " \n"},
		"prompt is longer":   {Name: "x", Text: strings.Repeat("x", 10_001)},
		"prompt has control": {Name: "x", Text: "\x1b"},
	} {
		_, err := s.CreatePrompt(t.Context(), s.caller, n)
		requireCode(t, engine.CodeInvalid, err)
		require.Contains(t, engine.Message(err), what)
	}
	_, err = s.CreatePrompt(t.Context(), other, engine.NewPrompt{SpaceID: "space", Name: "x", Text: "x"})
	requireCode(t, engine.CodeNotFound, err)
	_, _, err = s.ListPrompts(t.Context(), other, "space")
	requireCode(t, engine.CodeNotFound, err)
	_, err = s.UpdatePrompt(t.Context(), other, p.ID, func(*engine.Prompt) error { return nil })
	requireCode(t, engine.CodeNotFound, err)
	changed, err := s.UpdatePrompt(t.Context(), s.caller, p.ID, func(p *engine.Prompt) error {
		p.Disabled, p.Type = true, engine.OutputQuotes
		return nil
	})
	require.NoError(t, err)
	require.True(t, changed.Disabled)
	require.Equal(t, engine.OutputDynamic, changed.Type, "the type of a prompt must not change")
}

// Every new recording runs each enabled prompt once: custom prompts always, built-in ones if the space has AutoGenerate.
func TestAutomaticGeneration(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{LLM: answers("text")})
		custom, err := s.CreatePrompt(t.Context(), s.caller, engine.NewPrompt{Name: "Jokes", Text: "Tell the jokes."})
		require.NoError(t, err)
		off, err := s.CreatePrompt(t.Context(), s.caller, engine.NewPrompt{Name: "Off", Text: "Nothing."})
		require.NoError(t, err)
		_, err = s.UpdatePrompt(t.Context(), s.caller, off.ID, func(p *engine.Prompt) error {
			p.Disabled = true
			return nil
		})
		require.NoError(t, err)
		stop := s.start()
		r := s.completed()
		time.Sleep(time.Minute)
		var types []engine.OutputType
		for _, o := range outputsOf(t, s, r.ID) {
			types = append(types, o.Type)
			require.Equal(t, engine.OutputCompleted, o.Status)
			require.Equal(t, "text", o.Text)
			require.Empty(t, o.UserID)
		}
		slices.Sort(types)
		want := append(engine.BuiltInTypes(), engine.OutputDynamic)
		slices.Sort(want)
		require.Equal(t, want, types)
		quotes, err := s.ListOutputs(t.Context(), s.caller, r.ID, engine.OutputQuotes)
		require.NoError(t, err)
		require.Len(t, quotes, 1)

		s.disableAutoGenerate()
		r = s.completed()
		time.Sleep(time.Minute)
		outputs := outputsOf(t, s, r.ID)
		require.Len(t, outputs, 1)
		require.Equal(t, custom.ID, outputs[0].PromptID)
		stop()
	})
}

// If a process dies during generation, each prompt still runs once.
func TestGenerationAfterCrash(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, cut, second := twoEngines(t, hears("Hello"), hears("Hello"))
		withLLM := func(s *stage, llm engine.LLM) *stage {
			c := engine.Config{Store: s.store, Blobs: s.blobs, LLM: llm}
			c.Blobs = first.blobs
			return newStage(t, c)
		}
		started := make(chan struct{}, 10)
		first = withLLM(first, drafts(func(ctx context.Context, _ engine.WriteRequest) (string, error) {
			started <- struct{}{}
			<-ctx.Done()
			return "", context.Cause(ctx)
		}))
		second = withLLM(second, answers("second"))
		stopFirst := first.start()
		r := first.completed()
		<-started
		cut.cut.Store(true)
		stopSecond := second.start()
		time.Sleep(5 * time.Minute)
		outputs := outputsOf(t, second, r.ID)
		require.Len(t, outputs, len(engine.BuiltInTypes()))
		for _, o := range outputs {
			require.Equal(t, "second", o.Text)
		}
		stopSecond()
		stopFirst()
	})
}

// An output on demand needs exactly one prompt, a custom one of the recording's space, and a completed transcript.
func TestGenerateRefusals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{LLM: answers("text")})
		s.disableAutoGenerate()
		other := s.otherCaller()
		_, prompts, err := s.ListPrompts(t.Context(), s.caller, "")
		require.NoError(t, err)
		theirs, err := s.CreatePrompt(t.Context(), other, engine.NewPrompt{Name: "x", Text: "x"})
		require.NoError(t, err)
		waiting := s.record()
		_, err = s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: waiting.ID, Prompt: "x"})
		requireCode(t, engine.CodeNotReady, err)
		require.Equal(t, "The transcript is not ready: its status is queued, and generation requires a completed transcript.", engine.Message(err))
		stop := s.start()
		r := s.completed()
		for _, c := range []struct {
			n    engine.NewOutput
			want engine.Code
		}{
			{engine.NewOutput{RecordingID: r.ID}, engine.CodeInvalid},
			{engine.NewOutput{RecordingID: r.ID, Prompt: " "}, engine.CodeInvalid},
			{engine.NewOutput{RecordingID: r.ID, Prompt: "x", PromptID: "y"}, engine.CodeInvalid},
			{engine.NewOutput{RecordingID: r.ID, PromptID: prompts[0].ID}, engine.CodeInvalid},
			{engine.NewOutput{RecordingID: r.ID, PromptID: theirs.ID}, engine.CodeNotFound},
			{engine.NewOutput{RecordingID: r.ID, PromptID: "none"}, engine.CodeNotFound},
			{engine.NewOutput{RecordingID: "none", Prompt: "x"}, engine.CodeNotFound},
		} {
			_, err := s.GenerateOutput(t.Context(), s.caller, c.n)
			requireCode(t, c.want, err)
		}
		o, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "Tell it.", Name: "Tale"})
		require.NoError(t, err)
		require.Equal(t, engine.OutputQueued, o.Status)
		require.Equal(t, engine.OutputDynamic, o.Type)
		o, err = s.WaitOutput(t.Context(), s.caller, o.ID)
		require.NoError(t, err)
		require.Equal(t, "text", o.Text)
		require.Equal(t, "Tale", o.Name)
		requireCode(t, engine.CodeConflict, s.CancelOutput(t.Context(), s.caller, o.ID))
		_, err = s.GetOutput(t.Context(), other, o.ID)
		requireCode(t, engine.CodeNotFound, err)
		stop()
		none := newStage(t, engine.Config{})
		_, err = none.GenerateOutput(t.Context(), none.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "x"})
		requireCode(t, engine.CodeUnavailable, err)
	})
}

// If a language model fails, returns nothing, or panics, the output is retried if that can help, and then fails with a message.
func TestGenerationFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		llm      drafts
		status   engine.OutputStatus
		tries    int32
		sentence string
	}{
		"unknown error": {func(context.Context, engine.WriteRequest) (string, error) { return "", errors.New("boom") }, engine.OutputFailed, 5, "The language model failed."},
		"empty":         {answers(" \n\x00"), engine.OutputFailed, 5, "The language model gave an empty answer."},
		"too long":      {answers(strings.Repeat("x", 100_001)), engine.OutputFailed, 5, "The language model gave an answer that is too long."},
		"refusal": {func(context.Context, engine.WriteRequest) (string, error) {
			return "", engine.Errorf(engine.CodeUnprocessable, "Write", "The language model refused the request.")
		}, engine.OutputFailed, 1, "The language model refused the request."},
		"panic": {func(context.Context, engine.WriteRequest) (string, error) { panic("boom") }, engine.OutputFailed, 1, "Something went wrong on our side."},
		"hang": {func(ctx context.Context, _ engine.WriteRequest) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}, engine.OutputFailed, 5, "The language model did not answer in time."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var tries atomic.Int32
				s := newStage(t, engine.Config{LLM: drafts(func(ctx context.Context, req engine.WriteRequest) (string, error) {
					tries.Add(1)
					return c.llm(ctx, req)
				})})
				s.disableAutoGenerate()
				stop := s.start()
				r := s.completed()
				o, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "x"})
				require.NoError(t, err)
				o, err = s.WaitOutput(t.Context(), s.caller, o.ID)
				require.Equal(t, c.sentence != "", err != nil)
				require.Equal(t, c.status, o.Status)
				require.Equal(t, c.sentence, o.Error)
				require.Equal(t, c.tries, tries.Load())
				require.Empty(t, o.Text)
				stop()
			})
		})
	}
}

// Between attempts an output is retrying, for at least as long as the backend asked for. A later success completes it.
func TestGenerationRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tries atomic.Int32
		s := newStage(t, engine.Config{LLM: drafts(func(context.Context, engine.WriteRequest) (string, error) {
			if tries.Add(1) < 3 {
				return "", engine.Errorf(engine.CodeUnavailable, "Write", "Busy.").After(time.Hour)
			}
			return "in the end", nil
		})})
		s.disableAutoGenerate()
		stop := s.start()
		r := s.completed()
		start := time.Now()
		o, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "x"})
		require.NoError(t, err)
		time.Sleep(time.Minute)
		retrying, err := s.GetOutput(t.Context(), s.caller, o.ID)
		require.NoError(t, err)
		require.Equal(t, engine.OutputRetrying, retrying.Status)
		o, err = s.WaitOutput(t.Context(), s.caller, o.ID)
		require.NoError(t, err)
		require.Equal(t, "in the end", o.Text)
		require.GreaterOrEqual(t, time.Since(start), 2*time.Hour)
		stop()
	})
}

// An output can be canceled while it waits and while it runs.
func TestCancelOutput(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{LLM: drafts(func(ctx context.Context, _ engine.WriteRequest) (string, error) {
			<-ctx.Done()
			return "", context.Cause(ctx)
		}), Workers: map[queue.Class]int{queue.ClassTranscribe: 1, queue.ClassGenerate: 1, queue.ClassMaintain: 1}})
		s.disableAutoGenerate()
		stop := s.start()
		r := s.completed()
		for range 2 { // the first is running, the second waits
			_, err := s.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: r.ID, Prompt: "x"})
			require.NoError(t, err)
		}
		synctest.Wait()
		for _, o := range outputsOf(t, s, r.ID) {
			require.NoError(t, s.CancelOutput(t.Context(), s.caller, o.ID))
			o, err := s.WaitOutput(t.Context(), s.caller, o.ID)
			require.Error(t, err)
			require.Equal(t, engine.OutputCanceled, o.Status)
			require.Equal(t, "The operation was canceled.", o.Error)
		}
		stop()
	})
}

// A recording without speech has nothing to generate from, and the output says so.
func TestGenerationOfSilence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Transcriber: hears(), LLM: answers("text")})
		stop := s.start()
		r := s.completed()
		time.Sleep(time.Minute)
		for _, o := range outputsOf(t, s, r.ID) {
			require.Equal(t, engine.OutputFailed, o.Status)
			require.Equal(t, "The recording has no speech to generate content from.", o.Error)
		}
		stop()
	})
}
