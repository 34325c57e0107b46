package feed

import (
	"bytes"
	"net/url"
	"strings"
	"time"

	ext "github.com/mmcdole/gofeed/extensions"
	"github.com/mmcdole/gofeed/rss"

	"github.com/soundstage-dev/soundstage/engine/podcast"
)

// parseRSS parses RSS 2.0 and its predecessors, with podcast tags. Source: https://www.rssboard.org/rss-specification,
// https://help.apple.com/itc/podcasts_connect/#/itcb54353390.
func parseRSS(doc []byte, base *url.URL) (podcast.Feed, error) {
	parsed, err := (&rss.Parser{}).Parse(bytes.NewReader(doc))
	if err != nil {
		return podcast.Feed{}, notWellFormed(err)
	}
	feed := podcast.Feed{Title: title(parsed.Title)}
	for _, it := range parsed.Items {
		var files []media
		for _, e := range it.Enclosures {
			files = append(files, media{e.URL, e.Type})
		}
		address, ok := firstMedia(append(files, mediaContent(it.Extensions)...), base)
		if !ok {
			continue
		}
		item := podcast.Item{
			GUID: address, Title: title(firstOf(it.Title, extText(it.Extensions, "itunes", "title"))), URL: address, PublishedAt: firstDate(it.PubDateParsed, coreDate(it.DublinCoreExt)),
		}
		if it.GUID != nil {
			item.GUID = firstOf(strings.TrimSpace(it.GUID.Value), address)
		}
		if it.ITunesExt != nil {
			item.EpisodeNumber, item.SeasonNumber = number(it.ITunesExt.Episode), number(it.ITunesExt.Season)
		}
		feed.Items = append(feed.Items, item)
	}
	return feed, nil
}

// coreDate parses dc:date, in the layouts of https://www.w3.org/TR/NOTE-datetime. It returns nil when there is none.
func coreDate(e *ext.DublinCoreExtension) *time.Time {
	if e == nil || len(e.Date) == 0 {
		return nil
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", time.DateOnly} {
		if d, err := time.Parse(form, strings.TrimSpace(e.Date[0])); err == nil {
			return &d
		}
	}
	return nil
}
