package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// listener is `soundstage listen`.
type listener struct {
	remote
	forward string
	events  []string
	secret  string
	json    bool

	client *http.Client
	mu     sync.Mutex // serialises answers and lines of output
	out    io.Writer
}

func newListen(std streams) *cobra.Command {
	l := &listener{out: std.out}
	cmd := &cobra.Command{
		Use:   "listen",
		Short: "Receive a sandbox's webhooks, and forward them to your server",
		Long: `Subscribes to the events of a running sandbox and forwards each message to your receiver, byte for byte and with its signature.
The sandbox itself needn't reach the receiver. It gets the receiver's response, so failed deliveries are retried and the
delivery log is complete. Without --forward-to, messages are printed and answered with 200. Press Ctrl-C to end the
subscription.

Exit codes: 2 wrong flags, 5 no sandbox answers.`,
		Example: `  soundstage listen --forward-to http://localhost:3000/webhooks
  soundstage listen --events transcript.completed --json
  soundstage listen --forward-to http://localhost:3000/webhooks --signing-secret whsec_c291bmRzdGFnZS1zYW5kYm94LXdlYmhvb2tzLXNlY3JldA==`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd.Context()) },
	}
	l.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&l.forward, "forward-to", "", "`URL` of your receiver")
	f.StringSliceVar(&l.events, "events", nil, "comma-separated `events` to subscribe to; default all")
	f.StringVar(&l.secret, "signing-secret", "", "signing `secret` (whsec_…); default a new one, which is printed")
	f.BoolVar(&l.json, "json", false, "print one JSON object per line")
	return cmd
}

// forwardTimeout is shorter than the sandbox's timeout, so that the sandbox learns why there is no response.
const forwardTimeout = 14 * time.Second

func (l *listener) run(ctx context.Context) error {
	if u, err := url.Parse(l.forward); l.forward != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return engine.Errorf(engine.CodeInvalid, "listen", "%q is not a valid URL to forward to.", l.forward).WithHint("Use --forward-to http://HOST:PORT/PATH.")
	}
	transport := &http.Transport{DisableCompression: true, Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 16}
	defer transport.CloseIdleConnections()
	l.client = &http.Client{
		Transport: transport, Timeout: forwardTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for {
		began, err := l.subscribe(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		case !began:
			return engine.Errorf(engine.CodeUnavailable, "listen", "The sandbox ended the subscription.")
		}
		// The sandbox was reset or is stopping. Subscribing again with the same secret fails if it is stopping.
	}
}

// subscribe listens until the sandbox ends the subscription. It reports whether the subscription had begun.
func (l *listener) subscribe(ctx context.Context) (began bool, err error) {
	ask := struct {
		Events []string `json:"events"`
		Secret string   `json:"secret"`
	}{l.events, l.secret}
	res, err := l.open(ctx, http.MethodPost, "webhooks/listen", ask)
	if err != nil {
		return false, err
	}
	defer func() { _ = res.Body.Close() }()
	var forwards sync.WaitGroup
	defer forwards.Wait()
	var hook engine.WebhookID
	for dec := json.NewDecoder(res.Body); ; {
		var line control.ListenLine
		if err := dec.Decode(&line); err != nil {
			return began, nil // the subscription ended, cleanly or not
		}
		switch {
		case line.Listening != nil:
			began, hook = true, line.Listening.Webhook
			l.secret = line.Listening.Secret
			l.printGreeting(*line.Listening)
		case line.Request != nil:
			forwards.Go(func() { l.handle(ctx, hook, *line.Request) })
		}
	}
}

// printGreeting prints the events, the target, and the signing secret.
func (l *listener) printGreeting(sub outbox.Subscription) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.json {
		_ = json.NewEncoder(l.out).Encode(map[string]any{"listening": sub})
		return
	}
	to := "and answering 200"
	if l.forward != "" {
		to = "and forwarding to " + l.forward
	}
	fmt.Fprintf(l.out, "Listening to %s %s. Press Ctrl-C to stop.\nSigning secret: %s\n", joinNames(sub.Events), to, sub.Secret)
}

// handle forwards a message, returns the response to the sandbox, and prints a line.
func (l *listener) handle(ctx context.Context, hook engine.WebhookID, r outbox.Relayed) {
	began := time.Now()
	answer := control.ListenResponse{Status: http.StatusOK}
	if l.forward != "" {
		answer = l.send(ctx, r.Request)
	}
	took := time.Since(began)
	if ctx.Err() != nil {
		return // the sandbox sees the closed connection
	}
	// The answer may cause a retry at once. Its line comes after this one.
	l.mu.Lock()
	defer l.mu.Unlock()
	var ok struct{ Status string }
	err := l.call(ctx, http.MethodPost, fmt.Sprintf("webhooks/listen/%s/answers/%s", url.PathEscape(string(hook)), url.PathEscape(r.ID)), answer, &ok)
	if ctx.Err() == nil {
		l.print(began, took, r, answer, err)
	}
}

// send posts a message to the receiver unchanged, except for Host and Content-Length.
func (l *listener) send(ctx context.Context, r outbox.Request) control.ListenResponse {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.forward, bytes.NewReader([]byte(r.Body)))
	if err != nil {
		return control.ListenResponse{Error: "The request can't be forwarded."}
	}
	for _, h := range r.Headers {
		if h.Name != "Host" && h.Name != "Content-Length" {
			req.Header.Add(h.Name, h.Value)
		}
	}
	res, err := l.client.Do(req)
	if err != nil {
		var cause *url.Error
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return control.ListenResponse{Error: fmt.Sprintf("The listener's receiver did not answer: %v.", err)}
	}
	defer func() { _ = res.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(res.Body, 2<<10)) // a truncated body still is a response
	return control.ListenResponse{Status: res.StatusCode, Headers: res.Header, Body: body}
}

// print writes one line about a message. The caller holds l.mu.
func (l *listener) print(at time.Time, took time.Duration, r outbox.Relayed, a control.ListenResponse, lost error) {
	note := ""
	if lost != nil {
		note = engine.Message(lost)
	}
	if l.json {
		_ = json.NewEncoder(l.out).Encode(struct {
			Time       time.Time        `json:"time"`
			Event      engine.EventType `json:"event"`
			Resource   string           `json:"resource"`
			Message    string           `json:"message_id"`
			EventID    string           `json:"event_id"`
			Status     int              `json:"status,omitempty"`
			Error      string           `json:"error,omitempty"`
			DurationMS int64            `json:"duration_ms"`
			Request    outbox.Request   `json:"request"`
		}{at.UTC(), r.Event, r.Resource, r.Message, r.EventID, a.Status, cmp.Or(a.Error, note), took.Milliseconds(), r.Request})
		return
	}
	said := cmp.Or(a.Error, fmt.Sprintf("%d in %d ms", a.Status, took.Milliseconds()))
	if note != "" {
		said += " (" + note + ")"
	}
	fmt.Fprintf(l.out, "%s  %s  %s  %s\n", at.Format(time.TimeOnly), r.Event, r.Resource, said)
}
