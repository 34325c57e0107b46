package engine_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// says is a Transcriber that returns the words of a script; see sample.Dialogue.
func says(script string) hear {
	return func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
		return engine.Transcription{Words: sample.Dialogue(script)}, nil
	}
}

const chat = "A: We sore the lighthouse.\nB: Was it old?\nA: Very old indeed."

// edit edits a recording's transcript as it is.
func (s *stage) edit(id engine.RecordingID, operations ...engine.EditOperation) engine.RecordingTranscript {
	s.t.Helper()
	rt, err := s.GetRecordingTranscript(s.t.Context(), s.caller, id)
	require.NoError(s.t, err)
	rt, err = s.EditTranscript(s.t.Context(), s.caller, id, engine.TranscriptEdit{Revision: rt.Recording.Revision, Operations: operations})
	require.NoError(s.t, err)
	return rt
}

// texts returns the utterances of a recording as "0: text" lines.
func (s *stage) texts(id engine.RecordingID) string {
	s.t.Helper()
	rt, err := s.GetRecordingTranscript(s.t.Context(), s.caller, id)
	require.NoError(s.t, err)
	return linesOf(rt.Transcript)
}

func linesOf(t transcript.Transcript) string {
	var all []string
	for _, u := range t.Utterances {
		all = append(all, strings.TrimPrefix(u.Speaker, "Speaker ")+": "+u.Text)
	}
	return strings.Join(all, "\n")
}

func setText(i int, text string) engine.EditOperation {
	return engine.EditOperation{Kind: engine.EditSetText, Utterance: i, Text: text}
}

// An edit changes texts, speakers, and the cut of utterances; words that stay keep their times; the record says what changed and when.
func TestEditTranscript(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Transcriber: says(chat)})
		stop := s.start()
		r := s.completed()
		require.Zero(t, r.Revision)
		before, err := s.GetRecordingTranscript(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		time.Sleep(time.Hour)
		rt := s.edit(r.ID, setText(0, "  We saw  the lighthouse."), engine.EditOperation{Kind: engine.EditSplit, Utterance: 2, Word: 2},
			engine.EditOperation{Kind: engine.EditSetSpeaker, Utterance: 3, Speaker: "Speaker 1"}, engine.EditOperation{Kind: engine.EditMerge, Utterance: 1},
			engine.EditOperation{Kind: engine.EditSetSpeaker, Utterance: 0, Speaker: "Speaker 0"})
		require.Equal(t, "0: We saw the lighthouse.\n1: Was it old? Very old\n1: indeed.", linesOf(rt.Transcript))
		require.Equal(t, linesOf(rt.Transcript), s.texts(r.ID))
		require.Equal(t, 1, rt.Recording.Revision)
		require.Equal(t, before.Transcript.Words()[0], rt.Transcript.Words()[0])
		require.Equal(t, before.Transcript.Words()[1].Start, rt.Transcript.Words()[1].Start)
		for i, w := range rt.Transcript.Words() {
			require.Equal(t, before.Transcript.Words()[i].Start, w.Start)
			require.Equal(t, before.Transcript.Words()[i].End, w.End)
		}
		edits, err := s.ListEdits(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Len(t, edits, 1)
		require.Equal(t, []any{r.ID, engine.UserID("user"), 1, false}, []any{edits[0].RecordingID, edits[0].UserID, edits[0].Revision, edits[0].Dropped()})
		require.Equal(t, time.Hour, edits[0].CreatedAt.Sub(r.CreatedAt).Truncate(time.Minute))
		require.Len(t, edits[0].Operations, 4, "an operation that changes nothing is left out")
		require.Equal(t, []transcript.Change{{Start: 400 * ms, End: 750 * ms, Old: "sore", New: "saw"}}, edits[0].Operations[0].Changes)
		require.Equal(t, sample.Window(0, 1550), edits[0].Operations[0].Window)

		rt = s.edit(r.ID, setText(0, "We saw the lighthouse."))
		require.Equal(t, 1, rt.Recording.Revision, "nothing changed")
		rt = s.edit(r.ID, engine.EditOperation{Kind: engine.EditRemove, Utterance: 2}, engine.EditOperation{Kind: engine.EditRemove}, engine.EditOperation{Kind: engine.EditRemove})
		require.Empty(t, rt.Transcript.Utterances)
		require.Equal(t, 2, rt.Recording.Revision)
		stop()
	})
}

// A wrong operation is refused, and nothing of its edit is written.
func TestEditTranscriptBadInput(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Transcriber: says(chat)})
		stop := s.start()
		r := s.completed()
		before := s.transcript(r.TranscriptID)
		good := setText(0, "Changed.")
		for want, o := range map[string]engine.EditOperation{
			"there is no utterance 3; the transcript has 3, counted from 0.":   setText(3, "x"),
			"there is no utterance -1; the transcript has 3, counted from 0.":  setText(-1, "x"),
			"utterance 2 is the last and can't be merged with the next.":       {Kind: engine.EditMerge, Utterance: 2},
			"word must be from 1 to 2 in utterance 1 (got 0).":                 {Kind: engine.EditSplit, Utterance: 1},
			"word must be from 1 to 2 in utterance 1 (got 3).":                 {Kind: engine.EditSplit, Utterance: 1, Word: 3},
			`there is no speaker label "Ann".`:                                 {Kind: engine.EditSetSpeaker, Speaker: "Ann"},
			`there is no speaker label "Speaker 3".`:                           {Kind: engine.EditSetSpeaker, Speaker: "Speaker 3"},
			`there is no speaker label "".`:                                    {Kind: engine.EditSetSpeaker},
			`"shout" is not a kind of operation.`:                              {Kind: "shout"},
			"is blank; the operation remove removes an utterance.":             setText(0, " \u2003\u00a0 "),
			"is blank; the operation remove removes an utterance. ":            setText(0, ""),
			"has control characters, such as line breaks.":                     setText(0, "a\nb"),
			"has control characters, such as line breaks. ":                    setText(0, "a\x00b"),
			"is not valid UTF-8.":                                              setText(0, "a\xff"),
			"is longer than the limit of 50,000 characters.":                   setText(0, strings.Repeat("a ", 5<<20)),
			"The text of operation 1 is longer than the limit of 50,000 chara": setText(0, strings.Repeat("é", engine.MaxUtteranceText+1)),
		} {
			_, err := s.EditTranscript(t.Context(), s.caller, r.ID, engine.TranscriptEdit{Operations: []engine.EditOperation{good, o}})
			requireCode(t, engine.CodeInvalid, err)
			require.Contains(t, engine.Message(err), strings.TrimSpace(want))
		}
		for _, operations := range [][]engine.EditOperation{nil, make([]engine.EditOperation, engine.MaxEditOperations+1)} {
			_, err := s.EditTranscript(t.Context(), s.caller, r.ID, engine.TranscriptEdit{Operations: operations})
			requireCode(t, engine.CodeInvalid, err)
		}
		_, err := s.EditTranscript(t.Context(), s.otherCaller(), r.ID, engine.TranscriptEdit{Operations: []engine.EditOperation{good}})
		requireCode(t, engine.CodeNotFound, err)
		_, err = s.ListEdits(t.Context(), s.otherCaller(), r.ID)
		requireCode(t, engine.CodeNotFound, err)
		edits, err := s.ListEdits(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Empty(t, edits)
		require.Equal(t, before, s.transcript(r.TranscriptID))
		stop()
	})
}

// Of two edits of one revision, one wins and the other is told.
func TestEditTranscriptRace(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{Transcriber: says(chat)})
	stop := s.start()
	defer stop()
	r := s.completed()
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			o := setText(0, "Winner "+string(rune('a'+i))+".")
			_, errs[i] = s.EditTranscript(context.Background(), s.caller, r.ID, engine.TranscriptEdit{Operations: []engine.EditOperation{o}})
		})
	}
	all.Wait()
	won := 0
	for i, err := range errs {
		if err == nil {
			won++
			require.Contains(t, s.texts(r.ID), "Winner "+string(rune('a'+i))+".")
			continue
		}
		requireCode(t, engine.CodeConflict, err)
		require.Equal(t, "Somebody changed the transcript in the meantime: its revision is 1, and this edit is for revision 0.", engine.Message(err))
	}
	require.Equal(t, 1, won)
}

// A transcript that is not completed can't be edited.
func TestEditTranscriptTooEarly(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	_, err := s.EditTranscript(t.Context(), s.caller, s.record().ID, engine.TranscriptEdit{Operations: []engine.EditOperation{setText(0, "x")}})
	requireCode(t, engine.CodeConflict, err)
	require.Contains(t, engine.Message(err), "its status is queued")
}

// Search finds the new words, at their times, and not the old ones; after a merge, too.
func TestEditTranscriptIsSearched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Transcriber: says(chat)})
		stop := s.start()
		r := s.completed()
		found := func(query string) (at []time.Duration) {
			results, err := s.Search(t.Context(), s.caller, engine.SearchRequest{Query: query, Category: engine.SearchTranscripts})
			require.NoError(t, err)
			for _, x := range results {
				at = append(at, x.Start)
			}
			return at
		}
		require.Len(t, found("sore"), 1)
		s.edit(r.ID, setText(0, "We visited the lighthouse."))
		require.Empty(t, found("sore"))
		require.Equal(t, []time.Duration{400 * ms}, found("visited"))
		require.Len(t, found("indeed"), 1)
		at := found("indeed")
		s.edit(r.ID, engine.EditOperation{Kind: engine.EditMerge})
		require.Equal(t, at, found("indeed"))
		require.Equal(t, []time.Duration{400 * ms}, found("visited"))
		s.edit(r.ID, engine.EditOperation{Kind: engine.EditSetSpeaker, Utterance: 1, Speaker: "Speaker 1"})
		require.Equal(t, at, found("indeed"))
		stop()
	})
}

// Suggestions and translations of the old text are gone and made again; a label that nobody has loses its speaker; renders use new words.
func TestEditTranscriptEffects(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var rendered []transcript.Word
		s := newStage(t, engine.Config{
			Transcriber: says(monologue + "\nB: I agree."), Translator: translates(upperCase),
			Renderer: draws(func(_ context.Context, req engine.RenderRequest) (string, error) {
				rendered = req.Words
				return "", nil
			}),
		})
		stop := s.start()
		r := s.completed()
		old := s.suggestions(r.ID)
		translated := func() string {
			rt, err := s.TranslateTranscript(t.Context(), s.caller, r.ID, "de")
			require.NoError(t, err)
			return linesOf(rt.Transcript)
		}
		require.Contains(t, translated(), "I AGREE.")
		speakers := map[string]engine.SpeakerID{}
		for _, label := range []string{"Speaker 0", "Speaker 1"} {
			p, err := s.CreateSpeaker(t.Context(), s.caller, engine.NewSpeaker{SpaceID: "space", Name: "Person of " + label})
			require.NoError(t, err)
			speakers[label] = p.ID
			_, err = s.AssignSpeaker(t.Context(), s.caller, engine.Assignment{RecordingID: r.ID, Label: label, SpeakerID: p.ID})
			require.NoError(t, err)
		}
		rt, err := s.GetRecordingTranscript(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		last := len(rt.Transcript.Utterances) - 1
		rt = s.edit(r.ID, setText(last, "I disagree."), engine.EditOperation{Kind: engine.EditSetSpeaker, Utterance: last, Speaker: "Speaker 0"})
		require.Equal(t, map[string]string{"Speaker 0": "Person of Speaker 0"}, rt.Names)
		labels, err := s.ListLabels(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Len(t, labels, 1)

		none, err := s.ListSuggestions(t.Context(), s.caller, r.ID, false)
		require.NoError(t, err)
		require.Empty(t, none)
		_, err = s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: r.ID, SuggestionID: old[0].ID})
		requireCode(t, engine.CodeNotFound, err)
		requireValid(t, rt.Transcript, s.suggestions(r.ID))
		require.Contains(t, translated(), "I DISAGREE.")

		words := rt.Transcript.Utterances[last].Words
		render, err := s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: r.ID, Window: transcript.Window{Start: words[1].Start + 1, End: words[1].End - 1}})
		require.NoError(t, err)
		require.Equal(t, transcript.Window{Start: words[1].Start, End: words[1].End}, render.Window)
		_, err = s.WaitRender(t.Context(), s.caller, render.ID)
		require.NoError(t, err)
		require.Equal(t, "disagree.", rendered[0].Text)
		stop()
	})
}

// Suggestions and a translation that were made of the old text, while it was edited, are not kept.
func TestEditTranscriptWhileOthersRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s *stage
		var r engine.Recording
		edits, asked := 0, 0
		edit := func() {
			edits++
			s.edit(r.ID, setText(0, "Edit "+string(rune('0'+edits))+" of the lighthouse."))
		}
		s = newStage(t, engine.Config{
			Transcriber: says(monologue),
			Translator: translates(func(req engine.TranslateRequest) ([]string, error) {
				if edits == 0 {
					edit()
				}
				return upperCase(req)
			}),
			LLM: suggests{suggest: func(_ context.Context, text engine.Transcript, _ int) ([]clips.Suggestion, error) {
				if asked++; asked == 1 {
					edit()
				}
				return clips.Suggest(text.Transcript), nil
			}},
		})
		s.disableAutoGenerate()
		stop := s.start()
		r = s.completed()
		for _, want := range []string{"GRANITE", "EDIT 1"} {
			rt, err := s.TranslateTranscript(t.Context(), s.caller, r.ID, "de")
			require.NoError(t, err)
			require.Contains(t, linesOf(rt.Transcript), want)
		}
		found := s.suggestions(r.ID)
		require.Equal(t, 2, edits)
		rt, err := s.GetRecordingTranscript(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		requireValid(t, rt.Transcript, found)
		require.Equal(t, 2, asked)
		stop()
	})
}
