package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
)

// importFeedFlags are the parsed flags of `soundstage import-feed`.
type importFeedFlags struct {
	data         string
	space        string
	limit        int
	allowPrivate bool
	options      emulator.Options
	notices      []string
}

func newImportFeed(std streams) *cobra.Command {
	var o importFeedFlags
	var wanted backendFlags
	cmd := &cobra.Command{
		Use:   "import-feed URL",
		Short: "Import the new episodes of a podcast feed into a data folder",
		Long: `Imports and transcribes every episode of an RSS or Atom feed that the data folder doesn't have yet. Another run imports only new
and failed episodes. No sandbox may be running on the folder. Afterwards, “soundstage serve --data” serves the recordings.

` + backendHelp + `
Exit codes: 1 some episodes could not be imported, 2 wrong flags, 4 the folder is in use, 5 ffmpeg is missing, 6 the URL is not a
feed, 7 it can't be downloaded.`,
		Example: `  soundstage import-feed https://podcast.example/feed.xml --data ./shows
  soundstage import-feed https://podcast.example/feed.xml --data ./shows --limit 5
  soundstage import-feed https://podcast.example/feed.xml --data ./shows --transcriber deepgram`,
		Args: exactArgs(1, "the URL of a feed"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.data == "" {
				return usageError(cmd, errors.New("--data is required: the folder to import into"))
			}
			made, err := wanted.open(cmd)
			if err != nil {
				return err
			}
			wanted.applyTo(&o.options, made)
			o.notices = made.Notices
			return importFeed(cmd.Context(), args[0], o, std)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.data, "data", "", "data `folder` of the sandbox (required)")
	f.IntVar(&o.limit, "limit", 0, "`number` of newest episodes to consider; 0 for all")
	f.StringVar(&o.space, "space", "", "`id` of the space to import into; default the sandbox's")
	f.BoolVar(&o.allowPrivate, "allow-private-urls", false, "also download from private addresses")
	wanted.register(f)
	return cmd
}

func importFeed(ctx context.Context, url string, o importFeedFlags, std streams) (err error) {
	o.options.DataDir, o.options.AllowPrivateURLs, o.options.Log = o.data, o.allowPrivate, slog.New(slog.DiscardHandler)
	s, err := emulator.New(ctx, o.options)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := s.Close(); err == nil {
			err = closeErr
		}
	}()
	e := s.Engine()
	owner, _, err := emulator.Accounts(ctx, e)
	if err != nil {
		return err
	}
	run, err := e.ImportFeed(ctx, owner, engine.NewFeedImport{URL: url, SpaceID: engine.SpaceID(o.space), Limit: o.limit})
	if err != nil {
		return err
	}
	for _, notice := range o.notices {
		fmt.Fprintln(std.err, "soundstage:", notice)
	}
	fmt.Fprintf(std.out, "%s: %d new, %d known\n", run.Title, len(run.Imports), run.Skipped)
	failed := 0
	for _, i := range run.Imports {
		ok, line, err := followImport(ctx, e, owner, i)
		if err != nil {
			return err
		}
		if !ok {
			failed++
		}
		fmt.Fprintln(std.out, line)
	}
	if failed > 0 {
		return engine.Errorf(engine.CodeInternal, "import-feed", "%d of %d episodes could not be imported.", failed, len(run.Imports)).
			WithHint("The lines above say why. Another run retries them.")
	}
	return nil
}

// followImport waits for an import and its transcript, and returns a line with their result.
func followImport(ctx context.Context, e *engine.Engine, owner engine.Caller, i engine.Import) (ok bool, line string, err error) {
	i, err = e.WaitImport(ctx, owner, i.ID)
	switch {
	case !i.Status.Over():
		return false, "", err
	case i.Status != engine.ImportCompleted:
		return false, strings.TrimRight(fmt.Sprintf("  %-10s %s: %s %s", i.Status, i.Title, i.Error, i.ErrorHint), " "), nil
	}
	r, err := e.WaitRecording(ctx, owner, i.RecordingID)
	if err != nil && !r.TranscriptStatus.Over() {
		return false, "", err
	}
	return true, fmt.Sprintf("  %-10s #%d %s", r.TranscriptStatus, r.Number, r.Title), nil
}
