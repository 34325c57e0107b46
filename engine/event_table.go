package engine

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/payload"
)

// EventType names a kind of event. Package payload describes events.
type EventType = payload.Type

// The event types (specification, "Events"). The table below has the rest.
const (
	EventTranscriptCompleted EventType = "transcript.completed"
	EventOutputCompleted     EventType = "output.completed"
)

// events is every event. The API contract, its checks, test events, and the command line are derived from it.
var events = []payload.Event{
	{Type: EventTranscriptCompleted, Summary: "The transcription of a recording finished.", Data: []payload.Field{
		{Name: "recording_id", Example: payload.TestID},
		{Name: "space_id", Example: payload.TestID},
		{Name: "transcript_status", Example: string(TranscriptCompleted), Values: input.Strings(transcriptMachine.States())},
	}},
	{Type: EventOutputCompleted, Summary: "A generated output finished.", Data: []payload.Field{
		{Name: "output_id", Example: payload.TestID},
		{Name: "output_type", Example: string(OutputDynamic), Values: input.Strings(append(BuiltInTypes(), OutputDynamic))},
		{Name: "prompt_id", Example: payload.TestID, Nullable: true}, // null for a one-off prompt
		{Name: "recording_id", Example: payload.TestID},
		{Name: "status", Example: string(OutputCompleted), Values: input.Strings(outputMachine.States())},
	}},
}

// Events returns every event that webhooks can subscribe to, with its payload: for documentation, and for programs that send test events.
func Events() []payload.Event { return slices.Clone(events) }

// EventTypes returns the type of every event.
func EventTypes() []EventType {
	types := make([]EventType, len(events))
	for i, e := range events {
		types[i] = e.Type
	}
	return types
}

// eventOf returns the event of a type, or CodeInvalid.
func eventOf(t EventType) (payload.Event, error) {
	i := slices.IndexFunc(events, func(e payload.Event) bool { return e.Type == t })
	if i < 0 {
		return payload.Event{}, Errorf(CodeInvalid, "Event", "There is no event %q.", t).WithHint("The events are " + strings.Join(slices.Sorted(slices.Values(input.Strings(EventTypes()))), ", ") + ".")
	}
	return events[i], nil
}
