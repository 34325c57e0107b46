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

// WaitSuggestions waits for the transcript, makes the suggestions once, and returns them; afterwards it returns them at once.
func TestWaitSuggestions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, scripted(engine.Config{}))
		defer s.start()()
		r := s.script("Lights", "en", monologue)
		found, err := s.WaitSuggestions(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		requireValid(t, s.transcript(r.TranscriptID).Transcript, found)
		again, err := s.WaitSuggestions(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, found, again)
		_, err = s.WaitSuggestions(t.Context(), s.otherCaller(), r.ID)
		requireCode(t, engine.CodeNotFound, err)
	})
}

// A recording with too little speech has no suggestions: WaitSuggestions ends without any.
func TestWaitSuggestionsOfSilence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		defer s.start()()
		found, err := s.WaitSuggestions(t.Context(), s.caller, s.record().ID)
		require.NoError(t, err)
		require.Empty(t, found)
	})
}

// The error of WaitSuggestions says why there are none: the transcription failed, or the job was canceled.
func TestWaitSuggestionsFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := newStage(t, engine.Config{Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
			return engine.Transcription{}, engine.Errorf(engine.CodeBadMedia, "", "The media is broken.")
		})})
		defer broken.start()()
		_, err := broken.WaitSuggestions(t.Context(), broken.caller, broken.record().ID)
		requireCode(t, engine.CodeBadMedia, err)
		require.Equal(t, "The media is broken.", engine.Message(err))

		s := newStage(t, scripted(engine.Config{}))
		stop := s.start()
		r := s.spoken("Lights", "en", monologue)
		stop()
		go func() {
			time.Sleep(time.Minute)
			n, err := s.CancelJobsOf(context.Background(), string(r.ID))
			if n != 1 || err != nil {
				panic(err)
			}
		}()
		_, err = s.WaitSuggestions(t.Context(), s.caller, r.ID)
		requireCode(t, engine.CodeCanceled, err)
		require.Equal(t, "The operation was canceled.", engine.Message(err))
	})
}

// WaitTranslation waits for the transcript, and returns its failure.
func TestWaitTranslation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		upper := translates(func(r engine.TranslateRequest) ([]string, error) { return []string{"ПРИВІТ"}, nil })
		s := newStage(t, engine.Config{Translator: upper, Transcriber: delayed(time.Hour, false, hears("Hello"))})
		defer s.start()()
		rt, err := s.WaitTranslation(t.Context(), s.caller, s.record().ID, "uk")
		require.NoError(t, err)
		require.Equal(t, transcript.Language("uk"), rt.Transcript.Language)
		require.Equal(t, "ПРИВІТ", rt.Transcript.Utterances[0].Text)

		broken := newStage(t, engine.Config{Translator: upper, Media: stubMedia{err: engine.Errorf(engine.CodeBadMedia, "", "The media is broken.")}})
		defer broken.start()()
		_, err = broken.WaitTranslation(t.Context(), broken.caller, broken.record().ID, "uk")
		requireCode(t, engine.CodeBadMedia, err)
		require.EqualError(t, err, "WaitRecording: The media is broken.")
	})
}

// The video of a render is read by callers who may see its recording, and by a program that has verified a signed address.
func TestAssetsHaveCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Renderer: draws(drawsSlowly(0))})
		defer s.start()()
		r, err := s.WaitRender(t.Context(), s.caller, s.render(engine.NewRender{Window: sample.Window(0, 1500)}).ID)
		require.NoError(t, err)
		other := s.otherCaller()
		_, _, err = s.RenderAsset(t.Context(), other, r.ID)
		requireCode(t, engine.CodeNotFound, err)
		_, err = s.OpenAsset(t.Context(), other, r.ID, 0, -1)
		requireCode(t, engine.CodeNotFound, err)

		_, mine, err := s.RenderAsset(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		_, signed, err := s.SignedAsset(t.Context(), r.ID)
		require.NoError(t, err)
		require.Equal(t, mine, signed)
		require.Equal(t, int64(len("video")), mine.Size)
		body, err := s.OpenSignedAsset(t.Context(), r.ID, 1, 3)
		require.NoError(t, err)
		require.NoError(t, body.Close())
		_, _, err = s.SignedAsset(t.Context(), "nothing")
		requireCode(t, engine.CodeNotFound, err)
		_, err = s.OpenSignedAsset(t.Context(), "nothing", 0, -1)
		requireCode(t, engine.CodeNotFound, err)
	})
}

// The deletion of a recording is an event of its space, in the transaction of the deletion.
func TestRecordingDeleted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		r := s.record()
		events := s.Subscribe(t.Context(), s.caller, engine.EventFilter{Recording: r.ID})
		require.NoError(t, engine.Update(t.Context(), s.Engine, func(tx engine.Tx) error { return engine.RecordingDeleted(s.Engine, tx, r) }))
		texts, last := next(t, 1, events)
		require.Equal(t, []string{"recording.deleted"}, texts)
		require.Equal(t, []any{r.ID, r.SpaceID, r.TranscriptID, true}, []any{last.RecordingID, last.SpaceID, last.TranscriptID, last.Over()})
	})
}
