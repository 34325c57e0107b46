package feed

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/mmcdole/gofeed/atom"

	"github.com/soundstage-dev/soundstage/engine/podcast"
)

// parseAtom parses Atom (RFC 4287). An entry's media is its links with rel="enclosure", or its content by reference.
func parseAtom(doc []byte, base *url.URL) (podcast.Feed, error) {
	parsed, err := (&atom.Parser{}).Parse(bytes.NewReader(doc))
	if err != nil {
		return podcast.Feed{}, notWellFormed(err)
	}
	feed := podcast.Feed{Title: title(parsed.Title)}
	for _, e := range parsed.Entries {
		var files []media
		for _, link := range e.Links {
			if link.Rel == "enclosure" {
				files = append(files, media{link.Href, link.Type})
			}
		}
		if e.Content != nil && e.Content.Src != "" {
			files = append(files, media{e.Content.Src, firstOf(e.Content.Type, "text")})
		}
		address, ok := firstMedia(append(files, mediaContent(e.Extensions)...), base)
		if !ok {
			continue
		}
		feed.Items = append(feed.Items, podcast.Item{
			GUID: firstOf(strings.TrimSpace(e.ID), address), Title: title(e.Title), URL: address,
			PublishedAt: firstDate(e.PublishedParsed, e.UpdatedParsed), EpisodeNumber: number(extText(e.Extensions, "itunes", "episode")),
			SeasonNumber: number(extText(e.Extensions, "itunes", "season")),
		})
	}
	return feed, nil
}
