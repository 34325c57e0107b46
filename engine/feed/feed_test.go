package feed_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/feed"
	"github.com/soundstage-dev/soundstage/engine/podcast"
)

const address = "https://example.com/shows/feed.xml"

func document(t testing.TB, name string) []byte {
	t.Helper()
	doc, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return doc
}

func at(s string) *time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return &t
}

func ptr(n int) *int { return &n }

// Parse returns the episodes with media of an RSS feed with iTunes tags, in their order.
func TestRSS(t *testing.T) {
	t.Parallel()
	got, err := feed.Parse(document(t, "podcast.xml"), address)
	require.NoError(t, err)
	require.Equal(t, podcast.Feed{Title: "The Night Shift & Friends", Items: []podcast.Item{
		{
			GUID: "tag:example.com,2024:12", Title: "Episode 12: Rust & <Go>", URL: "https://example.com/12.mp3?a=1&b=2",
			PublishedAt: at("2024-10-02T13:00:00Z"), EpisodeNumber: ptr(12), SeasonNumber: ptr(2),
		},
		{
			GUID: "https://example.com/shows/files/my%20episode%2011.m4a", Title: "Relative, of several files, without a guid",
			URL: "https://example.com/shows/files/my%20episode%2011.m4a", PublishedAt: at("2024-09-25T08:30:00Z"),
		},
		{GUID: "media-rss", Title: "Media RSS", URL: "https://cdn.example.com/10", PublishedAt: at("2024-09-01T00:00:00Z")},
		{GUID: "https://example.com/play/9", Title: "Type unsaid", URL: "https://example.com/play/9"},
	}}, got)
}

// Parse returns the Atom entries with an enclosure or content by reference, and obeys xml:base.
func TestAtom(t *testing.T) {
	t.Parallel()
	got, err := feed.Parse(document(t, "atom.xml"), address)
	require.NoError(t, err)
	require.Equal(t, podcast.Feed{Title: "Talks", Items: []podcast.Item{
		{
			GUID: "urn:uuid:1", Title: "On & off", URL: "https://media.example.com/show/1.ogg", PublishedAt: at("2024-05-01T12:00:00Z"),
			EpisodeNumber: ptr(3), SeasonNumber: ptr(1),
		},
		{GUID: "urn:uuid:2", Title: "By content", URL: "https://example.com/2.mp4", PublishedAt: at("2024-06-01T22:00:00Z")},
	}}, got)
}

// one returns a feed with one episode; more is added inside the item.
func one(title, more string) string {
	return `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>T</title><item><title>` + title +
		`</title><enclosure url="http://e.test/1.mp3" type="audio/mpeg"/>` + more + `</item></channel></rss>`
}

// Parse detects the encoding by byte order mark or declaration, with UTF-8 as the default. It tolerates a wrong UTF-16
// declaration and invalid bytes.
func TestEncodings(t *testing.T) {
	t.Parallel()
	utf16Of := func(s string, high, low int) string {
		var b strings.Builder
		for _, unit := range utf16.Encode([]rune(s)) {
			both := [2]byte{}
			both[high], both[low] = byte(unit>>8), byte(unit)
			b.Write(both[:])
		}
		return b.String()
	}
	for name, c := range map[string]struct{ doc, title string }{
		"plain":               {one("Ünï ☃", ""), "Ünï ☃"},
		"declared":            {`<?xml version="1.0" encoding="utf-8"?>` + one("Ünï", ""), "Ünï"},
		"space before":        {"\r\n  <?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n" + one("Ünï", ""), "Ünï"},
		"mark":                {"\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>" + one("Ünï", ""), "Ünï"},
		"latin 1":             {`<?xml version="1.0" encoding="ISO-8859-1"?>` + one("\xdcn\xef", ""), "Ünï"},
		"windows":             {`<?xml version="1.0" encoding="windows-1251"?>` + one("\xcf\xee\xe4", ""), "Под"},
		"japanese":            {`<?xml version="1.0" encoding="Shift_JIS"?>` + one("\x93\xfa\x96\x7b", ""), "日本"},
		"utf-16 little":       {"\xff\xfe" + utf16Of(`<?xml version="1.0" encoding="utf-16"?>`+one("Ünï ☃", ""), 1, 0), "Ünï ☃"},
		"utf-16 big":          {"\xfe\xff" + utf16Of(one("Ünï ☃", ""), 0, 1), "Ünï ☃"},
		"utf-16 unmarked":     {utf16Of(`<?xml version="1.0" encoding="utf-16"?>`+one("Ünï ☃", ""), 1, 0), "Ünï ☃"},
		"utf-16 in name only": {`<?xml version="1.0" encoding="utf-16"?>` + one("Ünï", ""), "Ünï"},
		"broken":              {one("a\xff\xfeb\x00\x08c", ""), "a\ufffd\ufffdbc"},
	} {
		got, err := feed.Parse([]byte(c.doc), address)
		require.NoError(t, err, name)
		require.Len(t, got.Items, 1, name)
		require.Equal(t, c.title, got.Items[0].Title, name)
	}
	_, err := feed.Parse([]byte(`<?xml version="1.0" encoding="klingon"?>`+one("x", "")), address)
	requireError(t, err, engine.CodeUnprocessable, "unknown encoding")
}

// Parse accepts the unusual date layouts of feeds. Dates that are invalid or out of range are nil.
func TestDates(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]*time.Time{
		"Wed, 02 Oct 2024 08:00:00 GMT":   at("2024-10-02T08:00:00Z"),
		"Wed, 02 Oct 2024 08:00:00 +0200": at("2024-10-02T06:00:00Z"),
		"Wed, 2 Oct 2024 08:00:00 PDT":    at("2024-10-02T15:00:00Z"),
		"02 Oct 24 08:00 GMT":             at("2024-10-02T08:00:00Z"),
		"2024-10-02T08:00:00Z":            at("2024-10-02T08:00:00Z"),
		"2024-10-02 08:00:00":             at("2024-10-02T08:00:00Z"),
		"2024-10-02":                      at("2024-10-02T00:00:00Z"),
		" \n Wed, 02 Oct 2024 08:00:00 Z": at("2024-10-02T08:00:00Z"),
		"yesterday":                       nil,
		"":                                nil,
		"Wed, 32 Oct 2024 08:00:00 GMT":   nil,
	} {
		got, err := feed.Parse([]byte(one("x", "<pubDate>"+form+"</pubDate>")), address)
		require.NoError(t, err)
		require.Equal(t, want, got.Items[0].PublishedAt, form)
	}
}

// Episode and season numbers are plain digits; anything else is nil.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]*int{
		"1": ptr(1), " 007 ": ptr(7), "0": ptr(0), "2147483647": ptr(2147483647), "2147483648": nil, "-1": nil, "1.5": nil, "S1": nil, "": nil, "１": nil,
	} {
		got, err := feed.Parse([]byte(one("x", "<itunes:episode>"+text+"</itunes:episode>")), address)
		require.NoError(t, err)
		require.Equal(t, want, got.Items[0].EpisodeNumber, text)
	}
}

// A document that is not a feed has its own message: a page, other XML, no XML, or a truncated feed.
func TestWhatIsNoFeed(t *testing.T) {
	t.Parallel()
	whole := one("x", "")
	for doc, sentence := range map[string]string{
		"<!DOCTYPE html><html><body><p>hi<br></body></html>":               "web page, not to a podcast feed",
		"<html xmlns='http://www.w3.org/1999/xhtml'/>":                     "web page, not to a podcast feed",
		"<!doctype html>\n<HTML><head><script>if (a < b && c) {}</script>": "web page, not to a podcast feed",
		"<opml version='2.0'/>":                                            "does not lead to a podcast feed",
		"{\"version\": \"https://jsonfeed.org/version/1\"}":                "does not lead to a podcast feed",
		"":                        "does not lead to a podcast feed",
		"ID3\x04\x00\x00":         "does not lead to a podcast feed",
		"<":                       "does not lead to a podcast feed",
		"<?xml version=\"1.0\"?>": "does not lead to a podcast feed",
		"<rss><channel><item></\x20title></item></channel></rss>": "not well-formed",
		strings.Replace(whole, "</channel>", "<<", 1):             "not well-formed",
		whole[:len(whole)/2]: "not well-formed",
	} {
		got, err := feed.Parse([]byte(doc), address)
		require.Error(t, err, doc)
		requireError(t, err, engine.CodeUnprocessable, sentence)
		require.Zero(t, got)
	}
}

// A feed without episodes is valid.
func TestEmptyFeed(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{"<rss version='2.0'><channel><title>Soon</title></channel></rss>", "<feed xmlns='http://www.w3.org/2005/Atom'><title>Soon</title></feed>"} {
		got, err := feed.Parse([]byte(doc), address)
		require.NoError(t, err)
		require.Equal(t, podcast.Feed{Title: "Soon"}, got)
	}
}

// Declared entities are not expanded, neither nested ones (billion laughs) nor external files.
func TestEntitiesAreNotExpanded(t *testing.T) {
	t.Parallel()
	bomb := `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "lol"><!ENTITY file SYSTEM "file:///etc/passwd">`
	for c := 'b'; c <= 'k'; c++ {
		bomb += fmt.Sprintf(`<!ENTITY %c "%s">`, c, strings.Repeat(fmt.Sprintf("&%c;", c-1), 10))
	}
	got, err := feed.Parse([]byte(bomb+`]>`+one("&k; &file; &amp;", "")), address)
	require.NoError(t, err)
	require.Equal(t, "&k; &file; &", got.Items[0].Title)
}

// Parse refuses documents that would take the parser too much stack, memory, or time.
func TestCostlyDocumentsAreRefused(t *testing.T) {
	t.Parallel()
	namespaces := ""
	for i := range 2000 {
		namespaces += fmt.Sprintf(` xmlns:n%d="u"`, i)
	}
	for name, inside := range map[string]string{
		"deep":                  strings.Repeat("<a:b>", 100_000),
		"deep with namespaces":  strings.Repeat(`<a xmlns:a="b">`, 100_000),
		"many namespaces":       "<x" + namespaces + ">" + strings.Repeat("<y/>", 10_000) + "</x>",
		"divided":               "<itunes:x>" + strings.Repeat("a<![CDATA[b]]>", 100_000) + "</itunes:x>",
		"divided by comments":   "<itunes:x>" + strings.Repeat("a<!---->", 100_000) + "</itunes:x>",
		"dates":                 strings.Repeat("<pubDate>x</pubDate>", 26_000),
		"divided by characters": "<itunes:x>" + strings.Repeat("<b/>a", 100_000) + "</itunes:x>",
	} {
		_, err := feed.Parse([]byte(one("x", inside)), address)
		requireError(t, err, engine.CodeUnprocessable, "too deeply nested or has too many")
		require.NotEmpty(t, name)
	}
	_, err := feed.Parse(make([]byte, feed.MaxSize+1), address)
	requireError(t, err, engine.CodeTooLarge, "larger than 8388608 bytes")
}

// many returns a feed of n episodes like those of podcast hosts.
func many(n int) []byte {
	var b strings.Builder
	b.WriteString(`<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:a="a" xmlns:b="b" xmlns:c="c" xmlns:d="d"><channel><title>T</title>`)
	for i := range n {
		fmt.Fprintf(&b, `<item><title>Episode %d</title><link>https://e.test/%d</link><guid isPermaLink="false">guid-%d</guid>`+
			`<pubDate>Wed, 02 Oct 2024 08:00:00 GMT</pubDate><itunes:episode>%d</itunes:episode><itunes:season>1</itunes:season>`+
			`<itunes:duration>1:00:00</itunes:duration><itunes:explicit>no</itunes:explicit><itunes:image href="https://e.test/%d.jpg"/>`+
			`<description><![CDATA[<p>What it is about, in a few words that say little, <b>%d</b> times.</p>]]></description>`+
			`<enclosure url="https://e.test/%d.mp3" length="1" type="audio/mpeg"/></item>`, i, i, i, i, i, i, i)
	}
	b.WriteString("</channel></rss>")
	return []byte(b.String())
}

// Parse reads all 10,000 episodes of a feed, in order.
func TestManyEpisodes(t *testing.T) {
	t.Parallel()
	got, err := feed.Parse(many(10_000), address)
	require.NoError(t, err)
	require.Len(t, got.Items, 10_000)
	for i, item := range got.Items {
		require.Equal(t, fmt.Sprintf("guid-%d", i), item.GUID)
		require.Equal(t, i, *item.EpisodeNumber)
	}
}

// fetcher returns a document or an error. It records the request.
type fetcher struct {
	engine.Fetcher
	asked engine.FetchRequest
	doc   []byte
	from  string
	err   error

	charset string // of the response
}

func (f *fetcher) Fetch(_ context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	f.asked = r
	if f.err != nil {
		return engine.FetchInfo{}, f.err
	}
	_, err := w.Write(f.doc)
	return engine.FetchInfo{URL: f.from, Charset: f.charset, Size: int64(len(f.doc))}, err
}

// The charset of the response counts if the document names no encoding and isn't UTF-8.
func TestCharset(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ charset, doc, title string }{
		"latin 1":  {"ISO-8859-1", one("\xdcn\xef", ""), "Ünï"},
		"utf-8":    {"iso-8859-1", one("Ünï", ""), "Ünï"},
		"declared": {"iso-8859-1", `<?xml version="1.0" encoding="windows-1251"?>` + one("\xcf\xee\xe4", ""), "Под"},
		"none":     {"", one("a\xff", ""), "a\ufffd"},
	} {
		got, err := feed.New(&fetcher{doc: []byte(c.doc), from: address, charset: c.charset}).ReadFeed(t.Context(), address)
		require.NoError(t, err, name)
		require.Equal(t, c.title, got.Items[0].Title, name)
	}
	_, err := feed.New(&fetcher{doc: []byte(one("a\xff", "")), from: address, charset: "klingon"}).ReadFeed(t.Context(), address)
	requireError(t, err, engine.CodeUnprocessable, "unknown encoding")
}

// A file is media by its type, or by its name if the type is none of another kind.
func TestMediaTypes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, url string
		media     bool
	}{
		{"audio/x-m4a", "a", true}, {"AUDIO/MPEG; charset=x", "a", true}, {"video", "a", true},
		{"application/ogg", "play/9", true}, {"application/mp4", "a.mp4", true}, {"application/x-mp3", "a.mp3", true}, {"binary/octet-stream", "a.mp3", true},
		{"mp3", "a.mp3", true}, {"", "a.mp3?x=1", true}, {"application/octet-stream", "play/9", true}, {"", "play/9", true},
		{"mp3", "play/9", false}, {"application/pdf", "a.pdf", false}, {"application/x-mpegurl", "a.m3u8", false}, {"", "a.pdf", false},
		{"text/html", "a.mp3", false}, {"image/jpeg", "a.jpg", false}, {"image", "a.jpg", false},
	} {
		got, err := feed.Parse([]byte(`<rss><channel><item><enclosure url="`+c.url+`" type="`+c.kind+`"/></item></channel></rss>`), address)
		require.NoError(t, err)
		require.Equal(t, c.media, len(got.Items) == 1, "%+v", c)
	}
}

// ReadFeed sends Accept and a limit of 8 MiB, and resolves relative URLs against the final URL.
func TestReadFeed(t *testing.T) {
	t.Parallel()
	f := &fetcher{doc: []byte(`<rss><channel><title>T</title><item><enclosure url="1.mp3"/></item></channel></rss>`), from: "https://cdn.test/a/feed"}
	got, err := feed.New(f).ReadFeed(context.Background(), address)
	require.NoError(t, err)
	require.Equal(t, podcast.Feed{Title: "T", Items: []podcast.Item{{GUID: "https://cdn.test/a/1.mp3", URL: "https://cdn.test/a/1.mp3"}}}, got)
	require.Equal(t, address, f.asked.URL)
	require.EqualValues(t, 8<<20, f.asked.MaxSize)
	require.Contains(t, f.asked.Header["Accept"], "application/rss+xml")
}

// pageError is the cause of a Fetcher's error for a web page.
type pageError struct{}

func (pageError) Error() string { return "a web page" }
func (pageError) WebPage() bool { return true }

// ReadFeed returns the download's errors unchanged, except for a web page. A canceled read is CodeCanceled.
func TestReadFeedErrors(t *testing.T) {
	t.Parallel()
	gone := engine.Errorf(engine.CodeDownload, "Fetch", "The server answered with status 404.")
	_, err := feed.New(&fetcher{err: gone}).ReadFeed(context.Background(), address)
	require.Same(t, gone, err)
	_, err = feed.New(&fetcher{err: gone.Because(pageError{})}).ReadFeed(context.Background(), address)
	requireError(t, err, engine.CodeUnprocessable, "web page, not to a podcast feed")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = feed.New(&fetcher{doc: many(1), from: address}).ReadFeed(ctx, address)
	requireError(t, err, engine.CodeCanceled, "canceled")
}

func requireError(t *testing.T, err error, code engine.Code, message string) {
	t.Helper()
	require.Equal(t, code, engine.CodeOf(err), "%v", err)
	require.Contains(t, engine.Message(err), message)
}

// FuzzParse looks for documents that make the parser panic, or yield an episode that can't be imported.
func FuzzParse(f *testing.F) {
	f.Add(document(f, "podcast.xml"))
	f.Add(document(f, "atom.xml"))
	f.Add(many(2))
	f.Add([]byte(one("x", "<pubDate>2024-10-02</pubDate>")))
	f.Fuzz(func(t *testing.T, doc []byte) {
		got, err := feed.Parse(doc, address)
		if err != nil {
			require.Contains(t, []engine.Code{engine.CodeUnprocessable, engine.CodeTooLarge}, engine.CodeOf(err))
			require.Zero(t, got)
			return
		}
		for _, item := range got.Items {
			require.NotEmpty(t, item.GUID)
			require.Regexp(t, `^https?://[^/]`, item.URL)
			if item.PublishedAt != nil {
				_, err := item.PublishedAt.MarshalJSON()
				require.NoError(t, err)
			}
		}
	})
}

// BenchmarkParse parses a feed of 10,000 episodes.
func BenchmarkParse(b *testing.B) {
	doc := many(10_000)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		_, err := feed.Parse(doc, address)
		require.NoError(b, err)
	}
}
