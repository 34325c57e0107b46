package traffic_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
)

// A fault that could never fire is rejected with a message that names the valid choices.
func TestImpossibleFaults(t *testing.T) {
	t.Parallel()
	tr := traffic.New(traffic.Config{})
	for raw, want := range map[string]string{
		`{"do":{"status":500}}`:                                                                 "match needs op or path",
		`{"match":{"op":"createUplod"},"do":{"status":500}}`:                                    "did you mean createUpload?",
		`{"match":{"op":"*","method":"GET"},"do":{"status":500}}`:                               "either op, or path and method",
		`{"match":{"path":"/v1/recording"},"do":{"status":500}}`:                                "did you mean /v1/recordings?",
		`{"match":{"path":"/v1/recordings/"},"do":{"status":500}}`:                              "is not the path of an endpoint",
		`{"match":{"path":"/v1/spaces","method":"PUT"},"do":{"status":500}}`:                    "has no method \"PUT\"; it has GET",
		`{"match":{"op":"*","nth":-1},"do":{"status":500}}`:                                     "nth must be at least 1",
		`{"match":{"op":"*"},"do":{"status":99}}`:                                               "from 100 to 599",
		`{"match":{"op":"*"},"do":{"status":101}}`:                                              "would switch protocols",
		`{"match":{"op":"*"},"do":{"status":600}}`:                                              "from 100 to 599",
		`{"match":{"op":"*"},"do":{"status":-1}}`:                                               "from 100 to 599",
		`{"match":{"op":"*"},"do":{"latncy_ms":1}}`:                                             "did you mean latency_ms?",
		`{"match":{"op":"*"},"do":{"status":"500"}}`:                                            "wrong type",
		`{"match":{"op":"*"},"do":[]}`:                                                          "do must be an object",
		`{"match":{"op":"*"},"do":{}}`:                                                          "do needs an action",
		`{"match":{"op":"*"},"do":{"headers":{"a":"b"}}}`:                                       "headers and body need a status",
		`{"match":{"op":"*"},"do":{"latency_ms":1,"body":{}}}`:                                  "headers and body need a status",
		`{"match":{"op":"*"},"do":{"truncate":1,"body":{}}}`:                                    "headers and body need a status",
		`{"match":{"op":"*"},"do":{"status":500,"truncate":1}}`:                                 "do can have only one of",
		`{"match":{"op":"*"},"do":{"truncate":-1}}`:                                             "numbers of bytes",
		`{"match":{"op":"*"},"do":{"reset_after_bytes":-1}}`:                                    "numbers of bytes",
		`{"match":{"op":"*"},"do":{"latency_ms":-1}}`:                                           "latency_ms must be",
		`{"match":{"op":"*"},"do":{"latency_ms":600001}}`:                                       "latency_ms must be",
		`{"match":{"op":"*"},"do":{"status":204,"body":{}}}`:                                    "can't have a body",
		`{"match":{"op":"*"},"do":{"status":500,"headers":{"a b":"c"}}}`:                        "is not a valid header",
		`{"match":{"op":"*"},"do":{"status":500,"headers":{"a":"c\r\nd: e"}}}`:                  "is not a valid header",
		`{"match":{"op":"*"},"do":{"status":500,"headers":{"content-length":"3"}}}`:             "can't be set",
		`{"match":{"op":"*"},"do":{"status":500},"times":-1}`:                                   "times must be at least 1",
		`{"match":{"op":"*"},"do":{"status":500},"probability":0.5}`:                            "needs a seed",
		`{"match":{"op":"*"},"do":{"status":500},"probability":1.5,"seed":1}`:                   "at most 1",
		`{"match":{"op":"*"},"do":{"status":500},"seed":1}`:                                     "needs a probability",
		`{"match":{"op":"*"},"do":{"duplicate_webhook":true}}`:                                  "event and nth only",
		`{"match":{"event":"output.complete"},"do":{"duplicate_webhook":true}}`:                 "did you mean output.completed?",
		`{"match":{"event":"output.completed"},"do":{"status":500}}`:                            "event is for duplicate_webhook only",
		`{"match":{"event":"output.completed"},"do":{"duplicate_webhook":true,"status":500}}`:   "do can have only one of",
		`{"match":{"event":"output.completed"},"do":{"duplicate_webhook":true,"latency_ms":5}}`: "can't be combined with latency_ms",
	} {
		var f traffic.Fault
		err := json.Unmarshal([]byte(raw), &f)
		if err == nil {
			_, err = tr.AddFault(f)
		}
		require.ErrorContains(t, err, want, raw)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), raw)
	}
	remaining, _ := tr.Faults()
	require.Empty(t, remaining)
}

// Faults that have not fired as often as they should are reported until they have fired or are removed.
func TestVerifyFaults(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	twice := s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{Status: 500}, Times: 2})
	never := s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "getUsage"}, Do: traffic.Do{CommitThenDrop: true}})
	seed := uint64(1)
	always := s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{Status: 501}, Probability: 1, Seed: &seed})
	require.Equal(t, 500, s.do("GET", "/v1/spaces", "").status)
	unfired, err := s.traffic.VerifyFaults()
	require.Equal(t, engine.CodeConflict, engine.CodeOf(err))
	require.ErrorContains(t, err, "fault-1 (listSpaces: status 500, 1 matching requests, 1 of 2 times)")
	require.ErrorContains(t, err, "fault-2 (getUsage: commit_then_drop, 0 matching requests)")
	require.Len(t, unfired, 3)
	require.Equal(t, 500, s.do("GET", "/v1/spaces", "").status)
	require.Equal(t, 501, s.do("GET", "/v1/spaces", "").status)
	remaining, fired := s.traffic.Faults()
	require.Equal(t, []string{never.ID, always.ID}, ids(remaining))
	require.Equal(t, []string{twice.ID, always.ID}, ids(fired))
	require.NoError(t, s.traffic.RemoveFault(never.ID))
	require.Equal(t, engine.CodeNotFound, engine.CodeOf(s.traffic.RemoveFault(never.ID)))
	_, err = s.traffic.VerifyFaults()
	require.NoError(t, err)
	s.traffic.RemoveFaults()
	require.Equal(t, 200, s.do("GET", "/v1/spaces", "").status)
}

func ids(states []traffic.FaultState) []string {
	var out []string
	for _, s := range states {
		out = append(out, s.ID)
	}
	return out
}

// A probability hits some requests; the same seed hits the same requests.
func TestProbability(t *testing.T) {
	t.Parallel()
	pattern := func(seed uint64) string {
		s := newTestServer(t, traffic.Config{})
		s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{Status: 500}, Probability: 0.5, Seed: &seed})
		hits := ""
		for range 40 {
			hits += fmt.Sprint(s.do("GET", "/v1/spaces", "").status / 100)
		}
		return hits
	}
	first := pattern(7)
	require.Equal(t, first, pattern(7))
	require.NotEqual(t, first, pattern(8))
	require.Contains(t, first, "2")
	require.Contains(t, first, "5")
}

// An event is duplicated as often as requested, counted separately from requests.
func TestTakeDuplicate(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Event: "output.completed", Nth: 2}, Do: traffic.Do{DuplicateWebhook: true}})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "*"}, Do: traffic.Do{Status: 500}})
	var doubled []bool
	for _, event := range []string{"output.completed", "transcript.completed", "output.completed", "output.completed"} {
		doubled = append(doubled, s.traffic.TakeDuplicate(event))
	}
	require.Equal(t, []bool{false, false, true, false}, doubled)
	s.add(traffic.Fault{Do: traffic.Do{DuplicateWebhook: true}})
	require.Equal(t, 500, s.do("GET", "/v1/spaces", "").status)
	require.True(t, s.traffic.TakeDuplicate("transcript.completed"))
	require.False(t, s.traffic.TakeDuplicate("transcript.completed"))
}

// A fault fires exactly as often as requested under concurrent requests.
func TestFaultsUnderConcurrency(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{Status: 503}, Times: 7})
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() { s.do("GET", "/v1/spaces", "") })
	}
	wg.Wait()
	n, err := s.traffic.Count(traffic.Match{Status: "503"})
	require.NoError(t, err)
	require.Equal(t, 7, n)
	n, err = s.traffic.Count(traffic.Match{Status: "2xx"})
	require.NoError(t, err)
	require.Equal(t, 33, n)
}

// The number of faults is limited; finished ones make room for new ones.
func TestTooManyFaults(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	f := traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{Status: 500}}
	for range 1000 {
		s.add(f)
	}
	_, err := s.traffic.AddFault(f)
	require.Equal(t, engine.CodeConflict, engine.CodeOf(err))
	require.Equal(t, 500, s.do("GET", "/v1/spaces", "").status)
	require.Equal(t, "fault-1001", s.add(f).ID)
}
