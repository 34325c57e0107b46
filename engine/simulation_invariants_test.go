package engine_test

import (
	"reflect"
	"slices"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// machines has every state machine by noun.
var machines = func() map[string]engine.Machine {
	all := map[string]engine.Machine{}
	for _, m := range engine.Machines() {
		all[m.Name] = m
	}
	return all
}()

// workOf lists the kinds of the jobs that move a row to its next state.
var workOf = map[string][]queue.Kind{
	"transcript": {"transcript.download", "transcript.transcribe", "transcript.diarize"},
	"upload":     {"upload.expire"},
	"import":     {"import.download"},
	"output":     {"output.generate"},
	"chat":       {"chat.answer"},
	"render":     {"render.render"},
	"delivery":   {"webhook.deliver", "webhook.replay"},
}

// over reports whether a row needs no further work.
func over(noun, status string) bool {
	if noun == "delivery" { // a replay may start it again
		return engine.DeliveryStatus(status).Over()
	}
	return slices.Contains(machines[noun].Terminal, status)
}

// checkCommit checks every change of a transaction against the invariants, just before the transaction is committed.
func (s *simulation) checkCommit(p *process, tx *audited) {
	for _, c := range tx.changes {
		if _, ok := machines[c.noun]; ok {
			s.checkMove(c)
			s.checkWork(tx, c)
			s.checkOwner(p, tx, c)
		}
		if c.noun == "job" {
			s.checkJob(p, c)
		}
		if r, ok := c.after.(engine.Recording); ok {
			s.checkRecording(tx, r)
		}
		if t, ok := c.after.(engine.Transcript); ok && t.RecordingID != "" {
			if r, err := tx.Recording(t.RecordingID); err == nil {
				s.checkRecording(tx, r)
			}
		}
	}
	s.checkUsage(tx)
	s.checkEvents(tx)
}

// Transitions are legal, rows begin in their initial state, and what is over never changes.
func (s *simulation) checkMove(c change) {
	m := machines[c.noun]
	now, _ := rowOf(c.after)
	if c.before == nil {
		if first := m.States[0]; now.status != first && !slices.Contains(m.After[first], now.status) { // a feed's bad address fails at once
			s.violate("transition", "%s %s begins as %s", c.noun, c.id, now.status)
		}
		return
	}
	was, _ := rowOf(c.before)
	switch {
	case was.status != now.status && !slices.Contains(m.After[was.status], now.status):
		s.violate("transition", "%s %s: %s to %s", c.noun, c.id, was.status, now.status)
	case slices.Contains(m.Terminal, was.status) && !reflect.DeepEqual(c.before, c.after):
		s.violate("terminal", "%s %s changes after %s", c.noun, c.id, was.status)
	}
}

// A row that is not over has an unfinished job, and a job doesn't end before its row.
func (s *simulation) checkWork(tx *audited, c change) {
	if j, ok := c.after.(queue.Job); ok {
		if !j.Status.Terminal() {
			return
		}
		for noun, kinds := range workOf {
			if v := rowByID(tx, noun, j.Ref); v != nil && slices.Contains(kinds, j.Kind) {
				s.checkWork(tx, change{noun: noun, id: j.Ref, after: v})
			}
		}
		return
	}
	r, _ := rowOf(c.after)
	if over(c.noun, r.status) {
		return
	}
	if current := rowByID(tx, c.noun, c.id); current != nil {
		if now, _ := rowOf(current); over(c.noun, now.status) { // changed again in the same transaction
			return
		}
	}
	for _, kind := range workOf[c.noun] {
		for _, key := range []string{queue.Key(kind, r.ref), queue.Key(kind, r.ref) + ":again"} {
			if _, err := tx.JobByKey(key); err == nil {
				return
			}
		}
	}
	s.violate("stuck", "%s %s is %s and has no job", c.noun, c.id, r.status)
}

// Only the process that holds the lease writes the end of a job. Generations never fall, and a canceled job doesn't start again.
func (s *simulation) checkJob(p *process, c change) {
	now := c.after.(queue.Job)
	was, ok := c.before.(queue.Job)
	if !ok {
		return
	}
	if now.Generation < was.Generation || now.Generation > was.Generation+1 {
		s.violate("fence", "job %s: generation %d follows %d", now.Key, now.Generation, was.Generation)
	}
	if was.CancelRequested && now.Status == queue.Running && was.Status != queue.Running {
		s.violate("cancel", "job %s runs again after it was canceled", now.Key)
	}
	if now.Status == queue.Running && was.Status != queue.Running {
		s.claimed(p, now)
	}
	if was.Status != queue.Running || now.Status == queue.Running {
		return
	}
	s.mu.Lock()
	owner := s.owners[was.LeaseOwner]
	s.mu.Unlock()
	expired := p.exclusive || !was.LeaseUntil.After(p.Now())
	if owner != p && !expired {
		s.violate("fence", "%s ends job %s of %s as %s", p.name, now.Key, owner.name, now.Status)
	}
}

// claimed records which process a lease belongs to.
func (s *simulation) claimed(p *process, j queue.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owners[j.LeaseOwner] = p
	s.claims++
	if j.Generation > j.Attempt {
		s.takeovers++
	}
}

// A row moves only in a transaction that also writes its job, or in one of the job's process while it holds the lease.
func (s *simulation) checkOwner(p *process, tx *audited, c change) {
	was, ok := rowOf(c.before)
	now, _ := rowOf(c.after)
	if !ok || c.noun == "job" || c.noun == "upload" || was.status == now.status || c.noun == "delivery" && now.status == string(engine.DeliveryPending) {
		return
	}
	for _, other := range tx.changes {
		if j, ok := other.after.(queue.Job); ok && j.Ref == now.ref && slices.Contains(workOf[c.noun], j.Kind) {
			return // checkJob checks that the job may end
		}
	}
	for _, kind := range workOf[c.noun] {
		j, err := tx.JobByKey(queue.Key(kind, now.ref))
		s.mu.Lock()
		mine := err == nil && j.Status == queue.Running && s.owners[j.LeaseOwner] == p
		s.mu.Unlock()
		if mine {
			return
		}
	}
	s.violate("fence", "%s moves %s %s to %s without holding its job", p.name, c.noun, c.id, now.status)
}

// A recording shows the status of its transcript.
func (s *simulation) checkRecording(tx *audited, r engine.Recording) {
	if t, err := tx.Transcript(r.TranscriptID); err != nil || t.Status != r.TranscriptStatus {
		s.violate("recording", "recording %s is %s, its transcript is %s", r.ID, r.TranscriptStatus, t.Status)
	}
}
