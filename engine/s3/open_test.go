package s3_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// requireSentence fails the test unless an error has a code, one sentence with some words, and a hint, but no secret.
func requireSentence(t *testing.T, bucket s3test.Bucket, err error, code engine.Code, words string) {
	t.Helper()
	requireCode(t, code, err)
	var e *engine.Error
	require.ErrorAs(t, err, &e)
	require.Contains(t, e.Msg, words)
	require.NotEmpty(t, e.Hint)
	require.NotContains(t, err.Error(), bucket.SecretKey)
}

// Open finds every mistake of the configuration, and says what to do.
func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	bucket := s3test.New(t)
	right := s3.Options{AccessKey: bucket.AccessKey, SecretKey: bucket.SecretKey}
	other := bucket
	other.Name = "no-such-bucket"
	web := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	for name, c := range map[string]struct {
		address string
		options s3.Options
		code    engine.Code
		words   string
	}{
		"no such bucket":        {other.Address(""), right, engine.CodeInvalid, "There is no bucket"},
		"wrong access key":      {bucket.Address(""), s3.Options{AccessKey: "WRONG", SecretKey: bucket.SecretKey}, engine.CodeInvalid, "refuses the credentials"},
		"wrong secret key":      {bucket.Address(""), s3.Options{AccessKey: bucket.AccessKey, SecretKey: "wrong"}, engine.CodeInvalid, "refuses the credentials"},
		"nobody listens":        {bucket.AddressAt("http://127.0.0.1:"+executable.Port(t), ""), right, engine.CodeUnavailable, "can't be reached"},
		"no such host":          {bucket.AddressAt("https://s3.invalid", ""), right, engine.CodeUnavailable, "can't be reached"},
		"no HTTPS":              {bucket.AddressAt("https"+strings.TrimPrefix(bucket.Endpoint, "http"), ""), right, engine.CodeUnavailable, "can't be reached"},
		"no S3 server":          {bucket.AddressAt(web.URL, ""), right, engine.CodeInvalid, ""},
		"small parts":           {bucket.Address(""), s3.Options{PartSize: 1 << 20}, engine.CodeInvalid, "part size"},
		"address without a URL": {"bucket", right, engine.CodeInvalid, "must begin with s3://"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := s3.Open(t.Context(), c.address, c.options)
			requireSentence(t, bucket, err, c.code, c.words)
		})
	}
}

// Open says which right is missing, and leaves no object.
func TestOpenRights(t *testing.T) {
	t.Parallel()
	for method, words := range map[string]string{"GET": "may not list", "PUT": "may not write", "DELETE": "may not delete"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			p := startProxy(t, s3test.New(t))
			p.on(func(w http.ResponseWriter, r *http.Request) bool {
				return r.Method == method && refuse(w, http.StatusForbidden, "AccessDenied")
			}, nil)
			_, err := s3.Open(t.Context(), p.bucket.AddressAt(p.url, ""), s3.Options{AccessKey: p.bucket.AccessKey, SecretKey: p.bucket.SecretKey})
			requireSentence(t, p.bucket, err, engine.CodeInvalid, words)
			if method != "DELETE" {
				require.Empty(t, p.bucket.Keys(t))
			}
		})
	}
}

// Open refuses a store that ignores If-None-Match.
func TestOpenUnconditional(t *testing.T) {
	t.Parallel()
	p := startProxy(t, s3test.New(t))
	p.on(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("If-None-Match") == "" {
			return false
		}
		w.Header().Set("ETag", `"x"`)
		w.WriteHeader(http.StatusOK)
		return true
	}, nil)
	_, err := s3.Open(t.Context(), p.bucket.AddressAt(p.url, ""), s3.Options{AccessKey: p.bucket.AccessKey, SecretKey: p.bucket.SecretKey})
	requireSentence(t, p.bucket, err, engine.CodeInvalid, "If-None-Match")
}

// Open leaves nothing in the bucket, and a deleted bucket is not ready.
func TestReady(t *testing.T) {
	t.Parallel()
	bucket := s3test.New(t)
	b := openAt(t, bucket, bucket.Address("p"), s3.Options{})
	require.Empty(t, bucket.Keys(t))
	require.NoError(t, b.Ready(t.Context()))
	require.Equal(t, bucket.Address("p"), b.Address())
	require.NoError(t, bucket.Client(t).RemoveBucket(t.Context(), bucket.Name))
	requireCode(t, engine.CodeUnavailable, b.Ready(t.Context()))
}

// Credentials come from the environment if there are none in Options.
func TestEnvironment(t *testing.T) { //nolint:paralleltest // it sets environment variables
	bucket := s3test.New(t)
	t.Setenv("AWS_ACCESS_KEY_ID", bucket.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", bucket.SecretKey)
	b, err := s3.Open(t.Context(), bucket.Address(""), s3.Options{})
	require.NoError(t, err)
	require.NoError(t, b.Close())
}

// Inspect reports each check by itself, so that all missing rights are seen at once, and leaves what it may not delete.
func TestInspect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  func(w http.ResponseWriter, r *http.Request) bool
		failed map[string]string // check → words of its error
		checks int
	}{
		"all is right": {nil, nil, 6},
		"no list": {func(w http.ResponseWriter, r *http.Request) bool {
			return r.Method == "GET" && refuse(w, http.StatusForbidden, "AccessDenied")
		}, map[string]string{"list": "may not list"}, 6},
		"no write": {func(w http.ResponseWriter, r *http.Request) bool {
			return r.Method == "PUT" && refuse(w, http.StatusForbidden, "AccessDenied")
		}, map[string]string{"write": "may not write"}, 3},
		"no list and no delete": {func(w http.ResponseWriter, r *http.Request) bool {
			return (r.Method == "GET" || r.Method == "DELETE") && refuse(w, http.StatusForbidden, "AccessDenied")
		}, map[string]string{"list": "may not list", "delete": "may not delete"}, 6},
		"no copies": {func(w http.ResponseWriter, r *http.Request) bool {
			return isCopy(r) && refuse(w, http.StatusNotImplemented, "NotImplemented")
		}, map[string]string{"copy": "status 501"}, 6},
		"no conditions": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("If-None-Match") != "" {
				w.Header().Set("ETag", `"x"`)
				return true
			}
			return false
		}, map[string]string{"once": "If-None-Match"}, 6},
		"no store": {func(w http.ResponseWriter, _ *http.Request) bool {
			return refuse(w, http.StatusServiceUnavailable, "SlowDown")
		}, map[string]string{"list": "can't be reached"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startProxy(t, s3test.New(t))
			p.on(c.fault, nil)
			found, err := s3.Inspect(t.Context(), p.bucket.AddressAt(p.url, "p"), s3.Options{AccessKey: p.bucket.AccessKey, SecretKey: p.bucket.SecretKey})
			require.NoError(t, err)
			require.Len(t, found, c.checks, "%+v", found)
			failed := map[string]string{}
			for _, f := range found {
				require.True(t, f.Err != nil || f.Found != "", "%+v", f)
				require.Empty(t, f.Warning)
				if f.Err != nil {
					requireSentence(t, p.bucket, f.Err, engine.CodeOf(f.Err), c.failed[f.Name])
					failed[f.Name] = c.failed[f.Name]
				}
			}
			require.Len(t, failed, len(c.failed), "%+v", found)
			p.on(nil, nil)
			if c.failed["delete"] == "" {
				require.Empty(t, p.bucket.Keys(t))
			}
		})
	}
	_, err := s3.Inspect(t.Context(), "ftp://x", s3.Options{})
	requireCode(t, engine.CodeInvalid, err)
}

// Inspect warns of a clock that differs from the store's.
func TestInspectClock(t *testing.T) {
	t.Parallel()
	for name, difference := range map[string]time.Duration{"ahead": time.Minute, "behind": -time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startProxy(t, s3test.New(t))
			p.on(nil, func(r *http.Response) error {
				r.Header.Set("Date", time.Now().Add(difference).UTC().Format(http.TimeFormat))
				return nil
			})
			found, err := s3.Inspect(t.Context(), p.bucket.AddressAt(p.url, "p"), s3.Options{AccessKey: p.bucket.AccessKey, SecretKey: p.bucket.SecretKey})
			require.NoError(t, err)
			last := found[len(found)-1]
			require.Equal(t, "clock", last.Name)
			require.Contains(t, last.Warning, "NTP")
			require.Regexp(t, `differ by about (59s|1m0s)`, last.Found)
		})
	}
}
