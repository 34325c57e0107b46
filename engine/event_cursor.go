package engine

import (
	"strconv"
	"strings"
)

// EventCursor is a place in the log of events, to go on from, also after a restart. It is a short text that stays the same.
type EventCursor string

// EventsFromStart is the place before the oldest event of the log.
const EventsFromStart EventCursor = "start"

const cursorPrefix = "ev_"

func cursorOf(number int64) EventCursor {
	return EventCursor(cursorPrefix + strconv.FormatInt(number, 10))
}

// number returns the Number of the event before the cursor's place, or CodeInvalid.
func (c EventCursor) number(op string) (int64, error) {
	digits, ok := strings.CutPrefix(string(c), cursorPrefix)
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n < 0 || cursorOf(n) != c {
		return 0, Errorf(CodeInvalid, op, "%q is not the cursor of an event.", string(c[:min(len(c), 40)])).
			WithHint("Use the Cursor of an event, EventsFromStart, or nothing for new events.")
	}
	return n, nil
}

// checkCursor returns CodeNotFound unless the log, which has the numbers first to last, still has every event after one.
func checkCursor(op string, after, first, last int64) error {
	switch {
	case after > last:
		return Errorf(CodeNotFound, op, "The log of events has no event %d: it belongs to another database, or to an earlier state of this one.", after).
			WithHint(listAgain)
	case after+1 < first:
		return Errorf(CodeNotFound, op, "The events after number %d are no longer in the log, which begins with %d.", after, first).WithHint(listAgain)
	}
	return nil
}

const listAgain = "Subscribe without a cursor, list the recordings and what is made from them again, then read the events."
