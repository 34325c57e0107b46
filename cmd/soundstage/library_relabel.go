package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
)

func newLibraryRelabel(std streams) *cobra.Command {
	var l libraryFlags
	var names speakerNames
	cmd := &cobra.Command{
		Use:   "relabel REC",
		Short: "Name the speakers of a recording",
		Long: `Names the speakers of a recording; exports and clips have the names from then on. “show” prints the labels. The same name in several
recordings is the same speaker. All names are checked before the first one is given.

Exit codes: 2 wrong flags or an unknown label, 3 no such recording, 4 another process uses the folder, 6 the transcription
failed, 10 it isn't finished.`,
		Example: `  soundstage library relabel 1 --name "Speaker 0=Ann Lee" --name "Speaker 1=Bob Roe" --data ./lib`,
		Args:    exactArgs(1, "one recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(names) == 0 {
				return usageError(cmd, errNoNames)
			}
			if err := names.check("library"); err != nil {
				return err
			}
			return l.open(cmd, func(ctx context.Context, lib *library) error {
				given, err := lib.relabel(ctx, args[0], names)
				if err != nil {
					return err
				}
				if l.asJSON {
					return json.NewEncoder(std.out).Encode(map[string]any{"names": given})
				}
				for _, label := range slices.Sorted(maps.Keys(given)) {
					fmt.Fprintf(std.out, "%s is %s\n", label, given[label])
				}
				return nil
			})
		},
	}
	l.add(cmd.Flags())
	names.add(cmd.Flags(), speakerNameHelp)
	return cmd
}

var errNoNames = errors.New(`--name is required, for example --name "Speaker 0=Ann Lee"`)

// relabel assigns names to the speakers of a recording, and returns them by label.
func (l *library) relabel(ctx context.Context, recording string, names speakerNames) (map[string]string, error) {
	r, err := l.recording(ctx, recording)
	if err != nil {
		return nil, err
	}
	t, err := l.transcript(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	given, err := names.of("library", t.Transcript.Labels(), nil)
	if err != nil {
		return nil, err
	}
	for label, name := range given {
		if err := (engine.Speaker{Name: name}).Validate(); err != nil {
			return nil, err
		}
		given[label] = strings.TrimSpace(name)
	}
	for _, label := range slices.Sorted(maps.Keys(given)) {
		id, err := l.speaker(ctx, r.SpaceID, given[label])
		if err != nil {
			return nil, err
		}
		if _, err := l.AssignSpeaker(ctx, l.me, engine.Assignment{RecordingID: r.ID, Label: label, SpeakerID: id}); err != nil {
			return nil, err
		}
	}
	return given, nil
}

// speaker returns the speaker of a name, and creates one if there is none.
func (l *library) speaker(ctx context.Context, space engine.SpaceID, name string) (engine.SpeakerID, error) {
	_, all, err := l.ListSpeakers(ctx, l.me, space)
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(all, func(p engine.Profile) bool { return p.Name == name }); i >= 0 {
		return all[i].ID, nil
	}
	p, err := l.CreateSpeaker(ctx, l.me, engine.NewSpeaker{SpaceID: space, Name: name})
	return p.ID, err
}
