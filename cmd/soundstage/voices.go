package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
)

func newVoices(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "voices",
		Short: "Suggest who spoke, by voices that you enrolled",
		Long: `Keeps prints of voices in a file, and suggests whose voices a new recording has. It only suggests: names are given by “library relabel”
or --name. Nobody is enrolled without --consent, and “revoke” deletes a print.

A print can't be turned into speech, but it identifies a person: laws on biometric data apply. The file is readable only by you. A voice is
found again in recordings of the same kind, and often missed in another room or over the telephone; the documentation has the figures.`,
		Example: `  soundstage voices enroll "Ann Lee" ann.wav --consent --voices voices.json
  soundstage voices suggest meeting.mp4 --voices voices.json
  soundstage voices revoke "Ann Lee" --voices voices.json`,
		Args: rejectUnknown,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newVoicesEnroll(std), newVoicesList(std), newVoicesRevoke(std), newVoicesSuggest(std))
	return cmd
}

// voicesFlags are the flags of every command of voices.
type voicesFlags struct {
	file   string
	asJSON bool
}

func (o *voicesFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.file, "voices", "", "`file` of the enrolled voices (required)")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON object per line")
}

// check returns CodeInvalid without a file.
func (o *voicesFlags) check(cmd *cobra.Command) error {
	if o.file == "" {
		return usageError(cmd, errors.New("--voices is required: the file of the enrolled voices"))
	}
	return nil
}

func newVoicesEnroll(std streams) *cobra.Command {
	var o voicesFlags
	var label string
	var consent bool
	var longest time.Duration
	cmd := &cobra.Command{
		Use: "enroll NAME FILE", Aliases: []string{"enrol"},
		Short: "Enrol a voice of a recording, with the person's consent",
		Long: `Adds the print of a voice to the file of voices, and creates the file. The recording must have at least 8 s of it, better a minute. If
several people speak, --speaker names the label; “soundstage diarize” prints the labels.

Exit codes: 2 wrong flags, no consent, or an unknown label, 3 no such file, 4 the name is enrolled, 5 ffmpeg is missing, 6 the media can't be
used or the person speaks too little.`,
		Example: `  soundstage voices enroll "Ann Lee" ann.wav --consent --voices voices.json
  soundstage voices enroll "Bob Roe" interview.mp4 --speaker "Speaker 1" --consent --voices voices.json`,
		Args: exactArgs(2, "a name and one media file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			if !consent {
				return usageError(cmd, errors.New("--consent is required: enrol a voice only if the person agreed to it"))
			}
			return o.enrol(cmd.Context(), args[0], args[1], label, longest, std)
		},
	}
	o.add(cmd)
	cmd.Flags().StringVar(&label, "speaker", "", "`label` of the person, such as \"Speaker 1\"; not needed if one person speaks")
	setVariable(cmd.Flags(), "speaker", "enroll-speaker") // library edit's --speaker has numbers
	cmd.Flags().BoolVar(&consent, "consent", false, "state that the person agreed to being recognised by voice (required)")
	cmd.Flags().DurationVar(&longest, "max-duration", 0, maxDurationHelp)
	return cmd
}

func newVoicesList(std streams) *cobra.Command {
	var o voicesFlags
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the enrolled voices",
		Long:    "Lists the enrolled voices by name, with the time of the consent.\n\nExit codes: 2 wrong flags or no file of voices, 3 no such file.",
		Example: "  soundstage voices list --voices voices.json",
		Args:    exactArgs(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			voices, err := readVoices(o.file)
			if err != nil {
				return err
			}
			if o.asJSON {
				for _, v := range voices {
					if err := json.NewEncoder(std.out).Encode(map[string]any{"name": v.Name, "consent_at": v.ConsentAt, "spoken_ms": v.Print.Spoken().Milliseconds()}); err != nil {
						return err
					}
				}
				return nil
			}
			w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "name\tspeech\tconsent")
			for _, v := range voices {
				fmt.Fprintf(w, "%s\t%s\t%s\n", v.Name, v.Print.Spoken().Round(time.Second), v.ConsentAt.Format(time.RFC3339))
			}
			return w.Flush()
		},
	}
	o.add(cmd)
	return cmd
}

func newVoicesRevoke(std streams) *cobra.Command {
	var o voicesFlags
	cmd := &cobra.Command{
		Use:     "revoke NAME",
		Short:   "Delete an enrolled voice",
		Long:    "Deletes the print of a voice from the file. Names that were given to labels stay.\n\nExit codes: 2 wrong flags, 3 no such file or name.",
		Example: `  soundstage voices revoke "Ann Lee" --voices voices.json`,
		Args:    exactArgs(1, "one name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			voices, err := readVoices(o.file)
			if err != nil {
				return err
			}
			i := indexOfVoice(voices, args[0])
			if i < 0 {
				return engine.Errorf(engine.CodeNotFound, "voices", "No voice is enrolled as %q.", args[0]).WithHint("See `soundstage voices list`.")
			}
			name := voices[i].Name
			if err := writeVoices(o.file, append(voices[:i], voices[i+1:]...)); err != nil {
				return err
			}
			if o.asJSON {
				return json.NewEncoder(std.out).Encode(map[string]any{"revoked": name})
			}
			_, err = fmt.Fprintf(std.out, "The voice of %s is deleted.\n", name)
			return err
		},
	}
	o.add(cmd)
	return cmd
}
