package conformance_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/conformance"
)

func needFFmpeg(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("ffmpeg is missing: run `make setup`")
		}
		t.Skip("ffmpeg is missing: run `make setup`")
	}
}

// sandbox starts a sandbox on a real socket.
func sandbox(t *testing.T, o emulator.Options) *emulator.Server {
	t.Helper()
	needFFmpeg(t)
	s, err := emulator.New(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// config is that of a run against a sandbox, with all of its secrets.
func config(baseURL string) conformance.Config {
	return conformance.Config{
		BaseURL: baseURL, Secret: "sk_sandbox_platform", SecretCore: "sk_sandbox_core", SecretAutomation: "sk_sandbox_automation",
		SecretNone: "sk_sandbox_none", SecretOther: "sk_sandbox_other",
	}
}

// The sandbox conforms: no statement fails.
func TestSandboxConforms(t *testing.T) {
	t.Parallel()
	report, err := conformance.Run(t.Context(), config(sandbox(t, emulator.Options{AllowPrivateURLs: true}).URL()))
	require.NoError(t, err)
	for _, f := range report.Failures(true) {
		t.Errorf("%s (%s): expected %s, got %s: %+v", f.ID, f.Provenance, f.Expected, f.Got, f.Exchange)
	}
	for _, r := range report.Results {
		if r.Outcome == conformance.NotApplicable {
			t.Logf("%s: %s", r.ID, r.Why)
		}
	}
	t.Logf("took %v; pass %d", report.Took, report.Count(conformance.Specified, conformance.Pass))
}
