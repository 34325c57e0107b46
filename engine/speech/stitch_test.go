package speech_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// Stitching overlapping parts loses and duplicates no word, even if each part mishears the words at its edges and all
// times are slightly off.
func TestStitchProperties(t *testing.T) {
	t.Parallel()
	sound := noise(35*time.Second, 8000, 1)
	rapid.Check(t, func(t *rapid.T) {
		var script []speech.Word
		few := rapid.Bool().Draw(t, "few words")
		for at := time.Duration(0); at < sound.duration()-time.Second; {
			length := time.Duration(rapid.Int64Range(120, 450).Draw(t, "length")) * ms
			text := fmt.Sprint("word", len(script))
			if few {
				text = rapid.SampledFrom([]string{"no", "yes", "well"}).Draw(t, "text")
			}
			script = append(script, word(text, at, at+length))
			at += length + time.Duration(rapid.Int64Range(0, 300).Draw(t, "gap"))*ms
		}
		off := make([]time.Duration, 10)
		for i := range off {
			off[i] = time.Duration(rapid.Int64Range(-25, 25).Draw(t, "off")) * ms
		}
		got, err := speech.Parts{Media: sound, Limits: tenSeconds, Concurrency: 2}.Transcribe(t.Context(), engine.TranscribeRequest{}, "key",
			func(_ context.Context, p speech.Part) (speech.Result, error) {
				var words []speech.Word
				for _, w := range script {
					from, to := w.Start.At-p.Start, w.End.At-p.Start
					switch {
					case to <= 50*ms, from >= p.Duration-50*ms:
						continue
					case from < 0, to > p.Duration:
						w.Text = "uh" // only a piece of the word is heard
					}
					words = append(words, word(w.Text, from+off[p.Index], to+off[p.Index]))
				}
				return speech.Result{Segments: []speech.Segment{{Words: words}}}, nil
			})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, w := range script {
			want = append(want, w.Text)
		}
		require.Equal(t, want, texts(got.Words))
		checkWords(t, got.Words, sound.duration())
	})
}

// If the parts disagree, or times are estimates, the result still has words of both parts, in order.
func TestStitchOfWhatDiffers(t *testing.T) {
	t.Parallel()
	sound := noise(15*time.Second, 8000, 1)
	for name, c := range map[string]struct {
		first, second []speech.Word // times are those of the media, in the stretch from 8.5 to 9.5 s and around it
		want          []string
	}{
		"nothing in common": {[]speech.Word{word("a", 8000*ms, 8600*ms), word("b", 8700*ms, 8900*ms), word("c", 9100*ms, 9300*ms)},
			[]speech.Word{word("x", 8600*ms, 8800*ms), word("y", 9100*ms, 9300*ms)}, []string{"a", "b", "y"}},
		"the same word, on either side of the middle": {[]speech.Word{word("a", 8750*ms, 9150*ms)}, []speech.Word{word("a", 8900*ms, 9200*ms), word("b", 10000*ms, 10100*ms)}, []string{"a", "b"}},
		"the same word, each on the other's side":     {[]speech.Word{word("a", 8900*ms, 9200*ms)}, []speech.Word{word("a", 8750*ms, 9150*ms), word("b", 10000*ms, 10100*ms)}, []string{"a", "b"}},
		"other punctuation":                           {[]speech.Word{word("a,", 8900*ms, 9200*ms)}, []speech.Word{word("A", 8750*ms, 9150*ms), word("b", 10000*ms, 10100*ms)}, []string{"a,", "b"}},
		"the same word twice":                         {[]speech.Word{word("no", 8600*ms, 8900*ms), word("no", 8950*ms, 9250*ms)}, []speech.Word{word("no", 8620*ms, 8900*ms), word("no", 8950*ms, 9250*ms)}, []string{"no", "no"}},
		"silence in the second":                       {[]speech.Word{word("a", 8700*ms, 8900*ms)}, nil, []string{"a"}},
		"silence in the first":                        {nil, []speech.Word{word("a", 9100*ms, 9300*ms)}, []string{"a"}},
	} {
		got, err := speech.Parts{Media: sounds(sound[:32*8850], noise(300*ms, 4000, 7), sound[32*9150:]), Limits: tenSeconds}.Transcribe(t.Context(), engine.TranscribeRequest{}, "key",
			func(_ context.Context, p speech.Part) (speech.Result, error) {
				words := c.first
				if p.Index == 1 {
					require.Equal(t, 8500*ms, p.Start)
					words = c.second
				}
				var out []speech.Word
				for _, w := range words {
					out = append(out, word(w.Text, w.Start.At-p.Start, w.End.At-p.Start))
				}
				return speech.Result{Segments: []speech.Segment{{Words: out}}}, nil
			})
		require.NoError(t, err)
		require.Equal(t, c.want, texts(got.Words), name)
		checkWords(t, got.Words, 15*time.Second)
	}
}
