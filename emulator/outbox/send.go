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

// directTimeout is the time that a try has that the engine doesn't make; the engine's own tries have the same.
const directTimeout = 15 * time.Second

// Check says whether a URL may be sent to: sinks always may, the rest is for the Sender to say.
func (o *Outbox) Check(ctx context.Context, url string) error {
	if isListener(url) {
		return engine.Errorf(engine.CodeInvalid, "Check", "Only `soundstage listen` makes webhooks of %s.", listenHost).
			WithHint("POST /_soundstage/webhooks/listen is what it uses.")
	}
	if isSink(url) {
		_, err := sinkAnswers(url)
		return err
	}
	return o.cfg.Sender.Check(ctx, url)
}

// Send makes a try for the engine and keeps it; see engine.Sender.
func (o *Outbox) Send(ctx context.Context, req engine.SendRequest) (engine.SendResponse, error) {
	o.mu.Lock()
	m := o.of(req.Delivery, req.Webhook, req.Event, req.Header["webhook-id"], req.Body)
	first := m.last == nil
	o.mu.Unlock()
	res, _, err := o.try(ctx, m, KindDelivery, "", req)
	if first && o.cfg.Twice(string(req.Event)) {
		o.repeat(ctx, m, KindDuplicate, "", req)
	}
	return res, err
}

// try makes one try of a message and keeps it.
func (o *Outbox) try(ctx context.Context, m *message, kind Kind, what What, req engine.SendRequest) (engine.SendResponse, Attempt, error) {
	o.mu.Lock()
	m.flying++
	m.URL = req.URL
	if kind == KindDelivery || kind == KindTrigger {
		again := req
		again.Header = maps.Clone(req.Header)
		m.last = &again
	}
	o.tell()
	o.mu.Unlock()

	wire := &written{}
	began := time.Now()
	res, err := o.carry(wire.watch(ctx), kind, m, req)
	a := Attempt{
		Kind: kind, Corrupted: what, At: began.UTC(), DurationMS: time.Since(began).Milliseconds(), Request: wire.request(req),
	}
	if err != nil {
		a.Error = engine.Message(err)
	} else {
		a.Response = responseOf(res)
	}
	return res, o.finish(m, a), err
}

// carry takes a request to where it goes: nowhere when the policy says so, to a sink or a listener in this process, or over the network.
func (o *Outbox) carry(ctx context.Context, kind Kind, m *message, req engine.SendRequest) (engine.SendResponse, error) {
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

// finish writes a try that is over into the log, and returns it with its number.
func (o *Outbox) finish(m *message, a Attempt) Attempt {
	o.mu.Lock()
	defer o.mu.Unlock()
	m.flying--
	m.seq++
	a.Number = m.seq
	m.ok = a.OK()
	m.Attempts = append(m.Attempts, a)
	if extra := len(m.Attempts) - MaxAttempts; extra > 0 {
		m.Attempts = slices.Delete(m.Attempts, 0, extra)
	}
	told := m.snapshot()
	told.Attempts = []Attempt{}
	o.log = append(o.log, Event{Message: told, Attempt: a})
	o.logged++
	if extra := len(o.log) - o.cfg.Messages; extra > 0 {
		o.log = slices.Delete(o.log, 0, extra)
	}
	o.tell()
	return a
}

// written is the head of a request as it went over the network.
type written struct {
	mu      sync.Mutex
	headers []Header
	h2      map[string]string // the pseudo headers of HTTP/2
}

// watch makes a request of the context tell what it writes. Of a request that is written again, to another connection, the newest counts.
func (w *written) watch(ctx context.Context) context.Context {
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

// request is what was written, or what would have been.
func (w *written) request(req engine.SendRequest) Request {
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

// requestOf is a request as HTTP/1.1 writes it.
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
