package main

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
)

func newKeys(std streams) *cobra.Command {
	var at keyPlace
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Create, list, and delete API keys of a data folder or a database",
		Long: `Creates, lists, and deletes API keys of a data folder (serve --data) or of a database (serve --database). A secret is shown once,
when it is created; only its SHA-256 is stored. No sandbox may be running on the folder; nodes may be running on the database.

In a database, each key belongs to an account: an account has its own spaces, recordings, and storage limit. create creates the
account, with one user and one space, if there is none with the id of --account. Without --account, it is the default account.`,
		Example: `  soundstage keys create --data ./sandbox --tier core --name ci
  soundstage keys list --data ./sandbox
  soundstage keys delete --data ./sandbox KEY_ID
  soundstage keys create --database postgres://soundstage@db/soundstage --tier platform --name ci`,
		Args: rejectUnknown,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	at.add(cmd.PersistentFlags())

	var tier, name string
	create := &cobra.Command{
		Use:   "create",
		Short: "Create a key and show its secret, once",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(engine.Tiers(), engine.Tier(tier)) {
				return unknownValue("keys", "tier", tier, engine.Tiers())
			}
			return at.open(cmd, true, func(ctx context.Context, e *engine.Engine, c engine.Caller) error {
				key, secret, err := e.CreateKey(ctx, c, engine.NewKey{Name: name, Tier: engine.Tier(tier)})
				if err != nil {
					return err
				}
				fmt.Fprintln(std.out, secret)
				fmt.Fprintf(std.err, "Created key %s (tier %s). The secret above is not shown again.\n", key.ID, key.Tier)
				return nil
			})
		},
	}
	create.Flags().StringVar(&tier, "tier", string(engine.TierPlatform), "`tier`: none, core, automation, or platform")
	create.Flags().StringVar(&name, "name", "", "`name` that identifies the key in lists")

	list := &cobra.Command{
		Use:   "list",
		Short: "List the keys, without their secrets",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return at.open(cmd, false, func(ctx context.Context, e *engine.Engine, c engine.Caller) error {
				keys, err := e.ListKeys(ctx, c)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tTIER\tSECRET\tCREATED\tNAME")
				for _, k := range keys {
					fmt.Fprintf(w, "%s\t%s\t…%s\t%s\t%s\n", k.ID, k.Tier, k.Last4, k.CreatedAt.Format(time.RFC3339), k.Name)
				}
				return w.Flush()
			})
		},
	}

	remove := &cobra.Command{
		Use:   "delete KEY_ID",
		Short: "Delete a key; its secret is rejected from then on",
		Args:  exactArgs(1, "the id of a key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return at.open(cmd, false, func(ctx context.Context, e *engine.Engine, c engine.Caller) error {
				return e.DeleteKey(ctx, c, engine.KeyID(args[0]))
			})
		},
	}
	cmd.AddCommand(create, list, remove)
	return cmd
}
