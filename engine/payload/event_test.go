package payload_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/payload"
)

var finished = payload.Event{Type: "thing.finished", Summary: "A thing finished.", Data: []payload.Field{
	{Name: "thing_id", Example: payload.TestID},
	{Name: "status", Example: "good", Values: []string{"good", "bad"}},
	{Name: "maker_id", Example: payload.TestID, Nullable: true},
}}

// A payload has its members in the order of the event, with UTC seconds, escapes, nulls, and examples for what is missing.
func TestBody(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 15, 4, 5, 999, time.FixedZone("", 3600))
	for name, c := range map[string]struct {
		data map[string]string
		want string
	}{
		"no data":  {nil, `{"thing_id":"` + payload.TestID + `","status":"good","maker_id":"` + payload.TestID + `"}`},
		"all data": {map[string]string{"thing_id": `a"b`, "status": "bad", "maker_id": "c"}, `{"thing_id":"a\"b","status":"bad","maker_id":"c"}`},
		"null":     {map[string]string{"thing_id": "a", "maker_id": ""}, `{"thing_id":"a","status":"good","maker_id":null}`},
	} {
		body, err := finished.Body(at, c.data)
		require.NoError(t, err, name)
		require.Equal(t, `{"type":"thing.finished","timestamp":"2026-01-02T14:04:05Z","data":`+c.want+`}`, string(body), name)
		require.Equal(t, string(body), string(finished.Encode(at, c.data)), name)
	}
}

// Unknown members and wrong values are CodeInvalid, with a message that names them.
func TestBodyRefuses(t *testing.T) {
	t.Parallel()
	for want, data := range map[string]map[string]string{
		`The event has no member "x".`:         {"x": "y"},
		"thing_id must be a non-empty string.": {"thing_id": ""},
		"status must be one of bad, good.":     {"status": "ugly"},
	} {
		_, err := finished.Body(time.Time{}, data)
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
		require.Equal(t, want, fault.Message(err))
	}
}
