package formats_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// roundTrips lists the caption formats that keep everything: every word, each time to its resolution, the speakers, and the language.
var roundTrips = []struct {
	format string
	unit   time.Duration // that times are rounded to
}{
	{"ttml", time.Millisecond},
	{"ebuttd", time.Millisecond},
	{"ass", 10 * time.Millisecond},
}

// What we write in a format is read again: the same cues, in 18 languages and of a hostile transcript.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	bad, badOptions := hostile()
	for _, c := range roundTrips {
		roundTrip(t, c.format, c.unit, bad, badOptions)
		for _, language := range transcript.Languages() {
			tr := passage(t, language)
			p := roundTrip(t, c.format, c.unit, tr, formats.Options{})
			require.Equal(t, lettersOf(tr), lettersOf(p.Transcript), "%s %s", c.format, language)
			require.Equal(t, tr.Labels(), p.Labels(), c.format)
			require.Equal(t, language, p.Language, c.format)
		}
	}
}

// A name with a comma or another mark of sentences is still a name when an SRT or LRC file is read again, also the only one in it, and in a
// dialogue. A sentence with a comma and a colon is none.
func TestPunctuatedNames(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"srt", "lrc"} {
		one := spoken("en", say("Ann Lee, Host", 0, "Hello", "there."))
		require.Equal(t, []string{"Ann Lee, Host"}, roundTrip(t, format, 10*time.Millisecond, one, formats.Options{}).Labels(), format)
		names := map[string]string{"A": "Ann Lee, Host", "B": "Dr. O'Neil, PhD", "C": "Narrator"}
		more := spoken("en", say("A", 0, "Well,", "I", "said:", "no."), say("B", 5*time.Second, "Ah:", "yes."), say("C", 10*time.Second, "She", "left."))
		p, err := formats.Parse("a", bytes.NewReader(write(t, format, more, formats.Options{Names: names})))
		require.NoError(t, err)
		require.Equal(t, []string{"Ann Lee, Host", "Dr. O'Neil, PhD", "Narrator"}, p.Labels(), format)
		require.Equal(t, "Well, I said: no.", p.Utterances[0].Text, format)
		for name, want := range map[string]string{"Who?": "Who？", "Host: Ann": "Host： Ann", "A; B!": "A； B！"} {
			p, err := formats.Parse("a", bytes.NewReader(write(t, format, one, formats.Options{Names: map[string]string{"Ann Lee, Host": name}})))
			require.NoError(t, err)
			require.Equal(t, []string{want}, p.Labels(), format)
		}
	}
	p, err := formats.Parse("a.srt", strings.NewReader("1\n00:00:01,000 --> 00:00:02,000\nWell, I said: no.\n"))
	require.NoError(t, err)
	require.Empty(t, p.Utterances[0].Speaker)
}

// roundTrip compares the utterances that are read with the cues. A line of a dialogue is an utterance of its own.
func roundTrip(t *testing.T, format string, unit time.Duration, tr transcript.Transcript, o formats.Options) formats.Parsed {
	t.Helper()
	p, err := formats.Parse("a", bytes.NewReader(write(t, format, tr, o)))
	require.NoError(t, err, format)
	require.Empty(t, p.Problems, format)
	o.Captions.Dialogues = true
	var want, got []line
	add := func(c captions.Cue, speaker, text string) {
		want = append(want, line{speaker, letters(text), c.Start.Round(unit).Milliseconds(), max(c.End.Round(unit), c.Start.Round(unit)+unit).Milliseconds()})
	}
	for _, c := range captions.Build(tr, o.Names, o.Captions) {
		if !c.Dialogue() {
			add(c, c.Speaker, c.Text())
			continue
		}
		for _, l := range c.Lines {
			add(c, l.Speaker, l.Text[len("- "):])
		}
	}
	for _, l := range linesOf(p) {
		got = append(got, line{l.speaker, letters(l.text), l.start, l.end})
	}
	require.Equal(t, want, got, format)
	return p
}
