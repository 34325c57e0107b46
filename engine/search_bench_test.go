package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// BenchmarkSearch searches 1,000 recordings of half an hour in the memory store: for a word of one recording, for a word of all,
// and for three such words.
func BenchmarkSearch(b *testing.B) {
	store := memory.NewStore()
	e, err := engine.New(engine.Config{Store: store, Blobs: memory.NewBlobs()})
	require.NoError(b, err)
	caller, err := e.CreateAccount(b.Context(), engine.NewAccount{SpaceID: "space"})
	require.NoError(b, err)
	dice := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		t := engine.Transcript{ID: engine.TranscriptID(fmt.Sprint(i)), RecordingID: engine.RecordingID(fmt.Sprint(i)), Transcript: transcript.Transcript{Language: "en"}}
		t.Utterances = sample.Chatter(dice, 30*time.Minute)
		if i == 500 {
			t.Utterances[7].Text += " lighthouse"
		}
		r := engine.Recording{ID: t.RecordingID, SpaceID: "space", TranscriptID: t.ID, Title: fmt.Sprintf("Episode %d", i), CreatedAt: time.Unix(int64(i), 0)}
		require.NoError(b, store.Update(b.Context(), func(tx engine.Tx) error {
			for _, err := range []error{tx.PutRecording(r), tx.PutTranscript(t), engine.IndexTitle(tx, r), engine.IndexTranscript(tx, t)} {
				if err != nil {
					return err
				}
			}
			return nil
		}))
	}
	for name, query := range map[string]string{"rare": "lighthouse", "common": "w0", "three": "w0 w1 w2", "title": "episode"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				results, err := e.Search(b.Context(), caller, engine.SearchRequest{Query: query})
				require.NoError(b, err)
				require.NotEmpty(b, results)
			}
		})
	}
}
