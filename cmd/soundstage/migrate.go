package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/node"
)

func newMigrate(std streams) *cobra.Command {
	var d databaseFlags
	var check bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring a database to the schema of this version",
		Long: `Creates the tables of an empty database, or brings those of an older version up to date. Run it before the nodes of a new version
start. Nodes of the old version may go on meanwhile. Several migrations at the same time wait for each other, and one that is
interrupted can be repeated.

Exit codes: 0 the schema is the one of this version, 2 wrong flags, 4 the schema is newer, or with --check older, than this version,
5 the database can't be used.`,
		Example: `  soundstage migrate --database postgres://soundstage@db/soundstage
  soundstage migrate --database-file database.txt --check`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			address, err := d.address(cmd)
			if err != nil {
				return err
			}
			if check {
				return checkSchema(cmd.Context(), address, std)
			}
			from, to, err := node.Migrate(cmd.Context(), address)
			if err != nil {
				return err
			}
			if from == to {
				fmt.Fprintf(std.out, "schema %d: nothing to do\n", to)
				return nil
			}
			fmt.Fprintf(std.out, "schema %d → %d\n", from, to)
			return nil
		},
	}
	d.add(cmd.Flags())
	cmd.Flags().BoolVar(&check, "check", false, "change nothing; only report whether the schema is the one of this version")
	return cmd
}

// checkSchema prints the versions of the schema. CodeConflict if they differ.
func checkSchema(ctx context.Context, address string, std streams) error {
	have, want, err := node.Schema(ctx, address)
	if err == nil && have != want {
		err = schemaError(have, want)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "schema %d: nothing to do\n", have)
	return nil
}

func schemaError(have, want int) error {
	if have > want {
		return engine.Errorf(engine.CodeConflict, "migrate", "The database has schema %d, newer than schema %d of this version.", have, want).
			WithHint("Update soundstage.")
	}
	return engine.Errorf(engine.CodeConflict, "migrate", "The database has schema %d, older than schema %d of this version.", have, want).
		WithHint("Run soundstage migrate.")
}
