package fetch_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// Client fulfils the contract of engine.Fetcher.
func TestConformanceFetcher(t *testing.T) {
	t.Parallel()
	enginetest.TestFetcher(t, func(_ *testing.T, private bool) engine.Fetcher {
		return fetch.New(fetch.Config{AllowPrivate: private, Clock: &skipClock{}})
	})
}

// Sender fulfils the contract of engine.Sender.
func TestConformanceSender(t *testing.T) {
	t.Parallel()
	enginetest.TestSender(t, func(t *testing.T, private bool) engine.Sender {
		s := fetch.NewSender(fetch.Config{AllowPrivate: private})
		t.Cleanup(s.Close)
		return s
	})
}

// YTDLP fulfils the contract of engine.Resolver.
func TestConformanceResolver(t *testing.T) {
	t.Parallel()
	answer := `{"title":"A talk","url":"https://cdn.test/a.mp4","protocol":"https"}`
	enginetest.TestResolver(t, func(t *testing.T) engine.Resolver { return ytdlp(t, fetch.YTDLPConfig{}) }, video("answer", answer))
}
