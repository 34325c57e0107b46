package engine_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// takes is a Transcriber that needs ten minutes and returns another transcription each time; errors are permanent.
type takes struct {
	results  []any // scripts as of sample.Dialogue, or errors
	requests []engine.TranscribeRequest
}

func (k *takes) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	k.requests = append(k.requests, req)
	time.Sleep(10 * time.Minute)
	result := k.results[min(len(k.requests), len(k.results))-1]
	if err, failed := result.(error); failed {
		return engine.Transcription{}, err
	}
	return says(result.(string))(ctx, req)
}

var noSpeech = engine.Errorf(engine.CodeNoSpeech, "Transcribe", "Only wind.")

// A new transcription replaces the old transcript when it is done. It has the edits that still fit, and the speakers of the same voices.
func TestTranscribeAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := &takes{results: []any{
			"A: We sore the lighthouse.\nB: Was it cold?\nA: Very um old.\nB: I see.",
			"A: We soar the lighthouse.\nB: Was it old?\nA: Very, I think.\nB: I see.",
		}}
		s := newStage(t, engine.Config{Transcriber: k, LLM: answers("Text."), Translator: translates(upperCase)})
		stop := s.start()
		r := s.completed()
		outputs := len(outputsOf(t, s, r.ID))
		p, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Ann"})
		require.NoError(t, err)
		_, err = s.AssignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: r.ID, Label: "Speaker 1", SpeakerID: p.ID})
		require.NoError(t, err)
		s.edit(r.ID, setText(0, "We saw the lighthouse."), setText(1, "Was it old?"))
		s.edit(r.ID, setText(2, "Very old."), engine.EditOperation{Kind: engine.EditSetSpeaker, Utterance: 3, Speaker: "Speaker 2"})
		s.edit(r.ID, engine.EditOperation{Kind: engine.EditSplit, Utterance: 0, Word: 2})
		s.suggestions(r.ID)
		edited := s.texts(r.ID)

		again, err := s.TranscribeAgain(t.Context(), s.caller, r.ID, engine.TranscribeSettings{SpeakersExpected: 3, ContextPrompt: "A lighthouse."})
		require.NoError(t, err)
		require.Equal(t, []any{engine.TranscriptCompleted, r.TranscriptID}, []any{again.TranscriptStatus, again.TranscriptID})
		time.Sleep(time.Minute)
		require.Equal(t, edited, s.texts(r.ID), "the old transcript stays until the new one is there")
		next, err := s.GetNextTranscript(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, []any{again.NextTranscriptID, engine.TranscriptProcessing}, []any{next.ID, next.Status})
		_, err = s.EditTranscript(t.Context(), s.caller, r.ID, engine.TranscriptEdit{Revision: 3, Operations: []engine.EditOperation{setText(0, "x")}})
		requireCode(t, engine.CodeConflict, err)
		_, err = s.TranscribeAgain(t.Context(), s.caller, r.ID, engine.TranscribeSettings{})
		requireCode(t, engine.CodeConflict, err)
		_, err = s.RetryTranscript(t.Context(), s.caller, next.ID)
		requireCode(t, engine.CodeConflict, err)

		done, err := s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, []any{engine.TranscriptCompleted, next.ID, engine.TranscriptID(""), 4}, []any{done.TranscriptStatus, done.TranscriptID, done.NextTranscriptID, done.Revision})
		require.Equal(t, "0: We saw\n0: the lighthouse.\n1: Was it old?\n0: Very, I think.\n2: I see.", s.texts(r.ID))
		edits, err := s.ListEdits(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, []bool{false, true, false}, []bool{edits[0].Dropped(), edits[1].Dropped(), edits[2].Dropped()})
		require.Equal(t, []bool{true, false}, []bool{edits[1].Operations[0].Dropped, edits[1].Operations[1].Dropped})
		rt, err := s.GetRecordingTranscript(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, map[string]string{"Speaker 1": "Ann"}, rt.Names)

		require.Equal(t, []any{3, "A lighthouse.", transcript.Language("en")}, []any{k.requests[1].SpeakersExpected, k.requests[1].ContextPrompt, k.requests[1].Language})
		usage, err := s.GetUsage(t.Context(), s.caller)
		require.NoError(t, err)
		require.Equal(t, 2*time.Minute, usage.Speech)
		require.Len(t, outputsOf(t, s, r.ID), outputs, "prompts don't run again")
		none, err := s.ListSuggestions(t.Context(), s.caller, r.ID, false)
		require.NoError(t, err)
		require.Empty(t, none)
		found, err := s.Search(t.Context(), s.caller, engine.SearchRequest{Query: "think", Category: engine.SearchTranscripts})
		require.NoError(t, err)
		require.Len(t, found, 1)
		requireCode(t, engine.CodeNotFound, s.store.View(t.Context(), func(tx engine.ReadTx) error {
			_, err := tx.Transcript(r.TranscriptID)
			return err
		}))
		_, err = s.GetNextTranscript(t.Context(), s.caller, r.ID)
		requireCode(t, engine.CodeNotFound, err)
		stop()
	})
}

// If a new transcription fails, the old transcript stays and can be edited, cut, and translated, and the new one can be retried.
func TestTranscribeAgainFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := &takes{results: []any{chat, noSpeech, noSpeech, "A: We sore a lighthouse."}}
		s := newStage(t, engine.Config{Transcriber: k, Translator: translates(func(req engine.TranslateRequest) ([]string, error) { return req.Texts, nil })})
		stop := s.start()
		r := s.completed()
		_, err := s.TranscribeAgain(t.Context(), s.caller, r.ID, engine.TranscribeSettings{})
		require.NoError(t, err)
		r, err = s.WaitRecording(t.Context(), s.caller, r.ID)
		require.ErrorContains(t, err, "Only wind.")
		require.Equal(t, engine.TranscriptCompleted, r.TranscriptStatus)
		failed, err := s.GetNextTranscript(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, []any{engine.TranscriptError, "Only wind."}, []any{failed.Status, failed.Error})
		s.edit(r.ID, setText(0, "We saw the lighthouse."))
		found, err := s.WaitSuggestions(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.NotEmpty(t, found)
		_, err = s.WaitTranslation(t.Context(), s.caller, r.ID, "de")
		require.NoError(t, err)

		_, err = s.TranscribeAgain(t.Context(), s.caller, r.ID, engine.TranscribeSettings{})
		require.NoError(t, err)
		r, err = s.WaitRecording(t.Context(), s.caller, r.ID)
		require.ErrorContains(t, err, "Only wind.")
		require.NotEqual(t, failed.ID, r.NextTranscriptID)
		requireCode(t, engine.CodeNotFound, s.store.View(t.Context(), func(tx engine.ReadTx) error {
			_, err := tx.Transcript(failed.ID)
			return err
		}))
		retried, err := s.RetryTranscript(t.Context(), s.caller, r.NextTranscriptID)
		require.NoError(t, err)
		require.Equal(t, []any{engine.TranscriptQueued, "", engine.Code("")}, []any{retried.Status, retried.Error, retried.ErrorCode})
		r, err = s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Empty(t, r.NextTranscriptID)
		require.Equal(t, "0: We saw a lighthouse.", s.texts(r.ID))
		stop()
	})
}

// Speakers that a user has distinguished stay so, with their names, if the new transcription confuses them again. What was removed stays
// removed, also if its label is another speaker's now.
func TestTranscribeAgainKeepsSpeakers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		script := "A: Yes.\nB: Was it cold?\nA: It was very cold and dark all the night.\nB: I see.\nC: Breaking news."
		s := newStage(t, engine.Config{Transcriber: &takes{results: []any{script}}})
		stop := s.start()
		r := s.completed()
		s.edit(r.ID, engine.EditOperation{Kind: engine.EditRemove, Utterance: 4})
		s.edit(r.ID, engine.EditOperation{Kind: engine.EditSetSpeaker, Utterance: 2, Speaker: "Speaker 2"})
		s.edit(r.ID, engine.EditOperation{Kind: engine.EditMerge, Utterance: 2})
		names := map[string]string{"Speaker 0": "Ada", "Speaker 1": "Bob", "Speaker 2": "Cleo"}
		for label, name := range names {
			p, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: name})
			require.NoError(t, err)
			_, err = s.AssignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: r.ID, Label: label, SpeakerID: p.ID})
			require.NoError(t, err)
		}
		said := func() (all []string) {
			rt, err := s.GetRecordingTranscript(t.Context(), s.caller, r.ID)
			require.NoError(t, err)
			for _, u := range rt.Transcript.Utterances {
				all = append(all, rt.Names[u.Speaker]+": "+u.Text)
			}
			return all
		}
		want := []string{"Ada: Yes.", "Bob: Was it cold?", "Cleo: It was very cold and dark all the night. I see."}
		require.Equal(t, want, said())
		for range 2 {
			_, err := s.TranscribeAgain(t.Context(), s.caller, r.ID, engine.TranscribeSettings{})
			require.NoError(t, err)
			_, err = s.WaitRecording(t.Context(), s.caller, r.ID)
			require.NoError(t, err)
			require.Equal(t, want, said())
			edits, err := s.ListEdits(t.Context(), s.caller, r.ID)
			require.NoError(t, err)
			for _, d := range edits {
				require.False(t, d.Dropped(), "%+v", d)
			}
		}
		stop()
	})
}

// A first transcription that failed can be made again with other settings, or retried with the same ones; then prompts run.
func TestTranscribeAgainAfterFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := &takes{results: []any{noSpeech, noSpeech, chat}}
		s := newStage(t, engine.Config{Transcriber: k, LLM: answers("Text.")})
		stop := s.start()
		r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
		require.ErrorContains(t, err, "Only wind.")
		require.Equal(t, engine.TranscriptError, r.TranscriptStatus)
		again, err := s.TranscribeAgain(t.Context(), s.caller, r.ID, engine.TranscribeSettings{Language: "de"})
		require.NoError(t, err)
		require.Equal(t, []any{engine.TranscriptQueued, engine.TranscriptID("")}, []any{again.TranscriptStatus, again.NextTranscriptID})
		r, err = s.WaitRecording(t.Context(), s.caller, r.ID)
		require.ErrorContains(t, err, "Only wind.")
		require.Equal(t, []any{engine.TranscriptError, again.TranscriptID}, []any{r.TranscriptStatus, r.TranscriptID})
		_, err = s.RetryTranscript(t.Context(), s.otherCaller(), r.TranscriptID)
		requireCode(t, engine.CodeNotFound, err)
		_, err = s.RetryTranscript(t.Context(), s.caller, r.TranscriptID)
		require.NoError(t, err)
		r, err = s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, engine.TranscriptCompleted, r.TranscriptStatus)
		require.Equal(t, transcript.Language("de"), k.requests[2].Language)
		require.NotEmpty(t, outputsOf(t, s, r.ID))
		_, err = s.RetryTranscript(t.Context(), s.caller, r.TranscriptID)
		requireCode(t, engine.CodeConflict, err)
		require.Equal(t, "The transcript has not failed: its status is completed.", engine.Message(err))
		stop()
	})
}

// In another language, old texts don't fit; a wrong setting is refused.
func TestTranscribeAgainLanguage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Transcriber: &takes{results: []any{chat}}})
		stop := s.start()
		r := s.completed()
		s.edit(r.ID, setText(0, "We saw the lighthouse."), engine.EditOperation{Kind: engine.EditMerge, Utterance: 1})
		for _, wrong := range []engine.TranscribeSettings{{Language: "xx"}, {SpeakersExpected: -1}} {
			_, err := s.TranscribeAgain(t.Context(), s.caller, r.ID, wrong)
			requireCode(t, engine.CodeInvalid, err)
		}
		_, err := s.TranscribeAgain(t.Context(), s.otherCaller(), r.ID, engine.TranscribeSettings{})
		requireCode(t, engine.CodeNotFound, err)
		_, err = s.TranscribeAgain(t.Context(), s.caller, r.ID, engine.TranscribeSettings{Language: "fr"})
		require.NoError(t, err)
		r, err = s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, transcript.Language("fr"), r.Language)
		require.Equal(t, "0: We sore the lighthouse.\n1: Was it old? Very old indeed.", s.texts(r.ID))
		edits, err := s.ListEdits(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, []bool{true, false}, []bool{edits[0].Operations[0].Dropped, edits[0].Operations[1].Dropped})
		stop()
	})
}
