package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sweep"
)

func newSweep(std streams) *cobra.Command {
	var s storageFlags
	var remove bool
	var age time.Duration
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Find the blobs that no row of a database needs, and remove them",
		Long: `Lists the blobs of the object storage of nodes that belong to finished work that doesn't need them, such as the video of a worker
that was killed: when each was stored, its bytes, and its key. It changes nothing without --remove. With it, it removes them, and what
writers left behind that died. Blobs of work in progress stay, and so do blobs without a row, which another database may own. Nodes of
this version may be running.

Exit codes: 0 done, 2 wrong flags, 5 the database or the object storage can't be used.`,
		Example: `  soundstage sweep --database-file database.url --objects 's3://bucket?region=eu-central-1'
  soundstage sweep --database-file database.url --objects 's3://bucket?region=eu-central-1' --remove --older-than 168h`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if age < sweep.MinAge {
				return engine.Errorf(engine.CodeInvalid, "sweep", "--older-than must be at least %s (got %s).", sweep.MinAge, age)
			}
			at, err := s.open(cmd.Context(), cmd, "")
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, at.close()) }()
			return runSweep(cmd.Context(), at, sweep.Options{Before: time.Now().Add(-age), DryRun: !remove}, std)
		},
	}
	s.add(cmd.Flags())
	f := cmd.Flags()
	f.BoolVar(&remove, "remove", false, "remove them, instead of only listing them")
	f.DurationVar(&age, "older-than", sweep.MinAge, "`age` that a blob must have, at least a day")
	setVariable(f, "remove", "sweep-remove")
	setVariable(f, "older-than", "sweep-older-than")
	return cmd
}

// runSweep prints what it finds, and then how much that is.
func runSweep(ctx context.Context, at *storage, o sweep.Options, std streams) error {
	o.Found = func(b engine.BlobInfo) {
		fmt.Fprintf(std.out, "%s %13d %s\n", b.ModTime.UTC().Format(time.RFC3339), b.Size, b.Key)
	}
	r, err := sweep.Run(ctx, at.store, at.blobs, o)
	if o.DryRun {
		fmt.Fprintf(std.err, "Blobs that nothing needs: %d, with %d bytes. Nothing was removed.\n", r.Blobs, r.Bytes)
	} else {
		fmt.Fprintf(std.err, "Removed blobs: %d, with %d bytes. Removed leftovers of dead writers: %d.\n", r.Blobs, r.Bytes, r.Writers)
	}
	if r.NoRow > 0 {
		fmt.Fprintf(std.err, "Blobs without a row, which stay: %d.\n", r.NoRow)
	}
	if o.DryRun && r.Blobs > 0 {
		fmt.Fprintln(std.err, "Set --remove to remove what nothing needs.")
	}
	return err
}
