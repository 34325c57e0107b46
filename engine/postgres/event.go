package postgres

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var events = newTable(rows.Events)

const (
	eventRange   = "SELECT coalesce((SELECT min(number) FROM events), 0), coalesce((SELECT max(number) FROM events), 0)"
	oldestEvents = "SELECT number, at FROM events ORDER BY number LIMIT $1"
	deleteEvents = "DELETE FROM events WHERE number <= $1"
)

var eventsAfter = "SELECT " + events.columns + " FROM events WHERE number > $1 ORDER BY number LIMIT $2"

func (t *readTx) Events(after int64, limit int) ([]engine.Event, error) {
	return all(t, events, eventsAfter, after, int64(max(0, limit)))
}

func (t *readTx) EventRange() (first, last int64, err error) {
	err = t.query(func(r *rows.Row) { first, last = r.Int64(), r.Int64() }, eventRange)
	return first, last, err
}

// AppendEvent reads the highest number once. Two transactions that append at the same time can't both be committed: one runs again.
func (t *tx) AppendEvent(v engine.Event) (int64, error) {
	if !t.knowsEvent {
		_, last, err := t.EventRange()
		if err != nil {
			return 0, err
		}
		t.lastEvent, t.knowsEvent = last, true
	}
	t.lastEvent++
	v.Number = t.lastEvent
	return v.Number, write(t, events, events.insert, v)
}

func (t *tx) DeleteEvents(before time.Time, keep, limit int) (int, error) {
	_, last, err := t.EventRange()
	if err != nil {
		return 0, err
	}
	before = before.Truncate(time.Microsecond)
	n, through, stays := 0, int64(0), false
	err = t.query(func(r *rows.Row) {
		number, at := r.Int64(), r.Time()
		if stays = stays || number == last || number > last-int64(max(0, keep)) && !at.Before(before); !stays {
			n, through = n+1, number
		}
	}, oldestEvents, int64(max(0, limit)))
	if err != nil || n == 0 {
		return 0, err
	}
	return n, t.exec(deleteEvents, through)
}
