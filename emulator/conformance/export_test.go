package conformance

import (
	"context"
	"net/http"
	"time"
)

// Original is a run whose requests and events are known, so that it can be repeated.
type Original struct {
	session *session
	Report  Report
}

// RunOriginal is Run through a transport. What the server downloads from and sends webhooks to stays until ctx ends.
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

// Repeat runs those checks that only selects again with the names, ids and events of the original, so that it sends the same requests. Waiting takes
// next to no time but timeout, if anything is waited for that doesn't come. change is done to each event; it may be nil.
func (o *Original) Repeat(ctx context.Context, through http.RoundTripper, only string, timeout time.Duration, change func(http.Header, map[string]any)) (Report, error) {
	c := o.session.config
	c.Only = only
	c, err := c.check()
	if err != nil {
		return Report{}, err
	}
	s := newSession(ctx, c)
	s.nonce, s.missing, s.secrets, s.media = o.session.nonce, o.session.missing, o.session.secrets, o.session.media
	s.hooks = o.session.hooks.copied(change)
	s.client.Transport, s.config.Timeout, s.longestPause = through, timeout, 10*time.Millisecond
	return s.report()
}

// copied is a receiver that has got the same, each changed.
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
