package emulatortest_test

import (
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
)

// BenchmarkPolls lets 200 clients upload a recording each at once and poll it until its transcript is complete, with the default limit of a
// poll's wait and, for comparison, with one of 5 s. The work on the recordings occupies the machine for seconds. BenchmarkPolls reports the
// latency of the polls and of requests that wait for nothing.
func BenchmarkPolls(b *testing.B) {
	wav, err := os.ReadFile("../../testdata/conversation.wav")
	require.NoError(b, err)
	for name, wait := range map[string]time.Duration{"5s": 5 * time.Second, "default": 0} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				(&once{TB: b}).run(func(t testing.TB) {
					s := emulatortest.New(t, emulatortest.WithOptions(func(o *emulator.Options) { o.PollWait = wait }))
					began := time.Now()
					polls, others := pollAll(t, s, wav, 200)
					b.ReportMetric(time.Since(began).Seconds(), "s")
					for name, took := range map[string][]time.Duration{"poll": polls, "other": others} {
						slices.Sort(took)
						b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, name+"-p50-ms")
						b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, name+"-p99-ms")
					}
				})
			}
		})
	}
}

// pollAll lets clients create a recording each and poll it. It returns how long the polls took, and other requests.
func pollAll(t testing.TB, s *emulatortest.Server, wav []byte, clients int) (polls, others []time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			client := s.Client()
			id := record(t, s.URL, client, wav)
			for status := ""; status != "completed"; {
				began := time.Now()
				status = transcriptStatus(t, s.URL, client, id)
				poll := time.Since(began)
				getJSON(t, client, s.URL+"/v1/spaces")
				mu.Lock()
				polls, others = append(polls, poll), append(others, time.Since(began)-poll)
				mu.Unlock()
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	all.Wait()
	return polls, others
}
