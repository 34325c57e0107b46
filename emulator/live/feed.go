package live

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Type is the type of a message.
type Type string

// The types of messages.
const (
	Request  Type = "request"  // a request to /v1 ended
	Job      Type = "job"      // a job changed
	Event    Type = "event"    // something happened to a recording
	Delivery Type = "delivery" // a webhook message changed
	Clock    Type = "clock"    // somebody changed the clock
	Fault    Type = "fault"    // a fault was added, fired, or removed
	World    Type = "world"    // a world was created, reset, deleted, or restored
)

// Types returns every type.
func Types() []Type { return []Type{Request, Job, Event, Delivery, Clock, Fault, World} }

// Message is something that happened.
type Message struct {
	Cursor Cursor
	At     time.Time // on the world's clock; the zero time for what is announced to all worlds
	Type   Type
	Key    string // what it is about: the ID of the job
	Data   []byte // JSON on one line
}

// Limits of a Feed.
const (
	maxMessages = 4096
	maxBytes    = 4 << 20
	batchSize   = 64              // most messages of a Batch
	overhead    = 160             // approximate bytes of a message without its data
	keepFor     = 5 * time.Minute // how long messages are kept without a Reader
)

// Feed is the recent history of a world. It is safe for concurrent use.
type Feed struct {
	hub    *Hub
	active atomic.Bool // whether messages are recorded

	mu       sync.Mutex
	id       string
	messages []Message // oldest first
	bytes    int
	last     int64         // number of the newest message
	changed  chan struct{} // closed at the next message
	readers  int
	forget   *time.Timer // clears the feed; nil while there are readers
	source   *Source     // what writes to it; nil before the first
	stop     context.CancelFunc
	ended    bool
}

// newFeed returns a feed that records nothing yet.
func newFeed(h *Hub) *Feed { return &Feed{hub: h, id: newFeedID(), changed: make(chan struct{})} }

// publish adds a message. Encoding doesn't fail: the values are structs of this program.
func (f *Feed) publish(from *Source, t Type, key string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended || !f.active.Load() || from != nil && f.source != from {
		return
	}
	var at time.Time
	if from != nil {
		at = from.now()
	}
	f.last++
	f.messages = append(f.messages, Message{Cursor: Cursor{f.id, f.last}, At: at, Type: t, Key: key, Data: data})
	f.bytes += overhead + len(data)
	for len(f.messages) > maxMessages || f.bytes > maxBytes && len(f.messages) > 1 {
		f.bytes -= overhead + len(f.messages[0].Data)
		f.messages[0] = Message{}
		f.messages = f.messages[1:]
	}
	f.wake()
}

// wake wakes the readers; mu is held.
func (f *Feed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// activate begins to record; mu is held.
func (f *Feed) activate() {
	if f.forget != nil {
		f.forget.Stop()
		f.forget = nil
	}
	if f.active.Swap(true) || f.ended {
		return
	}
	f.hub.record(f, true)
	f.startSource()
}

// startSource runs what follows the world; mu is held.
func (f *Feed) startSource() {
	if f.source == nil || f.source.follow == nil || f.ended {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	f.source.following.Go(f.source.follow(ctx))
}

// deactivate forgets everything and ends what follows the world. The gap in the numbers shows that messages are missing from now on.
func (f *Feed) deactivate() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.readers > 0 || !f.active.Swap(false) {
		return
	}
	f.hub.record(f, false)
	f.forget = nil
	f.messages, f.bytes = nil, 0
	f.last++
	f.stopSource()
}

func (f *Feed) stopSource() {
	if f.stop != nil {
		f.stop()
		f.stop = nil
	}
}

// end ends every reader permanently.
func (f *Feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.hub.record(f, false)
	if f.forget != nil {
		f.forget.Stop()
	}
	f.stopSource()
	f.wake()
}

// About returns the messages of a type about a key that the feed still has, oldest first.
func (f *Feed) About(t Type, key string) []Message {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []Message
	for _, m := range f.messages {
		if m.Type == t && m.Key == key {
			found = append(found, m)
		}
	}
	return found
}

// Reader reads the messages of a Feed. It is for one goroutine.
type Reader struct {
	feed  *Feed
	types []Type
	at    int64  // number of the last message that was read
	lost  *Lost  // to be reported first
	begin Cursor // where it began
}

// Lost says which messages a Reader missed: those after From up to To.
type Lost struct {
	From Cursor `json:"from"`
	To   Cursor `json:"to"`
}

// Open returns a Reader that begins after a cursor, or now if after is nil. Without types, it reads all. If the feed doesn't have all messages
// after the cursor any more, or it belongs to another feed, the first Batch says so.
func (f *Feed) Open(after *Cursor, types []Type) *Reader {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.readers++
	f.activate()
	r := &Reader{feed: f, types: slices.Clone(types), at: f.last}
	if after != nil {
		if after.feed == f.id && after.number <= f.last && after.number >= f.first()-1 {
			r.at = after.number
		} else {
			r.at = f.first() - 1
			r.lost = &Lost{From: *after, To: Cursor{f.id, r.at}}
		}
	}
	r.begin = Cursor{f.id, r.at}
	return r
}

// first returns the number of the oldest message, or that of the next one; mu is held.
func (f *Feed) first() int64 { return f.last - int64(len(f.messages)) + 1 }

// Begin returns the cursor where the Reader began.
func (r *Reader) Begin() Cursor { return r.begin }

// At returns the cursor of what was read so far.
func (r *Reader) At() Cursor { return Cursor{r.begin.feed, r.at} }

// Batch is what a Reader has to send.
type Batch struct {
	Lost     *Lost // before the messages; nil for nothing
	Messages []Message
	Changed  <-chan struct{} // closed when there may be more; nil if there is more now
	Ended    bool            // the world was deleted, or the server stops: there will be no more
}

// Next returns the next messages, if there are any.
func (r *Reader) Next() (b Batch) {
	f := r.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	b.Lost, r.lost = r.lost, nil
	if before := f.first() - 1; r.at < before {
		from := Cursor{f.id, r.at}
		if b.Lost != nil {
			from = b.Lost.From
		}
		b.Lost = &Lost{From: from, To: Cursor{f.id, before}}
		r.at = before
	}
	for _, m := range f.messages[r.at-f.first()+1:] {
		if len(b.Messages) == batchSize {
			return b
		}
		r.at = m.Cursor.number
		if len(r.types) == 0 || slices.Contains(r.types, m.Type) {
			b.Messages = append(b.Messages, m)
		}
	}
	b.Changed, b.Ended = f.changed, f.ended
	return b
}

// Close ends the Reader. When it was the last one, the feed keeps its messages for a while, so that a stream can resume.
func (r *Reader) Close() {
	f := r.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.readers--; f.readers == 0 && !f.ended {
		f.forget = time.AfterFunc(keepFor, f.deactivate)
	}
}
