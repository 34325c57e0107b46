// Command mutate measures how well tests detect mistakes. It makes many small changes of a package, called mutants, and runs the tests
// against each. A mutant is killed if a test fails or times out; it survives if all tests pass. For example:
//
//	make mutate PKG=./engine/queue N=10 SEED=1
//
// It prints each survivor with its file and line, and a score for each file. The files of the checkout are never changed. All mutants of a
// package are compiled into one test program, and an environment variable selects one, so a mutant costs one run of the tests. Mutants
// that don't compile, and those listed with a reason in equivalent.txt, are undecided and don't count.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	sample int    // mutants of each file; 0 means all
	seed   uint64 // chooses the sample
	files  string // base names, separated by commas; "" means all
	with   []string
	page   string
	min    float64
}

func main() {
	var o options
	var with string
	flag.IntVar(&o.sample, "n", 10, "number of `mutants` of each file; 0 means all")
	flag.Uint64Var(&o.seed, "seed", 1, "the `number` that chooses the sample")
	flag.StringVar(&o.files, "files", "", "mutate only these files of the package, such as `a.go,b.go`")
	flag.StringVar(&with, "with", "", "further `packages` whose tests run after the package's own, such as './a ./b'")
	flag.StringVar(&o.page, "write", "", "write the package's scores to the table of this Markdown `page`")
	flag.Float64Var(&o.min, "min", 0, "fail if less than this `percentage` of a package's mutants is killed")
	flag.Parse()
	o.with = strings.Fields(with)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := mutate(ctx, os.Stdout, o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// mutate measures the packages that go list finds for the patterns, one after the other.
func mutate(ctx context.Context, out io.Writer, o options, patterns []string) error {
	if len(patterns) == 0 {
		return fmt.Errorf("name a package, such as ./engine/queue")
	}
	packages, err := list(ctx, patterns)
	if err != nil {
		return err
	}
	others, err := list(ctx, o.with)
	if err != nil {
		return err
	}
	for _, p := range packages {
		started := time.Now()
		r, err := measure(ctx, out, o, p, others)
		if err != nil {
			return fmt.Errorf("%s: %w", p.folder(), err)
		}
		fmt.Fprintf(out, "%s, %s\n\n", r.summary(), time.Since(started).Round(time.Second))
		if err := r.write(o); err != nil {
			return err
		}
		if killed, decided := r.total(); float64(killed)*100 < o.min*float64(decided) {
			return fmt.Errorf("%s: killed %d of %d mutants, fewer than %g %%", p.folder(), killed, decided, o.min)
		}
	}
	return nil
}
