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
	"github.com/soundstage-dev/soundstage/engine/payload"
)

// body returns the event's payload. Members without an override have the value of a successful event. CodeInvalid for an invalid
// override.
func (t Trigger) body(now time.Time) ([]byte, error) {
	i := slices.IndexFunc(engine.Events(), func(e payload.Event) bool { return e.Type == t.Event })
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
			at, err := parseTimestamp(raw)
			if err != nil {
				return nil, err
			}
			now = at
			continue
		}
		if !slices.ContainsFunc(event.Data, func(f payload.Field) bool { return f.Name == name }) {
			data[name] = "x" // Event.Body rejects unknown members
			continue
		}
		text, err := overrideText(name, raw)
		if err != nil {
			return nil, err
		}
		data[name] = text
	}
	return event.Body(now, data)
}

// overrideText returns the text of a member, "" for null.
func overrideText(name string, raw []byte) (text string, err error) {
	const op = "Trigger"
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(raw, &text); {
	case len(raw) == 0, err == nil && text == "" && string(raw) != "null":
		return "", engine.Errorf(engine.CodeInvalid, op, "%s must be a non-empty string.", name)
	case errors.As(err, &wrong):
		return "", engine.Errorf(engine.CodeInvalid, op, "%s must be a string (got %s).", name, wrong.Value)
	case err != nil:
		return "", engine.Errorf(engine.CodeInvalid, op, "overrides must be valid JSON.").Because(err)
	}
	return text, nil
}

// parseTimestamp parses a timestamp in the format of payloads.
func parseTimestamp(raw []byte) (time.Time, error) {
	var text string
	err := json.Unmarshal(raw, &text)
	at, wrong := time.Parse("2006-01-02T15:04:05Z", text)
	if err != nil || wrong != nil {
		return time.Time{}, engine.Errorf(engine.CodeInvalid, "Trigger", "timestamp must be a time like 2026-01-02T15:04:05Z.")
	}
	return at, nil
}
