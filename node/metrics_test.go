package node_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/node"
)

// scrape parses /metrics as Prometheus does.
func (r *running) scrape() map[string]*dto.MetricFamily {
	r.t.Helper()
	status, text := get(r.t, r.admin+"/metrics")
	require.Equal(r.t, http.StatusOK, status)
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	require.NoError(r.t, err, text)
	return families
}

// find returns the metric of a family whose labels include the given pairs of name and value, or nil.
func find(f *dto.MetricFamily, labels ...string) *dto.Metric {
next:
	for _, m := range f.GetMetric() {
		has := map[string]string{}
		for _, l := range m.GetLabel() {
			has[l.GetName()] = l.GetValue()
		}
		for i := 0; i+1 < len(labels); i += 2 {
			if has[labels[i]] != labels[i+1] {
				continue next
			}
		}
		return m
	}
	return nil
}

// /metrics counts requests by route, jobs by kind, and what waits, in a form that Prometheus reads.
func TestMetrics(t *testing.T) {
	t.Parallel()
	r := start(t, node.Config{Store: newShared(), Blobs: memory.NewBlobs(), Work: true, Version: "1.2.3"})
	c := r.client()
	id, _ := c.record("a.wav", sample(t, "conversation.wav"), "audio/wav")
	c.settled("/v1/recordings/"+id, "recording", "transcript_status", "completed")
	_, _, _ = c.send("GET", "/v1/recordings/none", nil, "")
	_, _, _ = c.send("BREW", "/v1/recordings/none", nil, "")
	require.Eventually(t, func() bool {
		return find(r.scrape()["soundstage_jobs_ended_total"], "class", "transcribe", "kind", "transcript.transcribe", "event", "finished") != nil
	}, 10*time.Second, 10*time.Millisecond)
	m := r.scrape()
	requests := m["soundstage_http_request_seconds"]
	require.Equal(t, dto.MetricType_HISTOGRAM, requests.GetType())
	require.EqualValues(t, 1, find(requests, "route", "/v1/uploads", "method", "POST", "status", "201").GetHistogram().GetSampleCount())
	require.EqualValues(t, 1, find(requests, "route", "/v1/recordings/{id}", "method", "GET", "status", "404").GetHistogram().GetSampleCount())
	require.NotNil(t, find(requests, "route", "/storage/{object}", "method", "PUT", "status", "200"))
	require.NotNil(t, find(requests, "method", "other", "status", "405"))
	require.Nil(t, find(requests, "route", "/v1/recordings/"+id))
	require.EqualValues(t, 0, find(m["soundstage_http_requests_in_flight"]).GetGauge().GetValue())
	require.EqualValues(t, 1, find(m["soundstage_jobs_started_total"], "kind", "transcript.transcribe").GetCounter().GetValue())
	require.EqualValues(t, 0, find(m["soundstage_jobs_running"], "class", "transcribe").GetGauge().GetValue())
	require.EqualValues(t, 1, find(m["soundstage_job_seconds"], "kind", "transcript.transcribe").GetHistogram().GetSampleCount())
	require.Less(t, find(m["soundstage_job_wait_seconds"], "class", "transcribe").GetHistogram().GetSampleSum(), 5.0)
	require.EqualValues(t, 3, find(m["soundstage_jobs_waiting"], "class", "render").GetGauge().GetValue())
	require.EqualValues(t, 0, find(m["soundstage_jobs_waiting"], "class", "deliver").GetGauge().GetValue())
	require.EqualValues(t, 5, find(m["soundstage_store_retries_total"], "cause", "conflict").GetCounter().GetValue())
	require.NotNil(t, find(m["soundstage_build_info"], "version", "1.2.3"))
	require.Positive(t, find(m["go_goroutines"]).GetGauge().GetValue())
	status, _ := get(t, r.url+"/metrics")
	require.Equal(t, 404, status, "the API's address has no metrics")
}

// A node counts the attempts of workers that were killed when it takes their jobs over. It counts from 0, so that Prometheus sees the first one.
func TestMetricsOfKilledWorkers(t *testing.T) {
	t.Parallel()
	store := newShared()
	r := start(t, node.Config{Store: store, Blobs: memory.NewBlobs(), Work: true, Only: []queue.Class{queue.ClassMaintain}})
	expired := func() float64 {
		return find(r.scrape()["soundstage_jobs_expired_total"], "class", "maintain").GetCounter().GetValue()
	}
	require.Zero(t, expired())
	require.Len(t, r.scrape()["soundstage_jobs_expired_total"].GetMetric(), 1)
	past := time.Now().Add(-time.Minute)
	require.NoError(t, store.Update(t.Context(), func(tx engine.Tx) error {
		return tx.PutJob(queue.Job{
			ID: "killed", Kind: engine.JobRenderClean, Key: "killed", Ref: "render", Class: queue.ClassMaintain, Status: queue.Running,
			Attempt: 1, Generation: 1, LeaseOwner: "dead", LeaseUntil: past, RunAt: past, CreatedAt: past, UpdatedAt: past,
		})
	}))
	require.Eventually(t, func() bool { return expired() == 1 }, 30*time.Second, 50*time.Millisecond)
}
