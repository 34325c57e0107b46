package formats_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/formats"
)

// Of a SubRip file with faults, everything else is read, and each fault is reported with its line.
func TestParseSRTProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim, in string
		want      []line
		problems  string
	}{
		{"A bad timestamp skips its cue.", "1\n00:00:01,000 --> 00:00:0x,000\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n",
			[]line{{"", "b", 3000, 4000}}, "line 2, column 25: expected a time like 00:00:01.000; the cue was skipped."},
		{"A bad cue between two doesn't end up in the first one.", "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:03.000 --> x\nb\n\n3\n00:00:05,000 --> 00:00:06,000\nc\n",
			[]line{{"", "a", 1000, 2000}, {"", "c", 5000, 6000}}, "line 6, column 18: expected a time like 00:00:01.000; the cue was skipped."},
		{"Minutes over 59 are not guessed.", "1\n00:61:00,000 --> 00:00:02,000\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n",
			[]line{{"", "b", 3000, 4000}}, "line 2, column 1: minutes and seconds must be at most 59; the cue was skipped."},
		{"Seconds over 59 are not guessed.", "1\n00:00:01,000 --> 00:00:60,000\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n",
			[]line{{"", "b", 3000, 4000}}, "line 2, column 18: minutes and seconds must be at most 59; the cue was skipped."},
		{"A negative start becomes 0.", "1\n-00:00:01,000 --> 00:00:02,000\na\n", []line{{"", "a", 0, 2000}}, "line 2: the start is negative; it became 0."},
		{"Negative times skip the cue.", "1\n-00:00:03,000 --> -00:00:01,500\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n",
			[]line{{"", "b", 3000, 4000}}, "line 2: the times are negative; the cue was skipped."},
		{"A negative end skips the cue.", "1\n00:00:03,000 --> -00:00:01,500\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n",
			[]line{{"", "b", 3000, 4000}}, "line 2: the end is negative; the cue was skipped."},
		{"An end before the start is reported; the text stays.", "1\n00:00:03,000 --> 00:00:02,000\na\n", []line{{"", "a", 3000, 3001}},
			"line 2: the cue ends at 00:00:02.000, before its start at 00:00:03.000."},
		{"Text above the first cue is skipped.", "1\nhello\n\n00:00:03,000 --> 00:00:04,000\nb\n", []line{{"", "b", 3000, 4000}},
			"line 1, column 1: expected a cue number or a time line; the text was skipped.|line 2, column 1: expected a cue number or a time line; the text was skipped."},
		{"A line with an arrow below a number is a time line, however bad it is.", "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\nxx --> 1\nb\n\n3\n00:00:03,000 --> 00:00:04,000\nc\n",
			[]line{{"", "a", 1000, 2000}, {"", "c", 3000, 4000}}, "line 6, column 1: expected a time like 00:00:01.000; the cue was skipped."},
		{"A spoken arrow is text.", "1\n00:00:01,000 --> 00:00:02,000\n\na --> b\n", []line{{"", "a --> b", 1000, 2000}}, ""},
		{"Times of 10,000 hours or more are refused.", "1\n10000:00:01,000 --> 10000:00:02,000\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n",
			[]line{{"", "b", 3000, 4000}}, "line 2, column 1: times must be less than 10,000 hours; the cue was skipped."},
	} {
		p, err := formats.ParseSRT(strings.NewReader(c.in))
		require.NoError(t, err, c.claim)
		require.Equal(t, c.want, linesOf(p), c.claim)
		var problems []string
		for _, q := range p.Problems {
			problems = append(problems, q.String())
		}
		require.Equal(t, c.problems, strings.Join(problems, "|"), c.claim)
	}
}

// A file with very many faults has at most 1,001 reports; the last one counts the others.
func TestParseManyProblems(t *testing.T) {
	t.Parallel()
	p, err := formats.ParseSRT(strings.NewReader(strings.Repeat("1\n00:00:0x,000 --> 00:00:02,000\na\n\n", 1200) + "2\n00:00:03,000 --> 00:00:04,000\nb\n"))
	require.NoError(t, err)
	require.Len(t, p.Problems, 1001)
	require.Equal(t, "there are 200 more problems.", p.Problems[1000].String())
}
