package live_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/live"
)

// note is the data of a message.
type note struct {
	N    int    `json:"n"`
	Text string `json:"text,omitempty"`
}

// numbers returns the numbers of all messages that a reader has now, and how many times it was told that some were lost.
func numbers(t *testing.T, r *live.Reader) (got []int, lost []live.Lost) {
	t.Helper()
	for {
		b := r.Next()
		if b.Lost != nil {
			lost = append(lost, *b.Lost)
		}
		require.LessOrEqual(t, len(b.Messages), 64)
		for _, m := range b.Messages {
			var n note
			require.NoError(t, json.Unmarshal(m.Data, &n))
			got = append(got, n.N)
		}
		if b.Changed != nil {
			return got, lost
		}
	}
}

func source(h *live.Hub) *live.Source {
	s := h.Source("w", time.Now, nil)
	s.Attach()
	return s
}

// Nothing is recorded before the first reader, and everything after it, in order, for every reader.
func TestReaders(t *testing.T) {
	t.Parallel()
	h := &live.Hub{}
	s := source(h)
	require.False(t, s.Active())
	s.Publish(live.Job, "", note{N: 1})
	a := h.Feed("w").Open(nil, nil)
	require.True(t, s.Active())
	s.Publish(live.Job, "", note{N: 2})
	b := h.Feed("w").Open(nil, nil)
	s.Publish(live.Clock, "", note{N: 3})
	got, lost := numbers(t, a)
	require.Equal(t, []int{2, 3}, got)
	require.Empty(t, lost)
	got, _ = numbers(t, b)
	require.Equal(t, []int{3}, got)
	got, _ = numbers(t, b)
	require.Empty(t, got)
	wait := b.Next().Changed
	s.Publish(live.Job, "", note{N: 4})
	<-wait
	got, _ = numbers(t, b)
	require.Equal(t, []int{4}, got)
}

// A reader with types gets only those, and its cursor still moves.
func TestTypes(t *testing.T) {
	t.Parallel()
	h := &live.Hub{}
	s := source(h)
	r := h.Feed("w").Open(nil, []live.Type{live.Clock, live.Fault})
	for i, kind := range live.Types() {
		s.Publish(kind, "", note{N: i})
	}
	got, _ := numbers(t, r)
	require.Equal(t, []int{4, 5}, got)
	other := h.Feed("w").Open(new(r.At()), nil)
	got, lost := numbers(t, other)
	require.Empty(t, got)
	require.Empty(t, lost)
}

// A reader resumes after its cursor without missing or repeating anything, for as long as the feed keeps messages.
func TestResume(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &live.Hub{}
		s := source(h)
		r := h.Feed("w").Open(nil, nil)
		for i := range 5 {
			s.Publish(live.Job, "", note{N: i})
		}
		first := r.Next().Messages[1].Cursor
		r.Close()
		time.Sleep(4 * time.Minute)
		s.Publish(live.Job, "", note{N: 5})
		again := h.Feed("w").Open(&first, nil)
		require.Equal(t, first, again.Begin())
		got, lost := numbers(t, again)
		require.Equal(t, []int{2, 3, 4, 5}, got)
		require.Empty(t, lost)
		time.Sleep(time.Hour)
		require.True(t, s.Active(), "there is a reader")
		last := again.At()
		again.Close()
		time.Sleep(6 * time.Minute)
		require.False(t, s.Active(), "there was no reader for a while")
		s.Publish(live.Job, "", note{N: 6})
		late := h.Feed("w").Open(&last, nil)
		got, lost = numbers(t, late)
		require.Empty(t, got)
		require.Len(t, lost, 1, "message 6 was not recorded, and the reader must know")
		require.Equal(t, last, lost[0].From)
		require.Equal(t, late.Begin(), lost[0].To)
		text, err := json.Marshal(lost[0])
		require.NoError(t, err)
		require.JSONEq(t, fmt.Sprintf(`{"from":%q,"to":%q}`, last, late.Begin()), string(text))
	})
}

// A reader that is too slow misses the oldest messages and learns which; the feed stays within its limits.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"many messages": "", "many bytes": strings.Repeat("x", 10_000)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := &live.Hub{}
			s := source(h)
			slow := h.Feed("w").Open(nil, nil)
			begin := slow.At()
			fast := h.Feed("w").Open(nil, nil)
			for i := range 5000 {
				s.Publish(live.Job, "", note{i, text})
				if i%64 == 0 {
					_, lost := numbers(t, fast)
					require.Empty(t, lost)
				}
			}
			got, lost := numbers(t, slow)
			require.Len(t, lost, 1)
			require.Equal(t, begin, lost[0].From)
			want := 4096
			if text != "" {
				want = 4 << 20 / (len(text) + len(`{"n":1234,"text":""}`) + 160)
			}
			require.Len(t, got, want)
			require.Equal(t, 4999, got[len(got)-1])
			require.Equal(t, 5000-want, got[0])
			require.Equal(t, fmt.Sprintf("-%d", 5000-want), lost[0].To.String()[8:])
			again := h.Feed("w").Open(&lost[0].To, nil)
			got, lost = numbers(t, again)
			require.Len(t, got, want)
			require.Empty(t, lost)
		})
	}
}

// The cursor of another feed, of the future, and of what is gone all tell the reader that it missed something.
func TestForeignCursors(t *testing.T) {
	t.Parallel()
	h := &live.Hub{}
	s := source(h)
	r := h.Feed("w").Open(nil, nil)
	s.Publish(live.Job, "", note{N: 1})
	future, err := live.ParseCursor(r.Begin().String()[:9] + "77")
	require.NoError(t, err)
	for _, c := range []live.Cursor{h.Feed("other").Open(nil, nil).At(), future} {
		got, lost := numbers(t, h.Feed("w").Open(&c, nil))
		require.Equal(t, []int{1}, got)
		require.Len(t, lost, 1)
		require.Equal(t, c, lost[0].From)
	}
}

// Only the newest attached source is heard. What follows the world runs while there is something to follow it for.
func TestSources(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &live.Hub{}
		var mu sync.Mutex
		running := map[string]int{}
		follow := func(name string) func(context.Context) func() {
			return func(ctx context.Context) func() {
				mu.Lock()
				running[name]++
				mu.Unlock()
				return func() {
					<-ctx.Done()
					mu.Lock()
					running[name]--
					mu.Unlock()
				}
			}
		}
		check := func(a, b int) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			require.Equal(t, []int{a, b}, []int{running["a"], running["b"]})
		}
		a, b := h.Source("w", time.Now, follow("a")), h.Source("w", time.Now, follow("b"))
		a.Attach()
		check(0, 0)
		r := h.Feed("w").Open(nil, nil)
		check(1, 0)
		b.Publish(live.Job, "", note{N: 1}) // not attached yet
		a.Publish(live.Job, "", note{N: 2})
		b.Attach()
		check(0, 1)
		a.Publish(live.Job, "", note{N: 3})
		b.Publish(live.Job, "", note{N: 4})
		h.Announce(live.World, note{N: 5})
		got, _ := numbers(t, r)
		require.Equal(t, []int{2, 4, 5}, got)
		a.Detach() // does not end b
		check(0, 1)
		r.Close()
		time.Sleep(6 * time.Minute)
		check(0, 0)
		r = h.Feed("w").Open(nil, nil)
		check(0, 1)
		b.Detach()
		check(0, 0)
		b.Publish(live.Job, "", note{N: 6})
		got, _ = numbers(t, r)
		require.Empty(t, got)
	})
}

// A deleted world ends its readers, and so does the end of the server. A new world of the name has another feed.
func TestEnd(t *testing.T) {
	t.Parallel()
	h := &live.Hub{}
	s := source(h)
	r := h.Feed("w").Open(nil, nil)
	s.Publish(live.Job, "", note{N: 1})
	wait := r.Next().Changed
	require.NotNil(t, wait)
	h.Drop("w")
	<-wait
	require.True(t, r.Next().Ended)
	s.Publish(live.Job, "", note{N: 2})
	require.Empty(t, r.Next().Messages)
	fresh := h.Feed("w").Open(new(r.At()), nil)
	b := fresh.Next()
	require.NotNil(t, b.Lost)
	require.False(t, b.Ended)
	h.Close()
	require.True(t, fresh.Next().Ended)
	require.True(t, h.Feed("later").Open(nil, nil).Next().Ended)
	h.Drop("none")
}

// What is announced reaches every feed that records, and no other one. Without any, it costs nothing, however many feeds there are.
func TestAnnounce(t *testing.T) { // not parallel: it counts allocations
	h := &live.Hub{}
	for i := range 100 {
		h.Feed(fmt.Sprint(i))
	}
	require.Zero(t, testing.AllocsPerRun(10, func() { h.Announce(live.World, nil) }))
	one, two, dropped := h.Feed("1").Open(nil, nil), h.Feed("2").Open(nil, nil), h.Feed("3").Open(nil, nil)
	h.Drop("3")
	h.Announce(live.World, note{N: 7})
	for _, r := range []*live.Reader{one, two} {
		got, lost := numbers(t, r)
		require.Equal(t, []int{7}, got)
		require.Empty(t, lost)
	}
	require.Empty(t, dropped.Next().Messages)
	late := h.Feed("4").Open(nil, nil)
	got, _ := numbers(t, late)
	require.Empty(t, got)
}

// A feed that nobody has read for a while hears nothing, until it is read again.
func TestAnnounceToForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &live.Hub{}
		r := h.Feed("w").Open(nil, nil)
		r.Close()
		h.Announce(live.World, note{N: 1})
		time.Sleep(10 * time.Minute)
		h.Announce(live.World, note{N: 2})
		r = h.Feed("w").Open(new(r.Begin()), nil)
		h.Announce(live.World, note{N: 3})
		got, lost := numbers(t, r)
		require.Equal(t, []int{3}, got)
		require.Len(t, lost, 1)
		r.Close()
		time.Sleep(10 * time.Minute)
	})
}

// About finds the messages about a key.
func TestAbout(t *testing.T) {
	t.Parallel()
	h := &live.Hub{}
	s := source(h)
	require.Empty(t, s.About(live.Job, "a"))
	defer h.Feed("w").Open(nil, nil).Close()
	for i, key := range []string{"a", "b", "a"} {
		s.Publish(live.Job, key, note{N: i})
	}
	s.Publish(live.Fault, "a", note{N: 3})
	found := s.About(live.Job, "a")
	require.Len(t, found, 2)
	require.JSONEq(t, `{"n":2}`, string(found[1].Data))
	require.False(t, found[1].At.IsZero())
}

// Writers and readers of a feed don't race, and no reader misses anything without knowing.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	h := &live.Hub{}
	s := source(h)
	var readers, writers sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		r := h.Feed("w").Open(nil, nil)
		readers.Go(func() {
			defer r.Close()
			next := int64(1)
			for {
				b := r.Next()
				for _, m := range b.Messages {
					if b.Lost == nil {
						require.Equal(t, fmt.Sprint(next), m.Cursor.String()[9:])
					}
					next++
				}
				if b.Changed == nil {
					continue
				}
				select {
				case <-b.Changed:
				case <-done:
					return
				}
			}
		})
	}
	for range 4 {
		writers.Go(func() {
			for i := range 500 {
				s.Publish(live.Job, "", note{N: i})
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
}

// cursorCases are texts with whether they are cursors.
var cursorCases = map[string]bool{
	"abcdefgh-0": true, "q7xk2m4a-12": true, "22222222-999999999999999999": true,
	"": false, "abcdefgh": false, "abcdefgh-": false, "abcdefgh-01": false, "abcdefgh--1": false, "abcdefgh-+1": false, "abcdefgh-1 ": false,
	"Abcdefgh-1": false, "abcdefg1-1": false, "abcdefg-1": false, "abcdefghi-1": false, "abcdefgh-9999999999999999999": false, "abcdefgh-1-1": false,
	"abcdefgh-1\n": false, "abcdefgh-٣": false,
}

// A cursor has one text, and every other text is refused.
func TestParseCursor(t *testing.T) {
	t.Parallel()
	for text, ok := range cursorCases {
		c, err := live.ParseCursor(text)
		require.Equal(t, ok, err == nil, "%q", text)
		if ok {
			require.Equal(t, text, c.String())
		}
	}
}

// No text makes ParseCursor panic, what it accepts is the cursor's only text, and opening a feed there is safe.
func FuzzParseCursor(f *testing.F) {
	for text := range cursorCases {
		f.Add(text)
	}
	h := &live.Hub{}
	s := source(h)
	feed := h.Feed("w")
	f.Add(feed.Open(nil, nil).At().String())
	for i := range 10 {
		s.Publish(live.Job, "", note{N: i})
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := live.ParseCursor(text)
		if err != nil {
			return
		}
		if c.String() != text {
			t.Fatalf("%q has another text %q", text, c)
		}
		r := feed.Open(&c, nil)
		defer r.Close()
		if b := r.Next(); len(b.Messages) > 10 || b.Lost == nil && r.Begin() != c {
			t.Fatalf("%q: %+v", text, b)
		}
	})
}
