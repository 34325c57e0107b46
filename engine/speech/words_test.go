package speech_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const ms = time.Millisecond

func said(text string, start, end time.Duration) transcript.Word {
	return transcript.Word{Text: text, Start: start * ms, End: end * ms, Confidence: 1}
}

func guessed(text string, start, end time.Duration) transcript.Word {
	w := said(text, start, end)
	w.Estimated = true
	return w
}

func by(speaker string, w transcript.Word) transcript.Word { w.Speaker = speaker; return w }

// Words handles complete, incomplete, and wrong segments.
func TestWords(t *testing.T) {
	t.Parallel()
	at := speech.At
	for name, c := range map[string]struct {
		segments []speech.Segment
		language transcript.Language
		duration time.Duration // milliseconds
		want     []transcript.Word
	}{
		"nothing": {want: nil},
		"words with times": {[]speech.Segment{{Words: []speech.Word{word("Hello,", 0, 400*ms), word(" you.\n", 500*ms, 900*ms)}}}, "en", 1000,
			[]transcript.Word{said("Hello,", 0, 400), said("you.", 500, 900)}},
		"a segment without words": {[]speech.Segment{{Text: "One two four", Start: at(1000 * ms), End: at(2000 * ms)}}, "en", 5000,
			[]transcript.Word{guessed("One", 1000, 1300), guessed("two", 1300, 1600), guessed("four", 1600, 2000)}},
		"a text without times": {[]speech.Segment{{Text: "ab cd"}}, "en", 4000, []transcript.Word{guessed("ab", 0, 2000), guessed("cd", 2000, 4000)}},
		"a text without times, of media of unknown duration": {[]speech.Segment{{Text: "ab cd"}}, "en", 0,
			[]transcript.Word{guessed("ab", 0, 1), guessed("cd", 1, 2)}},
		"a segment that ends where the next begins": {[]speech.Segment{{Text: "ab"}, {Text: "cd", Start: at(300 * ms)}}, "en", 1000,
			[]transcript.Word{guessed("ab", 0, 300), guessed("cd", 300, 1000)}},
		"a segment that ends where the next one's first word begins": {[]speech.Segment{{Text: "ab"}, {Words: []speech.Word{word("cd", 600*ms, 700*ms)}}}, "en", 1000,
			[]transcript.Word{guessed("ab", 0, 600), said("cd", 600, 700)}},
		"words between known ones": {[]speech.Segment{{Words: []speech.Word{word("a", 0, 100*ms), {Text: "bb"}, {Text: "c"}, word("d", 400*ms, 500*ms), {Text: "e"}}, Start: at(0), End: at(800 * ms)}}, "en", 1000,
			[]transcript.Word{said("a", 0, 100), guessed("bb", 100, 300), guessed("c", 300, 400), said("d", 400, 500), guessed("e", 500, 800)}},
		"no room between known ones": {[]speech.Segment{{Words: []speech.Word{word("a", 0, 100*ms), {Text: "b"}, word("c", 100*ms, 200*ms)}}}, "en", 1000,
			[]transcript.Word{said("a", 0, 100), guessed("b", 100, 101), said("c", 100, 200)}},
		"invalid times": {[]speech.Segment{{Words: []speech.Word{word("a", 300*ms, 300*ms), word("b", 900*ms, 500*ms), word("c", 5000*ms, 6000*ms), word("d", -9*ms, 0)}}}, "en", 1000,
			[]transcript.Word{guessed("a", 0, 250), guessed("b", 250, 500), guessed("c", 500, 750), guessed("d", 750, 1000)}},
		"times beyond the media": {[]speech.Segment{{Words: []speech.Word{word("a", -100*ms, 100*ms), word("b", 900*ms, 5000*ms)}}}, "en", 1000,
			[]transcript.Word{said("a", 0, 100), said("b", 900, 1000)}},
		"words that overlap": {[]speech.Segment{{Words: []speech.Word{word("a", 0, 500*ms), word("b", 300*ms, 800*ms), word("c", 200*ms, 900*ms)}}}, "en", 1000,
			[]transcript.Word{said("a", 0, 200), said("c", 200, 300), said("b", 300, 800)}},
		"words of two speakers that overlap": {[]speech.Segment{{Speaker: "B", Words: []speech.Word{word("a", 0, 500*ms)}}, {Speaker: "A", Words: []speech.Word{word("b", 300*ms, 800*ms)}}}, "en", 1000,
			[]transcript.Word{by("Speaker 0", said("a", 0, 500)), by("Speaker 1", said("b", 300, 800))}},
		"a speaker of some words only": {[]speech.Segment{{Words: []speech.Word{word("a", 0, 100*ms)}}, {Speaker: "7", Text: "b c", Start: at(100 * ms), End: at(300 * ms)}, {Words: []speech.Word{word("d", 300*ms, 400*ms)}}}, "en", 1000,
			[]transcript.Word{by("Speaker 0", said("a", 0, 100)), by("Speaker 0", guessed("b", 100, 200)), by("Speaker 0", guessed("c", 200, 300)), by("Speaker 0", said("d", 300, 400))}},
		"what can't be shown": {[]speech.Segment{{Words: []speech.Word{word("\x00", 0, 100*ms), word("a\u0007b\xff", 100*ms, 200*ms), word("va\u00a0?", 200*ms, 300*ms)}}}, "fr", 1000,
			[]transcript.Word{said("ab\uFFFD", 100, 200), said("va\u00a0?", 200, 300)}},
		"Chinese": {[]speech.Segment{{Text: "你好。", Start: at(0), End: at(600 * ms)}}, "zh", 1000, []transcript.Word{guessed("你", 0, 200), guessed("好。", 200, 600)}},
		"less than a millisecond": {[]speech.Segment{{Words: []speech.Word{word("a", 100*time.Microsecond, 200*time.Microsecond)}}}, "en", 1000,
			[]transcript.Word{said("a", 0, 1)}},
	} {
		require.Equal(t, c.want, speech.Words(c.segments, c.language, c.duration*ms), name)
	}
}

// A word has its own confidence, else its segment's, else 1.
func TestConfidence(t *testing.T) {
	t.Parallel()
	sure := word("b", 100*ms, 200*ms)
	sure.Confidence = speech.KnownConfidence(0.7)
	words := speech.Words([]speech.Segment{
		{Confidence: speech.KnownConfidence(0.4), Words: []speech.Word{word("a", 0, 100*ms), sure}}, {Words: []speech.Word{word("c", 200*ms, 300*ms)}},
	}, "en", time.Second)
	require.Equal(t, []float64{0.4, 0.7, 1}, []float64{words[0].Confidence, words[1].Confidence, words[2].Confidence})
}

// checkWords checks the contract of Words.
func checkWords(t require.TestingT, words []transcript.Word, duration time.Duration) {
	speakers := map[string]bool{}
	for i, w := range words {
		require.True(t, w.Start >= 0 && w.End > w.Start, "%v", w)
		require.True(t, i == 0 || w.Start >= words[i-1].Start, "%v", words)
		if duration >= ms {
			require.LessOrEqual(t, w.End, duration)
		}
		require.True(t, w.Confidence >= 0 && w.Confidence <= 1)
		require.NotEmpty(t, w.Text)
		require.True(t, utf8.ValidString(w.Text))
		require.False(t, strings.ContainsFunc(w.Text, unicode.IsControl), "%q", w.Text)
		require.Equal(t, strings.TrimSpace(w.Text), w.Text)
		require.Zero(t, w.Start%ms+w.End%ms)
		if !speakers[w.Speaker] && w.Speaker != "" {
			require.Equal(t, transcript.SpeakerLabel(len(speakers)), w.Speaker)
			speakers[w.Speaker] = true
		}
		require.True(t, len(speakers) == 0 || w.Speaker != "")
	}
}

// For any segments, words are ordered, within the media, and not empty; speakers are numbered by first appearance; and
// confidences are between 0 and 1.
func TestWordsProperties(t *testing.T) {
	t.Parallel()
	times := rapid.Custom(func(t *rapid.T) speech.Time {
		return rapid.SampledFrom([]speech.Time{{}, speech.Seconds(rapid.Float64Range(-1, 12).Draw(t, "seconds")), speech.Seconds(rapid.Float64().Draw(t, "any"))}).Draw(t, "time")
	})
	confidence := rapid.Custom(func(t *rapid.T) speech.Confidence {
		return rapid.SampledFrom([]speech.Confidence{{}, speech.KnownConfidence(rapid.Float64().Draw(t, "p"))}).Draw(t, "confidence")
	})
	speaker := rapid.SampledFrom([]string{"", "A", "B", "speaker_12"})
	text := rapid.OneOf(rapid.SampledFrom([]string{"a", "Hello, you.", " x", "食べる。", ""}), rapid.String())
	said := rapid.Custom(func(t *rapid.T) speech.Word {
		return speech.Word{Text: text.Draw(t, "text"), Start: times.Draw(t, "start"), End: times.Draw(t, "end"), Estimated: rapid.Bool().Draw(t, "estimated"),
			Confidence: confidence.Draw(t, "confidence"), Speaker: speaker.Draw(t, "speaker")}
	})
	segment := rapid.Custom(func(t *rapid.T) speech.Segment {
		return speech.Segment{Text: text.Draw(t, "text"), Start: times.Draw(t, "start"), End: times.Draw(t, "end"), Words: rapid.SliceOfN(said, 0, 5).Draw(t, "words"),
			Confidence: confidence.Draw(t, "confidence"), Speaker: speaker.Draw(t, "speaker")}
	})
	rapid.Check(t, func(t *rapid.T) {
		duration := time.Duration(rapid.Int64Range(0, int64(11*time.Second)).Draw(t, "duration"))
		words := speech.Words(rapid.SliceOfN(segment, 0, 5).Draw(t, "segments"), rapid.SampledFrom(transcript.Languages()).Draw(t, "language"), duration)
		checkWords(t, words, duration)
	})
}

// Words from any JSON are safe to show.
func FuzzWords(f *testing.F) {
	f.Add([]byte(`[{"Text":"Hello, you.","S":0.5,"E":2,"C":0.5,"Words":[{"Text":"Hello","S":"0.5","E":1}]}]`), int64(3000))
	f.Add([]byte(`[{"Text":"a b","S":null,"E":"x"},{"Text":"c","S":1,"E":0.5,"Speaker":"A"}]`), int64(0))
	f.Fuzz(func(t *testing.T, b []byte, millis int64) {
		type told struct {
			Text, Speaker string
			S             speech.InSeconds
			E             speech.InMilliseconds
			C             speech.Confidence
			Words         []told
		}
		var in []told
		if json.Unmarshal(b, &in) != nil {
			return
		}
		var segments []speech.Segment
		for _, s := range in {
			out := speech.Segment{Text: s.Text, Speaker: s.Speaker, Start: s.S.Time, End: s.E.Time, Confidence: s.C}
			for _, w := range s.Words {
				out.Words = append(out.Words, speech.Word{Text: w.Text, Speaker: w.Speaker, Start: w.S.Time, End: w.E.Time, Confidence: w.C})
			}
			segments = append(segments, out)
		}
		duration := time.Duration(min(max(millis, 0), 1e9)) * ms
		checkWords(t, speech.Words(segments, "ja", duration), duration)
	})
}
