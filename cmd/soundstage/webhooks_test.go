package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// startSandbox starts a sandbox in this process.
func startSandbox(t *testing.T) *emulator.Server {
	t.Helper()
	needFFmpeg(t)
	s, err := emulator.New(t.Context(), emulator.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

type delivery struct {
	header http.Header
	body   string
}

// startReceiver starts a webhook receiver that answers with these statuses in turn.
func startReceiver(t *testing.T, statuses ...int) (string, chan delivery) {
	t.Helper()
	got, next := make(chan delivery, 100), make(chan int, len(statuses))
	for _, n := range statuses {
		next <- n
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		got <- delivery{req.Header.Clone(), string(body)}
		w.WriteHeader(<-next)
	}))
	t.Cleanup(s.Close)
	return s.URL, got
}

// listenUntil runs `soundstage listen`. It returns the output lines, and a function that stops the command and returns its exit code.
func listenUntil(t *testing.T, args ...string) (lines *bufio.Scanner, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	code := make(chan int, 1)
	var said bytes.Buffer
	go func() {
		code <- run(ctx, append([]string{"listen"}, args...), streams{strings.NewReader(""), in, &said})
		_ = in.CloseWithError(io.EOF)
	}()
	t.Cleanup(cancel)
	return bufio.NewScanner(out), func() int {
		cancel()
		go func() { _, _ = io.Copy(io.Discard, out) }()
		return <-code
	}
}

// listen forwards each attempt byte for byte to a receiver that the sandbox can't reach. The sandbox gets the receiver's responses, and
// the subscription ends with the command.
func TestListen(t *testing.T) {
	t.Parallel()
	s := startSandbox(t)
	to, got := startReceiver(t, 500, 204)
	lines, stop := listenUntil(t, "--server", s.URL(), "--forward-to", to+"/hook", "--events", "transcript.completed")
	require.True(t, lines.Scan())
	require.Equal(t, "Listening to transcript.completed and forwarding to "+to+"/hook. Press Ctrl-C to stop.", lines.Text())
	require.True(t, lines.Scan())
	verifier, err := standardwebhooks.NewWebhook(strings.TrimPrefix(lines.Text(), "Signing secret: "))
	require.NoError(t, err)
	sent, err := s.Webhooks().Trigger(t.Context(), outbox.Trigger{Event: engine.EventTranscriptCompleted, Resource: "rec-1"})
	require.NoError(t, err)
	for _, status := range []string{"500 in ", "204 in "} {
		f := <-got
		require.NoError(t, verifier.Verify([]byte(f.body), f.header))
		require.Equal(t, sent.Body, f.body)
		require.Equal(t, "application/json", f.header.Get("Content-Type"))
		require.True(t, lines.Scan())
		require.Contains(t, lines.Text(), "  transcript.completed  rec-1  "+status)
	}
	require.NoError(t, s.Webhooks().WaitStatus(t.Context(), sent.Messages[0], outbox.StatusDelivered))
	m, err := s.Webhooks().Get(sent.Messages[0])
	require.NoError(t, err)
	require.Equal(t, []int{500, 204}, []int{m.Attempts[0].Response.Status, m.Attempts[1].Response.Status})
	names := map[string]string{}
	for _, h := range m.Attempts[0].Request.Headers {
		names[h.Name] = h.Value
	}
	require.Equal(t, "listen.soundstage.invalid", names["Host"])
	require.Zero(t, stop())
	require.NoError(t, s.Webhooks().WaitSubscriptionEnd(t.Context(), m.Webhook))
}

// A reset ends a subscription, and listen subscribes again with the same secret. --json prints one object per line. An unreachable
// receiver is reported as an error.
func TestListenAfterAReset(t *testing.T) {
	t.Parallel()
	s := startSandbox(t)
	lines, stop := listenUntil(t, "--server", s.URL(), "--forward-to", "http://127.0.0.1:1/x", "--signing-secret", outbox.DirectSecret, "--json")
	type line struct {
		Listening *outbox.Subscription
		Event     string
		Resource  string
		Error     string
	}
	next := func() (v line) {
		require.True(t, lines.Scan())
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v), lines.Text())
		return v
	}
	first := next().Listening
	require.Equal(t, outbox.DirectSecret, first.Secret)
	require.NoError(t, s.Reset(t.Context(), ""))
	again := next().Listening
	require.Equal(t, outbox.DirectSecret, again.Secret)
	_, err := s.Webhooks().Trigger(t.Context(), outbox.Trigger{Event: engine.EventOutputCompleted, Resource: "out-1"})
	require.NoError(t, err)
	got := next()
	require.Equal(t, []string{"output.completed", "out-1"}, []string{got.Event, got.Resource})
	require.Contains(t, got.Error, "did not answer")
	require.Zero(t, stop())
}

// trigger prints the payload and the responses. Its errors name the valid values.
func TestTriggerCommand(t *testing.T) {
	t.Parallel()
	s := startSandbox(t)
	code, out, errOut := cli(t, "trigger", "transcript.completed", "--server", s.URL())
	require.Equal(t, 3, code, out)
	require.Contains(t, errOut, "no webhook is subscribed to transcript.completed")
	_, err := s.Webhooks().Subscribe(t.Context(), outbox.Sink{})
	require.NoError(t, err)
	code, out, errOut = cli(t, "trigger", "output.completed", "--server", s.URL(), "--resource", "out-1", "--override", "status=failed", "--override", "prompt_id=null")
	require.Zero(t, code, errOut)
	require.Contains(t, out, `"data":{"output_id":"out-1","output_type":"dynamic","prompt_id":null,`)
	require.Contains(t, out, `"status":"failed"`)
	require.Contains(t, out, "https://sink.soundstage.invalid/  200\n")
	code, out, errOut = cli(t, "trigger", "output.completed", "--server", s.URL(), "--json", "--to", "https://sink.soundstage.invalid/?answer=418")
	require.Zero(t, code, errOut)
	var v struct{ Sent outbox.Triggered }
	require.NoError(t, json.Unmarshal([]byte(out), &v))
	require.Equal(t, 418, v.Sent.Attempt.Response.Status)

	for line, says := range map[string]string{
		"trigger recording.gone":                                "Use one of output.completed, ",
		"trigger transcript.completed --override x":             `--override "x" is not PATH=VALUE.`,
		"trigger transcript.completed --override x=y":           `The event has no member "x".`,
		"trigger transcript.completed --override recording_id=": "recording_id must be a non-empty string.",
		"trigger transcript.completed --server 127.0.0.1:8765":  "is not a valid sandbox URL.",
		"trigger transcript.completed --to http://127.0.0.1:9/": "Start the sandbox with --allow-private-urls",
		"trigger transcript.completed --wait -1s":               "timeout_ms must be a number from 0 to 600000.",
		"trigger":           "expected an event (got 0 arguments).",
		"listen --events x": `There is no event "x".`,
		"listen --signing-secret sk_sandbox_core": "secret must be whsec_ followed by the base64 of 24 to 64 bytes.",
		"listen --forward-to localhost:3000":      "is not a valid URL to forward to.",
	} {
		args := strings.Fields(line)
		if !strings.Contains(line, "--server") && len(args) > 1 {
			args = append(args, "--server", s.URL())
		}
		code, _, errOut := cli(t, args...)
		require.Equal(t, 2, code, "%s: %s", line, errOut)
		require.Contains(t, errOut, says, line)
	}
}

// listen and trigger report that no sandbox answers.
func TestNoSandbox(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	for server, says := range map[string]string{"http://127.0.0.1:1": "No sandbox answers at http://127.0.0.1:1.", other.URL: "is not a Soundstage sandbox."} {
		for _, args := range [][]string{{"listen"}, {"trigger", "output.completed"}} {
			code, _, errOut := cli(t, append(args, "--server", server)...)
			require.Equal(t, 5, code)
			require.Contains(t, errOut, says)
			require.Contains(t, errOut, "Start one with `soundstage serve`")
		}
	}
}
