package emulator

import (
	"cmp"
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/live"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Live returns what the world writes to its stream with.
func (w *world) Live() *live.Source { return w.live }

// Time returns what the world's clock shows.
func (w *world) Time() control.ClockTime {
	s := w.time.clock.Setting()
	return control.ClockTime{Mode: string(s.Mode), Now: s.Now.UTC().Truncate(time.Microsecond), Rate: rate(s)}
}

// follow publishes the engine's events from now on.
func (w *world) follow(ctx context.Context) (run func()) {
	events := w.engine.SubscribeAll(ctx, engine.EventFilter{})
	return func() {
		for v, err := range events {
			if err != nil {
				return // the world is closing, or nobody follows it
			}
			e := eventOf(v)
			w.live.Publish(live.Event, e.Resource, e)
		}
	}
}

// requestEnded publishes a request.
func (w *world) requestEnded(e *traffic.Entry) {
	if w.live.Active() {
		w.live.Publish(live.Request, "", e.Summary(w.spec.name))
	}
}

// faultChanged publishes a fault.
func (w *world) faultChanged(change traffic.FaultChange, f traffic.FaultState) {
	if w.live.Active() {
		w.live.Publish(live.Fault, f.ID, struct {
			Change traffic.FaultChange `json:"change"`
			traffic.FaultState
		}{change, f})
	}
}

// messageChanged publishes a webhook message.
func (w *world) messageChanged(s outbox.Summary) { w.live.Publish(live.Delivery, s.ID, s) }

// clockMoved publishes the time.
func (w *world) clockMoved() {
	if w.live.Active() {
		w.live.Publish(live.Clock, "", w.Time())
	}
}

// jobChanged publishes a job. The end of a delivery's attempt says when the next one is due, which the outbox doesn't know.
func (w *world) jobChanged(j queue.Job) {
	shown, err := w.describe(context.Background(), j)
	if err != nil {
		return // the world is closing
	}
	w.live.Publish(live.Job, string(j.ID), shown)
	if j.Class != queue.ClassDeliver || j.Status == queue.Running {
		return
	}
	if s, ok := w.outbox.Summary(j.Ref); ok {
		s.NextAt = shown.NextAt
		w.messageChanged(s)
	}
}

// jobWaits publishes a job whose attempt begins to wait for the clock.
func (w *world) jobWaits(j queue.Job) {
	if w.live.Active() {
		if now, err := w.engine.Job(context.Background(), j.ID); err == nil {
			w.jobChanged(now)
		}
	}
}

// event is an engine.Event for the control API.
type event struct {
	Type      engine.EventKind   `json:"type"`
	At        time.Time          `json:"at"`
	Resource  string             `json:"resource"` // ID of the row that changed
	Recording engine.RecordingID `json:"recording,omitempty"`
	Space     engine.SpaceID     `json:"space,omitempty"`
	Status    string             `json:"status,omitempty"`
	Progress  *float64           `json:"progress,omitempty"`
	Message   string             `json:"message,omitempty"`
	Language  string             `json:"language,omitempty"`
	Error     string             `json:"error,omitempty"`
	Hint      string             `json:"hint,omitempty"`
}

func eventOf(v engine.Event) event {
	e := event{
		Type: v.Kind, At: v.At, Recording: v.RecordingID, Space: v.SpaceID, Status: v.Status, Message: v.Message, Language: string(v.Language),
		Error: v.Error, Hint: v.ErrorHint,
	}
	e.Resource = cmp.Or(string(v.RenderID), string(v.OutputID), string(v.ChatID), string(v.ImportID), string(v.TranscriptID), string(v.RecordingID))
	if v.Kind == engine.KindRecordingCreated || v.Kind == engine.KindRecordingDeleted {
		e.Resource = string(v.RecordingID) // the import that made it is only its origin
	}
	if v.Kind.Progress() {
		e.Progress = &v.Progress
	}
	return e
}
