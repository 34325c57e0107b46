package formats_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/formats"
)

// assFiles lists what players show of files, by claim. They also seed the fuzz tests.
var assFiles = []struct {
	claim, in string
	want      []line
	problems  []string
}{{
	claim: "Names are speakers; comments, overrides, drawings, other sections, and styles are skipped; events are sorted by time.",
	in: "[Script Info]\r\n; x\r\nTitle: a\r\nScriptType: v4.00+\r\nLanguage: de\r\n\r\n[V4+ Styles]\r\nStyle: Default,Arial,20\r\n\r\n[Fonts]\r\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,no\r\n\r\n" +
		"[Events]\r\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\r\n" +
		"Dialogue: 0,0:00:05.10,0:00:06.00,Default,Ada,0,0,0,,{\\an8}{\\i1}Well, {\\i0}one,\\Ntwo\\hthree\r\n" +
		"Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,nothing\r\n" +
		"Dialogue: 1,0:00:01.00,0:00:02.25,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}\r\n" +
		"Dialogue: 1,0:00:01.00,0:00:02.25,*Default,,0,0,0,,first {\\pos(1,2)\\p2}m 1{\\p0}and\\nsoft\r\n",
	want: []line{{"", "first and soft", 1000, 2250}, {"Ada", "Well, one, two\u00a0three", 5100, 6000}},
}, {
	claim: "SSA has its own fields.",
	in:    "[Script Info]\nWrapStyle: 2\n[V4 Styles]\n[events]\nFormat: Marked, Start, End, Text\nDialogue: Marked=0,1:00:01.00,1:00:02.00,a, b\\nc\n",
	want:  []line{{"", "a, b c", 3_601_000, 3_602_000}},
}, {
	claim: "Escaped braces, a backslash, and an override that is not closed are text.",
	in:    "[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,\\{a\\} C:\\\u2060N {b} d{e\n",
	want:  []line{{"", `{a} C:\N d{e`, 1000, 2000}},
}, {
	claim: "A reset changes the speaker if styles are named for speakers.",
	in: "[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Ada,Ada,0,0,0,,- No.\\N{\\rBob}- Yes.\\N{\\r}- Why?\n" +
		"Dialogue: 0,0:00:03.00,0:00:04.00,Main,Ada,0,0,0,,- No.\\N{\\rSign}- Yes.\n",
	want: []line{{"Ada", "No.", 1000, 2000}, {"Bob", "Yes.", 1000, 2000}, {"Ada", "Why?", 1000, 2000}, {"Ada", "- No. - Yes.", 3000, 4000}},
}, {
	claim: "Events with bad times or too few fields are skipped and reported; a reversed one is kept and reported.",
	in: "[Script Info]\n[Events]\nDialogue: 0,0:00:61.00,0:00:02.00,,,0,0,0,,a\nDialogue: 0,x\nDialogue: 0,0:00:01,0:00:02.00,,,0,0,0,,b\n" +
		"Dialogue: 0,-0:00:01.00,0:00:02.00,,,0,0,0,,c\nDialogue: 0,0:00:03.00,0:00:02.00,,,0,0,0,,d\n",
	want:     []line{{"", "d", 3000, 3001}},
	problems: []string{"line 3: expected times like 0:00:01.00; the event was skipped.", "line 4: the event has 2 fields, and 10 are needed; it was skipped.", "line 5: expected times like 0:00:01.00; the event was skipped.", "line 6: expected times like 0:00:01.00; the event was skipped.", "line 7: the cue ends at 00:00:02.000, before its start at 00:00:03.000."},
}}

// Parse reads what players show.
func TestParseASS(t *testing.T) {
	t.Parallel()
	for _, c := range assFiles {
		for _, name := range []string{"a.ass", "a.ssa", ""} {
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
	p, err := formats.ParseASS(strings.NewReader(assFiles[0].in))
	require.NoError(t, err)
	require.EqualValues(t, "de", p.Language)
}

// A file without any usable event is an error with its first problem.
func TestParseASSUnreadable(t *testing.T) {
	t.Parallel()
	_, err := formats.ParseASS(strings.NewReader("[Script Info]\n[Events]\nDialogue: 0,x\n"))
	require.ErrorContains(t, err, "line 3: the event has 2 fields")
}

// An event of 16 MiB that opens overrides everywhere is read in time that grows with its length.
func TestParseASSHuge(t *testing.T) {
	t.Parallel()
	head := "[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,"
	for _, part := range []string{"{", `\`, `{}`, `{\r`, `\N`} {
		_, err := formats.ParseASS(strings.NewReader(head + strings.Repeat(part, 1<<20)))
		require.NoError(t, err, part)
	}
}
