package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

func newLibraryShow(std streams) *cobra.Command {
	var l libraryFlags
	var numbers bool
	cmd := &cobra.Command{
		Use:   "show REC…",
		Short: "Show recordings with their transcripts",
		Long: `Shows recordings with their transcripts. Speakers without a name have their label, such as “Speaker 0”, which relabel and
--name take.

Exit codes: 2 wrong flags, 3 no such recording, 4 another process uses the folder, 6 the transcription failed, 10 it isn't finished.`,
		Example: `  soundstage library show 1 --data ./lib
  soundstage library show talks/monday.mp3 --data ./lib --json | jq .utterances`,
		Args: recordingArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.open(cmd, func(ctx context.Context, lib *library) error {
				list, err := lib.recordings(ctx, args, false)
				if err != nil {
					return err
				}
				for _, r := range list {
					if err := showRecording(ctx, lib, r, l.asJSON, numbers, std.out); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	l.add(cmd.Flags())
	cmd.Flags().BoolVar(&numbers, "numbers", false, "print one utterance per line, with its number and label")
	return cmd
}

// libraryTranscript is a recording with its transcript in the output of --json.
type libraryTranscript struct {
	Recording  libraryRecording   `json:"recording"`
	Names      map[string]string  `json:"names"` // of speakers, by label
	Utterances []libraryUtterance `json:"utterances"`
}

type libraryUtterance struct {
	Label   string `json:"label"`
	Speaker string `json:"speaker"` // name, or else label
	StartMS int64  `json:"start_ms"`
	EndMS   int64  `json:"end_ms"`
	Text    string `json:"text"`
}

func showRecording(ctx context.Context, lib *library, r engine.Recording, asJSON, numbers bool, out io.Writer) error {
	t, err := lib.transcript(ctx, r.ID)
	if err != nil {
		return err
	}
	names := map[string]string{} // of every label
	for _, label := range t.Transcript.Labels() {
		names[label] = label
		if name, ok := t.Names[label]; ok {
			names[label] = name
		}
	}
	if !asJSON {
		fmt.Fprintf(out, "#%d %s (%s, %s)\n", r.Number, r.Title, shortClock(r.Duration), t.Transcript.Language)
		if r.ExternalID != "" {
			fmt.Fprintln(out, r.ExternalID)
		}
		if tags := tagList(r.Metadata); tags != "" {
			fmt.Fprintln(out, tags)
		}
		fmt.Fprintln(out)
		if numbers {
			return printNumbered(out, t.Transcript)
		}
		return formats.WriteTXT(out, t.Transcript, formats.Options{Names: names})
	}
	shown := libraryTranscript{Recording: describeRecording(r), Names: t.Names, Utterances: []libraryUtterance{}}
	for _, u := range t.Transcript.Utterances {
		shown.Utterances = append(shown.Utterances, libraryUtterance{
			Label: u.Speaker, Speaker: names[u.Speaker], StartMS: u.Start.Milliseconds(), EndMS: u.End.Milliseconds(), Text: u.Text,
		})
	}
	return json.NewEncoder(out).Encode(shown)
}

// printNumbered prints the utterances as “library edit” counts them.
func printNumbered(out io.Writer, t transcript.Transcript) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i, u := range t.Utterances {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", i+1, clock(u.Start), u.Speaker, strings.Join(strings.Fields(u.Text), " "))
	}
	return w.Flush()
}
