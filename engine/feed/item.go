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

// media is a file that a feed lists for an item.
type media struct {
	url  string // as in the feed; may be relative
	kind string // media type or medium; "" when the feed has none
}

// firstMedia returns the URL of the first file that is audio or video by its type, or by its name if the type says nothing else, such as
// "text/html". If there is none, it returns the first file whose type the feed doesn't say. It returns false if there is neither.
func firstMedia(files []media, base *url.URL) (string, bool) {
	fallback := ""
	for _, f := range files {
		u, err := base.Parse(strings.TrimSpace(f.url))
		if err != nil || f.url == "" || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			continue
		}
		full, _, _ := strings.Cut(strings.ToLower(f.kind), ";")
		full = strings.TrimSpace(full)
		kind, _, known := strings.Cut(full, "/")
		unknownType := full == "" || full == "application/octet-stream"
		switch {
		case kind == "audio", kind == "video", full == "application/ogg", full == "application/mp4":
			return u.String(), true
		case (!known || kind == "application" || kind == "binary") && site.IsMediaFile(u.Path): // "mp3", "application/x-mp3"
			return u.String(), true
		case unknownType && fallback == "" && !strings.Contains(u.Path[strings.LastIndex(u.Path, "/")+1:], "."):
			fallback = u.String()
		}
	}
	return fallback, fallback != ""
}

// mediaContent returns the files of media:content, including those in media:group (Media RSS 1.5.1).
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

// number parses a tag of digits; it returns nil for anything else.
func number(s string) *int {
	n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 31)
	if err != nil {
		return nil
	}
	value := int(n)
	return &value
}

// firstDate returns the first date that is set, in UTC. It skips years that RFC 3339 can't express.
func firstDate(dates ...*time.Time) *time.Time {
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

// title unescapes a title and puts it on one line. Titles are often escaped twice, as HTML and as XML.
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
