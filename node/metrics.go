package node

import (
	"context"
	"fmt"
	"net/http"
	"time"

	vm "github.com/VictoriaMetrics/metrics"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// metrics are the values of /metrics, in Prometheus' text format.
//
// The library is VictoriaMetrics/metrics rather than prometheus/client_golang, which links protobuf. Minimal programs, median of 60 runs: it
// adds 0.4 MB and 1.1 ms of initialisation, client_golang 2.7 MB and 2.4 ms.
type metrics struct {
	set   *vm.Set
	store engine.Store
}

// Upper bounds of histograms, in seconds. Responses take milliseconds, jobs up to hours.
var (
	requestSeconds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}
	waitSeconds    = []float64{.005, .01, .02, .05, .1, .15, .25, .5, 1, 2, 5, 15, 60, 300, 1800}
	jobSeconds     = []float64{.01, .05, .1, .5, 1, 5, 15, 60, 300, 900, 3600, 14400}
)

func newMetrics(c Config) *metrics {
	m := &metrics{set: vm.NewSet(), store: c.Store}
	m.set.GetOrCreateGauge(fmt.Sprintf("soundstage_build_info{version=%q}", c.Version), func() float64 { return 1 })
	for class := range c.workers() {
		if c.Work {
			m.running(class).Set(0)
			m.expired(class) // Prometheus sees no increase in the first value of a counter
		}
	}
	m.inFlight().Set(0)
	return m
}

func (m *metrics) inFlight() *vm.Gauge {
	return m.set.GetOrCreateGauge("soundstage_http_requests_in_flight", nil)
}

// request counts a response. route is a pattern such as "/v1/recordings/{id}".
func (m *metrics) request(route, method string, status int, took time.Duration) {
	m.set.GetOrCreatePrometheusHistogramExt(
		fmt.Sprintf("soundstage_http_request_seconds{route=%q,method=%q,status=\"%d\"}", route, method, status), requestSeconds,
	).Update(took.Seconds())
}

func (m *metrics) running(class queue.Class) *vm.Gauge {
	return m.set.GetOrCreateGauge(fmt.Sprintf("soundstage_jobs_running{class=%q}", class), nil)
}

// expired counts the attempts of any node whose lease expired. The node that notices counts: the one that lost the attempt may be dead.
func (m *metrics) expired(class queue.Class) *vm.Counter {
	return m.set.GetOrCreateCounter(fmt.Sprintf("soundstage_jobs_expired_total{class=%q}", class))
}

// started counts an attempt. waited is the time since the job was due.
func (m *metrics) started(j queue.Job, waited time.Duration) {
	m.set.GetOrCreateCounter(fmt.Sprintf("soundstage_jobs_started_total{class=%q,kind=%q}", j.Class, j.Kind)).Inc()
	m.set.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("soundstage_job_wait_seconds{class=%q}", j.Class), waitSeconds).Update(waited.Seconds())
	m.running(j.Class).Inc()
}

// ended counts the end of an attempt. event is "lost" if nothing could be written.
func (m *metrics) ended(j queue.Job, event string, took time.Duration) {
	m.running(j.Class).Dec()
	m.set.GetOrCreateCounter(fmt.Sprintf("soundstage_jobs_ended_total{class=%q,kind=%q,event=%q}", j.Class, j.Kind, event)).Inc()
	m.set.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("soundstage_job_seconds{class=%q,kind=%q}", j.Class, j.Kind), jobSeconds).Update(took.Seconds())
}

// serve handles GET /metrics.
func (m *metrics) serve(w http.ResponseWriter, req *http.Request) {
	vm.ExposeMetadata(true) // the library has this switch for the process only
	m.countStore(req.Context())
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	m.set.WritePrometheus(w)
	vm.WriteProcessMetrics(w)
}

// depthTimeout limits the query for the queue's depth. A slow database must not hide the other metrics.
const depthTimeout = 3 * time.Second

// countStore sets what the store counts. Without a database, the queue's depth is missing: 0 would be wrong.
func (m *metrics) countStore(ctx context.Context) {
	if s, ok := m.store.(RetryingStore); ok {
		conflicts, losses := s.Stats()
		m.set.GetOrCreateCounter(`soundstage_store_retries_total{cause="conflict"}`).Set(uint64(conflicts))
		m.set.GetOrCreateCounter(`soundstage_store_retries_total{cause="connection"}`).Set(uint64(losses))
	}
	s, ok := m.store.(DepthStore)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, depthTimeout)
	defer cancel()
	depth, err := s.Depth(ctx)
	for class := range queue.DefaultWorkers() {
		name := fmt.Sprintf("soundstage_jobs_waiting{class=%q}", class)
		if err != nil {
			m.set.UnregisterMetric(name)
			continue
		}
		m.set.GetOrCreateGauge(name, nil).Set(float64(depth[string(class)]))
	}
}
