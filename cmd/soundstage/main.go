// Command soundstage turns audio and video into transcripts and serves a sandbox of the Transcription and Content Service.
//
// Start with the demo, which needs only ffmpeg, or with the sandbox:
//
//	soundstage demo
//	soundstage serve
//
// soundstage --help lists the commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the first signal drains; the second kills the process
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// run executes a command line and returns its exit code.
func run(ctx context.Context, args []string, std streams) int {
	root := newRootFor(args, std, os.LookupEnv)
	root.SetArgs(append([]string{}, args...)) // never nil: cobra would then read os.Args
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	var status exitStatus
	if !errors.As(err, &status) {
		fmt.Fprintln(std.err, explain(err)+settingSources(root, err))
		return exitCode(err)
	}
	if status.message != "" {
		fmt.Fprintln(std.err, "soundstage: "+status.message)
	}
	return status.code
}
