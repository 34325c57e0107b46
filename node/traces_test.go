package node_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/node"
)

// span is a span as a collector gets it.
type span struct {
	TraceID, SpanID, ParentSpanID, Name string
	Kind                                int
	StartTimeUnixNano, EndTimeUnixNano  string
	Attributes                          []struct {
		Key   string
		Value map[string]any
	}
}

// otlp is a collector of traces. It refuses the first request, as an overloaded one does.
type otlp struct {
	t     *testing.T
	mu    sync.Mutex
	busy  bool
	spans []span
}

func (o *otlp) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.busy {
		o.busy = true
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	var body struct {
		ResourceSpans []struct {
			ScopeSpans []struct{ Spans []span }
		}
	}
	if req.URL.Path != "/v1/traces" || req.Header.Get("Content-Type") != "application/json" || req.Header.Get("X-Team") != "a b" ||
		json.NewDecoder(req.Body).Decode(&body) != nil {
		o.t.Errorf("wrong export: %s %v", req.URL, req.Header)
	}
	for _, r := range body.ResourceSpans {
		for _, s := range r.ScopeSpans {
			o.spans = append(o.spans, s.Spans...)
		}
	}
}

func (o *otlp) find(name string) (span, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.spans {
		if s.Name == name {
			return s, true
		}
	}
	return span{}, false
}

// tracing is a store whose transactions keep the traces of jobs.
type tracing struct{ *shared }

type tracingTx struct {
	engine.Tx
	s *shared
}

type tracingReadTx struct {
	engine.ReadTx
	s *shared
}

func (s tracing) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	return s.shared.View(ctx, func(tx engine.ReadTx) error { return fn(tracingReadTx{tx, s.shared}) })
}

func (s tracing) Update(ctx context.Context, fn func(engine.Tx) error) error {
	return s.shared.Update(ctx, func(tx engine.Tx) error { return fn(tracingTx{tx, s.shared}) })
}

func (tx tracingTx) SetJobTrace(id queue.ID, parent string) error {
	tx.s.mu.Lock()
	defer tx.s.mu.Unlock()
	tx.s.traces[id] = parent
	return nil
}

func (tx tracingReadTx) JobTrace(id queue.ID) (string, error) {
	tx.s.mu.Lock()
	defer tx.s.mu.Unlock()
	return tx.s.traces[id], nil
}

// One trace goes from the client through the request and its jobs to the delivery of the webhook, also when another node does the jobs, and
// through the process when the store keeps no traces.
func TestTraces(t *testing.T) {
	to := &otlp{t: t}
	collector := httptest.NewServer(to)
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL+"/")
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=a%20b")
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
	tracer, stop, err := node.NewTraces(t.Context(), "1.2.3")
	require.NoError(t, err)
	defer func() { require.NoError(t, stop(context.Background())) }()
	received := make(chan struct{}, 16)
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { received <- struct{}{} }))
	defer receiver.Close()

	for name, nodes := range map[string]func() *client{
		"one process": func() *client {
			return start(t, node.Config{Store: newShared(), Blobs: memory.NewBlobs(), Work: true, Traces: tracer}).client()
		},
		"two nodes": func() *client { return twoNodes(t, tracer) },
	} {
		to.mu.Lock()
		to.spans = nil
		to.mu.Unlock()
		c := nodes()
		c.do(201, "POST", "/v1/webhooks", map[string]any{"url": receiver.URL, "events": []string{"transcript.completed"}})
		id := trace.TraceID{1, 2, 3}
		c.header.Set("Traceparent", "00-"+id.String()+"-00000000000000aa-01")
		c.record("a.wav", sample(t, "conversation.wav"), "audio/wav")
		select {
		case <-received:
		case <-time.After(time.Minute):
			t.Fatal("no delivery", name)
		}
		byName := map[string]span{}
		for _, want := range []string{"POST /v1/recordings", "transcript.transcribe", "webhook.deliver"} {
			require.Eventually(t, func() (ok bool) { byName[want], ok = to.find(want); return ok }, 20*time.Second, 10*time.Millisecond, "%s: %s", name, want)
			require.Equal(t, id.String(), byName[want].TraceID, "%s: %s", name, want)
		}
		require.Equal(t, "00000000000000aa", byName["POST /v1/recordings"].ParentSpanID)
		require.Equal(t, 2, byName["POST /v1/recordings"].Kind)
		require.Equal(t, byName["POST /v1/recordings"].SpanID, byName["transcript.transcribe"].ParentSpanID, name)
		require.Len(t, byName["transcript.transcribe"].StartTimeUnixNano, 19)
	}
}

// A process that keeps the traces of jobs itself keeps those of new jobs, also after many jobs that never ran.
func TestTracesOfManyJobs(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(spans))
	tracer := provider.Tracer("test")
	r := start(t, node.Config{Store: newShared(), Blobs: memory.NewBlobs(), Work: true, Traces: tracer})
	ctx, span := tracer.Start(t.Context(), "client")
	defer span.End()
	e := r.Engine()
	caller, err := e.CreateAccount(ctx, engine.NewAccount{})
	require.NoError(t, err)
	for range 10_001 {
		_, err := e.CreateUpload(ctx, caller, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: 1})
		require.NoError(t, err)
	}
	c, id := r.client(), trace.TraceID{1, 2, 3}
	c.header.Set("Traceparent", "00-"+id.String()+"-00000000000000aa-01")
	c.record("a.wav", sample(t, "conversation.wav"), "audio/wav")
	require.Eventually(t, func() bool {
		for _, s := range spans.GetSpans() {
			if s.Name == "transcript.transcribe" {
				return s.SpanContext.TraceID() == id
			}
		}
		return false
	}, 10*time.Second, 10*time.Millisecond)
}

// twoNodes returns a client of a node whose jobs another one does.
func twoNodes(t *testing.T, tracer trace.Tracer) *client {
	store, blobs := tracing{newShared()}, memory.NewBlobs()
	front := start(t, node.Config{Store: store, Blobs: blobs, Traces: tracer})
	start(t, node.Config{Store: store, Blobs: blobs, Traces: tracer, Work: true})
	return front.client()
}

// Wrong OTEL_ variables are refused with what to do, and traces are wanted only with an endpoint.
func TestTracesVariables(t *testing.T) {
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4317", "OTEL_EXPORTER_OTLP_TIMEOUT": "soon",
		"OTEL_EXPORTER_OTLP_HEADERS": "hunter2",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			_, _, err := node.NewTraces(t.Context(), "")
			require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
			require.ErrorContains(t, err, name)
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
	require.False(t, node.TracesWanted(func(string) string { return "" }))
	require.True(t, node.TracesWanted(func(name string) string { return map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}[name] }))
}
