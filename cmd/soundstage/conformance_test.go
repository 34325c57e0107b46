package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A sandbox conforms, with its own secrets as the default. The report contains the selected statements.
func TestConformance(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it runs the whole suite")
	needFFmpeg(t)
	s, err := emulator.New(t.Context(), emulator.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	code, out, errOut := cli(t, "conformance", "--base-url", s.URL(), "--only", "spaces.*,space.*,auth.missing-401,tiers.spaces,isolation.spaces-list", "--format", "json")
	require.Zero(t, code, errOut)
	var report struct {
		Results []struct{ ID, Outcome string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.Len(t, report.Results, 10)
	for _, r := range report.Results {
		require.Equal(t, "pass", r.Outcome, r.ID)
	}
	code, out, _ = cli(t, "conformance", "--base-url", s.URL(), "--only", "space.field.id")
	require.Zero(t, code)
	require.Contains(t, out, "1 statements in ")
}

// A failed specified statement exits with 6, and the report contains no secret.
func TestConformanceFails(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"spaces":[{"id":"1","name":"` + req.Header.Get("Authorization") + `"}],"count":1}`))
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "secrets")
	require.NoError(t, os.WriteFile(file, []byte("# ours\n\nplatform sk_of_our_own\ncore sk_of_another\n"), 0o600))
	code, out, errOut := cli(t, "conformance", "--base-url", server.URL, "--secret-file", file, "--only", "space.field.*")
	require.Equal(t, 6, code, errOut)
	require.Contains(t, out, "FAIL space.field.language (specified)")
	require.Contains(t, out, "[secret]")
	require.NotContains(t, out+errOut, "sk_of_our_own")
	require.Contains(t, errOut, "1 statement fails")

	code, _, errOut = cli(t, "conformance", "--base-url", server.URL, "--secret-file", file, "--only", "space.field.id", "--strict")
	require.Zero(t, code, errOut)
}

// Each kind of wrong command line or unusable server has its own message and exit code.
func TestConformanceRefusals(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer refusing.Close()
	file := filepath.Join(t.TempDir(), "secrets")
	require.NoError(t, os.WriteFile(file, []byte("gold sk_of_our_own\n"), 0o600))
	open := filepath.Join(t.TempDir(), "open")
	require.NoError(t, os.WriteFile(open, []byte("platform sk_of_our_own\n"), 0o600))
	require.NoError(t, os.Chmod(open, 0o640))
	for line, want := range map[string]struct {
		code int
		says string
	}{
		"":                                   {2, "--base-url is required"},
		"--base-url nowhere --secret x":      {2, "not a valid base URL"},
		"--base-url https://api.example.com": {2, "SOUNDSTAGE_SECRET"},
		"--base-url " + closed.URL + " --format pdf":           {2, `Unknown report format "pdf"`},
		"--base-url " + closed.URL + " --timeout 0s":           {2, "--timeout"},
		"--base-url " + closed.URL + " --only people.*":        {2, `No statement matches "people.*"`},
		"--base-url " + closed.URL + " --secret-file /nothing": {2, "secret file"},
		"--base-url " + closed.URL + " --secret-file " + file:  {2, "Line 1"},
		"--base-url " + closed.URL + " --secret-file " + open:  {2, "Other users can read the secret file"},
		"--base-url " + closed.URL:                             {7, "does not answer"},
		"--base-url " + refusing.URL:                           {9, "rejects the secret"},
		"--base-url " + closed.URL + " surplus":                {2, "expected no arguments (got 1 argument)"},
	} {
		code, out, errOut := cli(t, append([]string{"conformance"}, strings.Fields(line)...)...)
		require.Equal(t, want.code, code, "%s: %s", line, errOut)
		require.Empty(t, out, line)
		require.Contains(t, errOut, want.says, line)
	}
}

// Without flags, the address and the secret come from the environment.
func TestConformanceEnvironment(t *testing.T) {
	t.Setenv("SOUNDSTAGE_SECRET", "sk_of_the_environment")
	var seen string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		seen = req.Header.Get("Authorization")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	t.Setenv("SOUNDSTAGE_URL", server.URL)
	code, _, _ := cli(t, "conformance")
	require.Equal(t, 9, code)
	require.Equal(t, "Bearer sk_of_the_environment", seen)
}
