package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator/snapshot"
	"github.com/soundstage-dev/soundstage/engine"
)

func newSnapshot(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshot",
		Short: "Save and restore the state of a sandbox",
		Long: `Saves the state of a running sandbox's world to one file, and restores a world from such a file: its rows, media, ids, seed, and
clock. A snapshot does not contain the request log, sent webhooks, faults, and the bindings of fixtures.`,
		Args: rejectUnknown,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSnapshotSave(std), newSnapshotLoad(std))
	return cmd
}

func newSnapshotSave(std streams) *cobra.Command {
	var from remote
	cmd := &cobra.Command{
		Use:   "save FILE",
		Short: "Save the state of a sandbox's world to a file",
		Long: `Saves the state of a running sandbox's world. The file is replaced atomically: on an error, an existing file stays unchanged.

Exit codes: 2 the file can't be written, 3 no such world, 4 the sandbox has a data folder, 5 no sandbox answers.`,
		Example: "  soundstage snapshot save before.soundstage",
		Args:    exactArgs(1, "a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			size, err := saveSnapshot(cmd.Context(), &from, args[0])
			if err == nil {
				fmt.Fprintf(std.out, "%s  %d bytes\n", args[0], size)
			}
			return err
		},
	}
	from.flags(cmd)
	return cmd
}

// saveSnapshot writes a temporary file next to path, and renames it to path when it is complete and synced.
func saveSnapshot(ctx context.Context, from *remote, path string) (size int64, err error) {
	res, err := from.open(ctx, http.MethodGet, "snapshot", nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return 0, unwritable(path, err)
	}
	defer func() {
		if err != nil {
			_ = errors.Join(temp.Close(), os.Remove(temp.Name()))
		}
	}()
	if size, err = io.Copy(temp, res.Body); err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return 0, engine.Errorf(engine.CodeUnavailable, "snapshot", "The snapshot download was interrupted; %s is unchanged.", path).Because(err)
	}
	if _, err = snapshot.Open(temp, size); err != nil {
		return 0, err
	}
	if err = errors.Join(temp.Sync(), temp.Close()); err != nil {
		return 0, unwritable(path, err)
	}
	if err = os.Rename(temp.Name(), path); err != nil {
		return 0, unwritable(path, err)
	}
	if folder, openErr := os.Open(filepath.Dir(path)); openErr == nil {
		_ = errors.Join(folder.Sync(), folder.Close()) // not supported on every system
	}
	return size, nil
}

func unwritable(path string, cause error) error {
	return engine.Errorf(engine.CodeInvalid, "snapshot", "The file %s can't be written.", path).WithHint("Choose a folder that you may write to.").Because(cause)
}

func newSnapshotLoad(std streams) *cobra.Command {
	var to remote
	cmd := &cobra.Command{
		Use:   "load FILE",
		Short: "Restore a sandbox's world from a saved file",
		Long: `Restores a running sandbox's world from a file that ` + "`soundstage snapshot save`" + ` wrote. The world keeps its name and its secrets.
If the file is invalid, the world is unchanged.

Exit codes: 2 the file is not a snapshot, truncated, damaged, or of a newer version, 3 no such file or world, 4 the sandbox has a
data folder, 5 no sandbox answers, 8 the file is too large.`,
		Example: "  soundstage snapshot load before.soundstage",
		Args:    exactArgs(1, "a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return fileError(args[0], err)
			}
			defer func() { _ = f.Close() }()
			res, err := to.send(cmd.Context(), http.MethodPut, "snapshot", snapshot.ContentType, f)
			if err != nil {
				return err
			}
			fmt.Fprintf(std.out, "%s  loaded\n", args[0])
			return res.Body.Close()
		},
	}
	to.flags(cmd)
	return cmd
}
