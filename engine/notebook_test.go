package engine_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A note of one attempt is readable by the next attempt of the same transcription only, and is deleted when the transcription is
// over.
func TestNotes(t *testing.T) {
	t.Parallel()
	for _, giveUp := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			notes := map[engine.Checkpoints][]string{}
			s := newStage(t, engine.Config{Transcriber: hear(func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
				note, err := req.Checkpoints.Load(ctx, "part-1")
				require.NoError(t, err)
				if notes[req.Checkpoints] = append(notes[req.Checkpoints], string(note)); len(notes[req.Checkpoints]) < 3 {
					require.NoError(t, req.Checkpoints.Save(ctx, "part-1", append(note, 'x')))
					return engine.Transcription{}, engine.Errorf(engine.CodeUnavailable, "", "Busy.").Transient()
				}
				if giveUp {
					return engine.Transcription{}, engine.Errorf(engine.CodeUnavailable, "", "Broken.")
				}
				require.Error(t, req.Checkpoints.Save(ctx, "../part", nil))
				return hears("Hello.")(ctx, req)
			}), Workers: map[queue.Class]int{queue.ClassTranscribe: 1, queue.ClassMaintain: 1}})
			defer s.start()()
			for range 2 {
				_, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
				require.Equal(t, giveUp, err != nil)
			}
			time.Sleep(time.Second) // clean-up is a separate job
			synctest.Wait()
			require.Len(t, notes, 2)
			for _, got := range notes {
				require.Equal(t, []string{"", "x", "xx"}, got)
			}
			require.NoError(t, s.blobs.List(t.Context(), "transcripts/", func(b engine.BlobInfo) error {
				require.Fail(t, "a note was not deleted", b.Key)
				return nil
			}))
		})
	}
}

// Speakers of a transcriber are used, unless DiarizeAll is set.
func TestDiarizeAll(t *testing.T) {
	t.Parallel()
	for all, want := range map[bool]string{false: "Speaker 1", true: "Speaker 0"} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, engine.Config{DiarizeAll: all, Diarizer: turns{{Start: 0, End: time.Minute}}, Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
				return engine.Transcription{Words: []transcript.Word{sample.Said("A", "Hello,", 0, 500), sample.Said("B", "hello.", 600, 900)}}, nil
			})})
			defer s.start()()
			r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
			require.NoError(t, err)
			words := s.transcript(r.TranscriptID).Words()
			require.Equal(t, want, words[len(words)-1].Speaker)
		})
	}
}

// Turns that the transcriber found label its words; the diarizer listens only without them, or when it is trusted more.
func TestTranscriberTurns(t *testing.T) {
	t.Parallel()
	found := []transcript.Turn{{Speaker: 0, Start: 0, End: 550 * time.Millisecond}, {Speaker: 1, Start: 550 * time.Millisecond, End: time.Second}}
	for _, c := range []struct {
		turns []transcript.Turn
		all   bool
		want  string
	}{
		{found, false, "Speaker 1"},
		{nil, false, "Speaker 0"},
		{found, true, "Speaker 0"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, engine.Config{DiarizeAll: c.all, Diarizer: turns{{Start: 0, End: time.Minute}}, Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
				return engine.Transcription{Turns: c.turns, Words: []transcript.Word{sample.Said("", "Hello,", 0, 500), sample.Said("", "hello.", 600, 900)}}, nil
			})})
			defer s.start()()
			r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
			require.NoError(t, err)
			words := s.transcript(r.TranscriptID).Words()
			require.Equal(t, c.want, words[len(words)-1].Speaker)
		})
	}
}

// assigner is a WordAssigner that replaces each word by the language.
type assigner struct{ turns }

func (assigner) Assign(words []transcript.Word, _ []transcript.Turn, language transcript.Language) []transcript.Word {
	for i := range words {
		words[i].Text, words[i].Speaker = string(language), "X"
	}
	return words
}

// A WordAssigner gets the language of the words.
func TestWordAssignerLanguage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Diarizer: assigner{}, Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
			return engine.Transcription{Language: "de", Words: []transcript.Word{sample.Said("", "Hallo.", 0, 500)}}, nil
		})})
		defer s.start()()
		r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
		require.NoError(t, err)
		require.Equal(t, "de", s.transcript(r.TranscriptID).Words()[0].Text)
	})
}
