package engine_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// blind is a store that can't read the members of spaces.
type blind struct{ engine.Store }

var errBlind = engine.Errorf(engine.CodeUnavailable, "", "The database does not answer.")

func (s blind) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	return s.Store.View(ctx, func(tx engine.ReadTx) error { return fn(blindReadTx{tx}) })
}

func (s blind) Update(ctx context.Context, fn func(engine.Tx) error) error {
	return s.Store.Update(ctx, func(tx engine.Tx) error { return fn(blindTx{tx}) })
}

type blindReadTx struct{ engine.ReadTx }

func (blindReadTx) SpacesOf(engine.UserID) ([]engine.Space, error) { return nil, errBlind }
func (blindReadTx) Upload(engine.UploadID) (engine.Upload, error)  { return engine.Upload{}, errBlind }

type blindTx struct{ engine.Tx }

func (blindTx) SpacesOf(engine.UserID) ([]engine.Space, error) { return nil, errBlind }
func (blindTx) Upload(engine.UploadID) (engine.Upload, error)  { return engine.Upload{}, errBlind }

// A failing store is reported as such, and not as a missing row.
func TestFailingStoreIsNotNotFound(t *testing.T) {
	t.Parallel()
	store := memory.NewStore()
	s := newStage(t, engine.Config{Store: blind{store}})
	require.NoError(t, store.Update(t.Context(), func(tx engine.Tx) error {
		return errors.Join(
			tx.PutRecording(engine.Recording{ID: "recording", SpaceID: "space"}), tx.PutSpeaker(engine.Speaker{ID: "speaker", SpaceID: "space", Name: "Ann"}),
			tx.PutOutput(engine.Output{ID: "output", RecordingID: "recording"}), tx.PutRender(engine.Render{ID: "render", RecordingID: "recording"}),
			tx.PutPrompt(engine.Prompt{ID: "prompt", SpaceID: "space"}),
		)
	}))
	for name, ask := range map[string]func() error{
		"recording": func() error { _, _, err := s.GetRecording(t.Context(), s.caller, "recording"); return err },
		"output":    func() error { _, err := s.GetOutput(t.Context(), s.caller, "output"); return err },
		"render":    func() error { _, err := s.GetRender(t.Context(), s.caller, "render"); return err },
		"speaker": func() error {
			_, err := s.UpdateSpeaker(t.Context(), s.caller, "speaker", engine.SpeakerChange{})
			return err
		},
		"prompt": func() error {
			_, err := s.UpdatePrompt(t.Context(), s.caller, "prompt", func(*engine.Prompt) error { return nil })
			return err
		},
		"upload": func() error {
			_, _, err := s.CreateRecording(t.Context(), s.caller, engine.NewRecording{ObjectID: "upload"})
			return err
		},
	} {
		require.Equal(t, engine.CodeUnavailable, engine.CodeOf(ask()), name)
	}
}

// flaky is a store that calls each Update function twice, as one that retries serialisation failures does. The first time,
// writing an output fails.
type flaky struct{ engine.Store }

func (s flaky) Update(ctx context.Context, fn func(engine.Tx) error) error {
	_ = s.Store.Update(ctx, func(tx engine.Tx) error { return errors.Join(fn(unwritable{tx}), errCut) })
	return s.Store.Update(ctx, fn)
}

type unwritable struct{ engine.Tx }

func (unwritable) PutOutput(engine.Output) error { return errCut }

// A repeated transaction writes the same output as its first run.
func TestGenerationInRepeatedTransaction(t *testing.T) {
	t.Parallel()
	store := memory.NewStore()
	s := newStage(t, engine.Config{Store: store, LLM: answers("Text.")})
	again := newStage(t, engine.Config{Store: flaky{store}, LLM: answers("Text.")})
	defer s.start()()
	o, err := again.GenerateOutput(t.Context(), s.caller, engine.NewOutput{RecordingID: s.completed().ID, Prompt: "Sum it up.", Name: "Sum"})
	require.NoError(t, err)
	require.Equal(t, []any{engine.OutputDynamic, "Sum it up.", "Sum", s.caller.UserID}, []any{o.Type, o.Prompt, o.Name, o.UserID})
}

// locked is a store that refuses writes while it is locked.
type locked struct {
	engine.Store
	now atomic.Bool
}

func (s *locked) Update(ctx context.Context, fn func(engine.Tx) error) error {
	if s.now.Load() {
		return errCut
	}
	return s.Store.Update(ctx, fn)
}

// A job whose end could not be written is repeated when writing works again, even if no lease expires because this process is the
// only worker.
func TestUnsavedJobIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &locked{Store: memory.NewStore()}
		var tries atomic.Int32
		s := newStage(t, engine.Config{Store: exclusive{store}, Transcriber: hear(
			func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
				store.now.Store(tries.Add(1) == 1)
				return hears("Hello", "there.").Transcribe(ctx, req)
			},
		)})
		defer s.start()()
		rec := s.record()
		time.Sleep(5 * time.Minute)
		require.Equal(t, engine.TranscriptProcessing, s.transcript(rec.TranscriptID).Status)
		require.EqualValues(t, 1, tries.Load())
		store.now.Store(false)
		time.Sleep(time.Minute)
		require.Equal(t, engine.TranscriptCompleted, s.transcript(rec.TranscriptID).Status)
		require.EqualValues(t, 2, tries.Load())
	})
}

// mute is a store that keeps quiet about its next commit, if a test asks for it: the commit happens, and the caller gets an error.
type mute struct {
	engine.Store
	next atomic.Bool
}

func (s *mute) Update(ctx context.Context, fn func(engine.Tx) error) error {
	err := s.Store.Update(ctx, fn)
	if err == nil && s.next.CompareAndSwap(true, false) {
		return errCut
	}
	return err
}

// The bytes of an upload stay when the answer to its commit is lost.
func TestUploadWithLostAnswer(t *testing.T) {
	t.Parallel()
	store := &mute{Store: memory.NewStore()}
	s := newStage(t, engine.Config{Store: store})
	u, err := s.CreateUpload(t.Context(), s.caller, engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: 5})
	require.NoError(t, err)
	store.next.Store(true)
	_, err = s.ReceiveUpload(t.Context(), u.ID, strings.NewReader("bytes"))
	require.ErrorIs(t, err, errCut)
	r, _, err := s.CreateRecording(t.Context(), s.caller, engine.NewRecording{ObjectID: u.ID})
	require.NoError(t, err)
	require.Equal(t, []string{r.BlobKey}, s.keys())
}
