package outbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// body is the payload of an event that t asks for: what is not overridden is as a success has it. CodeInvalid.
func (t Trigger) body(now time.Time) ([]byte, error) {
	i := slices.IndexFunc(engine.Events(), func(e engine.Event) bool { return e.Type == t.Event })
	if i < 0 {
		return nil, unknownEvent(t.Event)
	}
	event, data := engine.Events()[i], map[string]string{}
	for _, f := range event.Data {
		if f.Name == "space_id" {
			data[f.Name] = string(t.SpaceID)
		}
	}
	if t.Resource != "" {
		data[event.Data[0].Name] = t.Resource
	}
	for _, path := range slices.Sorted(maps.Keys(t.Overrides)) {
		raw, name := bytes.TrimSpace(t.Overrides[path]), strings.TrimPrefix(path, "data.")
		if path == "timestamp" {
			at, err := wholeSecond(raw)
			if err != nil {
				return nil, err
			}
			now = at
			continue
		}
		if !slices.ContainsFunc(event.Data, func(f engine.EventField) bool { return f.Name == name }) {
			data[name] = "x" // Body says that there is no such member
			continue
		}
		text, err := overriding(name, raw)
		if err != nil {
			return nil, err
		}
		data[name] = text
	}
	return event.Body(now, data)
}

// overriding is the text of a member, "" for null.
func overriding(name string, raw []byte) (text string, err error) {
	const op = "Trigger"
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(raw, &text); {
	case len(raw) == 0, err == nil && text == "" && string(raw) != "null":
		return "", engine.Errorf(engine.CodeInvalid, op, "%s must be a text that is not empty.", name)
	case errors.As(err, &wrong):
		return "", engine.Errorf(engine.CodeInvalid, op, "%s must be text, not %s.", name, wrong.Value)
	case err != nil:
		return "", engine.Errorf(engine.CodeInvalid, op, "The overrides are not JSON.").Because(err)
	}
	return text, nil
}

// wholeSecond reads a timestamp as payloads have it.
func wholeSecond(raw []byte) (time.Time, error) {
	var text string
	err := json.Unmarshal(raw, &text)
	at, wrong := time.Parse("2006-01-02T15:04:05Z", text)
	if err != nil || wrong != nil {
		return time.Time{}, engine.Errorf(engine.CodeInvalid, "Trigger", "timestamp must be a time like 2026-01-02T15:04:05Z.")
	}
	return at, nil
}
