package node

import (
	"context"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// jobTraces carries the trace of a request to its jobs, and from each job to the next. The store keeps the trace context beside the job,
// in the transaction that enqueues it, if it is a JobTracer; a field of queue.Job would concern every store. Ids derived from a row can't
// replace it: the trace of a request begins before the row exists, often in another service. Without a JobTracer, the trace
// reaches the jobs that this process runs.
type jobTraces struct {
	tracer trace.Tracer // nil for no traces
	store  engine.Store
	mu     sync.Mutex
	kept   map[queue.ID]string // traceparent, of stores that keep none
}

// maxKept is how many jobs have their trace context kept in the process. A new one replaces another beyond that.
const maxKept = 10_000

func newJobTraces(c Config) *jobTraces {
	return &jobTraces{tracer: c.Traces, store: c.Store, kept: map[queue.ID]string{}}
}

// enqueued keeps the trace context of a job that a request or a job enqueues.
func (t *jobTraces) enqueued(ctx context.Context, tx engine.ReadTx, j queue.Job) error {
	if t.tracer == nil {
		return nil
	}
	parent := traceParent(ctx)
	if parent == "" {
		return nil
	}
	if store, ok := engine.AbilityOf[JobTracer](tx); ok {
		return store.SetJobTrace(j.ID, parent)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for old := range t.kept { // a random one: a job that was canceled before it ran, or whose transaction failed, is never heard of again
		if len(t.kept) < maxKept {
			break
		}
		delete(t.kept, old)
	}
	t.kept[j.ID] = parent
	return nil
}

// start begins the span of an attempt, as a child of what enqueued the job.
func (t *jobTraces) start(ctx context.Context, a *queue.Attempt) (context.Context, trace.Span) {
	if t.tracer == nil {
		return ctx, noop.Span{}
	}
	return t.tracer.Start(withParent(ctx, t.of(ctx, a.Job.ID)), string(a.Job.Kind), trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(
		attribute.String("soundstage.job", string(a.Job.ID)), attribute.String("soundstage.ref", a.Job.Ref),
		attribute.String("soundstage.class", string(a.Job.Class)), attribute.Int("soundstage.attempt", a.Job.Attempt),
	))
}

// of returns the traceparent of a job, or "". An error of the store costs the trace, not the job.
func (t *jobTraces) of(ctx context.Context, id queue.ID) (parent string) {
	t.mu.Lock()
	parent = t.kept[id]
	t.mu.Unlock()
	if parent != "" {
		return parent
	}
	_ = t.store.View(ctx, func(tx engine.ReadTx) (err error) {
		if r, ok := tx.(JobTraceReader); ok {
			parent, err = r.JobTrace(id)
		}
		return err
	})
	return parent
}

// ended forgets a job that is over.
func (t *jobTraces) ended(j queue.Job, event queue.Event) {
	if event == queue.Finished || event == queue.Exhausted || event == queue.Stopped {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.kept, j.ID)
	}
}

func endJobSpan(span trace.Span, err error) {
	if err != nil {
		span.SetStatus(codes.Error, engine.Message(err))
	}
	span.End()
}

// traceParent returns the W3C traceparent of the span in ctx, or "".
func traceParent(ctx context.Context) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier["traceparent"]
}

// withParent returns ctx with the remote span of a traceparent; "" changes nothing.
func withParent(ctx context.Context, parent string) context.Context {
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": parent})
}
