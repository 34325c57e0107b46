package conformance

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Run checks a server and returns the report. A server that doesn't conform is not an error.
//
// Errors: CodeInvalid (invalid config), CodeDownload (the server can't be reached), CodeUnauthenticated (it rejects the
// secret), CodeUnavailable (the run can't listen on an address), or the error of ctx.
func Run(ctx context.Context, c Config) (Report, error) {
	c, err := c.check()
	if err != nil {
		return Report{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSession(ctx, c)
	defer s.client.CloseIdleConnections()
	if err := s.checkReachable(); err != nil {
		return Report{}, err
	}
	if err := s.listen(); err != nil {
		return Report{}, err
	}
	defer s.close()
	return s.report()
}

// report runs the checks and deletes what they created.
func (s *session) report() (Report, error) {
	begun := time.Now()
	now, late := checks()
	results := s.runAll(scheduled(now), s.config.Workers)
	results = append(results, s.runAll(late, 1)...)
	s.deleteCreated()
	if err := s.ctx.Err(); err != nil {
		return Report{}, err
	}
	return Report{BaseURL: s.config.BaseURL, Took: time.Since(begun), Missing: s.missingEndpoints(), Results: s.ordered(results)}, nil
}

// checkReachable makes sure that the server can be reached and accepts the secret.
func (s *session) checkReachable() error {
	req, err := http.NewRequestWithContext(s.ctx, http.MethodGet, s.config.BaseURL+"/v1/spaces", nil)
	if err != nil {
		return engine.Errorf(engine.CodeInvalid, op, "%q is not a valid base URL.", s.config.BaseURL)
	}
	req.Header.Set("Authorization", "Bearer "+s.config.Secret)
	resp, err := s.client.Do(req)
	if err != nil {
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		return engine.Errorf(engine.CodeDownload, op, "%s does not answer.", s.config.BaseURL).
			WithHint("Check that it is running; `soundstage serve` starts a sandbox.").Because(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode == http.StatusUnauthorized {
		return engine.Errorf(engine.CodeUnauthenticated, op, "%s rejects the secret.", s.config.BaseURL)
	}
	return nil
}

// listen starts the media server and the webhook receiver, if the server can reach them.
func (s *session) listen() (err error) {
	if s.config.MediaURL == "" && s.config.loopback() {
		if s.media, err = serveMedia(s.ctx); err != nil {
			return engine.Errorf(engine.CodeUnavailable, op, "Cannot start the media server.").Because(err)
		}
	}
	address := s.config.WebhookListen
	if address == "" && s.config.loopback() {
		address = "127.0.0.1:0"
	}
	if address == "" {
		return nil
	}
	if s.hooks, err = listenForWebhooks(s.ctx, address, s.config.WebhookURL); err != nil {
		s.close()
		return engine.Errorf(engine.CodeUnavailable, op, "Cannot listen on %s.", address).
			WithHint("Choose another address with --webhook-listen.").Because(err)
	}
	return nil
}

func (s *session) close() {
	if s.media != nil {
		_ = s.media.http.Close()
	}
	if s.hooks != nil {
		_ = s.hooks.http.Close()
	}
}

// runAll runs the selected checks on a number of concurrent workers.
func (s *session) runAll(checks []check, workers int) (results []Result) {
	byID := map[string]Statement{}
	for _, st := range parsed() {
		byID[st.ID] = st
	}
	queue := make(chan check)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for c := range queue {
				res := s.result(byID[c.id], c)
				mu.Lock()
				results = append(results, res)
				mu.Unlock()
			}
		})
	}
	for _, c := range checks {
		if s.config.selects(c.id) {
			queue <- c
		}
	}
	close(queue)
	wg.Wait()
	return results
}

// result runs one check.
func (s *session) result(st Statement, c check) Result {
	begun := time.Now()
	v := s.decide(s.ctx, c.id, c.run)
	r := Result{Statement: st, Outcome: v.outcome, Why: s.redacted(v.why), Duration: time.Since(begun)}
	if v.outcome == Fail {
		r.Expected, r.Got, r.Exchange = v.expected, s.redacted(v.got), s.exchange(v.seen)
	}
	return r
}

// ordered sorts the results in the order of the statements and adds those that no check decides.
func (s *session) ordered(results []Result) []Result {
	place := map[string]int{}
	for i, st := range parsed() {
		place[st.ID] = i
		if (st.Reason != "" || st.Test != "") && s.config.selects(st.ID) {
			results = append(results, Result{Statement: st, Outcome: NotApplicable, Why: st.undecided()})
		}
	}
	slices.SortFunc(results, func(a, b Result) int { return cmp.Compare(place[a.ID], place[b.ID]) })
	return results
}

// undecided returns why no run decides the statement.
func (st Statement) undecided() string {
	if st.Reason != "" {
		return st.Reason
	}
	return "no HTTP check decides it; the Go test " + st.Test + " decides it for the sandbox"
}

// addMissing records an endpoint that the server doesn't offer.
func (s *session) addMissing(endpoint string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notOffered = append(s.notOffered, endpoint)
}

// missingEndpoints returns the endpoints that the server doesn't offer, including those that depend on them.
func (s *session) missingEndpoints() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	missing := []string{}
	for _, e := range endpoints() {
		if name := e.method + " " + e.path; slices.Contains(s.notOffered, name) || e.creator != "" && slices.Contains(s.notOffered, e.creator) {
			missing = append(missing, name)
		}
	}
	return missing
}
