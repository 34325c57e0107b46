package conformance_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/engine"
)

// An invalid config and an unreachable server return an error with a code and a message.
func TestBadConfig(t *testing.T) {
	t.Parallel()
	good := config("http://127.0.0.1:9")
	for name, c := range map[string]struct {
		change func(*conformance.Config)
		code   engine.Code
	}{
		"no base URL":             {func(c *conformance.Config) { c.BaseURL = "" }, engine.CodeInvalid},
		"a file as base URL":      {func(c *conformance.Config) { c.BaseURL = "file:///v1" }, engine.CodeInvalid},
		"a base URL with query":   {func(c *conformance.Config) { c.BaseURL += "/?a=b" }, engine.CodeInvalid},
		"no secret":               {func(c *conformance.Config) { c.Secret = "" }, engine.CodeInvalid},
		"a secret with a newline": {func(c *conformance.Config) { c.SecretCore = "a\nb" }, engine.CodeInvalid},
		"a file as media URL":     {func(c *conformance.Config) { c.MediaURL = "talk.mp3" }, engine.CodeInvalid},
		"a malformed pattern":     {func(c *conformance.Config) { c.Only = "recordings.[" }, engine.CodeInvalid},
		"an unknown statement":    {func(c *conformance.Config) { c.Only = "recordings.*,recording.colour" }, engine.CodeInvalid},
		"a negative timeout":      {func(c *conformance.Config) { c.Timeout = -time.Second }, engine.CodeInvalid},
		"no server":               {func(*conformance.Config) {}, engine.CodeDownload},
	} {
		broken := good
		c.change(&broken)
		_, err := conformance.Run(t.Context(), broken)
		require.Equal(t, c.code, engine.CodeOf(err), "%s: %v", name, err)
		require.NotEmpty(t, engine.Message(err), name)
	}
}

// A server that rejects the secret returns CodeUnauthenticated, not a report.
func TestSecretIsRefused(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer s.Close()
	_, err := conformance.Run(t.Context(), config(s.URL))
	require.Equal(t, engine.CodeUnauthenticated, engine.CodeOf(err))
}

// Servers of another kind (errors, pages, redirects, unexpected JSON) don't conform and cause no error.
func TestStrangeServers(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"404 for every path": http.NotFound,
		"500 for every path": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"a page":             func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<!doctype html>")) },
		"a redirect": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/")
			w.WriteHeader(http.StatusFound)
		},
		"null":               func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("null")) },
		"an empty object":    func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) },
		"an array of arrays": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[[],[]]")) },
		"wrong types": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"recordings":7,"recording":[],"spaces":{"id":1},"id":{},"status":true,"space_id":[],"object_id":null,"upload_url":"::"}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(answer)
			defer s.Close()
			c := config(s.URL)
			c.Timeout = 50 * time.Millisecond
			report, err := conformance.Run(t.Context(), c)
			require.NoError(t, err)
			require.False(t, report.Conforms(false))
			require.Len(t, report.Results, len(conformance.Statements()))
		})
	}
}

// Canceling ctx ends a run that polls work that never finishes.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var polled atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if req.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
		} else if req.URL.Path != "/v1/spaces" {
			if polled.Add(1) == 3 {
				cancel()
			}
		}
		_, _ = w.Write([]byte(`{"id":"00000000-0000-4000-8000-000000000000","status":"processing"}`))
	}))
	defer s.Close()
	c := config(s.URL)
	c.Only, c.Workers = "transcripts.completes", 1
	_, err := conformance.Run(ctx, c)
	require.ErrorIs(t, err, context.Canceled)
}

// Config.Only limits the run to the selected statements.
func TestOnly(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"spaces":[{"id":"1","name":"One","language":"en"}],"count":1}`))
	}))
	defer s.Close()
	c := config(s.URL)
	c.Only = "space.field.*,spaces.list.count"
	report, err := conformance.Run(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, report.Results, 4)
	require.Equal(t, 4, report.Count(conformance.Specified, conformance.Pass))
	require.True(t, report.Conforms(true))
}
