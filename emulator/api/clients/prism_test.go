//go:build !race

package clients_test

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Prism, an independent validator, objects to no exchange between the sandbox and its clients.
func TestValidatingProxy(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts an npm proxy")
	cli := script(t, "@stoplight/prism-cli/dist/index.js")
	s := newSandbox(t)
	g, url := newPrismProxy(t, s.url, func(upstream string) string { return startPrism(t, cli, upstream) })
	requireDetection(t, g, url)

	_, err := program{name: goScenario(t), env: s.environment(t, url)}.output(t)
	requireNoObjections(t, g, err)

	_, err = program{name: soundstage(t), args: []string{
		"conformance", "--base-url", url, "--secret", "sk_sandbox_platform", "--secret-automation", "sk_sandbox_automation",
		"--secret-core", "sk_sandbox_core", "--secret-none", "sk_sandbox_none", "--secret-other", "sk_sandbox_other",
	}}.output(t)
	requireNoObjections(t, g, err)
}

// requireNoObjections requires that a program succeeded, many exchanges went through Prism, and Prism had no objections.
func requireNoObjections(t *testing.T, g *prismProxy, err error) {
	t.Helper()
	through, objections := g.takeObjections()
	require.Empty(t, strings.Join(objections, "\n"))
	require.NoError(t, err)
	require.Greater(t, through, 40)
	t.Logf("%d exchanges went through Prism", through)
}

// requireDetection requires that the proxy objects to an invalid response and to an invalid request that is not rejected.
func requireDetection(t *testing.T, g *prismProxy, url string) {
	t.Helper()
	for path, what := range map[string]string{"/v1/spaces": "response.body", "/v1/recordings?limit=none": "request.query.limit"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+path, nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
		req.Header.Set(invalidHeader, "yes")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		through, objections := g.takeObjections()
		require.Equal(t, 1, through)
		require.Contains(t, strings.Join(objections, "\n"), what)
	}
}

// startPrism starts Prism in front of a server and returns its URL when it listens.
func startPrism(t *testing.T, cli, server string) string {
	t.Helper()
	spec, err := filepath.Abs(specFile)
	require.NoError(t, err)
	port := executable.Port(t)
	log := &serverOutput{listening: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "node", cli, "proxy", spec, server, "-h", "127.0.0.1", "-p", port)
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // if Prism ends, requests fail
		close(ended)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		if t.Failed() {
			t.Logf("prism:\n%s", log.String())
		}
	})
	select {
	case <-log.listening:
	case <-ended:
		require.FailNow(t, "Prism ended", "%s", log.String())
	case <-time.After(patience):
		require.FailNow(t, "Prism does not listen", "%s", log.String())
	}
	return fmt.Sprintf("http://127.0.0.1:%s", port)
}
