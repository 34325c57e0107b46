package formats

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Addresses end before the punctuation of the sentence, and other schemes aren't links.
func TestLinksIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"no address", nil},
		{"See https://example.com/a_b?c=d#e.", []string{"https://example.com/a_b?c=d#e"}},
		{"(HTTP://example.com), https://x.org/w_(y)!", []string{"HTTP://example.com", "https://x.org/w_(y)"}},
		{"(See https://x.org/a.).", []string{"https://x.org/a"}},
		{"詳しくはhttps://example.jp/日本。", []string{"https://example.jp/"}},
		{"[http://[::1]:80/].", []string{"http://[::1]:80/"}},
		{"javascript://x ftp://x http:// https://. xhttp://a.b", nil},
		{"«https://a.fr»", []string{"https://a.fr"}},
	} {
		var got []string
		for _, l := range linksIn(c.text) {
			require.Equal(t, l.address, c.text[l.start:l.end])
			got = append(got, l.address)
		}
		require.Equal(t, c.want, got, c.text)
	}
}

// English documents have Letter pages, others A4; another paper is an error that names both.
func TestPageSize(t *testing.T) {
	t.Parallel()
	letter, a4 := pageSize{612, 792}, pageSize{595.28, 841.89}
	for _, c := range []struct {
		paper    Paper
		language transcript.Language
		want     pageSize
	}{{"", "en", letter}, {"", "de", a4}, {"", "", a4}, {PaperA4, "en", a4}, {PaperLetter, "ja", letter}} {
		got, err := Options{Paper: c.paper}.pageSize(c.language)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	_, err := Options{Paper: "a5"}.pageSize("en")
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
	require.Equal(t, `Unknown paper "a5": use "a4" or "letter".`, fault.Message(err))
}

// Any text has links in order, inside it, and without overlaps.
func FuzzLinksIn(f *testing.F) {
	for _, seed := range []string{"", "See https://example.com/a_b?c=d#e.", "(HTTP://example.com), https://x.org/w_(y)!", "[http://[::1]:80/].", "https://a\xff://b", "http://(((((((", "https://https://a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, l := range linksIn(text) {
			require.LessOrEqual(t, at, l.start)
			require.Less(t, l.start, l.end)
			require.LessOrEqual(t, l.end, len(text))
			require.Equal(t, l.address, text[l.start:l.end])
			require.NotEmpty(t, linkOf(l.address))
			at = l.end
		}
	})
}
