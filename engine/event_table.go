package engine

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// EventType says what happened.
type EventType string

// The events that there are (service.md, Events). The rest of what is known of each is its row in the table below.
const (
	EventTranscriptCompleted EventType = "transcript.completed"
	EventOutputCompleted     EventType = "output.completed"
)

// Event is a kind of event that webhooks can subscribe to.
type Event struct {
	Type    EventType
	Summary string       // when it is sent: a sentence
	Data    []EventField // members of the payload's data, in the order in which they are sent; the first is what the event is about
}

// EventField is a member of an event's data. All of them are text.
type EventField struct {
	Name     string
	Example  string   // in a test event; every id is the nil UUID there, so that a receiver can tell it from a real one
	Values   []string // the only texts that it may be; nil for an id
	Nullable bool     // whether it may be null
}

// testID stands for each id in a test event.
const testID = "00000000-0000-0000-0000-000000000000"

// events is every event. The contract, its checks, test events and the command line follow it.
var events = []Event{
	{EventTranscriptCompleted, "The transcription of a recording finished.", []EventField{
		{Name: "recording_id", Example: testID},
		{Name: "space_id", Example: testID},
		{Name: "transcript_status", Example: string(TranscriptCompleted), Values: texts(transcriptMachine.States())},
	}},
	{EventOutputCompleted, "A generated output finished.", []EventField{
		{Name: "output_id", Example: testID},
		{Name: "output_type", Example: string(OutputDynamic), Values: texts(append(BuiltInTypes(), OutputDynamic))},
		{Name: "prompt_id", Example: testID, Nullable: true}, // null for a one-off prompt
		{Name: "recording_id", Example: testID},
		{Name: "status", Example: string(OutputCompleted), Values: texts(outputMachine.States())},
	}},
}

func texts[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// Events returns every event that webhooks can subscribe to, with the shape of its payload: for documentation, and for programs
// that make test events.
func Events() []Event { return slices.Clone(events) }

// EventTypes returns the type of every event.
func EventTypes() []EventType {
	types := make([]EventType, len(events))
	for i, e := range events {
		types[i] = e.Type
	}
	return types
}

// eventOf returns the event of a type; else CodeInvalid.
func eventOf(t EventType) (Event, error) {
	i := slices.IndexFunc(events, func(e Event) bool { return e.Type == t })
	if i < 0 {
		return Event{}, Errorf(CodeInvalid, "Event", "There is no event %q.", t).WithHint("The events are " + sortedList(texts(EventTypes())) + ".")
	}
	return events[i], nil
}

func sortedList(names []string) string {
	return strings.Join(slices.Sorted(slices.Values(names)), ", ")
}

// Body returns the payload of the event at a time, as SendEvent takes it (decisions.md, Webhooks). data has the members by name, "" for
// null; a member that it lacks is the Example. Errors: CodeInvalid for a member that the event doesn't have or that has a wrong value.
func (e Event) Body(at time.Time, data map[string]string) ([]byte, error) {
	const op = "EventBody"
	for _, name := range slices.Sorted(maps.Keys(data)) {
		i := slices.IndexFunc(e.Data, func(f EventField) bool { return f.Name == name })
		if i < 0 {
			return nil, Errorf(CodeInvalid, op, "The event has no member %q.", name).WithHint("Its members are timestamp, " + sortedList(e.members()) + ".")
		}
		switch f := e.Data[i]; {
		case data[name] == "" && !f.Nullable:
			return nil, Errorf(CodeInvalid, op, "%s must be a text that is not empty.", name)
		case f.Values != nil && !slices.Contains(f.Values, data[name]):
			return nil, Errorf(CodeInvalid, op, "%s must be one of %s.", name, sortedList(f.Values))
		}
	}
	return e.encode(at, data), nil
}

// encode is Body of data that nobody has to check.
func (e Event) encode(at time.Time, data map[string]string) []byte {
	var b bytes.Buffer
	write := func(v any) {
		raw, _ := json.Marshal(v) // text and null have no errors
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
