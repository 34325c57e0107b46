package enginetest

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// feedFixtures is a Fetcher of the documents in feeds. The last segment of a URL is the document's name.
type feedFixtures struct{}

var _ engine.Fetcher = feedFixtures{}

// feedURL returns the URL of a document.
func feedURL(name string) string { return "https://feeds.example.org/shows/" + url.PathEscape(name) }

func (feedFixtures) Check(ctx context.Context, _ string) error { return ctx.Err() }

func (feedFixtures) Fetch(ctx context.Context, req engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	name, _ := url.PathUnescape(req.URL[strings.LastIndex(req.URL, "/")+1:])
	doc, ok := feeds[name]
	switch code, failing := strings.CutPrefix(name, "fails "); {
	case ctx.Err() != nil:
		return engine.FetchInfo{}, ctx.Err()
	case failing:
		return engine.FetchInfo{}, engine.Errorf(engine.Code(code), "Fetch", "The download fails on purpose.").Transient()
	case !ok:
		return engine.FetchInfo{}, engine.Errorf(engine.CodeDownload, "Fetch", "There is no document %q.", name)
	case req.MaxSize > 0 && int64(len(doc)) > req.MaxSize:
		return engine.FetchInfo{}, engine.Errorf(engine.CodeTooLarge, "Fetch", "The document is too large.")
	}
	_, err := io.WriteString(w, doc)
	return engine.FetchInfo{URL: req.URL, ContentType: "text/xml", Filename: name, Size: int64(len(doc))}, err
}

// feeds maps a name to a document.
var feeds = map[string]string{
	"rss": `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Harbour Talk</title>
<item><title>Fog &amp; foghorns</title><guid isPermaLink="false">harbour-2</guid><pubDate>Tue, 04 Mar 2025 06:00:00 +0100</pubDate>
<itunes:episode>2</itunes:episode><itunes:season>3</itunes:season><enclosure url="https://media.example.org/2.mp3?a=1&amp;b=2" type="audio/mpeg" length="1"/></item>
<item><title>A text without media</title><guid>harbour-text</guid></item>
<item><title>灯台</title><enclosure url="https://media.example.org/1.m4a" type="audio/x-m4a" length="1"/></item>
</channel></rss>`,
	"atom": `<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour Talk</title>
<entry><id>urn:talk:1</id><title>Tides</title><published>2025-03-04T05:00:00Z</published><link rel="alternate" href="https://example.org/tides"/>
<link rel="enclosure" type="video/mp4" href="https://media.example.org/tides.mp4"/></entry>
<entry><id>urn:talk:text</id><title>Only text</title><link rel="alternate" href="https://example.org/text"/></entry>
</feed>`,
	"odd": `<rss version="2.0"><channel><title> </title>
<item><title>&lt;script&gt;alert(1)&lt;/script&gt;&#10;two lines</title><guid> </guid><pubDate>the day before</pubDate><enclosure url="relative.mp3" type="audio/mpeg"/></item>
<item><enclosure url="//media.example.org/scheme.mp3" type="audio/mpeg"/></item>
<item><title>no address</title><enclosure url="" type="audio/mpeg"/></item>
<item><title>a file</title><enclosure url="file:///etc/passwd" type="audio/mpeg"/></item>
<item><title>a script</title><enclosure url="javascript:alert(1)" type="audio/mpeg"/></item>
<item><title>a picture</title><enclosure url="https://media.example.org/cover.jpg" type="image/jpeg"/></item>
</channel></rss>`,
	"empty rss":  `<rss version="2.0"><channel><title>Nothing yet</title></channel></rss>`,
	"empty atom": `<feed xmlns="http://www.w3.org/2005/Atom"><title>Nothing yet</title></feed>`,

	"nothing": "", "blank": " \n", "text": "Come back later.", "json": `{"version":"https://jsonfeed.org/version/1.1","items":[]}`, "sound": "RIFF\x24\x00\x00\x00WAVEfmt ",
	"page": `<!DOCTYPE html><html><head><title>A show</title></head><body><p>Listen</body></html>`, "picture": `<svg xmlns="http://www.w3.org/2000/svg"/>`,
	"cut": `<rss version="2.0"><channel><title>Harbour Talk</title><item><title>Fog`,

	"deep":     `<rss><channel>` + strings.Repeat("<a>", 20_000),
	"wide":     `<rss version="2.0"><channel><title>` + strings.Repeat("a<!-- -->", 20_000) + `</title></channel></rss>`,
	"laughs":   billionLaughs(),
	"outside":  `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>&x;</title></channel></rss>`,
	"unknown":  `<?xml version="1.0" encoding="x-unknown"?><rss version="2.0"><channel><title>a</title></channel></rss>`,
	"bad text": "<rss version=\"2.0\"><channel><title>a\xff\x00\x1b</title></channel></rss>",
}

// billionLaughs returns a document whose entities double 20 times ("billion laughs").
func billionLaughs() string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE rss [<!ENTITY a0 "ha">`)
	for i := range 20 {
		fmt.Fprintf(&b, `<!ENTITY a%d "&a%d;&a%d;">`, i+1, i, i)
	}
	b.WriteString(`]><rss version="2.0"><channel><title>&a20;</title></channel></rss>`)
	return b.String()
}
