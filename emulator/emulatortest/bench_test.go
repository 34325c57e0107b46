package emulatortest_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/turns"
)

// once is a test within a benchmark. Its cleanups run at the end of run.
type once struct {
	testing.TB
	cleanups []func()
}

func (o *once) Cleanup(fn func()) { o.cleanups = append(o.cleanups, fn) }

func (o *once) run(fn func(t testing.TB)) {
	fn(o)
	for i := len(o.cleanups) - 1; i >= 0; i-- {
		o.cleanups[i]()
	}
}

// BenchmarkNew starts a sandbox, sends one request and closes it, over the network and in memory.
func BenchmarkNew(b *testing.B) {
	for name, opts := range map[string][]emulatortest.Option{"network": nil, "memory": {emulatortest.WithoutNetwork()}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				(&once{TB: b}).run(func(t testing.TB) {
					s := emulatortest.New(t, opts...)
					require.Len(t, getJSON(t, s.Client(), s.URL+"/v1/spaces")["spaces"], 1)
				})
			}
		})
	}
}

// BenchmarkSynctestJob polls a transcription of 15 minutes every 5 seconds in a synctest bubble. For comparison on the same
// machine, it alternates with a bare net/http server that answers the same number of polls over a net.Pipe.
func BenchmarkSynctestJob(b *testing.B) {
	compared := turns.Compare(
		turns.Way{Name: "job", Cost: turns.Wall(func() { inBubble(b, func(t *testing.T) { quarterOfAnHour(t) }) })},
		turns.Way{Name: "bare", Cost: turns.Wall(func() { inBubble(b, barePolls) })},
	)
	for b.Loop() {
		compared.Round()
	}
	b.ReportMetric(0, "ns/op") // meaningless: it would cover both
	for _, name := range []string{"job", "bare"} {
		b.ReportMetric(1000*compared.Cost(name).Median, name+"-ms")
	}
	compared.Report(b, "job", "bare")
}

// inBubble runs a test in a bubble. A bubble requires a *testing.T, which a benchmark doesn't have, so inBubble runs a separate test.
func inBubble(b *testing.B, fn func(t *testing.T)) {
	b.Helper()
	ok := testing.RunTests(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "bubble", F: func(t *testing.T) {
		synctest.Test(t, fn)
	}}})
	if !ok {
		b.Fatal("the test in the bubble failed")
	}
}

// barePolls makes the polls of quarterOfAnHour against a net/http server with a constant response.
func barePolls(t *testing.T) {
	conns := make(chan net.Conn)
	pipes := &pipeListener{conns: conns, done: make(chan struct{})}
	recording := `{"recording":{"id":"rec_0123456789abcdef","title":"` + strings.Repeat("a", 900) + `","transcript_status":"processing"}}`
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, recording)
	})}
	go func() { _ = server.Serve(pipes) }()
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		conns <- there
		return here, nil
	}}
	for range 181 {
		status, err := poll(&http.Client{Transport: transport}, "http://sandbox/v1/recordings/rec_0123456789abcdef")
		require.NoError(t, err)
		require.Equal(t, "processing", status)
		time.Sleep(5 * time.Second)
	}
	transport.CloseIdleConnections()
	require.NoError(t, server.Close())
}

// pipeListener is a net.Listener that accepts the connections from a channel.
type pipeListener struct {
	conns <-chan net.Conn
	done  chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { close(l.done); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// BenchmarkWorlds creates 1,000 worlds in one server, sends one request to each, and reports the process's memory.
func BenchmarkWorlds(b *testing.B) {
	for b.Loop() {
		(&once{TB: b}).run(func(t testing.TB) {
			s := emulatortest.New(t)
			before := resident(b)
			for i := range 1000 {
				w, err := s.Sandbox.CreateWorld(b.Context(), control.NewWorld{Name: fmt.Sprint("w", i)})
				require.NoError(b, err)
				status, _ := fetch(b, s.ClientOf(w.Secrets["core"]), "GET", s.URL+"/v1/spaces", nil, "")
				require.Equal(b, 200, status)
			}
			runtime.GC()
			after := resident(b)
			b.ReportMetric(float64(after)/(1<<20), "MiB-RSS")
			b.ReportMetric(float64(after-before)/1000/1024, "KiB/world")
		})
	}
}

// BenchmarkLimitGrowth compares 1,000 worlds of one server, with a request to each, with 100. A collection before each measurement makes both begin
// with the same small heap. Otherwise, the 100 worlds fit into the heap that the 1,000 before them left, and collect no garbage at all.
func BenchmarkLimitGrowth(b *testing.B) {
	worlds := func(n int) func() float64 {
		cost := turns.CPU(func() {
			(&once{TB: b}).run(func(t testing.TB) {
				s := emulatortest.New(t, emulatortest.WithoutNetwork())
				for i := range n {
					w, err := s.Sandbox.CreateWorld(b.Context(), control.NewWorld{Name: fmt.Sprint("w", i)})
					require.NoError(b, err)
					status, _ := fetch(b, s.ClientOf(w.Secrets["core"]), "GET", s.URL+"/v1/spaces", nil, "")
					require.Equal(b, 200, status)
				}
			})
		})
		return func() float64 {
			runtime.GC()
			return cost()
		}
	}
	grown := turns.Compare(turns.Way{Name: "ten", Cost: worlds(1000)}, turns.Way{Name: "one", Cost: worlds(100)}).Rounds(5)
	for b.Loop() { // the figures don't come from a loop
	}
	b.ReportMetric(0, "ns/op")
	grown.Ratio("ten", "one").Report(b, "growth")
}

// BenchmarkForkWorld forks and deletes a world with 100 and with 10,000 uploads. The time must not depend on the number.
func BenchmarkForkWorld(b *testing.B) {
	for _, rows := range []int{100, 10_000} {
		b.Run(strconv.Itoa(rows), func(b *testing.B) {
			s := emulatortest.New(b, emulatortest.WithoutNetwork())
			owner, err := s.Engine().Authenticate(b.Context(), s.Secret)
			require.NoError(b, err)
			for range rows {
				_, err := s.Engine().CreateUpload(b.Context(), owner, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: 1})
				require.NoError(b, err)
			}
			for b.Loop() {
				w, err := s.Sandbox.CreateWorld(b.Context(), control.NewWorld{ForkOf: s.Name})
				require.NoError(b, err)
				require.NoError(b, s.Sandbox.DeleteWorld(b.Context(), w.World))
			}
		})
	}
}

// resident returns the process's resident memory in bytes.
func resident(b *testing.B) int64 {
	b.Helper()
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("/proc/self/status is only available on Linux")
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			require.NoError(b, err)
			return kib << 10
		}
	}
	b.Fatal("/proc/self/status has no VmRSS")
	return 0
}
