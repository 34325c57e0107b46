package feed_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/feed"
)

// Reader fulfils the contract of engine.FeedReader.
func TestConformance(t *testing.T) {
	t.Parallel()
	enginetest.TestFeedReader(t, func(_ *testing.T, f engine.Fetcher) engine.FeedReader { return feed.New(f) })
}
