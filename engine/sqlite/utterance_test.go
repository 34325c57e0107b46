package sqlite_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// utteranceCases returns utterances of every form.
func utteranceCases() [][]transcript.Utterance {
	words := []transcript.Word{
		{Text: "Straße", Start: 2 * time.Second, End: 2320 * time.Millisecond, Confidence: 0.1 + 0.2, Speaker: "Speaker 0"},
		{Text: `"<&>"`, Start: 2320 * time.Millisecond, End: 27 * time.Hour, Confidence: 1, Speaker: "Speaker 1"},
		{Text: "\x00\xff", Start: time.Second, End: time.Second, Estimated: true},
		{Text: "there", Start: time.Second, End: 2 * time.Second, Speaker: "Speaker 1", Estimated: true},
	}
	return [][]transcript.Utterance{
		{},
		{{Speaker: "Speaker 0", Text: "no words"}},
		{{Speaker: "Speaker 0", Words: []transcript.Word{}}},
		{{Speaker: "Speaker 0", Text: "Straße", Start: 2 * time.Second, End: 4 * time.Second, Confidence: 0.987, Words: words[:1]}},
		{{Speaker: "Speaker 1", Words: words}, {Speaker: "Speaker 0", Start: 3 * time.Second, End: time.Second, Words: words}},
	}
}

// Utterances are returned as they were put; nil and empty remain distinct.
func TestUtterances(t *testing.T) {
	t.Parallel()
	s := open(t)
	for i, utterances := range append(utteranceCases(), nil) {
		want := engine.Transcript{
			ID: engine.TranscriptID(fmt.Sprint(i)), Status: engine.TranscriptCompleted, Transcript: transcript.Transcript{Utterances: utterances}, CreatedAt: noon, UpdatedAt: noon,
		}
		update(t, s, func(tx engine.Tx) error { return tx.PutTranscript(want) })
		require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
			got, err := tx.Transcript(want.ID)
			require.Equal(t, want, got)
			return err
		}))
	}
}

// Truncated, changed, or extended bytes are an error.
func TestBrokenUtterances(t *testing.T) {
	t.Parallel()
	for _, utterances := range utteranceCases() {
		b := sqlite.EncodeUtterances(utterances)
		for n := range b {
			_, err := sqlite.DecodeUtterances(b[:n])
			require.Error(t, err, "%d of %d bytes", n, len(b))
		}
		_, err := sqlite.DecodeUtterances(append(b, 0))
		require.Error(t, err)
		b[0]++
		_, err = sqlite.DecodeUtterances(b)
		require.Error(t, err, "unknown version")
	}
	s := open(t)
	update(t, s, func(tx engine.Tx) error {
		return tx.PutTranscript(engine.Transcript{ID: "t", Status: engine.TranscriptCompleted})
	})
	require.NoError(t, s.Exec("UPDATE transcripts SET utterances = x'0101'"))
	err := s.View(t.Context(), func(tx engine.ReadTx) error {
		_, err := tx.Transcript("t")
		return err
	})
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	require.ErrorContains(t, err, "the row t of the table transcripts is damaged")
}

// Decoding arbitrary bytes doesn't panic, and decoded utterances survive encoding and decoding.
func FuzzDecodeUtterances(f *testing.F) {
	for _, utterances := range utteranceCases() {
		f.Add(sqlite.EncodeUtterances(utterances))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		utterances, err := sqlite.DecodeUtterances(b)
		if err != nil {
			return
		}
		again, err := sqlite.DecodeUtterances(sqlite.EncodeUtterances(utterances))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(utterances), fmt.Sprint(again)) // compared as text, because NaN doesn't equal itself
	})
}
