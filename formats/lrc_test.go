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
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// lrcFiles lists what players show of files, by claim. They also seed the fuzz tests.
var lrcFiles = []struct {
	claim, in string
	want      []line
	problems  []string
}{{
	claim: "A line ends at the next time; a line with several times is sung again; an empty one shows nothing; comments and other tags are skipped.",
	in:    "[ti:A song]\r\n[la:de]\r\n[#:x]\r\n[length: 0:30]\r\n[00:01.50][00:10.25]Eins\r\n[00:03]Zwei\r\n\r\n[00:05:00]\r\n[61:01,5]Drei\r\n[00:20.00]\r\n",
	want:  []line{{"", "Eins", 1500, 3000}, {"", "Zwei", 3000, 10_250}, {"", "Eins", 10_250, 20_000}, {"", "Drei", 3_661_500, 3_665_500}},
	problems: []string{
		"line 9: nothing tells the end of the last line; it got 4s.",
	},
}, {
	claim: "The length ends the last line, and the offset moves all.",
	in:    "[offset:+500]\n[length:00:09.50]\n[00:00.25]one\n[00:03.00]two [x] [00:01.00]\n",
	want:  []line{{"", "one", 0, 2500}, {"", "two [x] [00:01.00]", 2500, 9000}},
}, {
	claim: "Names are speakers if the first line has one.",
	in:    "[00:01.00]Ada: one\n[00:02.00]two\n[00:03.00]Bob: three\n[00:04.00]\n",
	want:  []line{{"Ada", "one", 1000, 2000}, {"Ada", "two", 2000, 3000}, {"Bob", "three", 3000, 4000}},
}, {
	claim: "Bad tags and text without a time are reported and skipped.",
	in:    "[00:61.00]a\nb\n[offset:x]\n[00:01.00]c\n[00:02.00]\n[00:0x]d\n",
	want:  []line{{"", "c", 1000, 2000}},
	problems: []string{
		"line 1: expected a time like 01:23.45; the line was skipped.", "line 2: text without a time was skipped.",
		"line 3: the offset is not a number of milliseconds; the line was skipped.", "line 6: expected a time like 01:23.45; the line was skipped.",
	},
}}

// Parse reads what players show.
func TestParseLRC(t *testing.T) {
	t.Parallel()
	for _, c := range lrcFiles {
		for _, name := range []string{"a.lrc", ""} {
			p, err := formats.Parse(name, strings.NewReader(c.in))
			require.NoError(t, err, c.claim)
			require.Equal(t, c.want, linesOf(p), c.claim)
			var problems []string
			for _, q := range p.Problems {
				problems = append(problems, q.String())
			}
			require.Equal(t, c.problems, problems, c.claim)
		}
	}
	p, err := formats.ParseLRC(strings.NewReader(lrcFiles[0].in))
	require.NoError(t, err)
	require.EqualValues(t, "de", p.Language)
	_, err = formats.ParseLRC(strings.NewReader("[ti:x]\n[00:0x]d\n"))
	require.ErrorContains(t, err, "line 2: expected a time")
}

// A line that is repeated more than 100 times is skipped, so that a small file can't become a large transcript.
func TestParseLRCRepeats(t *testing.T) {
	t.Parallel()
	p, err := formats.ParseLRC(strings.NewReader("[00:01.00]a\n" + strings.Repeat("[00:02.00]", 101) + "b\n[00:03.00]\n"))
	require.NoError(t, err)
	require.Len(t, p.Utterances, 1)
	require.Equal(t, "line 2: the line is repeated too often; it was skipped.", p.Problems[0].String())
}

// With times of words, every word of 18 languages comes back with its own time, and the speaker of its line.
func TestLRCWordTimes(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		p, err := formats.Parse("", bytes.NewReader(write(t, "lrc", tr, formats.Options{WordTimes: true})))
		require.NoError(t, err)
		require.Empty(t, p.Problems)
		var want, got []transcript.Word
		for _, u := range tr.Utterances {
			for _, w := range u.Words {
				want = append(want, transcript.Word{Text: letters(w.Text), Start: w.Start.Round(10 * time.Millisecond), Speaker: u.Speaker})
			}
		}
		for _, u := range p.Utterances {
			for _, w := range u.Words {
				got = append(got, transcript.Word{Text: letters(w.Text), Start: w.Start, Speaker: u.Speaker})
			}
		}
		if language.Spaced() {
			require.Equal(t, want, got, language)
		}
		require.Equal(t, lettersOf(tr), lettersOf(p.Transcript), language)
		require.Equal(t, language, p.Language)
	}
}

// Brackets that a player would take for a tag become full-width.
func TestLRCBrackets(t *testing.T) {
	t.Parallel()
	tr := spoken("en", say("", time.Second, "[x:y]", "at", "<00:01.00>", "[Music]", "a<b"))
	require.Contains(t, string(write(t, "lrc", tr, formats.Options{})), "[00:01.00]［x:y] at ‹00:01.00> [Music] a<b\n")
}

// Players that read LRC find our lines: ffmpeg has each one at its time in 18 languages, and a line ends where the next one begins.
func TestValidatorLRC(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs other programs")
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		var got []ffmpegCue
		for _, c := range ffmpegCues(t, file(t, "lrc", tr, formats.Options{}), "-f", "lrc") {
			if c.text != "" {
				got = append(got, c)
			}
		}
		cues := captions.Build(tr, nil, captions.Options{SpeakerPrefix: true, Flat: true, Lines: 1})
		require.Len(t, got, len(cues), language)
		for i, c := range cues {
			require.Equal(t, c.Start.Round(10*time.Millisecond), got[i].start, language)
			require.True(t, strings.HasSuffix(got[i].text, c.Text()), "%s: %s", language, got[i].text) // the name may be repeated
		}
	}
}

// What we write is read again: each line at its time, and the speakers.
func TestRoundTripLRC(t *testing.T) {
	t.Parallel()
	bad, o := hostile()
	check := func(tr transcript.Transcript, o formats.Options) formats.Parsed {
		p, err := formats.Parse("", bytes.NewReader(write(t, "lrc", tr, o)))
		require.NoError(t, err)
		require.Empty(t, p.Problems)
		o.Captions = captions.Options{SpeakerPrefix: true, Flat: true, Lines: 1}
		cues := captions.Build(tr, o.Names, o.Captions)
		require.Len(t, p.Utterances, len(cues))
		for i, c := range cues {
			require.Equal(t, c.Start.Round(10*time.Millisecond), p.Utterances[i].Start)
			require.GreaterOrEqual(t, p.Utterances[i].End+5*time.Millisecond, c.End)
			require.Less(t, p.Utterances[i].End-c.End, 205*time.Millisecond)
		}
		return p
	}
	check(bad, o)
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		p := check(tr, formats.Options{})
		require.Equal(t, lettersOf(tr), lettersOf(p.Transcript), language)
		require.Equal(t, tr.Labels(), p.Labels())
	}
}
