package main

import (
	"context"

	"github.com/spf13/cobra"

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
	address, err := d.storage.address(cmd)
	if err != nil {
		return []finding{failedCheck("database", err, 0)}
	}
	return findings(node.CheckDatabase(ctx, address))
}

func (d doctor) checkObjects(ctx context.Context, cmd *cobra.Command) []finding {
	ctx, cancel := d.withTimeout(ctx)
	defer cancel()
	if err := refusePassword(cmd, "objects", d.storage.objects, objectsHint); err != nil {
		return []finding{failedCheck("storage", err, 0)}
	}
	return findings(node.CheckObjects(ctx, d.storage.objects))
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
