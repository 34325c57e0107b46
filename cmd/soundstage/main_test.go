package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain runs the program instead of the tests if SOUNDSTAGE_TEST_MAIN is set, so that tests can start it as a process. Its clock differs
// from the machine's by SOUNDSTAGE_TEST_CLOCK.
func TestMain(m *testing.M) {
	main := func() int {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		context.AfterFunc(ctx, stop)
		return run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	}
	switch os.Getenv("SOUNDSTAGE_TEST_MAIN") {
	case "1":
		if by, err := time.ParseDuration(os.Getenv("SOUNDSTAGE_TEST_CLOCK")); err == nil {
			if err := shiftClock(by); err != nil {
				panic(err)
			}
		}
		os.Exit(main())
	case "worker":
		os.Exit(runWorker(os.Args[1], os.Args[2]))
	case "cluster":
		os.Exit(runCluster(os.Args[1]))
	case "offline":
		os.Exit(runOffline(main))
	}
	os.Exit(inBuildDir(m.Run))
}

// buildDir is the folder for programs that tests build once and share.
var buildDir string

func inBuildDir(run func() int) int {
	var err error
	if buildDir, err = os.MkdirTemp("", "soundstage-test-"); err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(buildDir) }()
	return run()
}

func needFFmpeg(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("ffmpeg is missing: run `make setup`")
		}
		t.Skip("ffmpeg is missing: run `make setup`")
	}
}

// cli runs a command line in this process.
func cli(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), args, streams{strings.NewReader(""), &o, &e})
	return code, o.String(), e.String()
}

func testdata(name string) string { return filepath.Join("..", "..", "testdata", name) }
