package memory

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Jobs reads every job.
func (tx *readTx) Jobs(q engine.JobQuery) ([]queue.Job, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	var after *queue.Job
	if q.After != nil {
		after = &queue.Job{ID: queue.ID(q.After.ID), CreatedAt: utc(q.After.CreatedAt)}
	}
	var found []*queue.Job
	tx.jobs.each(tx, func(j *queue.Job) {
		if q.Matches(*j) && (after == nil || byJobAge(j, after) < 0) {
			found = append(found, j)
		}
	})
	slices.SortFunc(found, func(a, b *queue.Job) int { return byJobAge(b, a) })
	found = found[:min(len(found), max(0, q.Limit))]
	page := make([]queue.Job, len(found))
	for i, j := range found {
		page[i] = tx.jobs.copyOf(j)
	}
	return page, nil
}

func byJobAge(a, b *queue.Job) int { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }

// AllRecordings reads every recording.
func (tx *readTx) AllRecordings(q engine.StatusQuery[engine.TranscriptStatus]) ([]engine.Recording, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	at := func(r *recordingRow) (time.Time, engine.RecordingID, engine.TranscriptStatus) {
		return r.CreatedAt, r.ID, r.TranscriptStatus
	}
	rows := pageByStatus(tx, tx.recordings, q, at)
	page := make([]engine.Recording, len(rows))
	for i, row := range rows {
		page[i] = row.Recording
	}
	return page, nil
}

// AllDeliveries reads every delivery.
func (tx *readTx) AllDeliveries(q engine.StatusQuery[engine.DeliveryStatus]) ([]engine.Delivery, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	at := func(d *engine.Delivery) (time.Time, engine.DeliveryID, engine.DeliveryStatus) {
		return d.CreatedAt, d.ID, d.Status
	}
	return pageByStatus(tx, tx.deliveries, q, at), nil
}

// pageByStatus returns copies of a page of a table's rows, newest first. at returns when a row was created, its id, and its status.
func pageByStatus[K ~string, V any, S ~string](tx *readTx, t *table[K, V], q engine.StatusQuery[S], at func(*V) (time.Time, K, S)) []V {
	var found []*V
	t.each(tx, func(v *V) {
		created, id, status := at(v)
		if (len(q.Statuses) == 0 || slices.Contains(q.Statuses, status)) &&
			(q.After == nil || byAge(created, id, utc(q.After.CreatedAt), K(q.After.ID)) < 0) {
			found = append(found, v)
		}
	})
	slices.SortFunc(found, func(a, b *V) int {
		createdA, idA, _ := at(a)
		createdB, idB, _ := at(b)
		return byAge(createdB, idB, createdA, idA)
	})
	found = found[:min(len(found), max(0, q.Limit))]
	page := make([]V, len(found))
	for i, v := range found {
		page[i] = t.copyOf(v)
	}
	return page
}

// CountsByStatus implements engine.StatusCountingStore.
func (s *Store) CountsByStatus(ctx context.Context) (map[string]map[string]int, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	tx := &readTx{tables: schema, current: *s.latest.Load()}
	return map[string]map[string]int{
		"recordings":  countBy(tx, tx.recordings, noStatus),
		"uploads":     countBy(tx, tx.uploads, func(v *engine.Upload) string { return string(v.Status) }),
		"imports":     countBy(tx, tx.imports, func(v *engine.Import) string { return string(v.Status) }),
		"transcripts": countBy(tx, tx.transcripts, func(v *engine.Transcript) string { return string(v.Status) }),
		"outputs":     countBy(tx, tx.outputs, func(v *engine.Output) string { return string(v.Status) }),
		"renders":     countBy(tx, tx.renders, func(v *engine.Render) string { return string(v.Status) }),
		"chats":       countBy(tx, tx.chats, func(v *engine.Chat) string { return string(v.Status) }),
		"webhooks":    countBy(tx, tx.webhooks, noStatus),
		"deliveries":  countBy(tx, tx.deliveries, func(v *engine.Delivery) string { return string(v.Status) }),
		"jobs":        countBy(tx, tx.jobs, func(v *queue.Job) string { return string(v.Status) }),
	}, nil
}

func noStatus[V any](*V) string { return "" }

// countBy returns the number of rows of a table by status.
func countBy[K, V any](tx *readTx, t *table[K, V], status func(*V) string) map[string]int {
	counts := map[string]int{}
	t.each(tx, func(v *V) { counts[status(v)]++ })
	return counts
}
