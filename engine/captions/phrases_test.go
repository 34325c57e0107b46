package captions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// monologues returns what one speaker says in a language, with the words after which a phrase ends. The phrases of Chinese and Japanese are
// those that dictionaries mark (engine/phrases/testdata), those of other languages were marked by hand.
func monologues(t *testing.T, language transcript.Language) (all []transcript.Utterance, ends []map[int]bool) {
	t.Helper()
	file := filepath.Join("testdata", "phrases", string(language)+".txt")
	if !language.Spaced() {
		file = filepath.Join("..", "phrases", "testdata", "judge", string(language)+".txt")
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	text := string(data)
	if !language.Spaced() { // a sentence per line: several make a monologue
		n := 0
		text = strings.Map(func(r rune) rune {
			if r == '\n' {
				if n++; n%4 > 0 {
					return '|'
				}
			}
			return r
		}, text)
	}
	for line := range strings.Lines(text) {
		u, end := transcript.Utterance{}, map[int]bool{}
		var at time.Duration
		for phrase := range strings.SplitSeq(strings.Trim(line, "|\n"), "|") {
			words, gap := strings.Fields(phrase), " "
			if !language.Spaced() {
				words, gap = strings.Split(strings.ReplaceAll(phrase, " ", ""), ""), ""
			}
			for _, w := range words {
				u.Text += w + gap
				pause := 60 * time.Millisecond
				if strings.ContainsAny(w, ".?!。？！।") {
					pause = 400 * time.Millisecond
				}
				length := time.Duration(columnsOf(w)) * 60 * time.Millisecond
				u.Words = append(u.Words, transcript.Word{Text: w, Start: at, End: at + length})
				at += length + pause
			}
			end[len(u.Words)] = true
		}
		u.Text, u.End = strings.TrimSpace(u.Text), at
		all, ends = append(all, u), append(ends, end)
	}
	return all, ends
}

// At least 90 % of the cues end where a phrase or clause ends, in every language, by marks that the breaker has never seen. Most lines do.
func TestCuesEndAtPhrases(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		utterances, ends := monologues(t, language)
		cues, good, lines, goodLines := 0, 0, 0, 0
		var bad []string
		for i, u := range utterances {
			at := 0
			for _, c := range captions.Build(transcript.Transcript{Language: language, Utterances: []transcript.Utterance{u}}, nil, captions.Options{}) {
				for _, l := range c.Lines {
					at += len(l.Words)
					lines++
					if ends[i][at] {
						goodLines++
					}
				}
				if cues++; ends[i][at] {
					good++
				} else {
					bad = append(bad, strings.ReplaceAll(c.Text(), "\n", "/"))
				}
			}
		}
		share := float64(good) / float64(cues)
		t.Logf("%s: %d cues, %.1f %% end at a phrase; %.1f %% of the lines do; not: %q", language, cues, share*100, float64(goodLines)/float64(lines)*100, bad)
		require.GreaterOrEqual(t, share, 0.9, "%s: %q", language, bad)
	}
}
