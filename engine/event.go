package engine

import (
	"context"
	"encoding/json"
	"slices"
)

// emitTranscript queues the event of a transcript that has just been completed. The transcript of a URL has none.
func (e *Engine) emitTranscript(tx Tx, t Transcript) error {
	if t.RecordingID == "" {
		return nil
	}
	r, err := tx.Recording(t.RecordingID)
	if err != nil {
		return err
	}
	return e.emit(tx, r.SpaceID, EventTranscriptCompleted, string(t.ID), map[string]string{
		"recording_id": string(r.ID), "space_id": string(r.SpaceID), "transcript_status": string(r.TranscriptStatus),
	})
}

// emitOutput queues the event of an output that has just been completed.
func (e *Engine) emitOutput(tx Tx, o Output) error {
	return e.emit(tx, o.SpaceID, EventOutputCompleted, string(o.ID), map[string]string{
		"output_id": string(o.ID), "output_type": string(o.Type), "prompt_id": string(o.PromptID), "recording_id": string(o.RecordingID),
		"status": string(o.Status),
	})
}

// emit writes the deliveries of an event of a space. It runs in the transaction of the change, so that both are committed or neither.
// of is the id of what the event happens to, once. data has every member of the event's data.
func (e *Engine) emit(tx Tx, space SpaceID, event EventType, of string, data map[string]string) error {
	kind, err := eventOf(event)
	if err != nil {
		return err
	}
	if len(data) != len(kind.Data) {
		return Errorf(CodeInternal, "Event", "An event %s lacks members.", event)
	}
	_, err = e.queueEvent(tx, space, event, e.idOf("event", string(event), of), kind.Encode(e.now(), data))
	return err
}

// queueEvent writes a delivery and its job for each subscribed webhook of a member of the space.
func (e *Engine) queueEvent(tx Tx, space SpaceID, event EventType, id string, body []byte) ([]Delivery, error) {
	hooks, err := subscribers(tx, space, event)
	if err != nil || len(hooks) == 0 {
		return nil, err
	}
	queued := make([]Delivery, len(hooks))
	for i, w := range hooks {
		if queued[i], err = e.queueDelivery(tx, w, id, event, body); err != nil {
			return nil, err
		}
	}
	return queued, nil
}

// SendEvent queues an event that did not happen, such as a test event, for every subscribed webhook of a member of the space, and returns
// the deliveries. They are signed, retried, and logged like any other. body is the payload, as payload.Event.Body returns it, and is sent
// byte for byte. SendEvent is for operators: it takes no Caller. Errors: CodeInvalid (an unknown event, or a body that is not a JSON
// object of this type), CodeNotFound (the space), CodeUnavailable.
func (e *Engine) SendEvent(ctx context.Context, space SpaceID, event EventType, body []byte) (sent []Delivery, err error) {
	const op = "SendEvent"
	if err := e.canSend(op); err != nil {
		return nil, err
	}
	if _, err := eventOf(event); err != nil {
		return nil, wrap(op, err)
	}
	var head struct {
		Type EventType `json:"type"`
	}
	if json.Unmarshal(body, &head) != nil || head.Type != event {
		return nil, Errorf(CodeInvalid, op, "The body must be a JSON object whose type is %s.", event)
	}
	err = e.update(ctx, func(tx Tx) error {
		if _, err := tx.Space(space); err != nil {
			return err
		}
		sent, err = e.queueEvent(tx, space, event, e.ids.NewID("event"), slices.Clone(body))
		return err
	})
	if err != nil {
		return nil, wrap(op, err)
	}
	return sent, nil
}

// subscribers returns every webhook that is subscribed to an event of the space.
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
