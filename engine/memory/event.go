package memory

import (
	"encoding/binary"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// eventName returns the name of an event. Names sort as numbers do.
func eventName(number int64) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(number)))
}

func (tx *readTx) Events(after int64, limit int) ([]engine.Event, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	found := []engine.Event{}
	tx.events.rows.in(tx.current).Ascend(item{name: eventName(max(0, after) + 1)}, func(i item) bool {
		if len(found) >= limit {
			return false
		}
		found = append(found, tx.events.copyOf(i.row.(*engine.Event)))
		return true
	})
	return found, nil
}

func (tx *readTx) EventRange() (first, last int64, err error) {
	if err := tx.checkOpen(); err != nil {
		return 0, 0, err
	}
	rows := tx.events.rows.in(tx.current)
	if i, ok := rows.Min(); ok {
		first = i.row.(*engine.Event).Number
	}
	if i, ok := rows.Max(); ok {
		last = i.row.(*engine.Event).Number
	}
	return first, last, nil
}

func (tx *writeTx) AppendEvent(v engine.Event) (int64, error) {
	_, last, err := tx.EventRange()
	if err != nil {
		return 0, err
	}
	v.Number = last + 1
	return v.Number, tx.putEvent(v)
}

// putEvent stores an event under its own number.
func (tx *writeTx) putEvent(v engine.Event) error { return put(tx, tx.events, v.Number, v) }

func (tx *writeTx) DeleteEvents(before time.Time, keep, limit int) (n int, err error) {
	_, last, err := tx.EventRange()
	if err != nil {
		return 0, err
	}
	before = utc(before)
	oldest, err := tx.Events(0, limit)
	for _, v := range oldest {
		if err != nil || v.Number == last || v.Number > last-int64(max(0, keep)) && !v.At.Before(before) {
			return n, err
		}
		err = remove(tx, tx.events, v.Number)
		n++
	}
	return n, err
}

func cloneEvent(v engine.Event) engine.Event {
	v.At = utc(v.At)
	return v
}
