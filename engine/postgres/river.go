package postgres

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// River delivers jobs; the row of a job decides. Each time that a row begins to wait, a River job is inserted in the same transaction, with
// the row's id, in the queue of its class, at its RunAt. River then wakes a free worker of the class in some process. The worker claims the
// fairest job that is due, which need not be the one that River named: so River's jobs are permits to run one due job of a class, and there
// is always one for each row that waits. A permit without a job ends at once.

// permit is the River job of a row.
type permit struct {
	Job queue.ID `json:"job"`
}

// Kind implements river.JobArgs.
func (permit) Kind() string { return "soundstage.job" }

// due is a job that begins to wait, and the statement that writes it.
type due struct {
	job   queue.Job
	write *statement
}

// deliver inserts the River jobs of the transaction, and cancels those whose job was canceled while it runs.
func (t *tx) deliver() error {
	var list []river.InsertManyParams
	now := t.store.Clock().Now()
	for _, d := range t.due {
		if d.write.rows > 0 { // Enqueue may write nothing
			list = append(list, river.InsertManyParams{Args: permit{d.job.ID}, InsertOpts: &river.InsertOpts{
				Queue: string(d.job.Class), ScheduledAt: scheduledAt(d.job, now), MaxAttempts: maxDeliveries,
			}})
		}
	}
	if len(list) > 0 {
		if _, err := t.store.inserts.InsertManyFastTx(bg, t.tx, list); err != nil {
			return err
		}
	}
	for _, id := range t.canceled {
		if err := t.cancelDelivery(id); err != nil {
			return err
		}
	}
	return nil
}

// maxDeliveries is how often River tries again to deliver a job that could not be claimed because the store failed.
const maxDeliveries = 1000

// fetchable makes a River job of the future available to fetches, which leave it until its time. River would wait with that for its scheduler,
// which looks every 5 s, and which nobody runs for a while after the process that ran it was killed.
func fetchable(_ context.Context, p *rivertype.JobInsertParams) error {
	if p.State == rivertype.JobStateScheduled {
		p.State = rivertype.JobStateAvailable
	}
	return nil
}

// scheduledAt returns when River delivers a job that begins to wait at now; the zero time means at once.
func scheduledAt(j queue.Job, now time.Time) time.Time {
	if !j.RunAt.After(now) {
		return time.Time{}
	}
	return j.RunAt
}

// cancelDelivery makes River tell the process that runs a job.
func (t *tx) cancelDelivery(id queue.ID) error {
	var number int64
	if err := t.tx.QueryRow(bg, "SELECT river_id FROM jobs WHERE id = $1", string(id)).Scan(&number); err != nil || number == 0 {
		return err
	}
	_, err := t.store.inserts.JobCancelTx(bg, t.tx, number)
	if errors.Is(err, rivertype.ErrNotFound) {
		return nil
	}
	return err
}

// River takes times from the clock of the machine, which may be minutes ahead of the server's: a job would begin late by that. insertTime and
// workTime give it the server's. Its Config has them among settings for tests, but in no other place.
type (
	// insertTime is the time of an insertion. It is a little early, because a job with a time in the future waits.
	insertTime struct{ clock engine.Clock }
	// workTime is the time of a worker, except where River leaves it to the server if NowOrNil returns nil, as for fetching jobs.
	workTime struct{ clock engine.Clock }
)

// early is more than the store's clock differs from the server's on most networks.
const early = 100 * time.Millisecond

func (t insertTime) Now() time.Time       { return t.clock.Now().Add(-early).UTC() }
func (t insertTime) NowOrNil() *time.Time { return new(t.Now()) }
func (t workTime) Now() time.Time         { return t.clock.Now() }
func (workTime) NowOrNil() *time.Time     { return nil }

var _ queue.Deliverer = (*Store)(nil)

const (
	// fetchPause is the shortest time between two fetches of a process and class, and fetchInterval the longest. River adds up to a tenth
	// to it, so jobs of the future begin at most a second late.
	fetchPause    = 2 * time.Millisecond
	fetchInterval = 900 * time.Millisecond
	// keepPermits is how long River keeps jobs that it has delivered.
	keepPermits = 10 * time.Minute
)

// Deliver implements queue.Deliverer with a River client. It returns when ctx is done and every call of work has returned.
func (s *Store) Deliver(ctx context.Context, workers map[queue.Class]int, work func(context.Context, queue.Delivery) error) error {
	queues := map[string]river.QueueConfig{}
	for class, n := range workers {
		if n > 0 {
			queues[string(class)] = river.QueueConfig{MaxWorkers: n}
		}
	}
	if len(queues) == 0 {
		<-ctx.Done()
		return nil
	}
	registered := river.NewWorkers()
	river.AddWorker(registered, river.WorkFunc(func(each context.Context, j *river.Job[permit]) error {
		each, stop := cancelable(each)
		defer stop()
		err := work(each, queue.Delivery{Class: queue.Class(j.Queue), Job: j.Args.Job, Number: j.ID})
		switch {
		case err != nil && ctx.Err() != nil: // for another process
			return river.JobSnooze(0)
		case err != nil:
			return river.JobSnooze(time.Second)
		}
		return nil
	}))
	client, err := river.NewClient(riverpgxv5.New(s.pool), &river.Config{
		Queues: queues, Workers: registered, Logger: slog.New(slog.DiscardHandler), JobTimeout: -1, RescueStuckJobsAfter: 24 * time.Hour,
		FetchCooldown: fetchPause, FetchPollInterval: fetchInterval, CompletedJobRetentionPeriod: keepPermits,
		CancelledJobRetentionPeriod: keepPermits, DiscardedJobRetentionPeriod: keepPermits, Test: river.TestConfig{Time: workTime{s.Clock()}},
	})
	if err != nil {
		return &engine.Error{Code: engine.CodeInternal, Err: err}
	}
	if err := startRiver(ctx, client); err != nil {
		return err
	}
	<-ctx.Done()
	return client.Stop(bg)
}

// cancelable returns a context that ends with the cause queue.ErrCanceled when River cancels the job.
func cancelable(of context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(of))
	unwatch := context.AfterFunc(of, func() {
		if errors.Is(context.Cause(of), river.ErrJobCancelledRemotely) {
			cancel(queue.ErrCanceled)
		}
	})
	return ctx, func() { unwatch(); cancel(nil) }
}

// startRiver starts a client, and tries again while the server can't be reached.
func startRiver(ctx context.Context, client *river.Client[pgx.Tx]) error {
	for {
		err := client.Start(context.WithoutCancel(ctx)) // the end of ctx stops it gently
		if err == nil || ctx.Err() != nil {
			return nil
		}
		if !isLost(err) {
			return translate(err)
		}
		sleep(ctx, time.Second)
	}
}
