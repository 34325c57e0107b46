package emulator

import (
	"context"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

// Totals implements control.World.
func (w *world) Totals(ctx context.Context) (control.Totals, error) {
	t := control.Totals{Requests: w.traffic.Len(), Messages: w.outbox.Len()}
	counts, err := w.store.(engine.CountingStore).Counts(ctx) // both stores of a world have it
	t.Recordings, t.Uploads, t.Transcripts, t.Jobs = counts["recordings"], counts["uploads"], counts["transcripts"], counts["jobs"]
	return t, err
}

// Counts implements control.World.
func (w *world) Counts(ctx context.Context) (map[string]control.Count, error) {
	rows, err := w.store.(engine.StatusCountingStore).CountsByStatus(ctx) // both stores of a world have it
	if err != nil {
		return nil, err
	}
	counts := map[string]control.Count{}
	for noun, statuses := range rows {
		counts[noun] = countOf(statuses)
	}
	messages := map[string]int{}
	for status, n := range w.outbox.CountByStatus() {
		messages[string(status)] = n
	}
	active, spent := w.traffic.CountFaults()
	counts["messages"], counts["requests"] = countOf(messages), countOf(w.traffic.CountByClass())
	counts["faults"] = countOf(map[string]int{"active": active, "spent": spent})
	return counts, nil
}

// countOf adds up numbers by status, and removes those that are 0 or of no status.
func countOf(statuses map[string]int) control.Count {
	c := control.Count{Statuses: map[string]int{}}
	for status, n := range statuses {
		c.Total += n
		if status != "" && n > 0 {
			c.Statuses[status] = n
		}
	}
	return c
}
