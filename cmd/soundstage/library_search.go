package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
)

func newLibrarySearch(std streams) *cobra.Command {
	var l libraryFlags
	var in string
	var limit int
	cmd := &cobra.Command{
		Use:   "search WORD…",
		Short: "Search the transcripts and titles of a library",
		Long: `Prints texts that have all the words, best first, with the time at which they are spoken: transcripts, then titles, then generated
content. Case and accents don't matter.

Exit codes: 2 wrong flags, 3 no library, 4 another process uses the folder. Finding nothing is no error.`,
		Example: `  soundstage library search quiet room --data ./lib
  soundstage library search "quiet room" --data ./lib --in transcripts --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(cmd, wrongArgs{what: "words to search for", got: 0})
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r := engine.SearchRequest{Query: strings.Join(args, " "), Category: engine.SearchCategory(in), Limit: limit}
			if err := r.Validate(); err != nil {
				return err
			}
			return l.open(cmd, func(ctx context.Context, lib *library) error { return searchLibrary(ctx, lib, r, l.asJSON, std.out) })
		},
	}
	l.add(cmd.Flags())
	cmd.Flags().StringVar(&in, "in", string(engine.SearchAll), "what to search: `all`, transcripts, recordings (titles), or content")
	cmd.Flags().IntVar(&limit, "limit", engine.MaxSearchLimit, "largest `number` of results of each kind, at most 25")
	return cmd
}

// libraryMatch is a result in the output of --json.
type libraryMatch struct {
	Kind      search.DocumentKind `json:"kind"`
	Recording engine.RecordingID  `json:"recording_id"`
	Number    int                 `json:"number"`
	Title     string              `json:"title"`
	StartMS   *int64              `json:"start_ms,omitempty"` // of transcripts
	Snippet   string              `json:"snippet"`
}

func searchLibrary(ctx context.Context, lib *library, r engine.SearchRequest, asJSON bool, out io.Writer) error {
	results, err := lib.Search(ctx, lib.me, r)
	if err != nil {
		return err
	}
	for _, found := range results {
		recording, _, err := lib.GetRecording(ctx, lib.me, found.RecordingID)
		if err != nil {
			return err
		}
		m := libraryMatch{Kind: found.Kind, Recording: recording.ID, Number: recording.Number, Title: recording.Title, Snippet: found.Snippet}
		at := ""
		if found.Kind == search.DocumentTranscript {
			ms := found.Start.Milliseconds()
			m.StartMS, at = &ms, " "+shortClock(found.Start)
		}
		if asJSON {
			err = json.NewEncoder(out).Encode(m)
		} else {
			_, err = fmt.Fprintf(out, "#%d %s%s: %s\n", m.Number, m.Title, at, strings.Join(strings.Fields(m.Snippet), " "))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
