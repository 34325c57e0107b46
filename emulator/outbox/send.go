package outbox

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// directTimeout is the timeout of attempts outside the engine. The engine's own attempts have the same.
const directTimeout = 15 * time.Second

// Check implements engine.Sender. It accepts sinks, rejects listeners, and passes other URLs to Config.Sender.
func (o *Outbox) Check(ctx context.Context, url string) error {
	if isListener(url) {
		return engine.Errorf(engine.CodeInvalid, "Check", "Webhooks of %s are reserved for `soundstage listen`.", listenHost).
			WithHint("Run `soundstage listen`, or use POST /_soundstage/webhooks/listen.")
	}
	if isSink(url) {
		_, err := sinkStatuses(url)
		return err
	}
	return o.cfg.Sender.Check(ctx, url)
}

// Send implements engine.Sender. It makes an attempt and records it.
func (o *Outbox) Send(ctx context.Context, req engine.SendRequest) (engine.SendResponse, error) {
	o.mu.Lock()
	m := o.messageOf(req.Delivery, req.Webhook, req.Event, req.Header["webhook-id"], req.Body)
	first := m.last == nil
	o.mu.Unlock()
	res, _, err := o.attempt(ctx, m, KindDelivery, "", req)
	if first && o.cfg.Duplicate(string(req.Event)) {
		o.sendCopy(ctx, m, KindDuplicate, "", req)
	}
	return res, err
}

// attempt makes one attempt to send a message and records it.
func (o *Outbox) attempt(ctx context.Context, m *message, kind Kind, what Corruption, req engine.SendRequest) (engine.SendResponse, Attempt, error) {
	o.mu.Lock()
	m.inFlight++
	m.URL = req.URL
	if kind == KindDelivery || kind == KindTrigger {
		again := req
		again.Header = maps.Clone(req.Header)
		m.last = &again
	}
	o.tell(m)
	o.notify()
	o.mu.Unlock()

	trace := &requestTrace{}
	began := time.Now()
	res, err := o.transmit(trace.watch(ctx), kind, m, req)
	a := Attempt{
		Kind: kind, Corrupted: what, At: began.UTC(), DurationMS: time.Since(began).Milliseconds(), Request: trace.request(req),
	}
	if err != nil {
		a.Error = engine.Message(err)
	} else {
		a.Response = responseOf(res)
	}
	return res, o.finish(m, a), err
}

// transmit sends a request to a sink or a listener in this process, or over the network, unless the policy intercepts it.
func (o *Outbox) transmit(ctx context.Context, kind Kind, m *message, req engine.SendRequest) (engine.SendResponse, error) {
	if kind == KindDelivery {
		if res, err, caught := o.intercept(); caught {
			return res, err
		}
	}
	switch {
	case isSink(req.URL):
		return o.sink(req)
	case isListener(req.URL):
		return o.relay(ctx, m, req)
	}
	return o.cfg.Sender.Send(ctx, req)
}

// finish adds a completed attempt to the log and returns it with its number.
func (o *Outbox) finish(m *message, a Attempt) Attempt {
	o.mu.Lock()
	defer o.mu.Unlock()
	m.inFlight--
	m.seq++
	a.Number = m.seq
	if a.Kind == KindDelivery {
		m.sent++
	}
	m.ok = a.OK()
	m.Attempts = append(m.Attempts, a)
	if extra := len(m.Attempts) - MaxAttempts; extra > 0 {
		m.Attempts = slices.Delete(m.Attempts, 0, extra)
	}
	logged := m.snapshot()
	logged.Attempts = []Attempt{}
	o.log = append(o.log, Event{Message: logged, Attempt: a})
	o.logCount++
	if extra := len(o.log) - o.cfg.Messages; extra > 0 {
		o.log = slices.Delete(o.log, 0, extra)
	}
	o.tell(m)
	o.notify()
	return a
}

// requestTrace records the headers of a request as they were written to the network.
type requestTrace struct {
	mu      sync.Mutex
	headers []Header
	h2      map[string]string // pseudo-headers of HTTP/2
}

// watch returns a context that traces a request. If the request is repeated on another connection, the last one counts.
func (w *requestTrace) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.headers, w.h2 = nil, map[string]string{}
		},
		WroteHeaderField: func(name string, values []string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			for _, v := range values {
				if strings.HasPrefix(name, ":") {
					w.h2[name] = v
					continue
				}
				w.headers = append(w.headers, Header{name, v})
			}
		},
	})
}

// request returns the request as it was written, or as it would have been.
func (w *requestTrace) request(req engine.SendRequest) Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := requestOf(req)
	if len(w.headers) == 0 {
		return r
	}
	r.Headers = slices.Clone(w.headers)
	if path, ok := w.h2[":path"]; ok {
		r.Line = w.h2[":method"] + " " + path + " HTTP/2.0"
		r.Headers = append([]Header{{"host", w.h2[":authority"]}}, r.Headers...)
	}
	return r
}

// requestOf returns the request as HTTP/1.1 writes it.
func requestOf(req engine.SendRequest) Request {
	target, host := req.URL, ""
	if u, err := url.Parse(req.URL); err == nil {
		target, host = u.RequestURI(), u.Host
	}
	r := Request{Line: "POST " + target + " HTTP/1.1", Body: string(req.Body)}
	r.Headers = []Header{{"Host", host}, {"User-Agent", fetch.UserAgent}, {"Content-Length", strconv.Itoa(len(req.Body))}}
	head := map[string]string{"Content-Type": "application/json"}
	for name, value := range req.Header {
		head[http.CanonicalHeaderKey(name)] = value
	}
	for _, name := range slices.Sorted(maps.Keys(head)) {
		r.Headers = append(r.Headers, Header{name, head[name]})
	}
	r.Signed = req.Header["webhook-id"] + "." + req.Header["webhook-timestamp"] + "." + string(req.Body)
	return r
}
