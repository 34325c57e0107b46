package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/node"
)

// checkNode checks the database and the object storage that the flags choose. Nothing is migrated.
func (d doctor) checkNode(ctx context.Context, cmd *cobra.Command) (all []finding) {
	if d.storage.wanted() {
		all = append(all, d.checkDatabase(ctx, cmd)...)
	}
	if d.storage.objects != "" {
		all = append(all, d.checkObjects(ctx, cmd)...)
	}
	return all
}

func (d doctor) checkDatabase(ctx context.Context, cmd *cobra.Command) []finding {
	ctx, cancel := d.withTimeout(ctx)
	defer cancel()
	begun := time.Now()
	address, err := d.storage.address(cmd)
	var have, want int
	if err == nil {
		have, want, err = node.Schema(ctx, address)
	}
	if err == nil && have != want {
		err = schemaError(have, want)
	}
	if err != nil {
		return []finding{failedCheck("database", err, time.Since(begun))}
	}
	store, err := node.OpenStore(ctx, address)
	if err != nil {
		return []finding{failedCheck("database", err, time.Since(begun))}
	}
	return withClose(findings(node.CheckStore(ctx, store)), "database", store)
}

func (d doctor) checkObjects(ctx context.Context, cmd *cobra.Command) []finding {
	ctx, cancel := d.withTimeout(ctx)
	defer cancel()
	begun := time.Now()
	err := refusePassword(cmd, "objects", d.storage.objects, objectsHint)
	var blobs engine.Blobs
	if err == nil {
		blobs, err = node.OpenBlobs(ctx, d.storage.objects)
	}
	if err != nil {
		return []finding{failedCheck("storage", err, time.Since(begun))}
	}
	return withClose(findings(node.CheckBlobs(ctx, blobs)), "storage", blobs)
}

func findings(checks []node.Check) (all []finding) {
	for _, c := range checks {
		f := finding{Check: c.Name, Status: statusOK, Found: c.Found, TookMS: c.Took.Milliseconds()}
		switch {
		case c.Err != nil:
			f = failedCheck(c.Name, c.Err, c.Took)
		case c.Warning != "":
			f.Status, f.Hints = statusWarning, []string{c.Warning}
		}
		all = append(all, f)
	}
	return all
}

// withClose closes what was checked, and adds the error.
func withClose(all []finding, name string, part any) []finding {
	if err := node.Close(part); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		all = append(all, failedCheck(name, err, 0))
	}
	return all
}
