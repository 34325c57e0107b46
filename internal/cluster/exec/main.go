// Command exec starts a cluster, runs a command with its address and secrets in the environment, and stops the cluster:
//
//	go run ./internal/cluster/exec bin/soundstage conformance
//
// It is `soundstage exec` for many nodes. Its exit code is the command's.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/soundstage-dev/soundstage/internal/cluster"
)

func main() {
	public := flag.Bool("public", false, "refuse webhooks and downloads at private addresses")
	program := flag.String("program", "bin/soundstage", "path of soundstage")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: exec [-public] [-program soundstage] COMMAND [ARGUMENT…]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, cluster.Config{Program: *program, Public: *public}, flag.Args())
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(max(1, exit.ExitCode()))
	case err != nil:
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// run runs a command against a cluster.
func run(ctx context.Context, c cluster.Config, command []string) error {
	start := time.Now()
	l, err := cluster.Start(ctx, c)
	if err != nil {
		return err
	}
	defer l.Stop()
	fmt.Fprintf(os.Stderr, "cluster: ready at %s after %.1f s\n", l.URL, time.Since(start).Seconds())
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "SOUNDSTAGE_URL="+l.URL, "SOUNDSTAGE_SECRET_FILE="+l.SecretFile(), "SOUNDSTAGE_SECRET="+l.Secrets["platform"])
	return cmd.Run()
}
