package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

func newKeys(std streams) *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Make, list and delete API keys of a data folder",
		Long: `Makes, lists and deletes API keys of a data folder (serve --data). A secret is shown once, when it is made; only its
SHA-256 is kept. The sandbox must not be running on the folder meanwhile.`,
		Example: `  soundstage keys create --data ./sandbox --tier core --name ci
  soundstage keys list --data ./sandbox
  soundstage keys delete --data ./sandbox KEY_ID`,
		Args: noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&data, "data", "", "`folder` of the sandbox (required)")

	var tier, name string
	create := &cobra.Command{
		Use:   "create",
		Short: "Make a key and show its secret, once",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withKeys(cmd, data, func(ctx context.Context, e *engine.Engine, c engine.Caller) error {
				key, secret, err := e.CreateKey(ctx, c, engine.NewKey{Name: name, Tier: engine.Tier(tier)})
				if err != nil {
					return err
				}
				fmt.Fprintln(std.out, secret)
				fmt.Fprintf(std.err, "Key %s (tier %s). The secret above is not shown again.\n", key.ID, key.Tier)
				return nil
			})
		},
	}
	create.Flags().StringVar(&tier, "tier", string(engine.TierPlatform), "`tier`: none, core, automation or platform")
	create.Flags().StringVar(&name, "name", "", "`name`, to tell keys apart")

	list := &cobra.Command{
		Use:   "list",
		Short: "List the keys, without their secrets",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withKeys(cmd, data, func(ctx context.Context, e *engine.Engine, c engine.Caller) error {
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
		Short: "Delete a key; its secret is refused from then on",
		Args:  exactly(1, "the id of a key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withKeys(cmd, data, func(ctx context.Context, e *engine.Engine, c engine.Caller) error {
				return e.DeleteKey(ctx, c, engine.KeyID(args[0]))
			})
		},
	}
	cmd.AddCommand(create, list, remove)
	return cmd
}

// withKeys opens the data folder's store for fn.
func withKeys(cmd *cobra.Command, data string, fn func(context.Context, *engine.Engine, engine.Caller) error) (err error) {
	if data == "" {
		return usageError(cmd, errors.New("--data is needed: the folder of the sandbox"))
	}
	ctx := cmd.Context()
	if err := emulator.MakeDataDir(data); err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, filepath.Join(data, "soundstage.db"))
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := store.Close(); err == nil {
			err = closeErr
		}
	}()
	e, err := engine.New(engine.Config{Store: store, Blobs: memory.NewBlobs()})
	if err != nil {
		return err
	}
	owner, _, err := emulator.Accounts(ctx, e)
	if err != nil {
		return err
	}
	return fn(ctx, e, owner)
}
