package engine_test

import (
	"flag"
	"os"
	"os/exec"
	"testing"
)

// TestMain skips the Example where ffmpeg is missing, unless in CI: it can't skip itself, and its panic would end the other tests.
func TestMain(m *testing.M) {
	flag.Parse()
	if _, err := exec.LookPath("ffmpeg"); err != nil && os.Getenv("CI") != "true" && flag.Lookup("test.skip").Value.String() == "" {
		_ = flag.Set("test.skip", "^Example$")
	}
	os.Exit(m.Run())
}
