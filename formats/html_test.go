package formats_test

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	nethtml "golang.org/x/net/html"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// elements returns the elements of a page.
func elements(t testing.TB, page []byte) (all []*nethtml.Node) {
	t.Helper()
	root, err := nethtml.Parse(bytes.NewReader(page))
	require.NoError(t, err)
	for n := range root.Descendants() {
		if n.Type == nethtml.ElementNode {
			all = append(all, n)
		}
	}
	return all
}

func attribute(n *nethtml.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *nethtml.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == nethtml.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// Media is the name of a file, or an http(s) address. Nothing else gets into a page.
func TestPageMedia(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ media, source, tag, src, policy string }{
		{"talk.mp3", "", "audio", "talk.mp3", "'self' file:"},
		{"talk.MP4", "", "video", "talk.MP4", "'self' file:"},
		{"../a b/50% #1?.webm", "", "video", "../a%20b/50%25%20%231%3F.webm", "'self' file:"},
		{"12:30 talk.ogg", "", "audio", "./12:30%20talk.ogg", "'self' file:"},
		{"new\nline  two .wav", "", "audio", "new%0Aline%20%20two%20.wav", "'self' file:"},
		{"\xff\x01.wav", "", "audio", "%FF%01.wav", "'self' file:"},
		{"\n//evil.example/a.mp3", "", "", "", ""}, {"/\x01/evil.example/a.mp3", "", "", "", ""},
		{`x" onerror="alert(1).mp4`, "", "video", "x%22%20onerror=%22alert%281%29.mp4", "'self' file:"},
		{"/media/talk.flac", "", "audio", "/media/talk.flac", "'self' file:"},
		{"https://cdn.example/a.mp3?x=1&y=<2>#t=3", "", "", "", ""},
		{"https://cdn.example/a.mp3?x=1&y=2#t=3", "", "audio", "https://cdn.example/a.mp3?x=1&y=2", "http: https:"},
		{"HTTP://cdn.example/stream", "", "video", "http://cdn.example/stream", "http: https:"},
		{"", "https://example.com/talk.m4a", "audio", "https://example.com/talk.m4a", "http: https:"},
		{"", "https://example.com/talk", "none", "", "'none'"},
		{"", "talk.mp3", "none", "", "'none'"},
		{"javascript:alert(1)", "", "", "", ""}, {"JavaScript:alert(1)//.mp3", "", "", "", ""}, {"data:audio/mp3,x", "", "", "", ""},
		{"file:///etc/passwd", "", "", "", ""}, {"ftp://x/a.mp3", "", "", "", ""}, {"//evil.example/a.mp3", "", "", "", ""}, {"https://", "", "", "", ""},
		{" java\nscript:alert(1)", "", "none", "", ""},
	} {
		var b bytes.Buffer
		err := formats.WriteHTML(&b, voices("Ann"), formats.Options{Media: c.media, Source: c.source})
		if c.tag == "" {
			require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), c.media)
			require.Zero(t, b.Len())
			continue
		}
		require.NoError(t, err, c.media)
		tag, src, policy := "none", "", ""
		for _, e := range elements(t, b.Bytes()) {
			switch {
			case e.Data == "audio" || e.Data == "video":
				tag, src = e.Data, attribute(e, "src")
			case attribute(e, "http-equiv") != "":
				_, policy, _ = strings.Cut(attribute(e, "content"), "media-src ")
				policy, _, _ = strings.Cut(policy, ";")
			}
		}
		if c.policy == "" {
			require.False(t, strings.HasPrefix(src, "java"), src)
			continue
		}
		require.Equal(t, []string{c.tag, c.src, c.policy}, []string{tag, src, policy}, c.media)
	}
}

// A page loads nothing but its media: no element has another address that is loaded, and the policy forbids it.
func TestPageIsSelfContained(t *testing.T) {
	t.Parallel()
	tr, _ := interview()
	page := write(t, "html", tr, sections())
	for _, e := range elements(t, page) {
		require.NotContains(t, []string{"img", "iframe", "object", "embed", "form", "base", "source", "track"}, e.Data)
		for _, a := range e.Attr {
			require.False(t, a.Key == "style" || strings.HasPrefix(a.Key, "on"), a.Key)
			switch {
			case e.Data == "link":
				require.Contains(t, []string{"icon", "data:,"}, a.Val)
			case a.Key == "src":
				require.Equal(t, "talk.mp4", a.Val)
			}
		}
	}
	require.NotContains(t, string(page), "@import")
	require.NotRegexp(t, `url\(`, string(page))
	require.Contains(t, string(page), `content="default-src 'none'; style-src 'sha256-`)
}

// The colours of speakers and of text have a contrast of at least 4.5 with every background that they are on, in light and in dark.
func TestPageContrast(t *testing.T) {
	t.Parallel()
	page := string(write(t, "html", voices("Ann"), formats.Options{}))
	light, dark := map[string]string{}, map[string]string{}
	blocks := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(page, -1)
	require.Len(t, blocks, 2)
	for i, block := range blocks {
		for _, m := range regexp.MustCompile(`--(\w+): (#[0-9a-f]{6});`).FindAllStringSubmatch(block[1], -1) {
			if i == 0 {
				light[m[1]], dark[m[1]] = m[2], m[2]
			} else {
				dark[m[1]] = m[2]
			}
		}
	}
	require.Len(t, light, 17)
	for _, scheme := range []map[string]string{light, dark} {
		for _, name := range []string{"text", "quiet", "link", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"} {
			for _, back := range []string{"back", "now"} {
				require.GreaterOrEqual(t, contrast(t, scheme[name], scheme[back]), 4.5, "%s on %s", name, back)
			}
		}
		require.GreaterOrEqual(t, contrast(t, scheme["mark"], scheme["word"]), 4.5)
		require.GreaterOrEqual(t, contrast(t, scheme["mark"], scheme["hit"]), 4.5)
	}
}

// The times of words are where the words are, in all languages, in UTF-16 units.
func TestPageWords(t *testing.T) {
	t.Parallel()
	all := []transcript.Transcript{spoken("en", say("A", time.Second, "👩‍👩‍👧", "𠮷野家", "e\u0301", "https://example.com/x", "end."))}
	for _, l := range transcript.Languages() {
		all = append(all, passage(t, l))
	}
	for _, tr := range all {
		var got, want []string
		for _, e := range elements(t, write(t, "html", tr, formats.Options{})) {
			if attribute(e, "class") != "turn" {
				continue
			}
			letter, at := 0, number(t, attribute(e, "data-start"), 10)
			said := ""
			for c := range e.Descendants() {
				if attribute(c, "class") == "said" {
					said = textOf(c)
				}
			}
			units := utf16.Encode([]rune(said))
			for _, w := range strings.Fields(attribute(e, "data-words")) {
				letters, millis, _ := strings.Cut(w, ".")
				letter += number(t, letters, 36)
				at += number(t, millis, 36)
				got = append(got, fmt.Sprint(string(utf16.Decode(units[letter:]))[:1], at))
			}
		}
		for _, u := range tr.Utterances {
			for _, w := range u.Words {
				want = append(want, fmt.Sprint(w.Text[:1], w.Start.Milliseconds()))
			}
		}
		require.Equal(t, want, got, tr.Language)
	}
}

func number(t *testing.T, s string, base int) int {
	t.Helper()
	n, err := strconv.ParseInt(s, base, 64)
	require.NoError(t, err)
	return int(n)
}

// Pages say their language and direction. Times link into the media.
func TestPageLanguage(t *testing.T) {
	t.Parallel()
	he := spoken("", say("א", time.Second, "שלום", "Go"))
	for _, c := range []struct {
		tr   transcript.Transcript
		want string
	}{{passage(t, "ja"), `<html lang="ja-JP" dir="ltr">`}, {he, `<html lang="und" dir="rtl">`}, {transcript.Transcript{}, `<html lang="und" dir="ltr">`}} {
		require.Contains(t, string(write(t, "html", c.tr, formats.Options{})), c.want)
	}
	for _, e := range elements(t, write(t, "html", he, formats.Options{Media: "שלום #1.mp3"})) {
		if attribute(e, "class") == "at" {
			u, err := url.Parse(attribute(e, "href"))
			require.NoError(t, err)
			require.Equal(t, []string{"שלום #1.mp3", "t=1"}, []string{u.Path, u.Fragment})
			return
		}
	}
	t.Fatal("no link to a time")
}

// Any text, name, and address of media gives a page with no other elements than ours, in which the text is shown as it is.
func FuzzPage(f *testing.F) {
	for i, text := range markdownSpeech {
		f.Add(text, markdownSpeech[len(markdownSpeech)-1-i], "a.mp3")
	}
	f.Add(`"><script>alert(1)</script>`, `' onload='alert(1)`, `javascript:alert(1)`)
	f.Add("\x00\u202e<!--", "]]>", `https://example.com/"><script>`)
	ours := map[string]bool{}
	for tag := range strings.FieldsSeq("html head meta link title style body main div h1 h2 h3 dl dt dd audio video input output section p nav ol li a span table thead tbody tr th td bdi script") {
		ours[tag] = true
	}
	f.Fuzz(func(t *testing.T, text, name, media string) {
		tr := transcript.Transcript{Language: transcript.Language(name), Utterances: []transcript.Utterance{{Speaker: "A", Text: text, End: time.Second}, {Speaker: name, Text: name, Start: time.Second}}}
		o := formats.Options{Title: text, Source: media, Media: media, Summary: name, Names: map[string]string{"A": name}, Chapters: []formats.Chapter{{Title: text, Summary: name}}, SpeakerTable: true}
		var page bytes.Buffer
		if err := formats.WriteHTML(&page, tr, o); err != nil {
			require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
			return
		}
		var said strings.Builder
		scripts := 0
		for _, e := range elements(t, page.Bytes()) {
			require.True(t, ours[e.Data], e.Data)
			if e.Data == "script" {
				scripts++
			}
			for _, a := range e.Attr {
				require.False(t, strings.HasPrefix(a.Key, "on") || a.Key == "style", a.Key)
				if a.Key == "href" || a.Key == "src" {
					require.NotRegexp(t, `(?i)^\s*(javascript|vbscript|file|blob):`, a.Val)
				}
			}
			if attribute(e, "class") == "said" {
				said.WriteString(letters(textOf(e)))
			}
		}
		require.Equal(t, 1, scripts)
		require.Equal(t, lettersOf(transcript.Transcript{Utterances: utterancesOf(document(t, tr, o))}), said.String())
	})
}

func utterancesOf(d formats.Document) (all []transcript.Utterance) {
	for _, u := range d.Utterances {
		all = append(all, transcript.Utterance{Text: u.Text})
	}
	return all
}
