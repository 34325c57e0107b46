// Command soundstage turns audio and video into transcripts, and serves the sandbox of the Transcription and Content Service.
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
	context.AfterFunc(ctx, stop) // the first signal drains, the second kills
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// run executes a command line and returns its exit code.
func run(ctx context.Context, args []string, std streams) int {
	root := newRoot(std, os.LookupEnv)
	root.SetArgs(append([]string{}, args...)) // of nil, cobra would take os.Args
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	var status exitStatus
	if !errors.As(err, &status) {
		fmt.Fprintln(std.err, explain(err)+variablesTold(root, err))
		return exitCode(err)
	}
	if status.says != "" {
		fmt.Fprintln(std.err, "soundstage: "+status.says)
	}
	return status.code
}
