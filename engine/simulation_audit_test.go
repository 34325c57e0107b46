package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// change is one write of a transaction. before is nil for a new row, after is nil for a deleted one.
type change struct {
	noun, id      string
	before, after any
}

// audited is a transaction that records its writes.
type audited struct {
	engine.Tx
	changes []change
}

// row is what the invariants need to know about a row with a state machine.
type row struct {
	status string
	ref    string // of its jobs
}

// rowOf describes a row, or returns false for rows without states.
func rowOf(v any) (row, bool) {
	switch v := v.(type) {
	case engine.Transcript:
		return row{string(v.Status), string(v.ID)}, true
	case engine.Upload:
		return row{string(v.Status), string(v.ID)}, true
	case engine.Import:
		return row{string(v.Status), string(v.ID)}, true
	case engine.Output:
		return row{string(v.Status), string(v.ID)}, true
	case engine.Chat:
		return row{string(v.Status), string(v.ID)}, true
	case engine.Render:
		return row{string(v.Status), string(v.ID)}, true
	case engine.Delivery:
		return row{string(v.Status), string(v.ID)}, true
	case queue.Job:
		return row{string(v.Status), string(v.ID)}, true
	}
	return row{}, false
}

// put writes a row and records it as the store keeps it.
func put[ID ~string, T any](a *audited, noun string, id ID, get func(ID) (T, error), write func(T) error, v T) error {
	c := change{noun: noun, id: string(id)}
	if before, err := get(id); err == nil {
		c.before = before
	}
	if err := write(v); err != nil {
		return err
	}
	after, err := get(id)
	if err == nil {
		c.after = after
		a.changes = append(a.changes, c)
	}
	return err
}

func (a *audited) PutAccount(v engine.Account) error {
	return put(a, "account", v.ID, a.Account, a.Tx.PutAccount, v)
}

func (a *audited) PutUpload(v engine.Upload) error {
	return put(a, "upload", v.ID, a.Upload, a.Tx.PutUpload, v)
}

func (a *audited) PutRecording(v engine.Recording) error {
	return put(a, "recording", v.ID, a.Recording, a.Tx.PutRecording, v)
}

func (a *audited) PutTranscript(v engine.Transcript) error {
	return put(a, "transcript", v.ID, a.Transcript, a.Tx.PutTranscript, v)
}

func (a *audited) PutOutput(v engine.Output) error {
	return put(a, "output", v.ID, a.Output, a.Tx.PutOutput, v)
}

func (a *audited) PutChat(v engine.Chat) error { return put(a, "chat", v.ID, a.Chat, a.Tx.PutChat, v) }

func (a *audited) PutImport(v engine.Import) error {
	return put(a, "import", v.ID, a.Import, a.Tx.PutImport, v)
}

func (a *audited) PutRender(v engine.Render) error {
	return put(a, "render", v.ID, a.Render, a.Tx.PutRender, v)
}

func (a *audited) PutWebhook(v engine.Webhook) error {
	return put(a, "webhook", v.ID, a.Webhook, a.Tx.PutWebhook, v)
}

func (a *audited) DeleteWebhook(id engine.WebhookID) error {
	a.changes = append(a.changes, change{noun: "webhook", id: string(id)})
	return a.Tx.DeleteWebhook(id)
}

func (a *audited) PutDelivery(v engine.Delivery) error {
	return put(a, "delivery", v.ID, a.Delivery, a.Tx.PutDelivery, v)
}

func (a *audited) PutJob(v queue.Job) error { return put(a, "job", v.ID, a.Job, a.Tx.PutJob, v) }

func (a *audited) Enqueue(v queue.Job) error {
	if _, err := a.JobByKey(v.Key); err == nil {
		return a.Tx.Enqueue(v) // does nothing
	}
	return put(a, "job", v.ID, a.Job, a.Tx.Enqueue, v)
}

// update runs a transaction of a process, and checks the invariants before it is committed.
func (s *simulation) update(ctx context.Context, p *process, fn func(engine.Tx) error) error {
	var last *audited
	err := s.rows.Update(ctx, func(tx engine.Tx) error {
		last = &audited{Tx: tx}
		var given engine.Tx = last
		if s.tamper != nil {
			given = s.tamper(last)
		}
		if err := fn(given); err != nil {
			return err
		}
		s.checkCommit(p, last)
		if s.forgetful && slices.ContainsFunc(last.changes, func(c change) bool { return c.noun == "render" }) {
			return errForgotten
		}
		return nil
	})
	if errors.Is(err, errForgotten) {
		return nil
	}
	if err == nil {
		s.note(p, last.changes)
	}
	return err
}

var errForgotten = errors.New("forgotten")

// note adds a commit to the digest and to what the final checks need.
func (s *simulation) note(p *process, changes []change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range changes {
		status := ""
		if r, ok := rowOf(c.after); ok {
			status = r.status
		}
		line := fmt.Sprintln(time.Since(s.began), p.name, c.noun, c.id, status)
		_, _ = s.digest.Write([]byte(line))
		if *simSeed >= 0 {
			if j, ok := c.after.(queue.Job); ok {
				line += fmt.Sprintf("\t%s generation %d attempt %d: %s", j.Key, j.Generation, j.Attempt, j.LastError)
			}
			s.trace = append(s.trace, strings.TrimSpace(line))
		}
		s.seen[c.noun+" "+c.id] = c.after
		s.commits++
		if w, ok := c.after.(engine.Webhook); ok && w.Disabled {
			s.disabled[w.ID] = true
		}
		if j, ok := c.after.(queue.Job); ok && j.Status == queue.Canceled {
			s.canceled[j.Ref] = true
		}
		if d, ok := c.after.(engine.Delivery); ok {
			s.deliveries[d.ID] = d
		}
	}
}
