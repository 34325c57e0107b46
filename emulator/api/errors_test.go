package api

import (
	"log/slog"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// Errors have the body for their kind. A 4xx and 501 give a reason; the causes of other 5xx are logged.
func TestFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err          error
		status       int
		body         string
		reason, logs bool
	}{
		"general":     {engine.Errorf(engine.CodeNotFound, "op", "No."), 404, `{"error":"No."}`, true, false},
		"unknown":     {engine.Errorf("mystery", "op", "No."), 500, "", false, true},
		"internal":    {engine.Errorf(engine.CodeInternal, "op", "No."), 500, "", false, true},
		"unavailable": {engine.Errorf(engine.CodeUnavailable, "op", "Later."), 503, "", false, true},
		"unsupported": {engine.Errorf(engine.CodeUnsupported, "op", "Never."), 501, "", true, true},
		"tier": {requireTier(engine.Caller{Tier: engine.TierCore}, engine.TierPlatform), 403,
			`{"error":"This operation requires the platform tier; your plan has core.","required_tier":"platform","current_tier":"core"}`, true, false},
		"fields": {engine.Errorf(engine.CodeInvalid, "op", "x").Because(input.FieldErrors{"url": {"is invalid"}}), 400,
			`{"errors":{"url":["is invalid"]},"valid":false}`, true, false},
	} {
		var log strings.Builder
		a := &api{log: slog.New(slog.NewTextHandler(&log, nil))}
		w := httptest.NewRecorder()
		a.fail(w, httptest.NewRequest("GET", "/v1/spaces", nil), c.err)
		require.Equal(t, c.status, w.Code, name)
		require.Equal(t, strconv.Itoa(w.Body.Len()), w.Header().Get("Content-Length"), name)
		if c.body != "" {
			require.JSONEq(t, c.body, w.Body.String(), name)
		}
		require.Equal(t, c.reason, w.Header().Get(reasonHeader) != "", name)
		require.Equal(t, c.logs, log.String() != "", name)
		require.Empty(t, w.Header().Get("WWW-Authenticate"), name)
	}
}

// The challenge has an error code only if the request had credentials.
func TestChallenge(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{"": `Bearer realm="soundstage"`, "Bearer x": `Bearer realm="soundstage", error="invalid_token"`} {
		w := httptest.NewRecorder()
		req := httptest.NewRequest("GET", "/v1/spaces", nil)
		if header != "" {
			req.Header.Set("Authorization", header)
		}
		(&api{}).fail(w, req, engine.Errorf(engine.CodeUnauthenticated, "op", "No."))
		require.Equal(t, want, w.Header().Get("WWW-Authenticate"))
	}
}

// Errors before the API have the format of the path, and a hint of printable ASCII.
func TestErrorsBeforeTheAPI(t *testing.T) {
	t.Parallel()
	err := engine.Errorf(engine.CodeRateLimited, "op", "Slow down.").WithHint("Say “no”\nand ü~ .")
	for path, want := range map[string]string{
		"/v1/spaces":  `{"error":"Slow down."}`,
		"/storage/o":  "<?xml version='1.0' encoding='UTF-8'?><Error><Code>SlowDown</Code><Message>Slow down.</Message></Error>",
		"/storage":    `{"error":"Slow down."}`,
		"/else":       `{"error":"Slow down."}`,
		"/v1/storage": `{"error":"Slow down."}`,
	} {
		w := httptest.NewRecorder()
		WriteErrorFor(w, httptest.NewRequest("PUT", path, nil), err)
		require.Equal(t, 429, w.Code)
		require.Equal(t, want, strings.TrimSpace(w.Body.String()), path)
		require.Equal(t, `Say "no" and  ~ .`, w.Header().Get("X-Soundstage-Hint"), path)
		require.NotEmpty(t, w.Header().Get(reasonHeader), path)

		w = httptest.NewRecorder()
		Refuse(w, httptest.NewRequest("PUT", path, nil), "the rule", err)
		require.Equal(t, "the rule: Slow down.", w.Header().Get(reasonHeader))
		require.Equal(t, 429, w.Code)
		require.Equal(t, strings.Replace(want, "SlowDown", "AccessDenied", 1), strings.TrimSpace(w.Body.String()), path)
		require.Equal(t, `Say "no" and  ~ .`, w.Header().Get("X-Soundstage-Hint"), path)
	}
	w := httptest.NewRecorder()
	WriteErrorFor(w, httptest.NewRequest("GET", "/v1/spaces", nil), engine.Errorf(engine.CodeInternal, "op", "No."))
	require.Empty(t, w.Header().Get(reasonHeader))
}

// Each code has its storage code; an expired URL has its own.
func TestStorageErrors(t *testing.T) {
	t.Parallel()
	for code, want := range map[engine.Code]string{
		engine.CodeForbidden: "SignatureDoesNotMatch", engine.CodeTooLarge: "EntityTooLarge", engine.CodeNotFound: "NoSuchKey",
		engine.CodeConflict: "PreconditionFailed", engine.CodeCanceled: "RequestTimeout", engine.CodeNoSpace: "InsufficientStorage",
		engine.CodeInvalid: "InvalidArgument", engine.CodeRateLimited: "SlowDown", engine.CodeInternal: "InternalError", engine.CodeUnavailable: "ServiceUnavailable",
	} {
		require.Equal(t, want, storageErrorOf(engine.Errorf(code, "op", "No.")).Code)
	}
	require.Equal(t, "ExpiredToken", storageErrorOf(engine.Errorf(engine.CodeForbidden, "op", "No.").WithRule("upload.expired")).Code)
}

// The world of a storage request is what precedes the separator.
func TestWorldOfObject(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"/storage/w~o": "w", "/storage/o": "", "/storage/w~a~b": "w", "/v1/w~o": "", "/storage/~o": ""} {
		require.Equal(t, want, WorldOfObject(httptest.NewRequest("GET", path, nil)), path)
	}
	for _, a := range []*api{{}, {world: "w"}} {
		require.Equal(t, "o", a.idOf(a.object("o")))
	}
	require.Equal(t, "w~o", (&api{world: "w"}).object("o"))
}

// ensureReason adds a reason to a refusal without one, and to nothing else.
func TestEnsureReason(t *testing.T) {
	t.Parallel()
	req := httptest.NewRequest("GET", "/v1/spaces", nil)
	for status, want := range map[int]bool{200: false, 399: false, 400: true, 404: true, 499: true, 500: false, 501: true, 502: false} {
		w := httptest.NewRecorder()
		ensureReason(w, req, status)
		require.Equal(t, want, w.Header().Get(reasonHeader) != "", status)
	}
	w := httptest.NewRecorder()
	w.Header().Set(reasonHeader, "mine")
	ensureReason(w, req, 404)
	require.Equal(t, []string{"mine"}, w.Header().Values(reasonHeader))
}

// A secret that is rate-limited gets the headers that say when to try again.
func TestRefusedSecret(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.Config{Store: memory.NewStore(), Blobs: memory.NewBlobs()})
		require.NoError(t, err)
		a := &api{engine: e, refuse: func(string, string) error { return engine.Errorf(engine.CodeRateLimited, "op", "Too fast.") }}
		w := httptest.NewRecorder()
		require.Error(t, a.refuseSecret(w, httptest.NewRequest("GET", "/v1/spaces", nil)))
		require.Equal(t, strconv.FormatInt(time.Now().Unix()+1, 10), w.Header().Get("X-RateLimit-Reset"))
		require.Equal(t, []string{"1", "0", "1"}, []string{w.Header().Get("X-RateLimit-Limit"), w.Header().Get("X-RateLimit-Remaining"), w.Header().Get("Retry-After")})
	})
}

// Usage counts started minutes.
func TestStartedMinutes(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]int64{0: 0, time.Nanosecond: 1, time.Minute: 1, time.Minute + 1: 2, 2 * time.Minute: 2} {
		require.Equal(t, want, startedMinutes(d), d)
	}
}

// A recording of a feed has the entry of the feed.
func TestWireOfFeed(t *testing.T) {
	t.Parallel()
	n := 7
	w := wireOfRecording(engine.Recording{RSS: &engine.RSS{GUID: "a", PublishedAt: time.Unix(0, 0), EpisodeNumber: &n}}, engine.Space{})
	require.Equal(t, &wireRSS{GUID: "a", PublishedAt: "1970-01-01T00:00:00Z", EpisodeNumber: &n}, w.RSS)
}

// A recording's minutes are rounded half up, to at least one.
func TestMinutes(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]int64{0: 0, 1: 1, 29 * time.Second: 1, 90*time.Second - 1: 1, 90 * time.Second: 2} {
		require.Equal(t, want, minutes(d), d)
	}
}
