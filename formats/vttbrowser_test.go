package formats_test

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/browsertest"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// readTracks is a script that loads files, in base64, as tracks of a video, and collects their cues.
const readTracks = `(async (files) => {
	const video = document.body.appendChild(document.createElement("video"));
	const spans = (node, voice) => node.nodeType === Node.TEXT_NODE ? [{ Voice: voice, Text: node.data }] :
		[...node.childNodes].flatMap((n) => spans(n, n.localName === "span" && n.hasAttribute("title") ? n.title : voice));
	const read = (file) => new Promise((done) => {
		const track = document.createElement("track");
		track.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(file), (c) => c.charCodeAt(0))]));
		track.onerror = () => done({ Refused: true });
		track.onload = () => done({ Cues: [...track.track.cues].map((c) => (
			{ Start: Math.round(c.startTime * 1000), End: Math.round(c.endTime * 1000), Spans: spans(c.getCueAsHTML(), "") })) });
		video.append(track);
		track.track.mode = "hidden";
	});
	window.tracks = await Promise.all(files.map(read));
})`

// track is what a browser reads from a file.
type track struct {
	Refused bool
	Cues    []struct {
		Start, End int64
		Spans      []struct{ Voice, Text string }
	}
}

// lines returns the cues as utterances of a transcript: those with a text, by speaker, with clean white space, and at least 1 ms long.
func (t track) lines() (lines []line) {
	for _, c := range t.Cues {
		first := len(lines)
		for _, s := range c.Spans {
			voice, last := captions.CleanText(s.Voice), len(lines)-1
			switch {
			case last >= first && (lines[last].speaker == voice || strings.Trim(s.Text, " \t\n\f") == ""):
				lines[last].text += s.Text
			case strings.Trim(s.Text, " \t\n\f") != "":
				lines = append(lines, line{voice, s.Text, c.Start, max(c.End, c.Start+1)})
			}
		}
	}
	for i, l := range lines {
		lines[i].text = captions.CleanText(l.text)
	}
	lines = slices.DeleteFunc(lines, func(l line) bool { return l.text == "" })
	sortLines(lines)
	return lines
}

func sortLines(lines []line) {
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.speaker, b.speaker), cmp.Compare(a.text, b.text))
	})
}

// browserTracks loads files in Chromium.
func browserTracks(t *testing.T, browser browsertest.Browser, files []string) []track {
	t.Helper()
	encoded := make([][]byte, len(files))
	for i, f := range files {
		encoded[i] = []byte(f)
	}
	list, err := json.Marshal(encoded)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(path, []byte("<!doctype html><title>Tracks</title><body>"), 0o600))
	b := browser.Open(t, "file://"+path)
	b.Run(readTracks + "(" + string(list) + "); 0")
	b.Until("window.tracks !== undefined")
	tracks := browsertest.Value[[]track](b, "window.tracks")
	require.Len(t, tracks, len(files))
	return tracks
}

// ownLines returns what ParseVTT reads, and whether the file isn't WebVTT. A file with problems and without any text has no lines.
func ownLines(in string) (lines []line, refused bool) {
	p, err := formats.ParseVTT(strings.NewReader(in))
	if err != nil {
		return nil, strings.Contains(err.Error(), "must start with WEBVTT")
	}
	lines = linesOf(p)
	sortLines(lines)
	return lines, false
}

// vttDifference is where the reader differs from browsers on purpose, as docs/formats.md says, and what both read from a file. Those without
// a file are what track.lines changes.
type vttDifference struct {
	what, in     string
	browser, own []line
}

var vttDifferences = []vttDifference{
	{"a comma before the milliseconds is accepted, and reported", "WEBVTT\n\n00:01,000 --> 00:02.000\na\n\n00:03.000 --> 00:04.000\nb\n",
		[]line{{"", "b", 3000, 4000}}, []line{{"", "a", 1000, 2000}, {"", "b", 3000, 4000}}},
	{"other encodings than UTF-8 are recognised", "WEBVTT\n\n00:01.000 --> 00:02.000\nL\xe0-bas, \xe0 c\xf4t\xe9 du ch\xe2teau\n",
		[]line{{"", "L\uFFFD-bas, \uFFFD c\uFFFDt\uFFFD du ch\uFFFDteau", 1000, 2000}}, []line{{"", "Là-bas, à côté du château", 1000, 2000}}},
	{"times of 10,000 hours or more are refused", "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n10000:00:00.000 --> 10000:00:01.000\nb\n",
		[]line{{"", "a", 1000, 2000}, {"", "b", 36_000_000_000, 36_000_001_000}}, []line{{"", "a", 1000, 2000}}},
	{what: "a file with nothing but a byte order mark is refused", in: "\uFEFF"},
	{what: "identifiers, settings, regions, styles, and time tags are skipped"},
	{what: "a cue without text is no utterance"},
	{what: "a cue that ends at its start or before lasts 1 ms"},
	{what: "white space is one space, and none is around a text"},
}

// ParseVTT and Chromium refuse the same files, and read the same cues, times, texts, and speakers from the others. The only differences are
// the listed ones.
func TestVTTBrowser(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts a browser")
	browser := browsertest.Start(t)
	for name, test := range map[string]func(*testing.T, browsertest.Browser){
		"rules": vttRulesInBrowser, "suite": vttSuiteInBrowser, "differences": vttDifferencesInBrowser,
	} {
		t.Run(name, func(t *testing.T) { test(t, browser) })
	}
}

// requireSame requires that ParseVTT and Chromium agree on files, and returns how many utterances these have.
func requireSame(t *testing.T, browser browsertest.Browser, files []string) (utterances int) {
	t.Helper()
	for i, tr := range browserTracks(t, browser, files) {
		own, refused := ownLines(files[i])
		require.Equal(t, tr.Refused, refused, "%q", files[i])
		require.Equal(t, tr.lines(), own, "%q", files[i])
		utterances += len(own)
	}
	return utterances
}

// The files of the case tables are read alike, and 300 damaged ones.
func vttRulesInBrowser(t *testing.T, browser browsertest.Browser) {
	files := slices.Clone(notVTT)
	for _, c := range vttRules {
		files = append(files, c.in)
	}
	for in := range vttVoices {
		files = append(files, "WEBVTT\n\n00:01.000 --> 00:02.000\n"+in+"\n")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		files = append(files, damage(r, vttRules[i%len(vttRules)].in))
	}
	require.Greater(t, requireSame(t, browser, files), 200)
}

// The 267 files that test vtt.js, the parser of Firefox, are read alike, but for one that is a listed difference.
func vttSuiteInBrowser(t *testing.T, browser browsertest.Browser) {
	const suite = validatorFolder + "/node_modules/webvtt-tests"
	if _, err := os.Stat(suite); err != nil {
		skipWithout(t, "webvtt-tests")
	}
	var files []string
	require.NoError(t, filepath.WalkDir(suite, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".vtt" {
			return err
		}
		in, err := os.ReadFile(path)
		if !slices.ContainsFunc(vttDifferences, func(d vttDifference) bool { return d.in != "" && d.in == string(in) }) {
			files = append(files, string(in))
		}
		return err
	}))
	require.Len(t, files, 266)
	require.Greater(t, requireSame(t, browser, files), 200)
}

// The listed differences are the documented ones.
func vttDifferencesInBrowser(t *testing.T, browser browsertest.Browser) {
	files := make([]string, len(vttDifferences))
	for i, d := range vttDifferences {
		files[i] = d.in
	}
	page, err := os.ReadFile("../docs/formats.md")
	require.NoError(t, err)
	for i, tr := range browserTracks(t, browser, files) {
		d := vttDifferences[i]
		require.Contains(t, string(page), "| "+d.what+" | ")
		if d.in != "" {
			own, refused := ownLines(d.in)
			require.Equal(t, d.own, own, d.what)
			require.Equal(t, d.own == nil, refused, d.what)
			require.Equal(t, d.browser, tr.lines(), d.what)
			require.False(t, tr.Refused, d.what)
		}
	}
}

// damages are what damage puts into a file. None is a comma, because the times of browsers have none.
var damages = []string{
	"", "", "\n", "\n\n", "\r", " ", "\t", "\f", "\v", "\x00", "-->", "-", ">", "<", "/", "&", ";", ".", ":", "0", "6", "x", "NOTE", "STYLE\n", "REGION\n",
	"00:03.000 --> 00:04.000\n", "<v Ada>", "</v>", "<i.x>", "</i>", "<ruby>", "<rt>", "</ruby>", "<00:01.500>", "&amp;", "&nbsp", "&#33;", "&#3",
}

// damage replaces, inserts, or deletes one to three characters of a file, below its signature.
func damage(r *rand.Rand, in string) string {
	text := []rune(in)
	for range 1 + r.IntN(3) {
		after := min(len(text), len("WEBVTT"))
		at := after + r.IntN(len(text)+1-after)
		text = slices.Replace(text, at, min(at+r.IntN(2), len(text)), []rune(damages[r.IntN(len(damages))])...)
	}
	return string(text)
}
