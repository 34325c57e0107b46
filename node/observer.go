package node

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// observer logs, counts, and traces jobs.
type observer struct {
	clock   engine.Clock
	log     *slog.Logger
	metrics *metrics // may be nil
	traces  *jobTraces
	started sync.Map // of *queue.Attempt to startedJob, until Ended
}

var (
	_ queue.Observer[engine.ReadTx] = (*observer)(nil)
	_ queue.LeaseObserver           = (*observer)(nil)
)

// startedJob is what is known of a running attempt.
type startedJob struct {
	waited time.Duration // since the job was due
	trace  trace.TraceID
}

func newObserver(c Config, clock engine.Clock, m *metrics) *observer {
	if clock == nil {
		clock = queue.SystemClock()
	}
	return &observer{clock: clock, log: c.Log, metrics: m, traces: newJobTraces(c)}
}

// Enqueued implements queue.Observer.
func (o *observer) Enqueued(ctx context.Context, tx engine.ReadTx, j queue.Job) (time.Time, error) {
	return j.RunAt, o.traces.enqueued(ctx, tx, j)
}

// Started implements queue.Observer.
func (o *observer) Started(a *queue.Attempt) {
	due := a.Job.RunAt
	if due.Before(a.Job.CreatedAt) {
		due = a.Job.CreatedAt
	}
	waited := max(0, o.clock.Now().Sub(due))
	o.started.Store(a, startedJob{waited: waited})
	if o.metrics != nil {
		o.metrics.started(a.Job, waited)
	}
}

// Work implements queue.Observer.
func (o *observer) Work(ctx context.Context, a *queue.Attempt) error {
	ctx, span := o.traces.start(ctx, a)
	if id := span.SpanContext().TraceID(); id.IsValid() {
		begun, _ := o.started.Load(a)
		job, _ := begun.(startedJob)
		job.trace = id
		o.started.Store(a, job)
	}
	err := a.Do(ctx)
	endJobSpan(span, err)
	return err
}

// Ended implements queue.Observer. It logs one line for each attempt.
func (o *observer) Ended(a *queue.Attempt, event queue.Event) {
	begun, _ := o.started.LoadAndDelete(a)
	job, _ := begun.(startedJob)
	took, said := time.Since(a.Began), string(event)
	if said == "" {
		said = "lost"
	}
	o.traces.ended(a.Job, event)
	if o.metrics != nil {
		o.metrics.ended(a.Job, said, took)
	}
	attrs := []any{
		"job", a.Job.ID, "kind", a.Job.Kind, "ref", a.Job.Ref, "tenant", a.Job.Tenant, "attempt", a.Job.Attempt, "event", said,
		"waited_ms", job.waited.Milliseconds(), "ms", took.Milliseconds(),
	}
	if job.trace.IsValid() {
		attrs = append(attrs, "trace_id", job.trace.String())
	}
	o.log.Info("job", attrs...)
}

// Expired implements queue.LeaseObserver.
func (o *observer) Expired(j queue.Job) {
	if o.metrics != nil {
		o.metrics.expired(j.Class).Inc()
	}
}

// Idle implements queue.Observer.
func (*observer) Idle(time.Time) {}

// Woken implements queue.Observer.
func (*observer) Woken() {}
