package engine

import (
	"context"
	"slices"
)

// watchedStore is the Store of an engine. Its updates notice what happens to rows, so that no use case must say so: a row that is put with
// a new status is an event, which is written in the same transaction.
type watchedStore struct {
	Store
	log *eventLog
}

func (s watchedStore) Update(ctx context.Context, fn func(Tx) error) error {
	var w *watchedTx
	err := s.Store.Update(ctx, func(tx Tx) error {
		w = &watchedTx{Tx: tx, log: s.log}
		if err := fn(w); err != nil {
			return err
		}
		return w.writeEvents()
	})
	if err == nil {
		s.log.committed(w)
	}
	return err
}

// watchedTx is a Tx that compares each row with what it was before. Its methods are in event_rows.go.
type watchedTx struct {
	Tx
	log      *eventLog
	seen     map[any]rowState // by typed id
	events   []Event          // to be written at the end
	progress []Event
	members  bool  // whether it changed who belongs to a space
	written  int   // events
	last     int64 // Number of the last one; 0 if none
}

// Unwrap returns the store's own transaction, which may have more abilities.
func (w *watchedTx) Unwrap() Tx { return w.Tx }

// rowState is what the transaction last read or wrote of a row; the zero value is that of a missing row.
type rowState struct {
	status   string
	progress float64
	message  string
}

// noticed remembers the state of a row that was read.
func noticed[ID comparable, T any](w *watchedTx, id ID, row T, err error, of func(T) rowState) (T, error) {
	switch {
	case err == nil:
		w.see(id, of(row))
	case CodeOf(err) == CodeNotFound:
		w.see(id, rowState{})
	}
	return row, err
}

func (w *watchedTx) see(id any, s rowState) {
	if w.seen == nil {
		w.seen = map[any]rowState{}
	}
	w.seen[id] = s
}

// putRow writes a row and returns its states before and after. A row that the transaction has not read is read first.
func putRow[ID comparable, T any](w *watchedTx, id ID, row T, get func(ID) (T, error), put func(T) error, of func(T) rowState) (before, now rowState, err error) {
	if _, known := w.seen[id]; !known {
		if _, err := get(id); err != nil && CodeOf(err) != CodeNotFound {
			return before, now, err
		}
	}
	before, now = w.seen[id], of(row)
	w.see(id, now)
	return before, now, put(row)
}

// changed notes the event of a row with a new status, or its progress, if there is a kind for that. v has the ids of the row; cause is its
// failure.
func (w *watchedTx) changed(v Event, kind, progress EventKind, before, now rowState, cause error) {
	switch {
	case now.status != before.status:
		v.Kind, v.Status = kind, now.status
		if cause != nil {
			v.Error = Message(cause)
			v.ErrorCode, v.ErrorHint, v.ErrorRule = details(cause)
		}
		w.events = append(w.events, v)
	case progress != "" && now != before:
		v.Kind, v.Progress, v.Message = progress, now.progress, now.message
		w.progress = append(w.progress, v)
	}
}

// happened notes an event that is not about a status, once per transaction.
func (w *watchedTx) happened(v Event) {
	if !slices.Contains(w.events, v) {
		w.events = append(w.events, v)
	}
}

// writeEvents writes the events of the transaction, and removes old ones.
func (w *watchedTx) writeEvents() error {
	for _, list := range [][]Event{w.events, w.progress} {
		for i := range list {
			if err := w.complete(&list[i]); err != nil {
				return err
			}
		}
	}
	for _, v := range w.events {
		if _, err := w.AppendEvent(v); err != nil {
			return err
		}
	}
	w.log.ending(w.events)
	return w.log.prune(w.Tx, w.last, w.written)
}

// complete sets the time of an event, and the space of its recording.
func (w *watchedTx) complete(v *Event) error {
	v.At = w.log.now()
	if v.SpaceID != "" || v.RecordingID == "" {
		return nil
	}
	r, err := w.Tx.Recording(v.RecordingID)
	if CodeOf(err) == CodeNotFound { // the row of an interrupted deletion
		return nil
	}
	v.SpaceID = r.SpaceID
	return err
}

// AppendEvent notes that the transaction wrote an event.
func (w *watchedTx) AppendEvent(v Event) (number int64, err error) {
	number, err = w.Tx.AppendEvent(v)
	w.last, w.written = number, w.written+1
	return number, err
}

// recordingDeleted writes the event of a deleted recording. It runs in the transaction that deletes it.
func (e *Engine) recordingDeleted(tx Tx, r Recording) error {
	_, err := tx.AppendEvent(Event{
		Kind: KindRecordingDeleted, At: e.now(), SpaceID: r.SpaceID, RecordingID: r.ID, TranscriptID: r.TranscriptID, ImportID: r.ImportID,
	})
	return err
}
