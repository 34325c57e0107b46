package enginetest

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// senders returns a Sender; private allows it to reach non-public addresses.
type senders func(private bool) engine.Sender

// TestSender checks an implementation of engine.Sender. Each subtest calls open; private is as in [TestFetcher].
func TestSender(t *testing.T, open func(t *testing.T, private bool) engine.Sender) {
	t.Helper()
	runClaims(t, func(t *testing.T) senders { return func(private bool) engine.Sender { return open(t, private) } }, []claim[senders]{
		{"Send posts the body unchanged with the headers", sendsBody},
		{"every status is a response, and redirects are not followed", returnsEveryStatus},
		{"the first 2 KiB of a response body are kept", keepsFirst2KiB},
		{"Retry-After is returned", returnsRetryAfter},
		{"no response is a retryable CodeUnavailable with a message", reportsNoResponse},
		{"a receiver that hangs fails after the timeout", sendsWithTimeout},
		{"an invalid URL is rejected", sendRejectsInvalidURLs},
		{"a non-public address is rejected", sendRejectsNonPublic},
		{"a delivery ends when its context ends, before or during the wait", sendEndsWithContext},
		{"a sender supports concurrent calls", sendsConcurrently},
	})
}

func sendsBody(t *testing.T, open senders) {
	r, s := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { send(w, "thanks") }), open(true)
	require.NoError(t, s.Check(t.Context(), r.URL+"/hook?k=1"))
	body := `{"type":"x","data":"` + sampleLongText + `"}`
	res, err := s.Send(t.Context(), engine.SendRequest{
		URL: r.URL + "/hook?k=1", Body: []byte(body), Header: map[string]string{"webhook-id": "msg_1", "webhook-signature": "v1,a b="}, Timeout: longTimeout,
	})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, res.Status)
	require.Equal(t, "thanks", string(res.Body))
	require.Zero(t, res.RetryAfter)
	require.Len(t, r.deliveries(), 1)
	got := r.deliveries()[0]
	require.Equal(t, []string{http.MethodPost, "/hook?k=1", body}, []string{got.method, got.path, got.body})
	require.Equal(t, []string{"msg_1", "v1,a b="}, []string{got.header.Get("Webhook-Id"), got.header.Get("Webhook-Signature")})
	require.Contains(t, got.header.Get("Content-Type"), "application/json")
}

// sampleLongText has the length of a large webhook body, about 20 kB.
var sampleLongText = strings.Repeat("Zoë 🎙️ ", 2000)

func returnsEveryStatus(t *testing.T, open senders) {
	r, s := newReceiver(t, func(w http.ResponseWriter, req *http.Request) {
		code, _ := strconv.Atoi(req.URL.Path[1:])
		w.Header().Set("Location", "/200")
		w.WriteHeader(code)
	}), open(true)
	codes := []int{200, 201, 202, 204, 301, 302, 303, 307, 308, 400, 401, 403, 404, 410, 429, 500, 502, 503}
	for i, code := range codes {
		res, err := s.Send(t.Context(), engine.SendRequest{URL: fmt.Sprintf("%s/%d", r.URL, code), Body: []byte("{}"), Timeout: longTimeout})
		require.NoError(t, err)
		require.Equal(t, code, res.Status)
		require.Len(t, r.deliveries(), i+1)
	}
}

func keepsFirst2KiB(t *testing.T, open senders) {
	r, s := newReceiver(t, func(w http.ResponseWriter, req *http.Request) {
		n, _ := strconv.Atoi(req.URL.Path[1:])
		send(w, pattern(n))
	}), open(true)
	for _, n := range []int{0, 1, 2047, 2048, 2049, 1_000_000} {
		res, err := s.Send(t.Context(), engine.SendRequest{URL: fmt.Sprintf("%s/%d", r.URL, n), Body: []byte("{}"), Timeout: longTimeout})
		require.NoError(t, err)
		require.Equal(t, pattern(n)[:min(n, 2048)], string(res.Body))
	}
}

func returnsRetryAfter(t *testing.T, open senders) {
	r, s := newReceiver(t, func(w http.ResponseWriter, req *http.Request) {
		w.Header()["Retry-After"] = req.URL.Query()["v"]
		w.WriteHeader(http.StatusServiceUnavailable)
	}), open(true)
	for value, want := range map[string]time.Duration{
		"?v=120": 2 * time.Minute, "?v=0": 0, "": 0, "?v=soon": 0, "?v=-5": 0, "?v=Wed,+21+Oct+2015+07:28:00+GMT": 0,
	} {
		res, err := s.Send(t.Context(), engine.SendRequest{URL: r.URL + "/" + value, Body: []byte("{}"), Timeout: longTimeout})
		require.NoError(t, err)
		require.Equal(t, want, res.RetryAfter, value)
	}
}

// requireNoAnswer fails the test unless err is a retryable CodeUnavailable with a message.
func requireNoAnswer(t *testing.T, res engine.SendResponse, err error) {
	t.Helper()
	requireCode(t, engine.CodeUnavailable, err)
	requireMessage(t, err, "no response")
	require.True(t, retryable(err))
	require.Zero(t, res)
}

func reportsNoResponse(t *testing.T, open senders) {
	r, s := newReceiver(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), open(true)
	res, err := s.Send(t.Context(), engine.SendRequest{URL: r.URL, Body: []byte("{}"), Timeout: longTimeout})
	requireNoAnswer(t, res, err)
	r.Close()
	res, err = s.Send(t.Context(), engine.SendRequest{URL: r.URL, Body: []byte("{}"), Timeout: longTimeout})
	requireNoAnswer(t, res, err)
}

func sendsWithTimeout(t *testing.T, open senders) {
	r, s := newReceiver(t, func(_ http.ResponseWriter, req *http.Request) { <-req.Context().Done() }), open(true)
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	res, err := s.Send(ctx, engine.SendRequest{URL: r.URL, Body: []byte("{}"), Timeout: 50 * time.Millisecond})
	requireNoAnswer(t, res, err)
}

func sendRejectsInvalidURLs(t *testing.T, open senders) {
	for _, s := range []engine.Sender{open(true), open(false)} {
		for _, url := range invalidURLs {
			requireCode(t, engine.CodeInvalid, s.Check(t.Context(), url))
			_, err := s.Send(t.Context(), engine.SendRequest{URL: url, Body: []byte("{}"), Timeout: longTimeout})
			requireCode(t, engine.CodeInvalid, err)
		}
	}
}

func sendRejectsNonPublic(t *testing.T, open senders) {
	s := open(false)
	for _, url := range nonPublicURLs {
		requireCode(t, engine.CodeNotPublic, s.Check(t.Context(), url))
		_, err := s.Send(t.Context(), engine.SendRequest{URL: url, Body: []byte("{}"), Timeout: longTimeout})
		requireCode(t, engine.CodeNotPublic, err)
	}
}

func sendEndsWithContext(t *testing.T, open senders) {
	canceled, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, s := newReceiver(t, func(_ http.ResponseWriter, req *http.Request) {
		cancel()
		<-req.Context().Done()
	}), open(true)
	requireCanceled(t, func(ctx context.Context) error {
		_, err := s.Send(ctx, engine.SendRequest{URL: r.URL, Body: []byte("{}"), Timeout: longTimeout})
		return err
	})
	require.Empty(t, r.deliveries())
	_, err := s.Send(canceled, engine.SendRequest{URL: r.URL, Body: []byte("{}"), Timeout: longTimeout})
	requireCode(t, engine.CodeCanceled, err)
}

func sendsConcurrently(t *testing.T, open senders) {
	r, s := newReceiver(t, func(w http.ResponseWriter, req *http.Request) { send(w, req.URL.Path) }), open(true)
	const many = 32
	require.NoError(t, concurrently(many, func(i int) error {
		path := fmt.Sprintf("/%d", i)
		res, err := s.Send(t.Context(), engine.SendRequest{URL: r.URL + path, Body: []byte("{}"), Timeout: longTimeout})
		if err == nil && string(res.Body) != path {
			err = fmt.Errorf("%s got the response %q", path, res.Body)
		}
		return err
	}))
	require.Len(t, r.deliveries(), many)
}
