package engine_test

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Usage changes by exactly what the transaction did: speech when a transcript is completed, storage when an upload is reserved or
// expires, or an import is completed.
func (s *simulation) checkUsage(tx *audited) {
	var storage, wantStorage int64
	var speech, wantSpeech time.Duration
	for _, c := range tx.changes {
		was, _ := rowOf(c.before)
		switch now := c.after.(type) {
		case engine.Account:
			if before, ok := c.before.(engine.Account); ok {
				storage += now.StorageUsed - before.StorageUsed
				if speech += now.SpeechUsed; before.PeriodStart.Equal(now.PeriodStart) {
					speech -= before.SpeechUsed
				}
			}
		case engine.Upload:
			switch {
			case c.before == nil:
				wantStorage += now.Size
			case now.Status == engine.UploadExpired && was.status != string(now.Status):
				wantStorage -= now.Size
			}
		case engine.Import:
			if now.Status == engine.ImportCompleted && was.status != string(now.Status) {
				wantStorage += now.Size
			}
		case engine.Transcript:
			if now.Status == engine.TranscriptCompleted && was.status != string(now.Status) {
				wantSpeech += now.Duration
			}
		}
	}
	if storage != wantStorage || speech != wantSpeech {
		s.violate("usage", "storage changes by %d instead of %d, speech by %v instead of %v", storage, wantStorage, speech, wantSpeech)
	}
}

// A completed transcript of a recording, and a completed output, make exactly one delivery for each subscribed webhook.
func (s *simulation) checkEvents(tx *audited) {
	made, want := map[engine.EventType]int{}, map[engine.EventType]int{}
	for _, c := range tx.changes {
		was, _ := rowOf(c.before)
		switch now := c.after.(type) {
		case engine.Delivery:
			if c.before == nil {
				made[now.Event]++
			}
		case engine.Transcript:
			if now.Status == engine.TranscriptCompleted && was.status != string(now.Status) && now.RecordingID != "" {
				want[engine.EventTranscriptCompleted] += s.subscribers(tx, rowByID(tx, "recording", string(now.RecordingID)).(engine.Recording).SpaceID, engine.EventTranscriptCompleted)
			}
		case engine.Output:
			if now.Status == engine.OutputCompleted && was.status != string(now.Status) {
				want[engine.EventOutputCompleted] += s.subscribers(tx, now.SpaceID, engine.EventOutputCompleted)
			}
		}
	}
	for event, n := range want {
		if made[event] != n {
			s.violate("events", "%s made %d deliveries for %d webhooks", event, made[event], n)
		}
	}
}

// subscribers counts the webhooks that want an event of a space.
func (s *simulation) subscribers(tx engine.ReadTx, space engine.SpaceID, event engine.EventType) (n int) {
	members, _ := tx.Members(space)
	for _, user := range members {
		hooks, _ := tx.Webhooks(user)
		for _, w := range hooks {
			if !w.Disabled && slices.Contains(w.Events, event) && (w.SpaceID == "" || w.SpaceID == space) {
				n++
			}
		}
	}
	return n
}

// rowByID returns a row, or nil.
func rowByID(tx engine.ReadTx, noun, id string) any {
	found := func(v any, err error) any {
		if err != nil {
			return nil
		}
		return v
	}
	switch noun {
	case "transcript":
		v, err := tx.Transcript(engine.TranscriptID(id))
		return found(v, err)
	case "upload":
		v, err := tx.Upload(engine.UploadID(id))
		return found(v, err)
	case "import":
		v, err := tx.Import(engine.ImportID(id))
		return found(v, err)
	case "output":
		v, err := tx.Output(engine.OutputID(id))
		return found(v, err)
	case "chat":
		v, err := tx.Chat(engine.ChatID(id))
		return found(v, err)
	case "render":
		v, err := tx.Render(engine.RenderID(id))
		return found(v, err)
	case "delivery":
		v, err := tx.Delivery(engine.DeliveryID(id))
		return found(v, err)
	case "recording":
		v, err := tx.Recording(engine.RecordingID(id))
		return found(v, err)
	case "webhook":
		v, err := tx.Webhook(engine.WebhookID(id))
		return found(v, err)
	case "job":
		v, err := tx.Job(queue.ID(id))
		return found(v, err)
	}
	return nil
}
