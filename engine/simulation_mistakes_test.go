package engine_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// mistaken is a transaction with one deliberate mistake: a nil function is none.
type mistaken struct {
	engine.Tx
	job           func(queue.ID) (queue.Job, error)
	enqueue       func(queue.Job) error
	putJob        func(queue.Job) error
	putTranscript func(engine.Transcript) error
	putAccount    func(engine.Account) error
	putDelivery   func(engine.Delivery) error
	putRender     func(engine.Render) error
	putRecording  func(engine.Recording) error
}

func call[T any](fn, right func(T) error, v T) error {
	if fn != nil {
		return fn(v)
	}
	return right(v)
}

func (m mistaken) Enqueue(j queue.Job) error { return call(m.enqueue, m.Tx.Enqueue, j) }
func (m mistaken) PutJob(j queue.Job) error  { return call(m.putJob, m.Tx.PutJob, j) }
func (m mistaken) PutTranscript(t engine.Transcript) error {
	return call(m.putTranscript, m.Tx.PutTranscript, t)
}
func (m mistaken) PutAccount(a engine.Account) error { return call(m.putAccount, m.Tx.PutAccount, a) }
func (m mistaken) PutDelivery(d engine.Delivery) error {
	return call(m.putDelivery, m.Tx.PutDelivery, d)
}
func (m mistaken) PutRender(r engine.Render) error { return call(m.putRender, m.Tx.PutRender, r) }
func (m mistaken) PutRecording(r engine.Recording) error {
	return call(m.putRecording, m.Tx.PutRecording, r)
}

func (m mistaken) Job(id queue.ID) (queue.Job, error) {
	if m.job != nil {
		return m.job(id)
	}
	return m.Tx.Job(id)
}

// nosy is a read transaction in which every user belongs to every space.
type nosy struct{ engine.ReadTx }

func (n nosy) SpacesOf(engine.UserID) (all []engine.Space, err error) {
	for _, id := range []engine.SpaceID{"space-a", "space-b"} {
		if s, err := n.Space(id); err == nil {
			all = append(all, s)
		}
	}
	return all, nil
}

// enabled is a read transaction in which no webhook is disabled.
type enabled struct{ engine.ReadTx }

func (e enabled) Webhook(id engine.WebhookID) (engine.Webhook, error) {
	w, err := e.ReadTx.Webhook(id)
	w.Disabled = false
	return w, err
}

// renamed is a read transaction in which a delivery has a new event id each time.
type renamed struct {
	engine.ReadTx
	s *simulation
}

func (r renamed) Delivery(id engine.DeliveryID) (engine.Delivery, error) {
	d, err := r.ReadTx.Delivery(id)
	d.EventID = r.s.uuid("event")
	return d, err
}

// mistakes breaks one rule each.
var mistakes = map[string]struct {
	rule  string
	write func(engine.Tx) mistaken
	other func(*simulation)
}{
	"the fence is dropped": {rule: "fence", write: func(tx engine.Tx) mistaken {
		return mistaken{job: func(id queue.ID) (queue.Job, error) {
			j, err := tx.Job(id)
			if j.Status == queue.Queued && j.Generation > 0 { // as its former worker knows it
				j.Status = queue.Running
				j.Generation--
			}
			return j, err
		}}
	}},
	"a job is lost": {rule: "stuck", write: func(tx engine.Tx) mistaken {
		return mistaken{enqueue: func(j queue.Job) error {
			if j.Kind == "output.generate" {
				return nil
			}
			return tx.Enqueue(j)
		}}
	}},
	"a state is skipped": {rule: "transition", write: func(tx engine.Tx) mistaken {
		return mistaken{putTranscript: func(t engine.Transcript) error {
			if t.Status == engine.TranscriptProcessing {
				t.Status = engine.TranscriptCompleted
			}
			return tx.PutTranscript(t)
		}}
	}},
	"a completed render changes": {rule: "terminal", write: func(tx engine.Tx) mistaken {
		return mistaken{putRender: func(r engine.Render) error {
			if err := tx.PutRender(r); err != nil || r.Status != engine.RenderCompleted {
				return err
			}
			r.Message = "Twice."
			return tx.PutRender(r)
		}}
	}},
	"a cancel is forgotten": {rule: "cancel", write: func(tx engine.Tx) mistaken {
		return mistaken{putJob: func(j queue.Job) error {
			if j.CancelRequested && j.Status == queue.Canceled {
				j.Status = queue.Queued
				if err := tx.PutJob(j); err != nil {
					return err
				}
				j.Status = queue.Running
			}
			return tx.PutJob(j)
		}}
	}},
	"storage and speech are counted twice": {rule: "usage", write: func(tx engine.Tx) mistaken {
		return mistaken{putAccount: func(a engine.Account) error {
			if was, err := tx.Account(a.ID); err == nil {
				a.StorageUsed += a.StorageUsed - was.StorageUsed
				a.SpeechUsed += a.SpeechUsed - was.SpeechUsed
			}
			return tx.PutAccount(a)
		}}
	}},
	"a delivery is forgotten": {rule: "events", write: func(tx engine.Tx) mistaken {
		return mistaken{putDelivery: func(d engine.Delivery) error {
			if _, err := tx.Delivery(d.ID); err != nil {
				return nil
			}
			return tx.PutDelivery(d)
		}}
	}},
	"a recording shows an old status": {rule: "recording", write: func(tx engine.Tx) mistaken {
		return mistaken{putRecording: func(r engine.Recording) error {
			if r.TranscriptStatus == engine.TranscriptCompleted {
				r.TranscriptStatus = engine.TranscriptProcessing
			}
			return tx.PutRecording(r)
		}}
	}},
	"a job is never claimed": {rule: "unfinished", write: func(tx engine.Tx) mistaken {
		return mistaken{enqueue: func(j queue.Job) error {
			if j.Kind == "render.render" {
				j.Class = "nobody's"
			}
			return tx.Enqueue(j)
		}}
	}},
	"spaces are open to all":             {rule: "tenant", other: func(s *simulation) { s.tamperRead = func(tx engine.ReadTx) engine.ReadTx { return nosy{tx} } }},
	"disabled webhooks get deliveries":   {rule: "disabled", other: func(s *simulation) { s.tamperRead = func(tx engine.ReadTx) engine.ReadTx { return enabled{tx} } }},
	"the id of an event changes":         {rule: "stable", other: func(s *simulation) { s.tamperRead = func(tx engine.ReadTx) engine.ReadTx { return renamed{tx, s} } }},
	"an acknowledged commit is dropped":  {rule: "acknowledged", other: func(s *simulation) { s.forgetful = true }},
	"deliveries are only said to arrive": {rule: "delivered", other: func(s *simulation) { s.deaf = true }},
	"blobs are never deleted":            {rule: "orphan", other: func(s *simulation) { s.undeletable = true }},
	"blobs are deleted too early":        {rule: "lost blob", other: func(s *simulation) { s.hasty = true }},
	"a blob writer stays open":           {rule: "temps", other: func(s *simulation) { s.careless = true }},
}

// Each invariant finds a deliberate mistake of a store or of blobs.
func TestSimulationFindsMistakes(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it runs about a hundred seeds")
	for name, m := range mistakes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(100) {
				s := simulate(t, seed, func(s *simulation) {
					if m.other != nil {
						m.other(s)
						return
					}
					s.tamper = func(tx engine.Tx) engine.Tx {
						out := m.write(tx)
						out.Tx = tx
						return out
					}
				})
				for _, f := range s.failures {
					if f.rule == m.rule {
						t.Logf("seed %d: %s", seed, f.what)
						return
					}
				}
			}
			t.Errorf("no seed breaks the rule %q", m.rule)
		})
	}
}
