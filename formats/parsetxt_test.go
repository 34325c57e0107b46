package formats_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// txtFiles lists text files with speakers and times. They also seed the fuzz tests.
var txtFiles = []struct {
	claim, in string
	want      []line
	problems  []string
}{{
	claim: "Otter's export: a name, two spaces, and a time above each paragraph.",
	in:    "Ada Byron  0:05  \r\nGood morning, and welcome.\r\nToday is the 5:30 show.\r\n\r\nUnknown Speaker  1:02\r\nThanks.\r\n\r\nAda Byron  1:01:02  \r\nThis has thirty characters now.\r\n\r\nTranscribed by https://otter.ai\r\n",
	want: []line{
		{"Ada Byron", "Good morning, and welcome. Today is the 5:30 show.", 5000, 62_000}, {"Unknown Speaker", "Thanks.", 62_000, 3_662_000},
		{"Ada Byron", "This has thirty characters now.", 3_662_000, 3_664_133},
	},
	problems: []string{"line 8: nothing tells the end of the last paragraph; it got 2.1 s by its length."},
}, {
	claim:    "A title is skipped; paragraphs of the same second share their time; the previous one doesn't end before its start.",
	in:       "Interview\nTue, Mar 3\n\nAda\t0:05\none\n\nBob\t0:05\ntwo\n\nAda\t0:09\nthree\n\nBob\t0:07\nfifteen letters\n",
	want:     []line{{"Ada", "one", 5000, 7000}, {"Bob", "two", 7000, 9000}, {"Bob", "fifteen letters", 7000, 8067}, {"Ada", "three", 9000, 9001}},
	problems: []string{"line 1: text above the first speaker was skipped.", "line 10: the cue ends at 00:00:07.000, before its start at 00:00:09.000.", "line 13: nothing tells the end of the last paragraph; it got 1.1 s by its length.", "line 13: the cue starts at 00:00:07.000, before the previous cue at 00:00:09.000."},
}, {
	claim:    "Our own export, with and without a speaker.",
	in:       "[00:00:01] Ada Byron:\nOne: two.\n\n[00:00:03]\nfifteen letters\n",
	want:     []line{{"Ada Byron", "One: two.", 1000, 3000}, {"", "fifteen letters", 3000, 4067}},
	problems: []string{"line 4: nothing tells the end of the last paragraph; it got 1.1 s by its length."},
}}

// Parse finds the speakers and times.
func TestParseTXT(t *testing.T) {
	t.Parallel()
	for _, c := range txtFiles {
		for _, name := range []string{"a.txt", ""} {
			p, err := formats.Parse(name, strings.NewReader(c.in))
			require.NoError(t, err, c.claim)
			require.Equal(t, c.want, linesOf(p), c.claim)
			var problems []string
			for _, q := range p.Problems {
				if q.Line > 0 {
					problems = append(problems, q.String())
				}
			}
			require.Equal(t, c.problems, problems, c.claim)
		}
	}
	_, err := formats.Parse("a.txt", strings.NewReader("Just text.\nNothing else at 0:05\n"))
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
	_, err = formats.Check("a.txt", strings.NewReader(txtFiles[0].in), formats.CheckOptions{})
	require.ErrorContains(t, err, "The file has no captions.")
}

// Otter's SRT has its speakers as names.
func TestParseOtterSRT(t *testing.T) {
	t.Parallel()
	p, err := formats.Parse("a.srt", strings.NewReader("1\n00:00:05,120 --> 00:00:07,000\nAda Byron: Good morning,\n\n2\n00:00:07,010 --> 00:00:08,000\nand welcome.\n\n3\n00:00:09,000 --> 00:00:10,000\nBob: Thanks.\n"))
	require.NoError(t, err)
	require.Equal(t, []line{{"Ada Byron", "Good morning,", 5120, 7000}, {"Ada Byron", "and welcome.", 7010, 8000}, {"Bob", "Thanks.", 9000, 10_000}}, linesOf(p))
}

// Our own text comes back in 18 languages: words, speakers, and times to a second.
func TestRoundTripTXT(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		names := map[string]string{"Speaker 0": "Ada", "Speaker 1": "Bob: the builder"}
		p, err := formats.Parse("", bytes.NewReader(write(t, "txt", tr, formats.Options{Names: names})))
		require.NoError(t, err)
		require.Equal(t, lettersOf(tr), lettersOf(p.Transcript), language)
		require.Equal(t, []string{"Ada", "Bob: the builder"}, p.Labels())
		require.Equal(t, tr.Utterances[1].Start.Truncate(time.Second), p.Utterances[1].Start)
	}
}
