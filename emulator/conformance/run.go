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

// Run checks a server. Errors: CodeInvalid (config), CodeDownload (the server can't be reached), CodeUnauthenticated (it
// refuses the secret), CodeUnavailable (nothing can be listened on), and ctx's. A server that doesn't conform is no error.
func Run(ctx context.Context, c Config) (Report, error) {
	c, err := c.check()
	if err != nil {
		return Report{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSession(ctx, c)
	defer s.client.CloseIdleConnections()
	if err := s.greet(); err != nil {
		return Report{}, err
	}
	if err := s.listen(); err != nil {
		return Report{}, err
	}
	defer s.close()
	return s.report()
}

// report runs the checks and deletes what they made.
func (s *session) report() (Report, error) {
	begun := time.Now()
	now, late := checks()
	results := s.runAll(scheduled(now), s.config.Workers)
	results = append(results, s.runAll(late, 1)...)
	s.tidy()
	if err := s.ctx.Err(); err != nil {
		return Report{}, err
	}
	return Report{BaseURL: s.config.BaseURL, Took: time.Since(begun), Missing: s.lacking(), Results: s.ordered(results)}, nil
}

// greet makes sure that there is a server that takes the secret.
func (s *session) greet() error {
	req, err := http.NewRequestWithContext(s.ctx, http.MethodGet, s.config.BaseURL+"/v1/spaces", nil)
	if err != nil {
		return engine.Errorf(engine.CodeInvalid, op, "%q is not the base URL of a server.", s.config.BaseURL)
	}
	req.Header.Set("Authorization", "Bearer "+s.config.Secret)
	resp, err := s.client.Do(req)
	if err != nil {
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		return engine.Errorf(engine.CodeDownload, op, "%s does not answer.", s.config.BaseURL).
			WithHint("Is it running? `soundstage serve` starts a sandbox.").Because(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode == http.StatusUnauthorized {
		return engine.Errorf(engine.CodeUnauthenticated, op, "%s refuses the secret.", s.config.BaseURL)
	}
	return nil
}

// listen starts what the server under check downloads from and sends webhooks to, where it can reach it.
func (s *session) listen() (err error) {
	if s.config.MediaURL == "" && s.config.loopback() {
		if s.media, err = serveMedia(s.ctx); err != nil {
			return engine.Errorf(engine.CodeUnavailable, op, "Media can't be served.").Because(err)
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
		return engine.Errorf(engine.CodeUnavailable, op, "The address %s can't be listened on.", address).
			WithHint("Choose another one with --webhook-listen.").Because(err)
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

// runAll runs the checks that are asked for, several at once.
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

// ordered puts the results in the order of the statements, with those among them that no check decides.
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

// undecided says why a run decides nothing about the statement.
func (st Statement) undecided() string {
	if st.Reason != "" {
		return st.Reason
	}
	return "over HTTP it can't be seen; " + st.Test + " shows it of the sandbox"
}

// lacks notes an endpoint that the server doesn't offer.
func (s *session) lacks(endpoint string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.absent = append(s.absent, endpoint)
}

// lacking returns the endpoints that the server doesn't offer, those that depend on them too.
func (s *session) lacking() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	missing := []string{}
	for _, e := range endpoints() {
		if name := e.method + " " + e.path; slices.Contains(s.absent, name) || e.by != "" && slices.Contains(s.absent, e.by) {
			missing = append(missing, name)
		}
	}
	return missing
}
