package engine

import (
	"encoding/json"
	"slices"
	"time"
)

// payload is the body of a delivery (decisions.md, Webhooks): what happened, when, and to what, by ids only.
type payload struct {
	Type      EventType `json:"type"`
	Timestamp string    `json:"timestamp"` // RFC 3339, UTC, whole seconds
	Data      any       `json:"data"`
}

// transcriptData is the data of EventTranscriptCompleted.
type transcriptData struct {
	RecordingID      RecordingID      `json:"recording_id"`
	SpaceID          SpaceID          `json:"space_id"`
	TranscriptStatus TranscriptStatus `json:"transcript_status"`
}

// outputData is the data of EventOutputCompleted.
type outputData struct {
	OutputID    OutputID     `json:"output_id"`
	OutputType  OutputType   `json:"output_type"`
	PromptID    *PromptID    `json:"prompt_id"` // null for a one-off prompt
	RecordingID RecordingID  `json:"recording_id"`
	Status      OutputStatus `json:"status"`
}

// emitTranscript tells of a transcript that has just been completed, if it is a recording's.
func (e *Engine) emitTranscript(tx Tx, t Transcript) error {
	if t.RecordingID == "" {
		return nil
	}
	r, err := tx.Recording(t.RecordingID)
	if err != nil {
		return err
	}
	return e.emit(tx, r.SpaceID, EventTranscriptCompleted, transcriptData{r.ID, r.SpaceID, r.TranscriptStatus})
}

// emitOutput tells of an output that has just been completed.
func (e *Engine) emitOutput(tx Tx, o Output) error {
	data := outputData{OutputID: o.ID, OutputType: o.Type, RecordingID: o.RecordingID, Status: o.Status}
	if o.PromptID != "" {
		data.PromptID = &o.PromptID
	}
	return e.emit(tx, o.SpaceID, EventOutputCompleted, data)
}

// emit writes a delivery, and its job, for each webhook of a member of the space that wants the event: in the transaction of the
// change that it tells of, so that both are there or neither.
func (e *Engine) emit(tx Tx, space SpaceID, event EventType, data any) error {
	hooks, err := subscribers(tx, space, event)
	if err != nil || len(hooks) == 0 {
		return err
	}
	body, err := e.encodeEvent(event, data)
	if err != nil {
		return err
	}
	id := e.ids.NewID("event")
	for _, w := range hooks {
		if _, err := e.queueDelivery(tx, w, id, event, body); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) encodeEvent(event EventType, data any) ([]byte, error) {
	return json.Marshal(payload{Type: event, Timestamp: e.now().Format(time.RFC3339), Data: data})
}

// subscribers returns every webhook that wants an event of the space.
func subscribers(tx ReadTx, space SpaceID, event EventType) ([]Webhook, error) {
	members, err := tx.Members(space)
	if err != nil {
		return nil, err
	}
	var found []Webhook
	for _, user := range members {
		hooks, err := tx.Webhooks(user)
		if err != nil {
			return nil, err
		}
		found = append(found, slices.DeleteFunc(hooks, func(w Webhook) bool { return !w.subscribed(event, space) })...)
	}
	return found, nil
}
