package api_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

var (
	mutations    = flag.Int("mutations", 500, "number of requests that TestMutatedRequests sends; TestMutatedFraming sends a tenth of it")
	mutationSeed = flag.Uint64("mutation-seed", 1, "seed of TestMutatedRequests and TestMutatedFraming")
)

const (
	mutationRound   = 50_000 // requests to one sandbox, which remembers everything that they create
	mutationClients = 4      // concurrent requests
)

// tally counts what happened to mutated requests.
type tally struct {
	mu       sync.Mutex
	statuses map[int]int
	met      map[string]map[int]int // statuses by operation, of requests that match its path
	slowest  time.Duration
	slow     string // the slowest request
	over     int    // requests over one second
}

func (c *tally) count(m mutation, status int, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.statuses[status]++
	if m.op != nil {
		name := m.op.method + " " + m.op.path
		if c.met[name] == nil {
			c.met[name] = map[int]int{}
		}
		c.met[name][status]++
	}
	if took > time.Second {
		c.over++
	}
	if took > c.slowest {
		c.slowest, c.slow = took, m.req.Method+" "+m.req.URL.Path
	}
}

// Almost valid requests never cause a 5xx, each error is a single sentence in a documented body, and each status of an operation is
// documented. CI sends many more (-mutations).
func TestMutatedRequests(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it makes hundreds of requests")
	c := &tally{statuses: map[int]int{}, met: map[string]map[int]int{}}
	began := time.Now()
	for sent, round := 0, uint64(0); sent < *mutations; sent, round = sent+mutationRound, round+1 {
		n := min(mutationRound, *mutations-sent)
		t.Run(fmt.Sprint("seed ", *mutationSeed+round), func(t *testing.T) { mutate(t, c, *mutationSeed+round, n) })
	}
	t.Logf("%d requests, %.0f per second, slowest %v (%.80s), %d over 1 s, by status: %v",
		*mutations, float64(*mutations)/time.Since(began).Seconds(), c.slowest, c.slow, c.over, c.statuses)
	if t.Failed() {
		return
	}
	met := []int{200, 201, 400, 401, 404, 405}
	if *mutations >= 10_000 { // with fewer requests, these statuses occur only by chance
		met = append(met, 202, 204, 403, 409)
		never := slices.DeleteFunc(neverMet(t, c), func(answer string) bool {
			return strings.HasSuffix(answer, "/replay 202") // only when a delivery has ended by chance
		})
		require.Empty(t, never, "every operation and its documented refusals must occur")
	}
	for _, status := range met {
		require.Positive(t, c.statuses[status], "status %d must occur: %v", status, c.statuses)
	}
}

// mutate sends n requests to a new sandbox.
func mutate(t *testing.T, c *tally, seed uint64, n int) {
	// A poll waits for the work of its resource, for up to 5 s by default. The slowest request is to show what handling takes.
	r := newRig(t, emulator.Options{AllowPrivateURLs: true, PollWait: 100 * time.Millisecond})
	handler, pool := r.server.Handler(), &idPool{ids: map[string][]string{}}
	for kind, id := range r.populate() {
		pool.add(kind, id)
	}
	r.poll("/v1/renders/"+pool.ids["render"][0], func(v map[string]any) bool { return isFinal(v["render"].(map[string]any)) })
	ops := contractOperations(t)
	var clients sync.WaitGroup
	for client := range mutationClients {
		m := newMutant(seed*mutationClients+uint64(client), pool, ops)
		clients.Go(func() {
			for i := client; i < n && !t.Failed(); i += mutationClients {
				sent := m.next()
				w := httptest.NewRecorder()
				start := time.Now()
				handler.ServeHTTP(w, sent.req)
				c.count(sent, w.Code, time.Since(start))
				if wrong := wrongAnswer(sent, w); wrong != "" {
					t.Errorf("request %d: %s %s\n%.2000s\n%s\n%d %.2000s", i, sent.req.Method, sent.req.URL, sent.body, wrong, w.Code, w.Body)
				}
				pool.learn(sent, w.Body.Bytes())
			}
		})
	}
	clients.Wait()
}

// wrongAnswer returns what is wrong with a response, or "".
func wrongAnswer(m mutation, w *httptest.ResponseRecorder) string {
	switch {
	case w.Code >= 500:
		return "it is a server error"
	case m.op != nil && !m.op.documents(w.Code):
		return "the status is not documented"
	case w.Code < 400:
		return ""
	case !slices.ContainsFunc(reasonSources, func(s string) bool { return strings.HasPrefix(w.Header().Get("X-Soundstage-Reason"), s) }):
		return "it has no reason: " + w.Header().Get("X-Soundstage-Reason")
	}
	return wrongError(w.Code, w.Header(), w.Body.Bytes())
}

var reasonSources = []string{"specification, ", "documentation, ", "assumption, ", "openapi.yaml, ", "docs/sandbox.md, "}

// wrongError returns what is wrong with an error's body, or "": it has "error", with the tiers for a 403, or "errors" and "valid".
func wrongError(status int, h http.Header, body []byte) string {
	var v map[string]any
	if err := json.Unmarshal(body, &v); err != nil {
		return "it is not JSON: " + err.Error()
	}
	sentence, _ := v["error"].(string)
	listed, _ := v["errors"].(map[string]any)
	switch {
	case !strings.HasPrefix(h.Get("Content-Type"), "application/json"):
		return "its type is " + h.Get("Content-Type")
	case v["valid"] == false && len(v) == 2 && len(listed) > 0:
		return ""
	case sentence == "":
		return "it has no message"
	case len(v) > 1 && (status != http.StatusForbidden || v["required_tier"] == nil):
		return "it has other members"
	}
	return ""
}

// neverMet returns the operations that never succeeded, and those without one of the refusals that mutations cause: other documented
// ones need a limit, an inactive space, a slow body, or a missing backend.
func neverMet(t *testing.T, c *tally) (missing []string) {
	t.Helper()
	for _, op := range contractOperations(t) {
		name := op.method + " " + op.path
		for _, status := range append([]int{op.success}, op.refusals...) {
			caused := slices.Contains([]int{200, 201, 202, 204, 400, 401, 403, 404}, status) && name+fmt.Sprint(status) != "POST /v1/renders202"
			if caused && c.met[name][status] == 0 {
				missing = append(missing, fmt.Sprint(name, " ", status))
			}
		}
	}
	return missing
}
