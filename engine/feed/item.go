package feed

import (
	"html"
	"net/url"
	"strconv"
	"strings"
	"time"

	ext "github.com/mmcdole/gofeed/extensions"

	"github.com/soundstage-dev/soundstage/engine/site"
)

// media is a file that a feed names beside an item.
type media struct {
	url  string // as the feed has it: perhaps relative
	kind string // media type or medium, "" when the feed doesn't tell
}

// firstMedia returns the address of the first file that is audio or video by its type or its name; where there is none, of
// the first that may be, since the feed doesn't say what it is. False when there is neither.
func firstMedia(files []media, base *url.URL) (string, bool) {
	fallback := ""
	for _, f := range files {
		u, err := base.Parse(strings.TrimSpace(f.url))
		if err != nil || f.url == "" || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			continue
		}
		kind, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(f.kind)), "/")
		unsaid := kind == "" || strings.EqualFold(strings.TrimSpace(f.kind), "application/octet-stream")
		switch {
		case kind == "audio", kind == "video", unsaid && site.IsMediaFile(u.Path):
			return u.String(), true
		case unsaid && fallback == "" && !strings.Contains(u.Path[strings.LastIndex(u.Path, "/")+1:], "."):
			fallback = u.String()
		}
	}
	return fallback, fallback != ""
}

// mediaContent returns the files of media:content, also within media:group (Media RSS 1.5.1).
func mediaContent(all ext.Extensions) []media {
	var files []media
	add := func(contents []ext.Extension) {
		for _, c := range contents {
			kind := c.Attrs["type"]
			if kind == "" {
				kind = c.Attrs["medium"]
			}
			files = append(files, media{c.Attrs["url"], kind})
		}
	}
	add(all["media"]["content"])
	for _, group := range all["media"]["group"] {
		add(group.Children["content"])
	}
	return files
}

// number returns what a tag says in digits; nil for anything else.
func number(s string) *int {
	n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 31)
	if err != nil {
		return nil
	}
	value := int(n)
	return &value
}

// when returns the first date that there is, in UTC; a year that RFC 3339 has no digits for is none.
func when(dates ...*time.Time) *time.Time {
	for _, d := range dates {
		if d == nil {
			continue
		}
		if utc := d.UTC(); utc.Year() >= 1 && utc.Year() <= 9999 {
			return &utc
		}
	}
	return nil
}

// title returns a title on one line. Titles are often escaped twice, once as HTML and once as XML.
func title(s string) string { return strings.Join(strings.Fields(html.UnescapeString(s)), " ") }

// extText returns the text of an extension's first element.
func extText(all ext.Extensions, prefix, name string) string {
	if found := all[prefix][name]; len(found) > 0 {
		return found[0].Value
	}
	return ""
}

func firstOf(s, fallback string) string {
	if s != "" {
		return s
	}
	return fallback
}
