//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/writer"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// These benchmarks measure the built program as nodes on PostgreSQL and S3.

// nodes is what nodes share: a database with an account and a recording, and a bucket.
type nodes struct {
	b        *testing.B
	program  string
	database string
	bucket   s3test.Bucket
	engine   *engine.Engine // of the benchmark itself; it doesn't work
	caller   engine.Caller
	secret   string
	started  int
}

const benchRecording = "0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f"

func newNodes(b *testing.B) *nodes {
	n := &nodes{b: b, program: builtProgram(b), database: pgtest.New(b).URL(), bucket: s3test.New(b)}
	store, err := postgres.Open(b.Context(), n.database)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, store.Close()) })
	n.engine, err = engine.New(engine.Config{Store: store, Blobs: memory.NewBlobs(), LLM: writer.LLM{}})
	require.NoError(b, err)
	n.caller, err = n.engine.CreateAccount(b.Context(), engine.NewAccount{SpaceID: "space"})
	require.NoError(b, err)
	_, n.secret, err = n.engine.CreateKey(b.Context(), n.caller, engine.NewKey{Tier: engine.TierPlatform})
	require.NoError(b, err)
	t := engine.Transcript{ID: "transcript", RecordingID: benchRecording, Status: engine.TranscriptCompleted, CreatedAt: time.Now()}
	t.Transcript = transcript.Transcript{Language: "en", Utterances: []transcript.Utterance{{Speaker: "A", Text: "Hello there.", Words: []transcript.Word{
		{Speaker: "A", Text: "Hello", End: time.Second}, {Speaker: "A", Text: "there.", Start: time.Second, End: 2 * time.Second},
	}}}}
	r := engine.Recording{ID: benchRecording, SpaceID: "space", TranscriptID: t.ID, TranscriptStatus: t.Status, Title: "Title", CreatedAt: time.Now()}
	require.NoError(b, store.Update(b.Context(), func(tx engine.Tx) error {
		if err := tx.PutRecording(r); err != nil {
			return err
		}
		return tx.PutTranscript(t)
	}))
	return n
}

// command returns the command of a node.
func (n *nodes) command(name string, args ...string) *exec.Cmd {
	n.started++
	cmd := exec.Command(n.program, append([]string{name, "--database", n.database, "--objects", n.bucket.Address(""), "--log", "off"}, args...)...)
	cmd.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID="+n.bucket.AccessKey, "AWS_SECRET_ACCESS_KEY="+n.bucket.SecretKey)
	return cmd
}

// BenchmarkWorkers writes texts by a language model that takes 5 s for each: with one worker process that has one slot, and with eight.
// It reports the rate of eight as a part of eight times the rate of one.
func BenchmarkWorkers(b *testing.B) {
	const each = 3 // jobs per worker
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(5 * time.Second)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"choices": [{"message": {"role": "assistant", "content": "Written."}, "finish_reason": "stop"}]}`)
	}))
	b.Cleanup(model.Close)
	n := newNodes(b)
	var took [2]time.Duration
	for b.Loop() {
		for i, workers := range []int{1, 8} {
			took[i] += n.work(workers, each*workers, model.URL)
		}
	}
	b.ReportMetric(took[0].Seconds()/float64(b.N), "s-1-worker")
	b.ReportMetric(took[1].Seconds()/float64(b.N), "s-8-workers")
	b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "of-linear")
	b.ReportMetric(0, "ns/op")
}

// work starts workers, gives them jobs, and returns how long the jobs took. The workers stand still until all jobs are there.
func (n *nodes) work(workers, jobs int, model string) time.Duration {
	var all []*benchServer
	for range workers {
		s, _ := startServer(n.b, "/readyz", "none", io.Discard, func(port string) *exec.Cmd {
			return n.command("work", "--slots", "1", "--only", "generate", "--llm", "openai", "--llm-model", "slow", "--llm-url", model, "--allow-private-urls",
				"--metrics-addr", "127.0.0.1:"+port)
		})
		all = append(all, s)
	}
	signal := func(s syscall.Signal) {
		for _, w := range all {
			require.NoError(n.b, w.cmd.Process.Signal(s))
		}
	}
	signal(syscall.SIGSTOP)
	var outputs []engine.Output
	for i := range jobs {
		o, err := n.engine.GenerateOutput(n.b.Context(), n.caller, engine.NewOutput{RecordingID: benchRecording, Prompt: "Summarise it.", Name: fmt.Sprint("Text ", n.started, i)})
		require.NoError(n.b, err)
		outputs = append(outputs, o)
	}
	start := time.Now()
	signal(syscall.SIGCONT)
	for _, o := range outputs {
		done, err := n.engine.WaitOutput(n.b.Context(), n.caller, o.ID)
		require.NoError(n.b, err)
		require.Equal(n.b, engine.OutputCompleted, done.Status, done.Error)
	}
	took := time.Since(start)
	for _, w := range all {
		w.stop()
	}
	return took
}

// BenchmarkNode starts an API node on PostgreSQL and S3, and reports its memory when it is ready, and after 1,000 requests over 8 connections:
// resident, and in proportion to how many processes share each page (PSS).
func BenchmarkNode(b *testing.B) {
	n := newNodes(b)
	key := filepath.Join(b.TempDir(), "signing.key")
	require.NoError(b, os.WriteFile(key, []byte(strings.Repeat("k", 32)), 0o600))
	s, cold := startServer(b, "/readyz", "none", io.Discard, func(port string) *exec.Cmd {
		return n.command("serve", "--no-work", "--signing-key-file", key, "--drain-delay", "0s", "--addr", "127.0.0.1:"+port)
	})
	defer s.stop()
	ready, shared := s.status("VmRSS"), s.rollup("Pss")
	clients := make([]*bareClient, 8)
	for i := range clients {
		clients[i] = s.bareClient(n.secret)
	}
	for range 1000 / len(clients) {
		concurrently(len(clients), func(i int) { require.NoError(b, clients[i].do(http.MethodGet, "/v1/recordings/"+benchRecording, nil)) })
	}
	for b.Loop() { // the figures don't come from a loop
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(cold.Milliseconds()), "ms-cold")
	b.ReportMetric(ready/1024, "MiB-ready")
	b.ReportMetric(shared/1024, "MiB-pss-ready")
	b.ReportMetric(s.status("VmRSS")/1024, "MiB-after-1000")
	b.ReportMetric(s.rollup("Pss")/1024, "MiB-pss-after-1000")
}

// rollup reads a value of /proc/PID/smaps_rollup in KiB. It returns 0 on systems without it.
func (s *benchServer) rollup(name string) (kib float64) {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", s.cmd.Process.Pid))
	for line := range strings.Lines(string(raw)) {
		if rest, found := strings.CutPrefix(line, name+":"); found {
			_, _ = fmt.Sscan(rest, &kib)
		}
	}
	return kib
}
