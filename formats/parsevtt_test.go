package formats_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/formats"
)

// vttRules has a file for each rule of the WebVTT parser algorithm (https://www.w3.org/TR/webvtt1/#file-parsing), with the texts that
// a browser shows, and the problems that we report.
var vttRules = []struct {
	rule, in string
	texts    string // separated by "|"
	problems string // separated by "|"
}{
	{"A file may end without a line feed.", "WEBVTT\n\n00:01.000 --> 00:02.000\na", "a", ""},
	{"A file may have only the signature.", "WEBVTT", "", ""},
	{"A title may follow a space.", "WEBVTT title --> x\n\n00:01.000 --> 00:02.000\na\n", "a", ""},
	{"A title may follow a tab.", "WEBVTT\ttitle\n\n00:01.000 --> 00:02.000\na\n", "a", ""},
	{"A cue may follow the signature at once.", "WEBVTT\n00:01.000 --> 00:02.000\na\n", "a", ""},
	{"Lines below the signature are the header, up to a time line.", "WEBVTT\nKind: captions\n00:01.000 --> 00:02.000\na\n", "a", ""},
	{"NUL is a character of the header.", "WEBVTT\n\x00\nx\n00:01.000 --> 00:02.000\na\n", "a", ""},
	{"CR, LF, and CRLF end lines; LF and CR end two.", "WEBVTT\r\r00:01.000 --> 00:02.000\ra\r\r\n\r\n00:03.000 --> 00:04.000\r\nb\n\r00:05.000 --> 00:06.000\nc", "a|b|c", ""},
	{"An identifier is any line without an arrow, even a space.", "WEBVTT\n\n \n00:01.000 --> 00:02.000\na\n\n-- >\n00:03.000 --> 00:04.000\nb\n\n->\n00:05.000 --> 00:06.000\nc\n", "a|b|c", ""},
	{"NOTE above a time line is an identifier.", "WEBVTT\n\nNOTE x\n00:01.000 --> 00:02.000\na\n", "a", ""},
	{"An identifier with an arrow is skipped; the cue stays.", "WEBVTT\n\nx-->\n00:01.000 --> 00:02.000\na\n", "a", "line 3, column 1: expected a time like 00:00:01.000; the cue was skipped."},
	{"A time line without a blank line above begins a cue.", "WEBVTT\n\n00:01.000 --> 00:02.000\na\n00:03.000 --> 00:04.000\nb\n", "a|b", ""},
	{"Two lines above a time line are no identifier.", "WEBVTT\n\nx\ny\n00:01.000 --> 00:02.000\na\n", "a", "line 3: text without a time line was skipped."},
	{"A blank line ends a cue.", "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nb\n\n00:03.000 --> 00:04.000\nc\n", "a|c", "line 6: text without a time line was skipped."},
	{"A cue may be empty.", "WEBVTT\n\n00:01.000 --> 00:02.000\n\n00:03.000 --> 00:04.000\nb\n", "b", ""},
	{"White space is optional around the arrow: spaces, tabs, form feeds.", "WEBVTT\n\n00:01.000-->00:02.000\na\n\n \t\f00:03.000 \t\f--> \t\f00:04.000 \t\f\nb\n", "a|b", ""},
	{"A vertical tab is not white space.", "WEBVTT\n\n00:01.000\v--> 00:02.000\na\n\n00:03.000 --> 00:04.000\nb\n", "b", "line 3, column 10: expected -->; the cue was skipped."},
	{"Settings need no space, and may be anything.", "WEBVTT\n\n00:01.000 --> 00:02.000align:start\na\n\n00:03.000 --> 00:04.000 line:x% foo\x00\nb\n", "a|b", ""},
	{"Comments, style sheets, and regions are not text.", "WEBVTT\n\nNOTE\na\nb\n\nNOTE c\n\nSTYLE \n::cue { } NOTE\n\nREGION\nid:x\n\nSTYLE\t\nx\n\n00:01.000 --> 00:02.000\nd\n", "d", ""},
	{"A style sheet after a cue is skipped.", "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nSTYLE\nx\n", "a", "line 6: a style sheet or region after the first cue was skipped."},
	{"A region with a colon, as in old drafts, is no region.", "WEBVTT\n\nREGION: id=foo\n\n00:01.000 --> 00:02.000 region:foo\na\n", "a", "line 3: text without a time line was skipped."},
	{"An arrow ends a style sheet.", "WEBVTT\n\nSTYLE\n-->\n00:01.000 --> 00:02.000\na\n", "a", "line 4, column 1: expected a time like 00:00:01.000; the cue was skipped."},
	{"A cue may end at its start or before; it is shown for no time, but its text is there.", "WEBVTT\n\n00:02.000 --> 00:02.000\na\n\n00:03.000 --> 00:01.000\nb\n", "a|b", "line 3: the cue ends at its start, 00:00:02.000.|line 6: the cue ends at 00:00:01.000, before its start at 00:00:03.000."},
	{"Cues may be in any order.", "WEBVTT\n\n00:03.000 --> 00:04.000\na\n\n00:01.000 --> 00:02.000\nb\n", "b|a", "line 6: the cue starts at 00:00:01.000, before the previous cue at 00:00:03.000."},
	{"A tag that isn't closed hides the rest.", "WEBVTT\n\n00:01.000 --> 00:02.000\na <i x\ny\n", "a", "line 3: a tag is not closed; the text in it was skipped."},
	{"Unknown and empty tags and timestamps are ignored.", "WEBVTT\n\n00:01.000 --> 00:02.000\n<x>a</x><>b<00:01.500>c</>d<\n", "abcd", ""},
	{"Ruby text is text; a closing tag closes only the innermost node, or rt with ruby.", "WEBVTT\n\n00:01.000 --> 00:02.000\n<ruby>a<rt><b>b</rt></ruby></b>c</ruby>d<rt>e\n", "abcde", ""},
	{"References of HTML are resolved, also without a semicolon.", "WEBVTT\n\n00:01.000 --> 00:02.000\n&amp;&lt;&gt;&lrm;&nbsp;&copy;&amp x &; &1; &x &#33;\n", "&<>\u200e\u00a0©& x &; &1; &x !", ""},
	{"A decimal reference may have one digit, and no semicolon.", "WEBVTT\n\n00:01.000 --> 00:02.000\na&#9b&#9;c&#9&#9d&#9<i>e</i>&#9\n", "a b c d e", ""},
	{"A reference may not cross a tag.", "WEBVTT\n\n00:01.000 --> 00:02.000\n&l<i>t;</i>\n", "&lt;", ""},
	{"Each line with an arrow begins a block, whatever is around the arrow.", "WEBVTT\n\n-->\n00:01.000 --> 00:02.000\na\nx-->\n00:02.000 --> 00:03.000\nb\n-->x\n00:03.000 --> 00:04.000\nc\n--->\n00:04.000 --> 00:05.000\nd\n-->-->\n00:05.000 --> 00:06.000\ne\n00:06.000 --> 00:07.000\nf\n", "a|b|c|d|e|f",
		"line 3, column 1: expected a time like 00:00:01.000; the cue was skipped.|line 6, column 1: expected a time like 00:00:01.000; the cue was skipped.|line 9, column 1: expected a time like 00:00:01.000; the cue was skipped.|line 12, column 1: expected a time like 00:00:01.000; the cue was skipped.|line 15, column 1: expected a time like 00:00:01.000; the cue was skipped."},
	{"An arrow may not have other characters before it.", "WEBVTT\n\n00:01.000 -a --> 00:02.000\na\n\n00:01.000 - --> 00:02.000\nb\n\n00:01.000 -- --> 00:02.000\nc\n\n00:03.000 --> 00:04.000\nd\n", "d",
		"line 3, column 11: expected -->; the cue was skipped.|line 6, column 11: expected -->; the cue was skipped.|line 9, column 11: expected -->; the cue was skipped."},
	{"The file may end inside a cue, after its times.", "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:03.000 --> 00:04.000", "a", ""},
	{"The file may end inside a time line.", "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:03.000 --> ", "a", "line 6, column 15: expected a time like 00:00:01.000; the cue was skipped."},
	{"The header has any lines up to a blank one.", "WEBVTT\nNOTE x\nSTYLE\nfoo\n\n00:01.000 --> 00:02.000\na\n", "a", ""},
	{"A title with times is no cue.", "WEBVTT 00:01.000 --> 00:02.000\na\n\n00:03.000 --> 00:04.000\nb\n", "b", ""},
	{"A byte order mark may begin the file.", "\uFEFFWEBVTT\n\n00:01.000 --> 00:02.000\na\n", "a", ""},
	{"An identifier may have spaces around it.", "WEBVTT\n\n x\n00:01.000 --> 00:02.000\na\n\nx \n00:03.000 --> 00:04.000\nb", "a|b", ""},
	{"Spaces before the text are shown; a transcript has none.", "WEBVTT\n\n00:01.000 --> 00:02.000\n   a\n", "a", ""},
	{"NUL becomes U+FFFD.", "WEBVTT\n\n00:01.000 --> 00:02.000\na\x00b\n", "a\uFFFDb", ""},
}

// WebVTT is read as browsers read it, rule by rule, and what they skip is reported with its line.
func TestParseVTTRules(t *testing.T) {
	t.Parallel()
	for _, c := range vttRules {
		p, err := formats.ParseVTT(strings.NewReader(c.in))
		require.NoError(t, err, c.rule)
		var texts, problems []string
		for _, u := range p.Utterances {
			texts = append(texts, u.Text)
		}
		for _, q := range p.Problems {
			problems = append(problems, q.String())
		}
		require.Equal(t, c.texts, strings.Join(texts, "|"), c.rule)
		require.Equal(t, c.problems, strings.Join(problems, "|"), c.rule)
	}
}

// A time has two or more digits of hours, or none, two of minutes and seconds up to 59, and three of milliseconds. A cue with
// another time is skipped, and the next one is read.
func TestParseVTTTimes(t *testing.T) {
	t.Parallel()
	read := func(times string) (formats.Parsed, int) {
		p, err := formats.ParseVTT(strings.NewReader("WEBVTT\n\n" + times + "\na\n\n99:00:00.000 --> 99:00:01.000\nb\n"))
		require.NoError(t, err, times)
		return p, len(p.Utterances) - 1
	}
	for _, good := range []string{"00:00.000", "00:00:00.000", "0:00:00.000", "000:00:00.000", "59:59.999", "98:59:59.999", "00:00:59.000"} {
		for _, line := range []string{good + " --> 99:00:00.000", "00:00.000 --> " + good} {
			p, cues := read(line)
			require.Equal(t, 1, cues, line)
			for _, q := range p.Problems {
				require.Contains(t, q.Message, "the cue ends at", line)
			}
		}
	}
	bad := []string{
		"", "0", "00", "00:", "00:0", "00:00", "00:00:", "00:00:0", "00:00:00", "00:00:00.", "00:00:00.0", "00:00:00.00", "00:00:00.0000",
		"0:00.000", "000:00.000", "0000.000", "00:0.000", "00:000.000", "00::00.000", ":00.000", "00:00..000", "00.000", "60:00.000", "00:60.000",
		"00:60:00.000", "00:00:60.000", "00:99:00.000", "00:0:00.000", "00:000:00.000", "00::00:00.000", "00:00::00.000", "00:00:000.000",
		"0000:00.000", "00:0000.000", "00:00:00000", "00:00:00:000", "00:00:00.00a", "-00:00.000", "+00:00.000", "x00:00.000", "00;00.000",
		"00 :00.000", "00: 00.000", "00:00 .000", "00:00. 000", "٠٠:٠٠.٠٠٠", "00:00\x00.000", "\x0000:00.000", "1e1:00:00.000", "10000:00:00.000",
	}
	for _, time := range bad {
		for _, line := range []string{time + " --> 00:01.000", "00:00.000 --> " + time} {
			p, cues := read(line)
			require.Zero(t, cues, "%q", line)
			require.Len(t, p.Problems, 1, "%q", line)
			require.Equal(t, 3, p.Problems[0].Line, "%q", line)
		}
	}
	for _, arrow := range []string{"->", "-- >", "--", "- ->", "->-->", "=>", "—>"} {
		p, cues := read("00:00.000 " + arrow + " 00:01.000")
		require.Zero(t, cues, arrow)
		require.Len(t, p.Problems, 1, arrow)
	}
}

// A comma before milliseconds is common in files that were SubRip. Browsers skip such cues; they are read and reported.
func TestParseVTTComma(t *testing.T) {
	t.Parallel()
	p, err := formats.ParseVTT(strings.NewReader("WEBVTT\n\n00:01,000 --> 00:02.000\na\n\n00:03.000 --> 00:04,000\nb\n"))
	require.NoError(t, err)
	require.Equal(t, []line{{"", "a", 1000, 2000}, {"", "b", 3000, 4000}}, linesOf(p))
	require.Len(t, p.Problems, 2)
	require.Equal(t, "line 3, column 6: expected a full stop before the milliseconds, not a comma; browsers skip this cue.", p.Problems[0].String())
	require.Equal(t, 20, p.Problems[1].Column)
}

// vttVoices lists texts of cues, and who says what.
var vttVoices = map[string][]line{
	"<v Ada>a":                        {{"Ada", "a", 1000, 2000}},
	"<v Ada>a</v> b":                  {{"Ada", "a", 1000, 2000}, {"", "b", 1000, 2000}},
	"<v Ada>a <i>b</i> c":             {{"Ada", "a b c", 1000, 2000}},
	"<v.loud  Ada \n L. >a":           {{"Ada L.", "a", 1000, 2000}},
	"<v A&amp;B>a":                    {{"A&B", "a", 1000, 2000}},
	"<i><v Ada>a</i>b</v></i>c":       {{"Ada", "ab", 1000, 2000}, {"", "c", 1000, 2000}},
	"<v Ada>a\n<v Bob>b</v>c":         {{"Ada", "a", 1000, 2000}, {"Bob", "b", 1000, 2000}, {"Ada", "c", 1000, 2000}},
	"a <v Ada></v>\n<v Bob> </v> b":   {{"", "a b", 1000, 2000}},
	"<v Ada><ruby>a<rt>b</ruby></v>c": {{"Ada", "ab", 1000, 2000}, {"", "c", 1000, 2000}},
	"<voice Ada>a":                    {{"", "a", 1000, 2000}},
}

// A voice lasts until its tag or an outer one is closed.
func TestParseVTTVoices(t *testing.T) {
	t.Parallel()
	for in, want := range vttVoices {
		p, err := formats.ParseVTT(strings.NewReader("WEBVTT\n\n00:01.000 --> 00:02.000\n" + in + "\n"))
		require.NoError(t, err, in)
		require.Equal(t, want, linesOf(p), in)
	}
}

// notVTT lists files without the signature: something is before it, or it isn't followed by a space, a tab, or the end of the line.
var notVTT = []string{
	"", "WEBVT", "WEBVT\n", "webvtt\n", "WebVTT\n", "WEBVTTx\n", "WEBVTT-\n", "WEBVTT\f\n", "WEBVTT\v\n", "WEBVTT\u00a0\n", "WEBVTT\x00\n", " WEBVTT\n", "\tWEBVTT\n", "\nWEBVTT\n",
	"\uFEFF\uFEFFWEBVTT\n", "x\nWEBVTT\n", "WEBSRT\n", "00:01.000 --> 00:02.000\na\n",
}

// A file without the signature is refused.
func TestParseVTTSignature(t *testing.T) {
	t.Parallel()
	for _, in := range slices.Concat(notVTT, []string{"\uFEFF"}) {
		_, err := formats.ParseVTT(strings.NewReader(in))
		require.Error(t, err, "%q", in)
		require.Equal(t, "line 1, column 1: a WebVTT file must start with WEBVTT.", fault.Message(err), "%q", in)
	}
}
