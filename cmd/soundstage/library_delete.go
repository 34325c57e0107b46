package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

func newLibraryDelete(std streams) *cobra.Command {
	var l libraryFlags
	cmd := &cobra.Command{
		Use:   "delete REC…",
		Short: "Delete recordings of a library",
		Long: `Deletes recordings with everything about them: the copy of the media, the transcript, and clips in the library. The files that they
were added from, exports, and clips that you have written stay. All recordings are looked up before the first one is deleted. If the
command is interrupted, the next add, clip, or delete removes the rest.

Exit codes: 2 wrong flags, 3 no such recording, 4 another process uses the folder.`,
		Example: `  soundstage library delete 1 talks/monday.mp3 --data ./lib`,
		Args:    recordingArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := l.check(cmd); err != nil {
				return err
			}
			if err := hasLibrary(l.data); err != nil {
				return err
			}
			maintenance := engine.Config{Workers: map[queue.Class]int{queue.ClassMaintain: 1}} // transcriptions wait for add
			return openLibrary(cmd.Context(), l.data, maintenance, func(ctx context.Context, lib *library) error {
				return lib.work(ctx, func(ctx context.Context) error { return lib.deleteAll(ctx, args, l.asJSON, std.out) })
			})
		},
	}
	l.add(cmd.Flags())
	return cmd
}

// deleteAll deletes recordings and waits until nothing is left of them.
func (l *library) deleteAll(ctx context.Context, names []string, asJSON bool, out io.Writer) error {
	list, err := l.recordings(ctx, names, false)
	if err != nil {
		return err
	}
	deleted := map[engine.RecordingID]bool{}
	for _, r := range list {
		if deleted[r.ID] {
			continue // named twice
		}
		if err := l.DeleteRecording(ctx, l.me, r.ID); err != nil {
			return err
		}
		deleted[r.ID] = true
		if asJSON {
			err = json.NewEncoder(out).Encode(map[string]any{"deleted": describeRecording(r)})
		} else {
			_, err = fmt.Fprintf(out, "deleted #%d %s\n", r.Number, r.Title)
		}
		if err != nil {
			return err
		}
	}
	for id := range deleted {
		if err := l.waitDeleted(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// waitDeleted waits until the rows and bytes of a deleted recording are removed.
func (l *library) waitDeleted(ctx context.Context, id engine.RecordingID) error {
	for {
		changed := l.Changes()
		err := l.store.View(ctx, func(tx engine.ReadTx) error {
			_, err := tx.DeletionOf(id)
			return err
		})
		if engine.CodeOf(err) == engine.CodeNotFound {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
