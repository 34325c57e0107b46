package feed_test

import (
	"context"
	"fmt"

	"github.com/soundstage-dev/soundstage/engine/feed"
)

func ExampleReader_ReadFeed() {
	web := &fetcher{from: "https://example.com/feed.xml", doc: []byte(`<rss version="2.0"><channel><title>Show</title>
		<item><title>One</title><guid>1</guid><enclosure url="1.mp3" type="audio/mpeg"/></item>
		<item><title>Notes</title><guid>2</guid></item>
	</channel></rss>`)}
	show, err := feed.New(web).ReadFeed(context.Background(), "https://example.com/feed.xml")
	for _, episode := range show.Items {
		fmt.Println(show.Title, episode.GUID, episode.Title, episode.URL)
	}
	fmt.Println(err)
	// Output:
	// Show 1 One https://example.com/1.mp3
	// <nil>
}
