// Command peer writes or checks a database. A test builds it with the other driver, with or without cgo.
//
//	peer put FILE     writes the samples and exits without closing the database, like a killed process
//	peer check FILE   checks that the database has the samples
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, verb, path string) error {
	s, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	if verb == "put" {
		return enginetest.PutSamples(ctx, s)
	}
	if err := enginetest.CheckSamples(ctx, s); err != nil {
		return err
	}
	return s.Close()
}
