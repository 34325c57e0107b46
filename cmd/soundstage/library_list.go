package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
)

func newLibraryList(std streams) *cobra.Command {
	var l libraryFlags
	var tags tagFlags
	var source, title string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the recordings of a library",
		Long:  "Lists the recordings of a library, newest first, with their tags and what they were added from.",
		Example: `  soundstage library list --data ./lib
  soundstage library list --data ./lib --tag show=News --title interview
  soundstage library list --data ./lib --source talks/monday.mp3 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			metadata, err := tags.metadata("library")
			if err != nil {
				return err
			}
			list := engine.ListRecordings{Query: title, Tags: engine.Tags{Metadata: metadata}}
			if source != "" && isURL(source) {
				list.Tags.ExternalID = externalID(source)
			} else if source != "" {
				list.Tags.ExternalID = pathID(source)
			}
			return l.open(cmd, func(ctx context.Context, lib *library) error {
				return listRecordings(ctx, lib, list, l.asJSON, std.out)
			})
		},
	}
	l.add(cmd.Flags())
	tags.add(cmd.Flags(), "that the recordings must have")
	cmd.Flags().StringVar(&title, "title", "", "part of the `title`, in any case")
	cmd.Flags().StringVar(&source, "source", "", "`path` or URL that the recording was added from")
	return cmd
}

// open opens the library that the flags name.
func (l *libraryFlags) open(cmd *cobra.Command, fn func(context.Context, *library) error) error {
	if err := l.check(cmd); err != nil {
		return err
	}
	return withLibrary(cmd.Context(), l.data, fn)
}

func listRecordings(ctx context.Context, lib *library, list engine.ListRecordings, asJSON bool, out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if !asJSON {
		fmt.Fprintln(table, "NUMBER\tSTATUS\tLENGTH\tTITLE\tTAGS\tSOURCE")
	}
	for r, err := range lib.all(ctx, list) {
		if err != nil {
			return err
		}
		if asJSON {
			if err := json.NewEncoder(out).Encode(describeRecording(r)); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(table, "#%d\t%s\t%s\t%s\t%s\t%s\n", r.Number, r.TranscriptStatus, shortClock(r.Duration), r.Title, tagList(r.Metadata), r.ExternalID)
	}
	return table.Flush()
}

// tagList returns tags as name=value, sorted.
func tagList(tags map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		list = append(list, name+"="+strings.Join(strings.Fields(tags[name]), " "))
	}
	return strings.Join(list, " ")
}

// shortClock formats a media time as h:mm:ss.
func shortClock(d time.Duration) string {
	d = d.Round(time.Second)
	return fmt.Sprintf("%d:%02d:%02d", d/time.Hour, d/time.Minute%60, d/time.Second%60)
}
