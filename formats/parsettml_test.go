package formats_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// tt returns a TTML file with attributes and a body.
func tt(attributes, body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ` +
		`xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xml:lang="de-AT" ` + attributes + `>` + "\n" + body + `</tt>`
}

// The text of TTML is read with its times, lines, and speakers.
func TestParseTTML(t *testing.T) {
	t.Parallel()
	p, err := formats.Parse("a.ttml", strings.NewReader(tt(`ttp:frameRate="25" ttp:tickRate="1000"`, `<head><metadata>
		<ttm:agent xml:id="a1" type="person"><ttm:name type="full">Ada &amp; Co</ttm:name></ttm:agent></metadata>
		<styling><style xml:id="s1"/></styling></head>
		<body begin="1s"><div>
		<p begin="00:00:00.000" end="00:00:01.500" style="s1 unknown" ttm:agent="a1">Hello <span tts:color="red">there</span>,<br/>
			you.</p>
		<p begin="00:00:01:05" dur="2.5s">Frames.</p>
		<div begin="10s" ttm:agent="b"><p begin="500t" end="1s">Ticks.</p><p begin="1m" end="1.5m">Minutes.</p></div>
		<p begin="100000ms" end="3000f"><span ttm:agent="a1">One.</span> <span ttm:agent="b">Two.</span></p>
		<p begin="0.05h" end="1h"/>
		</div></body>`)))
	require.NoError(t, err)
	require.Equal(t, transcript.Language("de"), p.Language)
	require.Empty(t, p.Problems)
	require.Equal(t, []line{
		{"Ada & Co", "Hello there, you.", 1000, 2500}, {"", "Frames.", 2200, 4700}, {"b", "Ticks.", 11500, 12000}, {"b", "Minutes.", 71000, 101000},
		{"Ada & Co", "One.", 101000, 121000}, {"b", "Two.", 101000, 121000},
	}, linesOf(p))
}

// A p without usable times is skipped and reported with its line; the others are read.
func TestParseTTMLProblems(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`<p end="1s">x</p>`:                             "",
		`<p>x</p>`:                                      "line 3: the cue has no end; the cue was skipped.",
		`<p begin="1s">x</p>`:                           "line 3: the cue has no end; the cue was skipped.",
		`<p begin="soon" end="1s">x</p>`:                `line 3: begin is not a valid time: "soon"; the cue was skipped.`,
		`<p begin="1s" end="00:60:00">x</p>`:            `line 3: end is not a valid time: "00:60:00"; the cue was skipped.`,
		`<p begin="1s" end="00:00:01:25">x</p>`:         `line 3: end is not a valid time: "00:00:01:25"; the cue was skipped.`,
		`<p begin="1s" end="2">x</p>`:                   `line 3: end is not a valid time: "2"; the cue was skipped.`,
		`<p begin="1s" end="-2s">x</p>`:                 `line 3: end is not a valid time: "-2s"; the cue was skipped.`,
		`<p begin="1s" end="1e3s">x</p>`:                `line 3: end is not a valid time: "1e3s"; the cue was skipped.`,
		`<p begin="1s" end="10000h">x</p>`:              `line 3: end is not a valid time: "10000h"; the cue was skipped.`,
		`<p begin="3s" end="2s">x</p>`:                  "line 3: the cue ends at 00:00:02.000, before its start at 00:00:03.000.|line 5: the cue starts at 00:00:01.000, before the previous cue at 00:00:03.000.",
		`<div begin="x"><p begin="0s" end="1s"/></div>`: `line 3: begin is not a valid time: "x"; the times of the element were ignored.`,
	} {
		p, err := formats.ParseTTML(strings.NewReader(tt(`ttp:frameRate="25"`, "<body><div>"+in+"\n\n<p begin=\"1s\" end=\"2s\">last</p></div></body>")))
		require.NoError(t, err, in)
		var problems []string
		for _, q := range p.Problems {
			problems = append(problems, q.String())
		}
		require.Equal(t, want, strings.Join(problems, "|"), in)
		require.Contains(t, linesOf(p), line{"", "last", 1000, 2000}, in)
	}
}

// What is no TTML is refused with the line, also XML that is nested too deep, and a document type doesn't expand entities.
func TestParseTTMLErrors(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"<!doctype html>\n<html></html>":        "The file is an HTML page, not a transcript that can be read.",
		"<HTML lang=\"en\"></HTML>":             "The file is an HTML page, not a transcript that can be read.",
		"<fcpxml version=\"1.9\"></fcpxml>":     "The file is an FCPXML timeline, not a transcript that can be read.",
		"\n<rss></rss>":                         "line 2, column 1: a TTML file must start with a tt element, not with rss.",
		"<!-- x -->":                            "line 1, column 1: a TTML file must start with a tt element.",
		"<tt>\n<body":                           "line 2, column 1: invalid XML: unexpected EOF.",
		"<tt>\n</body>":                         "line 2, column 1: invalid XML: element <tt> closed by </body>.",
		"<tt>\n\n&lol; ":                        "line 3, column 1: invalid XML: invalid character entity &lol;.",
		"<tt>\n" + strings.Repeat("<div>", 100): "line 2, column 1: elements are nested more than 100 levels deep.",
	} {
		_, err := formats.ParseTTML(strings.NewReader(in))
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), in)
		require.Equal(t, want, fault.Message(err), in)
	}
	_, err := formats.ParseTTML(strings.NewReader("<tt>" + strings.Repeat("<div>", 99) + strings.Repeat("</div>", 99) + "</tt>"))
	require.NoError(t, err)
}
