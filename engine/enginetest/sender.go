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

// senders makes a Sender; private says whether it may reach addresses that are not public.
type senders func(private bool) engine.Sender

// TestSender runs every claim about a Sender, each on one that open has just made; private is as TestFetcher has it.
func TestSender(t *testing.T, open func(t *testing.T, private bool) engine.Sender) {
	t.Helper()
	uphold(t, func(t *testing.T) senders { return func(private bool) engine.Sender { return open(t, private) } }, []claim[senders]{
		{"the body is posted as it is, with the headers", sendsBody},
		{"every status is an answer, and redirects are not followed", sendsOnce},
		{"of an answer's body the first 2 KiB are kept", sendsForLittle},
		{"how long a receiver asks to wait is told", sendsLater},
		{"a receiver that gives no answer is an error that says why and may be tried again", sendsToNobody},
		{"a receiver that hangs is given up after the timeout", sendsWithTimeout},
		{"an address that is none is not sent to", sendsNoNonsense},
		{"an address that is not public is not sent to", sendsNothingPrivate},
		{"a delivery whose context is over ends, before and while it waits", sendsNothingWhenOver},
		{"a sender delivers many at once", sendsAtOnce},
	})
}

func sendsBody(t *testing.T, open senders) {
	r, s := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { send(w, "thanks") }), open(true)
	require.NoError(t, s.Check(t.Context(), r.URL+"/hook?k=1"))
	body := `{"type":"x","data":"` + sampleLongText + `"}`
	res, err := s.Send(t.Context(), engine.SendRequest{
		URL: r.URL + "/hook?k=1", Body: []byte(body), Header: map[string]string{"webhook-id": "msg_1", "webhook-signature": "v1,a b="}, Timeout: patience,
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

// sampleLongText is as long as a body may well be.
var sampleLongText = strings.Repeat("Zoë 🎙️ ", 2000)

func sendsOnce(t *testing.T, open senders) {
	r, s := newReceiver(t, func(w http.ResponseWriter, req *http.Request) {
		code, _ := strconv.Atoi(req.URL.Path[1:])
		w.Header().Set("Location", "/200")
		w.WriteHeader(code)
	}), open(true)
	codes := []int{200, 201, 202, 204, 301, 302, 303, 307, 308, 400, 401, 403, 404, 410, 429, 500, 502, 503}
	for i, code := range codes {
		res, err := s.Send(t.Context(), engine.SendRequest{URL: fmt.Sprintf("%s/%d", r.URL, code), Body: []byte("{}"), Timeout: patience})
		require.NoError(t, err)
		require.Equal(t, code, res.Status)
		require.Len(t, r.deliveries(), i+1)
	}
}

func sendsForLittle(t *testing.T, open senders) {
	r, s := newReceiver(t, func(w http.ResponseWriter, req *http.Request) {
		n, _ := strconv.Atoi(req.URL.Path[1:])
		send(w, pattern(n))
	}), open(true)
	for _, n := range []int{0, 1, 2047, 2048, 2049, 1_000_000} {
		res, err := s.Send(t.Context(), engine.SendRequest{URL: fmt.Sprintf("%s/%d", r.URL, n), Body: []byte("{}"), Timeout: patience})
		require.NoError(t, err)
		require.Equal(t, pattern(n)[:min(n, 2048)], string(res.Body))
	}
}

func sendsLater(t *testing.T, open senders) {
	r, s := newReceiver(t, func(w http.ResponseWriter, req *http.Request) {
		w.Header()["Retry-After"] = req.URL.Query()["v"]
		w.WriteHeader(http.StatusServiceUnavailable)
	}), open(true)
	for value, want := range map[string]time.Duration{
		"?v=120": 2 * time.Minute, "?v=0": 0, "": 0, "?v=soon": 0, "?v=-5": 0, "?v=Wed,+21+Oct+2015+07:28:00+GMT": 0,
	} {
		res, err := s.Send(t.Context(), engine.SendRequest{URL: r.URL + "/" + value, Body: []byte("{}"), Timeout: patience})
		require.NoError(t, err)
		require.Equal(t, want, res.RetryAfter, value)
	}
}

// requireNoAnswer claims that an error says why no answer came, and that another try may get one.
func requireNoAnswer(t *testing.T, res engine.SendResponse, err error) {
	t.Helper()
	requireCode(t, engine.CodeUnavailable, err)
	requireRefused(t, err, "no answer")
	require.True(t, retryable(err))
	require.Zero(t, res)
}

func sendsToNobody(t *testing.T, open senders) {
	r, s := newReceiver(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), open(true)
	res, err := s.Send(t.Context(), engine.SendRequest{URL: r.URL, Body: []byte("{}"), Timeout: patience})
	requireNoAnswer(t, res, err)
	r.Close()
	res, err = s.Send(t.Context(), engine.SendRequest{URL: r.URL, Body: []byte("{}"), Timeout: patience})
	requireNoAnswer(t, res, err)
}

func sendsWithTimeout(t *testing.T, open senders) {
	r, s := newReceiver(t, func(_ http.ResponseWriter, req *http.Request) { <-req.Context().Done() }), open(true)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	res, err := s.Send(ctx, engine.SendRequest{URL: r.URL, Body: []byte("{}"), Timeout: 50 * time.Millisecond})
	requireNoAnswer(t, res, err)
}

func sendsNoNonsense(t *testing.T, open senders) {
	for _, s := range []engine.Sender{open(true), open(false)} {
		for _, url := range nonsense {
			requireCode(t, engine.CodeInvalid, s.Check(t.Context(), url))
			_, err := s.Send(t.Context(), engine.SendRequest{URL: url, Body: []byte("{}"), Timeout: patience})
			requireCode(t, engine.CodeInvalid, err)
		}
	}
}

func sendsNothingPrivate(t *testing.T, open senders) {
	s := open(false)
	for _, url := range unreachable {
		requireCode(t, engine.CodeNotPublic, s.Check(t.Context(), url))
		_, err := s.Send(t.Context(), engine.SendRequest{URL: url, Body: []byte("{}"), Timeout: patience})
		requireCode(t, engine.CodeNotPublic, err)
	}
}

func sendsNothingWhenOver(t *testing.T, open senders) {
	canceled, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, s := newReceiver(t, func(_ http.ResponseWriter, req *http.Request) {
		cancel()
		<-req.Context().Done()
	}), open(true)
	requireOver(t, func(ctx context.Context) error {
		_, err := s.Send(ctx, engine.SendRequest{URL: r.URL, Body: []byte("{}"), Timeout: patience})
		return err
	})
	require.Empty(t, r.deliveries())
	_, err := s.Send(canceled, engine.SendRequest{URL: r.URL, Body: []byte("{}"), Timeout: patience})
	requireCode(t, engine.CodeCanceled, err)
}

func sendsAtOnce(t *testing.T, open senders) {
	r, s := newReceiver(t, func(w http.ResponseWriter, req *http.Request) { send(w, req.URL.Path) }), open(true)
	const many = 32
	require.NoError(t, together(many, func(i int) error {
		path := fmt.Sprintf("/%d", i)
		res, err := s.Send(t.Context(), engine.SendRequest{URL: r.URL + path, Body: []byte("{}"), Timeout: patience})
		if err == nil && string(res.Body) != path {
			err = fmt.Errorf("%s got the answer %q", path, res.Body)
		}
		return err
	}))
	require.Len(t, r.deliveries(), many)
}
