package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
)

// EventTrigger asks for an event of something that did not happen, for tests of receivers.
type EventTrigger struct {
	Event    EventType // required
	SpaceID  SpaceID   // the webhooks of whose members get it
	Resource string    // id of the recording or, of output.completed, of the output; default the nil UUID
	// Overrides replace members of the data, or "timestamp", by name; "data.recording_id" is the same as "recording_id".
	Overrides map[string]json.RawMessage
}

// TriggerEvent queues a delivery of the event for every webhook of a member of the space that wants it, and returns them: they are
// signed, tried again and logged like any other. Errors: CodeInvalid (the event is unknown, or the payload would not be as the
// contract says), CodeNotFound (the space), CodeUnavailable.
func (e *Engine) TriggerEvent(ctx context.Context, t EventTrigger) (sent []Delivery, err error) {
	const op = "TriggerEvent"
	if err := e.canSend(op); err != nil {
		return nil, err
	}
	body, err := e.EventBody(t)
	if err != nil {
		return nil, err
	}
	err = e.update(ctx, func(tx Tx) error {
		if _, err := tx.Space(t.SpaceID); err != nil {
			return err
		}
		hooks, err := subscribers(tx, t.SpaceID, t.Event)
		if err != nil {
			return err
		}
		sent = make([]Delivery, len(hooks)) // anew, should the transaction run again
		id := ""
		for i, w := range hooks {
			if i == 0 {
				id = e.ids.NewID("event")
			}
			if sent[i], err = e.queueDelivery(tx, w, id, t.Event, body); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrap(op, err)
	}
	return sent, nil
}

// EventBody is the body of the event that t asks for: what is not overridden is as a success has it. CodeInvalid.
func (e *Engine) EventBody(t EventTrigger) ([]byte, error) {
	const op = "TriggerEvent"
	at, data := e.now().Format(time.RFC3339), map[string]json.RawMessage{}
	for _, path := range slices.Sorted(maps.Keys(t.Overrides)) {
		raw := t.Overrides[path]
		if path != "timestamp" {
			data[strings.TrimPrefix(path, "data.")] = raw
			continue
		}
		if json.Unmarshal(raw, &at) != nil || !isWholeSecond(at) {
			return nil, Errorf(CodeInvalid, op, "timestamp must be a time like 2026-01-02T15:04:05Z.")
		}
	}
	switch t.Event {
	case EventTranscriptCompleted:
		d := transcriptData{RecordingID: or[RecordingID](t.Resource), SpaceID: t.SpaceID, TranscriptStatus: TranscriptCompleted}
		if err := override(op, &d, data); err != nil {
			return nil, err
		}
		if !transcriptMachine.Has(d.TranscriptStatus) {
			return nil, notAmong(op, "transcript_status", transcriptMachine.States())
		}
		return json.Marshal(payload{Type: t.Event, Timestamp: at, Data: d})
	case EventOutputCompleted:
		d := outputData{OutputID: or[OutputID](t.Resource), OutputType: OutputDynamic, RecordingID: testID, Status: OutputCompleted}
		if err := override(op, &d, data); err != nil {
			return nil, err
		}
		if !outputMachine.Has(d.Status) {
			return nil, notAmong(op, "status", outputMachine.States())
		}
		if !slices.Contains(outputTypes, d.OutputType) {
			return nil, notAmong(op, "output_type", outputTypes)
		}
		return json.Marshal(payload{Type: t.Event, Timestamp: at, Data: d})
	}
	return nil, Errorf(CodeInvalid, op, "There is no event %q.", t.Event).WithHint("The events are " + names(EventTypes()) + ".")
}

var outputTypes = []OutputType{OutputDynamic, OutputOverview, OutputQuotes, OutputKeyTopics, OutputChapters, OutputSocialPosts}

// or is an id, the nil UUID for "".
func or[T ~string](id string) T {
	if id == "" {
		return testID
	}
	return T(id)
}

func isWholeSecond(at string) bool {
	_, err := time.Parse("2006-01-02T15:04:05Z", at)
	return err == nil
}

func names[T ~string](all []T) string {
	text := make([]string, len(all))
	for i, name := range all {
		text[i] = string(name)
	}
	slices.Sort(text)
	return strings.Join(text, ", ")
}

func notAmong[T ~string](op, member string, all []T) error {
	return Errorf(CodeInvalid, op, "%s must be one of %s.", member, names(all))
}

// override replaces members of an event's data: none may be added, none but prompt_id may be null, and none may be empty.
func override[T any](op string, data *T, members map[string]json.RawMessage) error {
	raw, err := json.Marshal(data)
	if err != nil {
		return err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := bytes.TrimSpace(members[name])
		_, known := all[name]
		switch null := string(value) == "null"; {
		case !known:
			return Errorf(CodeInvalid, op, "The event has no member %q.", name).
				WithHint("Its members are timestamp, " + strings.Join(slices.Sorted(maps.Keys(all)), ", ") + ".")
		case len(value) == 0, null && name != "prompt_id", string(value) == `""`:
			return Errorf(CodeInvalid, op, "%s must be a text that is not empty.", name)
		}
		all[name] = value
	}
	if raw, err = json.Marshal(all); err != nil {
		return Errorf(CodeInvalid, op, "The overrides are not JSON.").Because(err)
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, data); errors.As(err, &wrong) {
		return Errorf(CodeInvalid, op, "%s must be text, not %s.", wrong.Field, wrong.Value)
	} else if err != nil {
		return Errorf(CodeInvalid, op, "The overrides are not JSON.").Because(err)
	}
	return nil
}
