package outbox

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

func overrides(kv ...string) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i]] = json.RawMessage(kv[i+1])
	}
	return m
}

// Trigger rejects events and members that the contract doesn't define.
func TestTriggerErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event engine.EventType
		over  map[string]json.RawMessage
		says  string
	}{
		"unknown event":    {"recording.deleted", nil, `There is no event "recording.deleted".`},
		"unknown member":   {engine.EventTranscriptCompleted, overrides("output_id", `"x"`), `The event has no member "output_id".`},
		"other case":       {engine.EventTranscriptCompleted, overrides("Recording_ID", `"x"`), `The event has no member "Recording_ID".`},
		"wrong status":     {engine.EventTranscriptCompleted, overrides("transcript_status", `"done"`), "transcript_status must be one of completed, error, processing, queued."},
		"number":           {engine.EventOutputCompleted, overrides("data.output_id", "7"), "output_id must be a string (got number)."},
		"null":             {engine.EventOutputCompleted, overrides("recording_id", "null"), "recording_id must be a non-empty string."},
		"wrong type":       {engine.EventOutputCompleted, overrides("output_type", `"poem"`), "output_type must be one of chapters, dynamic, episode_overview, key_topics, quotes, social_posts."},
		"wrong output":     {engine.EventOutputCompleted, overrides("status", `"error"`), "status must be one of canceled, completed, failed, queued, retrying."},
		"empty":            {engine.EventOutputCompleted, overrides("prompt_id", `""`), "prompt_id must be a non-empty string."},
		"no JSON":          {engine.EventOutputCompleted, overrides("prompt_id", "x"), "overrides must be valid JSON."},
		"timestamp":        {engine.EventOutputCompleted, overrides("timestamp", `"yesterday"`), "timestamp must be a time like 2026-01-02T15:04:05Z."},
		"number timestamp": {engine.EventOutputCompleted, overrides("timestamp", "12"), "timestamp must be a time like 2026-01-02T15:04:05Z."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Trigger{Event: c.event, SpaceID: "s", Overrides: c.over}.body(time.Time{})
			require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
			require.Equal(t, c.says, engine.Message(err))
		})
	}
	body, err := Trigger{Event: engine.EventOutputCompleted, Overrides: overrides("prompt_id", "null")}.body(time.Time{})
	require.NoError(t, err)
	require.Contains(t, string(body), `"prompt_id":null`)
	body, err = Trigger{
		Event: engine.EventTranscriptCompleted, SpaceID: "s", Resource: "r",
		Overrides: overrides("data.transcript_status", `"error"`, "timestamp", `"2026-01-02T15:04:05Z"`),
	}.body(time.Time{})
	require.NoError(t, err)
	require.Equal(t, `{"type":"transcript.completed","timestamp":"2026-01-02T15:04:05Z","data":{"recording_id":"r","space_id":"s","transcript_status":"error"}}`, string(body))
}
