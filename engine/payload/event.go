package payload

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Type names a kind of event, such as "transcript.completed".
type Type string

// Event is a kind of event that webhooks can subscribe to.
type Event struct {
	Type    Type
	Summary string  // when it is sent: one sentence
	Data    []Field // members of the payload's data, in the order in which they are sent; the first identifies the event's resource
}

// Field is a member of an event's data. All members are strings.
type Field struct {
	Name     string
	Example  string   // in a test event; ids are the nil UUID there, so that a receiver can tell them from real ones
	Values   []string // the only values it may have; nil for an id
	Nullable bool     // whether it may be null
}

// TestID is the nil UUID (RFC 9562, section 5.9), which stands for every id in a test event.
const TestID = "00000000-0000-0000-0000-000000000000"

// Body returns the payload of the event at a time, as Engine.SendEvent takes it. data has the members by name, "" for null; a member
// that it lacks gets its Example. Errors: CodeInvalid for an unknown member or a wrong value.
func (e Event) Body(at time.Time, data map[string]string) ([]byte, error) {
	const op = "EventBody"
	for _, name := range slices.Sorted(maps.Keys(data)) {
		i := slices.IndexFunc(e.Data, func(f Field) bool { return f.Name == name })
		if i < 0 {
			return nil, fault.Errorf(fault.CodeInvalid, op, "The event has no member %q.", name).WithHint("Its members are timestamp, " + sorted(e.members()) + ".")
		}
		switch f := e.Data[i]; {
		case data[name] == "" && !f.Nullable:
			return nil, fault.Errorf(fault.CodeInvalid, op, "%s must be a non-empty string.", name)
		case f.Values != nil && !slices.Contains(f.Values, data[name]):
			return nil, fault.Errorf(fault.CodeInvalid, op, "%s must be one of %s.", name, sorted(f.Values))
		}
	}
	return e.Encode(at, data), nil
}

// Encode is Body without checks.
func (e Event) Encode(at time.Time, data map[string]string) []byte {
	var b bytes.Buffer
	write := func(v any) {
		raw, _ := json.Marshal(v) // strings and null have no errors
		b.Write(raw)
	}
	b.WriteString(`{"type":`)
	write(e.Type)
	b.WriteString(`,"timestamp":`)
	write(at.UTC().Format(time.RFC3339))
	b.WriteString(`,"data":{`)
	for i, f := range e.Data {
		if i > 0 {
			b.WriteByte(',')
		}
		write(f.Name)
		b.WriteByte(':')
		value, ok := data[f.Name]
		switch {
		case !ok:
			write(f.Example)
		case value == "" && f.Nullable:
			write(nil)
		default:
			write(value)
		}
	}
	b.WriteString("}}")
	return b.Bytes()
}

func (e Event) members() []string {
	names := make([]string, len(e.Data))
	for i, f := range e.Data {
		names[i] = f.Name
	}
	return names
}

func sorted(names []string) string {
	return strings.Join(slices.Sorted(slices.Values(names)), ", ")
}
