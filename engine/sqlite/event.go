package sqlite

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var events = newTable(rows.Events)

const (
	eventRange   = "SELECT coalesce((SELECT min(number) FROM events), 0), coalesce((SELECT max(number) FROM events), 0)"
	oldestEvents = "SELECT number, at FROM events ORDER BY number LIMIT ?1 + 0"
	deleteEvents = "DELETE FROM events WHERE number <= ?"
)

// eventsAfter has an expression as its limit for the same reason as pageQuery.
var eventsAfter = "SELECT " + events.columns + " FROM events WHERE number > ?1 ORDER BY number LIMIT ?2 + 0"

func (t *readTx) Events(after int64, limit int) ([]engine.Event, error) {
	return all(t, events, eventsAfter, after, int64(max(0, limit)))
}

func (t *readTx) EventRange() (first, last int64, err error) {
	err = t.query(func(r *row) { first, last = r.Int64(), r.Int64() }, eventRange)
	return first, last, err
}

func (t *tx) AppendEvent(v engine.Event) (int64, error) {
	_, last, err := t.EventRange()
	if err != nil {
		return 0, err
	}
	v.Number = last + 1
	return v.Number, write(t, events, events.insert, v)
}

func (t *tx) DeleteEvents(before time.Time, keep, limit int) (int, error) {
	_, last, err := t.EventRange()
	if err != nil {
		return 0, err
	}
	before = before.Truncate(time.Microsecond)
	n, through, stays := 0, int64(0), false
	err = t.query(func(r *row) {
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
