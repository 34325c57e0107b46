package fake_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// minutes returns a conversation of n minutes.
func minutes(n int) []part {
	var parts []part
	for range n * 6 {
		parts = append(parts, burst(5200), pause(900), burst(3000), pause(900))
	}
	return parts
}

// saidAt returns the start of the first sentence with the word, or −1.
func saidAt(sentences []said, word string) time.Duration {
	for _, s := range sentences {
		if strings.Contains(plain(s.text), word) {
			return s.words[0].Start
		}
	}
	return -1
}

// Every boosted word or phrase is spoken in every language: the first one early, the others spread over the media.
func TestBoostedWords(t *testing.T) {
	t.Parallel()
	boosted := []string{"Soundstage", "open source", "GPT-4", "Łódź", "rock'n'roll", "東京タワー", "C++"}
	media := loop{record(0, minutes(1)...), 2}
	for _, language := range transcript.Languages() {
		words := transcribe(t, media, engine.TranscribeRequest{Language: language, BoostedWords: boosted})
		sentences := parse(t, words, language, boosted...)
		last := time.Duration(-1)
		for i, b := range boosted {
			at := saidAt(sentences, b)
			require.Greater(t, at, last, "%s: %s: %s", language, b, transcript.JoinWords(words, language))
			if i == 0 {
				require.Less(t, at, 20*time.Second, language)
			}
			last = at
		}
		require.Greater(t, last, time.Minute, language)
	}
}

// A boosted word is spoken even in a short recording. If not all fit, as many as possible are.
func TestBoostedWordsInLittleRoom(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 50 {
		many = append(many, fmt.Sprintf("Gizmo%d", i))
	}
	short, minute := record(0, burst(3500)), record(0, minutes(1)...)
	for _, language := range transcript.Languages() {
		words := transcribe(t, short, engine.TranscribeRequest{Language: language, BoostedWords: []string{"Soundstage"}})
		require.GreaterOrEqual(t, saidAt(parse(t, words, language, "Soundstage"), "Soundstage"), time.Duration(0), language)

		words = transcribe(t, minute, engine.TranscribeRequest{Language: language, BoostedWords: many})
		sentences := parse(t, words, language, many...)
		n := 0
		for _, s := range sentences {
			if strings.Contains(s.text, "Gizmo") {
				n++
			}
		}
		require.Greater(t, n, 7, language)
		require.Equal(t, len(sentences), n, language)
		require.GreaterOrEqual(t, saidAt(sentences, "Gizmo0"), time.Duration(0), language)
	}
}

// Duplicate and blank boosted words are ignored. Extra spaces and invalid characters are removed.
func TestBoostedWordsAreTidied(t *testing.T) {
	t.Parallel()
	words := transcribe(t, record(0, minutes(1)...), engine.TranscribeRequest{
		BoostedWords: []string{"Soundstage", "Soundstage", " ", "", " open \t source ", "Giz\xffmo"},
	})
	text := transcript.JoinWords(words, "en")
	for _, b := range []string{"Soundstage", "open source", "Gizmo"} {
		n := 0
		for _, s := range parse(t, words, "en", "Soundstage", "open source", "Gizmo") {
			if strings.Contains(" "+strings.Trim(s.text, ".?!")+" ", " "+b) {
				n++
			}
		}
		require.Equal(t, 1, n, "%s: %s", b, text)
	}
	require.NotContains(t, text, "{}")
}

// No carrier sentence is repeated until all were used.
func TestBoostedWordsVary(t *testing.T) {
	t.Parallel()
	var boosted []string
	for i := range 12 {
		boosted = append(boosted, fmt.Sprintf("Gizmo%d", i))
	}
	words := transcribe(t, long(200), engine.TranscribeRequest{BoostedWords: boosted})
	seen := map[string]bool{}
	for _, s := range parse(t, words, "en", boosted...) {
		for i := len(boosted) - 1; i >= 0; i-- {
			if strings.Contains(s.text, boosted[i]) {
				seen[strings.Replace(s.text, boosted[i], "{}", 1)] = true
				break
			}
		}
	}
	require.Len(t, seen, 12)
}
