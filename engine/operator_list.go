package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/soundstage-dev/soundstage/engine/cursor"
)

// StatusQuery asks a Store for a page of rows of all accounts.
type StatusQuery[S ~string] struct {
	Statuses []S              // empty for all
	After    *cursor.Position // last row of the previous page; nil for the first page
	Limit    int              // at least 1
}

// StatusList is the request for a page of rows of all accounts.
type StatusList[S ~string] struct {
	Statuses []S    // empty for all
	Limit    int    // 0 for DefaultPageSize; at most MaxPageSize
	Cursor   string // NextCursor of the previous page; "" for the first page
}

// StatusPage is a page of rows, newest first. The list ends where NextCursor is "".
type StatusPage[R any] struct {
	Rows       []R
	NextCursor string
}

// AllRecordings returns a page of the recordings of all accounts, by the status of their transcript. It is for operators: it takes no Caller.
// CodeInvalid (an unknown status; the limit; the cursor).
func (e *Engine) AllRecordings(ctx context.Context, l StatusList[TranscriptStatus]) (StatusPage[Recording], error) {
	at := func(r Recording) (time.Time, string) { return r.CreatedAt, string(r.ID) }
	page, err := statusPage(ctx, e, "recordings", l, transcriptMachine.States(), ReadTx.AllRecordings, at)
	return page, wrap("AllRecordings", err)
}

// AllDeliveries returns a page of the deliveries of all webhooks, with their attempts. It is for operators: it takes no Caller, and responses
// of private receivers are included. CodeInvalid (an unknown status; the limit; the cursor).
func (e *Engine) AllDeliveries(ctx context.Context, l StatusList[DeliveryStatus]) (StatusPage[Delivery], error) {
	at := func(d Delivery) (time.Time, string) { return d.CreatedAt, string(d.ID) }
	page, err := statusPage(ctx, e, "deliveries", l, deliveryMachine.States(), ReadTx.AllDeliveries, at)
	return page, wrap("AllDeliveries", err)
}

// statusPage returns a page of what list lists. at is the position of a row.
func statusPage[S ~string, R any](
	ctx context.Context, e *Engine, noun string, l StatusList[S], known []S, list func(ReadTx, StatusQuery[S]) ([]R, error), at func(R) (time.Time, string),
) (page StatusPage[R], err error) {
	if err := knownValues("", "status", noun, l.Statuses, known); err != nil {
		return page, err
	}
	if l.Limit < 0 || l.Limit > MaxPageSize {
		return page, Errorf(CodeInvalid, "", "limit must be a number from 1 to %d (got %d).", MaxPageSize, l.Limit)
	}
	if l.Limit == 0 {
		l.Limit = DefaultPageSize
	}
	filter := fmt.Sprintf("all %s\x00%q", noun, l.Statuses)
	q := StatusQuery[S]{Statuses: l.Statuses, Limit: l.Limit + 1}
	if l.Cursor != "" {
		pos, err := e.cursors.Decode(l.Cursor, filter)
		if err != nil {
			return page, err
		}
		q.After = &pos
	}
	err = e.store.View(ctx, func(tx ReadTx) (err error) {
		page.Rows, err = list(tx, q)
		return err
	})
	if err == nil && len(page.Rows) > l.Limit {
		page.Rows = page.Rows[:l.Limit]
		created, id := at(page.Rows[l.Limit-1])
		page.NextCursor = e.cursors.Encode(cursor.Position{CreatedAt: created, ID: id}, filter)
	}
	return page, err
}
