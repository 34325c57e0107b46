package live

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Hub has the feeds of a server's worlds, by name.
type Hub struct {
	mu        sync.Mutex // may be locked while a Feed's is held, not the other way round
	feeds     map[string]*Feed
	recording map[*Feed]struct{} // those that record and haven't ended
	ended     bool
}

// Source is what a world writes to its Feed with. Only the newest Source of a feed, once attached, is heard: a world that was reset still
// ends its jobs, and they are no news of the new world.
type Source struct {
	feed      *Feed
	now       func() time.Time
	follow    func(context.Context) (run func())
	following sync.WaitGroup
}

// Feed returns the feed of a world.
func (h *Hub) Feed(world string) *Feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.feeds[world]
	if f == nil {
		f = newFeed(h)
		f.ended = h.ended
		if h.feeds == nil {
			h.feeds = map[string]*Feed{}
		}
		h.feeds[world] = f
	}
	return f
}

// Source returns a Source for a world with its clock. While the feed records and the source is attached, what follow returns is run: it
// publishes what happened since the call of follow, until the context is done. follow may be nil.
func (h *Hub) Source(world string, now func() time.Time, follow func(context.Context) (run func())) *Source {
	return &Source{feed: h.Feed(world), now: now, follow: follow}
}

// Feed returns the feed that the source writes to.
func (s *Source) Feed() *Feed { return s.feed }

// Active reports whether anybody wants messages, so that nothing is prepared otherwise.
func (s *Source) Active() bool { return s != nil && s.feed.active.Load() }

// Publish adds a message, if the feed records and the source is attached. v is encoded as JSON.
func (s *Source) Publish(t Type, key string, v any) {
	if s.Active() {
		s.feed.publish(s, t, key, v)
	}
}

// About returns the messages of a type about a key that the feed still has, oldest first.
func (s *Source) About(t Type, key string) []Message { return s.feed.About(t, key) }

// Attach makes the feed hear this source instead of the one before.
func (s *Source) Attach() {
	f := s.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stopSource()
	f.source = s
	if f.active.Load() {
		f.startSource()
	}
}

// Detach ends the source and waits until follow has returned.
func (s *Source) Detach() {
	if s == nil {
		return
	}
	f := s.feed
	f.mu.Lock()
	if f.source == s {
		f.stopSource()
		f.source = nil
	}
	f.mu.Unlock()
	s.following.Wait()
}

// Announce adds a message to every feed that records. Other feeds cost nothing: each new world is announced, so a look at all of them would make
// the cost of worlds grow with the square of their number.
func (h *Hub) Announce(t Type, v any) {
	h.mu.Lock()
	feeds := slices.Collect(maps.Keys(h.recording))
	h.mu.Unlock()
	for _, f := range feeds {
		f.publish(nil, t, "", v)
	}
}

// record notes whether a feed records.
func (h *Hub) record(f *Feed, on bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !on {
		delete(h.recording, f)
		return
	}
	if h.recording == nil {
		h.recording = map[*Feed]struct{}{}
	}
	h.recording[f] = struct{}{}
}

// Drop ends the feed of a deleted world. A later world of the name has another feed.
func (h *Hub) Drop(world string) {
	h.mu.Lock()
	f := h.feeds[world]
	delete(h.feeds, world)
	h.mu.Unlock()
	if f != nil {
		f.end()
	}
}

// Close ends every feed.
func (h *Hub) Close() {
	h.mu.Lock()
	h.ended = true
	feeds := slices.Collect(maps.Values(h.feeds))
	h.mu.Unlock()
	for _, f := range feeds {
		f.end()
	}
}
