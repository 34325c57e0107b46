package conformance

import (
	"context"
	"net/http"
	"time"
)

// Original is a finished run that Repeat can run again with the same requests and events.
type Original struct {
	session *session
	Report  Report
}

// RunOriginal is Run through a transport. Its media server and webhook receiver keep running until ctx ends.
func RunOriginal(ctx context.Context, c Config, through http.RoundTripper) (*Original, error) {
	c, err := c.check()
	if err != nil {
		return nil, err
	}
	s := newSession(ctx, c)
	s.client.Transport = through
	if err := s.listen(); err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, s.close)
	o := &Original{session: s}
	o.Report, err = s.report()
	return o, err
}

// Repeat runs the checks that only selects with the names, ids, and events of the original, so it sends the same requests.
// Pauses last at most 10 ms, a poll at most timeout, and no event is waited for, because all are there. Repeat applies change to
// each event unless it is nil.
func (o *Original) Repeat(ctx context.Context, through http.RoundTripper, only string, timeout time.Duration, change func(http.Header, map[string]any)) (Report, error) {
	c := o.session.config
	c.Only = only
	c, err := c.check()
	if err != nil {
		return Report{}, err
	}
	s := newSession(ctx, c)
	s.nonce, s.unknownID, s.secrets, s.media = o.session.nonce, o.session.unknownID, o.session.secrets, o.session.media
	s.hooks = o.session.hooks.copied(change)
	s.client.Transport, s.config.Timeout, s.longestPause = through, timeout, 10*time.Millisecond
	s.eventWait = 0
	return s.report()
}

// copied returns a receiver with the same events, each changed by change.
func (r *receiver) copied(change func(http.Header, map[string]any)) *receiver {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &receiver{url: r.url, got: map[string][]received{}, changed: make(chan struct{})}
	for path, all := range r.got {
		for _, one := range all {
			one.header, one.value = one.header.Clone(), decode(one.body)
			if v, ok := one.value.(map[string]any); ok && change != nil {
				change(one.header, v)
			}
			c.got[path] = append(c.got[path], one)
		}
	}
	return c
}

// Nonce returns the part of every name that the original run created.
func (o *Original) Nonce() string { return o.session.nonce }
