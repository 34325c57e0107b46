package engine_test

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// receipt is what a receiver knows about one delivery.
type receipt struct {
	event    string // webhook-id
	body     [32]byte
	accepted bool
	posts    int
}

// checkReceiver checks that a delivery is not sent to a disabled webhook, unless it is a replay. The sender calls it at the virtual time
// at which the engine read the webhook.
func (s *simulation) checkReceiver(r engine.SendRequest) {
	_ = s.rows.View(context.Background(), func(tx engine.ReadTx) error {
		w, err := tx.Webhook(r.Webhook)
		_, deliver := tx.JobByKey(queue.Key("webhook.deliver", string(r.Delivery)))
		_, replay := tx.JobByKey(queue.Key("webhook.replay", string(r.Delivery)))
		if err == nil && w.Disabled && deliver == nil && replay != nil {
			s.violate("disabled", "delivery %s is sent to a disabled webhook", r.Delivery)
		}
		return nil
	})
}

// received records a post that arrived.
func (s *simulation) received(r engine.SendRequest, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	got, body := s.receipts[r.Delivery], sha256.Sum256(r.Body)
	if got == nil {
		got = &receipt{event: r.Header["webhook-id"], body: body}
		s.receipts[r.Delivery] = got
	}
	got.posts++
	got.accepted = got.accepted || status/100 == 2
	if got.event != r.Header["webhook-id"] || got.body != body || got.event == "" {
		s.failures = append(s.failures, violation{"stable", "delivery " + string(r.Delivery) + " changes between its attempts"})
	}
}

// checkEnd checks what must hold when every fault is over and the engine had weeks to finish.
func (s *simulation) checkEnd() {
	s.mu.Lock()
	seen, acknowledged := s.seen, s.acknowledged
	s.mu.Unlock()
	_ = s.rows.View(context.Background(), func(tx engine.ReadTx) error {
		for key := range seen {
			noun, id, _ := strings.Cut(key, " ")
			s.checkOver(tx, noun, id)
		}
		for _, key := range acknowledged {
			noun, id, _ := strings.Cut(key, " ")
			if rowByID(tx, noun, id) == nil {
				s.violate("acknowledged", "%s is gone", key)
			}
		}
		return nil
	})
	for _, p := range s.launched {
		if n := p.writers.Load(); n != 0 && !p.killed {
			s.violate("temps", "%s left %d blobs half written", p.name, n)
		}
	}
	s.checkBlobs()
	s.checkDeliveries()
}

// Everything is over.
func (s *simulation) checkOver(tx engine.ReadTx, noun, id string) {
	if _, ok := machines[noun]; !ok {
		return
	}
	v := rowByID(tx, noun, id)
	r, ok := rowOf(v)
	if !ok {
		return // removed with its webhook
	}
	if j, ok := v.(queue.Job); ok && j.Kind == "webhook.expire" {
		return // waits for the end of the log's retention
	}
	if !over(noun, r.status) {
		s.violate("unfinished", "%s %s is still %s", noun, id, r.status)
	}
}

// Every blob belongs to a recording or a completed render, and each of those has its blob.
func (s *simulation) checkBlobs() {
	wanted := map[string]bool{}
	_ = s.rows.View(context.Background(), func(tx engine.ReadTx) error {
		for key := range s.seen {
			noun, id, _ := strings.Cut(key, " ")
			switch v := rowByID(tx, noun, id).(type) {
			case engine.Recording:
				wanted[v.BlobKey] = true
			case engine.Render:
				if v.Status == engine.RenderCompleted {
					wanted[v.BlobKey] = true
				}
			}
		}
		return nil
	})
	_ = s.blobs.List(context.Background(), "", func(b engine.BlobInfo) error {
		if !wanted[b.Key] {
			s.violate("orphan", "blob %s belongs to nothing", b.Key)
		}
		delete(wanted, b.Key)
		return nil
	})
	for key := range wanted {
		s.violate("lost blob", "blob %s is missing", key)
	}
}

// Every delivery arrived, unless its webhook was disabled or deleted, or its job canceled.
func (s *simulation) checkDeliveries() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, d := range s.deliveries {
		got := s.receipts[id]
		hook := s.seen["webhook "+string(d.WebhookID)]
		excused := s.disabled[d.WebhookID] || hook == nil || s.canceled[string(id)]
		switch {
		case d.Status == engine.DeliveryDelivered && (got == nil || !got.accepted):
			s.failures = append(s.failures, violation{"delivered", "delivery " + string(id) + " never arrived"})
		case d.Status != engine.DeliveryDelivered && !excused && !replayed(d):
			s.failures = append(s.failures, violation{"delivered", "delivery " + string(id) + " is " + string(d.Status)})
		}
	}
}

// replayed reports whether a delivery failed in a replay, which has one attempt.
func replayed(d engine.Delivery) bool {
	return slices.ContainsFunc(d.Attempts, func(a engine.Attempt) bool { return a.Status/100 == 2 })
}
