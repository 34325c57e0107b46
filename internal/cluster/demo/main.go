// Command demo shows that a cluster survives the loss of a worker: `make demo-cluster`. It starts PostgreSQL, an S3 server, two API nodes
// behind a proxy, and two workers, and runs `soundstage demo` through the proxy. Then it kills the worker that renders and an API node,
// waits until the other worker has rendered the clip, and checks the clip with ffprobe. It ends everything that it started.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/soundstage-dev/soundstage/internal/cluster"
)

func main() {
	program := flag.String("program", "bin/soundstage", "path of soundstage")
	dir := flag.String("o", "demo-output", "output folder")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, *program, *dir)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "demo: interrupted")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// run starts a cluster and tells the story.
func run(ctx context.Context, program, dir string) error {
	s := &story{start: time.Now(), program: program, dir: dir}
	s.say("Starting PostgreSQL, an S3 server, 2 API nodes behind a proxy, and 2 workers …")
	l, err := cluster.Start(ctx, cluster.Config{Program: program})
	if err != nil {
		return err
	}
	defer l.Stop()
	s.cluster, s.client = l, client{base: l.URL, secret: l.Secrets["platform"]}
	s.say("All of them are ready. The proxy is %s.", l.URL)
	if err := s.tell(ctx); err != nil {
		if ctx.Err() != nil {
			return err
		}
		for _, n := range append(l.APIs, l.Workers...) {
			fmt.Fprintf(os.Stderr, "Log of %s:\n%s\n", n.Name, n.Log())
		}
		return err
	}
	l.Stop()
	s.say("Stopped everything, and removed all files but those in %s.", dir)
	return nil
}
