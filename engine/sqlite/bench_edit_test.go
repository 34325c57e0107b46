package sqlite_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// threeHours is a Media that reports three hours of sound.
type threeHours struct{}

func (threeHours) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return engine.MediaInfo{Duration: 3 * time.Hour, Audio: &engine.AudioStream{}}, nil
}

func (threeHours) Decode(context.Context, engine.Source) (io.ReadCloser, error) { return nil, nil }

func (threeHours) Transcribe(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
	return engine.Transcription{}, nil
}

// BenchmarkEditTranscript changes one word of a transcript of three hours, 27,000 words, and merges or splits two of its utterances. Each
// edit is durable when it returns.
func BenchmarkEditTranscript(b *testing.B) {
	s, err := sqlite.Open(b.Context(), newPath(b))
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	blobs, err := files.New(b.TempDir(), files.Options{})
	require.NoError(b, err)
	e, err := engine.New(engine.Config{Store: s, Blobs: blobs, Media: threeHours{}, Transcriber: threeHours{}})
	require.NoError(b, err)
	me, err := e.CreateAccount(b.Context(), engine.NewAccount{Name: "Test"})
	require.NoError(b, err)
	text := transcript.Transcript{Language: "en", Duration: 3 * time.Hour, Utterances: sample.Chatter(rand.New(rand.NewPCG(1, 2)), 3*time.Hour)}
	restored, err := e.Restore(b.Context(), me, engine.Archive{Spaces: []engine.ArchiveSpace{{Recordings: []engine.ArchiveRecording{{
		Recording: engine.Recording{Title: "Long"}, Transcript: &text, ContentType: "audio/wav",
		Media: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("media")), nil },
	}}}}})
	require.NoError(b, err)
	n, revision := 0, 0
	edit := func(b *testing.B, operation engine.EditOperation) {
		rt, err := e.EditTranscript(b.Context(), me, restored.Recordings[0], engine.TranscriptEdit{Revision: revision, Operations: []engine.EditOperation{operation}})
		require.NoError(b, err)
		revision = rt.Recording.Revision
	}
	b.Run("word", func(b *testing.B) {
		for b.Loop() {
			i := n % len(text.Utterances)
			n++
			edit(b, engine.EditOperation{Kind: engine.EditSetText, Utterance: i, Text: fmt.Sprintf("edited%d %s", n, text.Utterances[i].Text)})
		}
	})
	b.Run("merge and split", func(b *testing.B) {
		for b.Loop() {
			edit(b, engine.EditOperation{Kind: engine.EditMerge, Utterance: 10})
			edit(b, engine.EditOperation{Kind: engine.EditSplit, Utterance: 10, Word: 20})
		}
	})
}
