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

// What a try of a transcription notes is there for the next try, of that transcription alone, and gone when it is over.
func TestNotes(t *testing.T) {
	t.Parallel()
	for _, giveUp := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			notes := map[engine.Notes][]string{}
			s := newStage(t, engine.Config{Transcriber: hear(func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
				note, err := req.Notes.Note(ctx, "part-1")
				require.NoError(t, err)
				if notes[req.Notes] = append(notes[req.Notes], string(note)); len(notes[req.Notes]) < 3 {
					require.NoError(t, req.Notes.Keep(ctx, "part-1", append(note, 'x')))
					return engine.Transcription{}, engine.Errorf(engine.CodeUnavailable, "", "Busy.").Transient()
				}
				if giveUp {
					return engine.Transcription{}, engine.Errorf(engine.CodeUnavailable, "", "Broken.")
				}
				require.Error(t, req.Notes.Keep(ctx, "../part", nil))
				return hears("Hello.")(ctx, req)
			}), Workers: map[queue.Class]int{queue.ClassTranscribe: 1, queue.ClassMaintain: 1}})
			defer s.start()()
			for range 2 {
				_, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
				require.NoError(t, err)
			}
			time.Sleep(time.Second) // the clean-up is a job of its own
			require.Len(t, notes, 2)
			for _, got := range notes {
				require.Equal(t, []string{"", "x", "xx"}, got)
			}
			require.NoError(t, s.blobs.List(t.Context(), "transcripts/", func(b engine.BlobInfo) error {
				require.Fail(t, "it is still there", b.Key)
				return nil
			}))
		})
	}
}

// A transcriber that tells speakers is believed, unless it was asked for otherwise.
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
