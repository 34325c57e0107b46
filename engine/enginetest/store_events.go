package enginetest

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// eventCases returns the claims about the log of events.
func eventCases() []storeCase {
	return []storeCase{
		{"events are numbered from 1 and returned as they were appended", eventsRoundTrip},
		{"Events returns a page after a number", eventPages},
		{"an event of a failed transaction leaves no gap", eventsWithoutGaps},
		{"concurrent transactions number their events in the order of their commits", eventsRace},
		{"DeleteEvents removes from the beginning, by number and by time, up to the limit", eventsDeleted},
		{"DeleteEvents never removes the last event", lastEventStays},
	}
}

func sampleEvent() engine.Event {
	return engine.Event{
		Number: 1, Kind: engine.KindRenderChanged, At: at(40), UserID: "user", SpaceID: "space", RecordingID: "recording", TranscriptID: "transcript",
		ImportID: "import", RenderID: "render", OutputID: "output", ChatID: "chat", Language: "uk", Status: "failed", Progress: sampleSum,
		Message: sampleText, Error: sampleText, ErrorCode: engine.CodeBadMedia, ErrorHint: sampleText, ErrorRule: "sample.rule",
	}
}

// appendEvents commits events, one in each transaction.
func appendEvents(t *testing.T, s engine.Store, events ...engine.Event) {
	t.Helper()
	for _, v := range events {
		update(t, s, func(tx engine.Tx) error {
			_, err := tx.AppendEvent(v)
			return err
		})
	}
}

// eventsAt returns events at the given seconds.
func eventsAt(seconds ...int) (events []engine.Event) {
	for _, s := range seconds {
		events = append(events, engine.Event{Kind: engine.KindRecordingCreated, At: at(s), RecordingID: engine.RecordingID(fmt.Sprint(s))})
	}
	return events
}

// requireEvents fails the test unless the log has events with exactly these numbers.
func requireEvents(t *testing.T, s engine.Store, want ...int64) {
	t.Helper()
	events := read(t, s, func(tx engine.ReadTx) ([]engine.Event, error) { return tx.Events(0, 1000) })
	numbers := []int64{}
	for _, v := range events {
		numbers = append(numbers, v.Number)
	}
	require.Equal(t, append([]int64{}, want...), numbers)
	ends := read(t, s, func(tx engine.ReadTx) (ends [2]int64, err error) {
		ends[0], ends[1], err = tx.EventRange()
		return ends, err
	})
	if len(want) == 0 {
		want = []int64{0}
	}
	require.Equal(t, [2]int64{want[0], want[len(want)-1]}, ends)
}

func eventsRoundTrip(t *testing.T, s engine.Store) {
	requireEvents(t, s)
	whole, bare := sampleEvent(), engine.Event{At: at(0)}
	update(t, s, func(tx engine.Tx) error {
		for want, v := range []engine.Event{whole, bare, whole} {
			v.Number = 77 // is ignored
			number, err := tx.AppendEvent(v)
			require.Equal(t, int64(want+1), number)
			if err != nil {
				return err
			}
		}
		own, err := tx.Events(2, 9)
		require.Len(t, own, 1, "a transaction reads its own events")
		return err
	})
	again := whole
	bare.Number, again.Number = 2, 3
	require.Equal(t, []engine.Event{whole, bare, again}, read(t, s, func(tx engine.ReadTx) ([]engine.Event, error) { return tx.Events(0, 9) }))
}

func eventPages(t *testing.T, s engine.Store) {
	for range 300 {
		appendEvents(t, s, eventsAt(0)...)
	}
	for _, c := range []struct {
		after       int64
		limit, want int
	}{{0, 1, 1}, {0, 299, 299}, {0, 1000, 300}, {255, 3, 3}, {298, 9, 2}, {300, 9, 0}, {math.MaxInt64 - 1, 9, 0}, {-1, 2, 2}, {0, 0, 0}, {0, -1, 0}} {
		got := read(t, s, func(tx engine.ReadTx) ([]engine.Event, error) { return tx.Events(c.after, c.limit) })
		require.Len(t, got, c.want, c)
		for i, v := range got {
			require.Equal(t, max(0, c.after)+int64(i)+1, v.Number)
		}
	}
}

func eventsWithoutGaps(t *testing.T, s engine.Store) {
	appendEvents(t, s, eventsAt(1)...)
	require.ErrorIs(t, s.Update(t.Context(), func(tx engine.Tx) error {
		_, err := tx.AppendEvent(engine.Event{})
		return errors.Join(err, errTest)
	}), errTest)
	requireEvents(t, s, 1)
	appendEvents(t, s, eventsAt(2)...)
	requireEvents(t, s, 1, 2)
}

func eventsRace(t *testing.T, s engine.Store) {
	require.NoError(t, concurrently(20, func(i int) error {
		return s.Update(t.Context(), func(tx engine.Tx) error {
			_, last, err := tx.EventRange()
			for n := range int64(3) {
				number, failed := tx.AppendEvent(engine.Event{At: at(i)})
				if err = errors.Join(err, failed); number != last+n+1 {
					return fmt.Errorf("number %d after %d", number, last)
				}
			}
			return err
		})
	}))
	events := read(t, s, func(tx engine.ReadTx) ([]engine.Event, error) { return tx.Events(0, 1000) })
	require.Len(t, events, 60)
	for i, v := range events {
		require.Equal(t, int64(i+1), v.Number)
		require.Equal(t, events[i/3*3].At, v.At, "the events of a transaction are adjacent")
	}
}

// requireDeleted deletes events and fails the test unless the wanted number was removed.
func requireDeleted(t *testing.T, s engine.Store, want, before, keep, limit int) {
	t.Helper()
	update(t, s, func(tx engine.Tx) error {
		n, err := tx.DeleteEvents(at(before), keep, limit)
		require.Equal(t, want, n)
		return err
	})
}

func eventsDeleted(t *testing.T, s engine.Store) {
	requireDeleted(t, s, 0, 100, 0, 9)
	appendEvents(t, s, eventsAt(1, 2, 9, 3, 4, 5, 6, 7)...)
	requireDeleted(t, s, 0, 1, 8, 9)
	requireDeleted(t, s, 0, 100, 0, 0)
	requireDeleted(t, s, 0, 100, 0, -1)
	requireDeleted(t, s, 1, 2, 100, 9)
	requireEvents(t, s, 2, 3, 4, 5, 6, 7, 8)
	requireDeleted(t, s, 1, 5, 100, 9) // the event at 9 s keeps those after it
	requireEvents(t, s, 3, 4, 5, 6, 7, 8)
	require.ErrorIs(t, s.Update(t.Context(), func(tx engine.Tx) error {
		_, err := tx.DeleteEvents(at(100), 0, 9)
		return errors.Join(err, errTest)
	}), errTest)
	requireDeleted(t, s, 1, 0, 2, 1)
	requireDeleted(t, s, 3, 0, 2, 9)
	requireEvents(t, s, 7, 8)
}

func lastEventStays(t *testing.T, s engine.Store) {
	appendEvents(t, s, eventsAt(1, 2, 3)...)
	requireDeleted(t, s, 2, 100, -1, 9)
	requireDeleted(t, s, 0, 100, 0, 9)
	requireEvents(t, s, 3)
	appendEvents(t, s, eventsAt(4)...)
	requireEvents(t, s, 3, 4)
}
