package enginetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
)

// The library of BenchmarkSearch: 1000 transcripts of half an hour in utterances of 15 words.
const (
	benchDocuments  = 1000
	benchWords      = 4500
	benchUtterances = 300
	benchRare       = "rare" // occurs once in one document
)

// BenchmarkSearch measures the search index of a Store with 1000 transcripts of half an hour: reading the postings of a rare
// and of the most common word, indexing a new transcript, and reindexing one. open must return an empty store.
func BenchmarkSearch(b *testing.B, open func(b *testing.B) engine.Store) {
	b.Helper()
	s, random := open(b), rand.New(rand.NewPCG(1, 2))
	put := func(id string, parts map[string][]int) error {
		d := search.Document{
			ID: search.DocumentID(id), Kind: search.DocumentTranscript, SpaceID: benchID[string](7), RecordingID: id, Length: benchWords,
		}
		return s.Update(b.Context(), func(tx engine.Tx) error { return tx.PutDocument(d, parts) })
	}
	for i := range benchDocuments {
		parts := speech(random)
		if i == benchDocuments/2 {
			parts[benchRare] = []int{17}
		}
		require.NoError(b, put(benchID[string](random.Uint64()), parts))
	}
	common := fmt.Sprint(0)
	b.Run("postings of a rare word", func(b *testing.B) { readPostings(b, s, benchRare, 1) })
	b.Run("postings of a common word", func(b *testing.B) { readPostings(b, s, common, benchDocuments) })

	texts := make([]map[string][]int, 64)
	for i := range texts {
		texts[i] = speech(random)
	}
	b.Run("indexing another", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			require.NoError(b, put(benchID[string](random.Uint64()), texts[i%len(texts)]))
		}
	})
	b.Run("indexing again", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			require.NoError(b, put("again", texts[i%len(texts)]))
		}
	})
}

// benchID returns an id of the length of real ones.
func benchID[ID ~string](n uint64) ID {
	return ID(fmt.Sprintf("%08x-%04x-4a5b-8c7d-0123456789ab", n>>32, n&0xffff))
}

// speech returns the terms of half an hour of speech. Term frequencies follow Zipf's law over 20,000 words: the n-th word is
// about 1/n as frequent as the first, which is about every fifteenth word.
func speech(random *rand.Rand) map[string][]int {
	zipf := rand.NewZipf(random, 1.05, 2, 20_000)
	parts := map[string][]int{}
	for range benchWords {
		term := fmt.Sprint(zipf.Uint64())
		parts[term] = append(parts[term], random.IntN(benchUtterances))
	}
	for _, numbers := range parts {
		slices.Sort(numbers)
	}
	return parts
}

func readPostings(b *testing.B, s engine.Store, term string, want int) {
	b.ReportAllocs()
	occurrences := 0
	for b.Loop() {
		require.NoError(b, s.View(b.Context(), func(tx engine.ReadTx) error {
			found, err := tx.Postings(search.PostingQuery{Spaces: []string{benchID[string](7)}, Kind: search.DocumentTranscript, Term: term})
			require.Len(b, found, want)
			occurrences = len(found[0].Parts)
			return err
		}))
	}
	b.ReportMetric(float64(occurrences), "occurrences")
}
