package proxy_test

import (
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/emulator/drift"
	"github.com/soundstage-dev/soundstage/emulator/proxy"
	"github.com/soundstage-dev/soundstage/emulator/record"
)

// The conformance suite passes through the proxy, and the drift report of the sandbox that it ran against is empty.
func TestSuiteThroughProxy(t *testing.T) {
	t.Parallel()
	if os.Getenv("LONG") == "" {
		t.Skip("it runs the whole suite: set LONG=1")
	}
	s, err := emulator.New(t.Context(), emulator.Options{AllowPrivateURLs: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	checker, err := drift.New()
	require.NoError(t, err)
	r, err := record.Create(t.TempDir(), record.Options{To: s.URL(), Seen: func(x *record.Exchange) { checker.Add(x) }})
	require.NoError(t, err)
	p, err := proxy.New(proxy.Config{To: s.URL(), Recorder: r})
	require.NoError(t, err)
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	report, err := conformance.Run(t.Context(), conformance.Config{
		BaseURL: server.URL, Secret: "sk_sandbox_platform", SecretCore: "sk_sandbox_core", SecretAutomation: "sk_sandbox_automation",
		SecretNone: "sk_sandbox_none", SecretOther: "sk_sandbox_other",
	})
	require.NoError(t, err)
	for _, f := range report.Failures(true) {
		t.Errorf("%s: expected %s, got %s", f.ID, f.Expected, f.Got)
	}
	server.Close()
	_, err = r.Close()
	require.NoError(t, err)
	d := checker.Report(s.URL())
	require.NoError(t, d.Write(os.Stdout, "text"))
	require.Empty(t, d.Findings)
}
