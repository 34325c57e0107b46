package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator/extract"
	"github.com/soundstage-dev/soundstage/emulator/record"
)

func newFixtures(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fixtures",
		Short: "Make fixtures for the sandbox",
		Args:  rejectUnknown,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newFixturesFrom(std))
	return cmd
}

func newFixturesFrom(std streams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "from DIR",
		Short: "Make a fixture of what soundstage proxy has recorded",
		Long: `Writes a fixture for soundstage serve --fixtures: the spaces, speakers, and custom prompts of the recorded exchanges, and the
recordings with their transcripts, as they were last seen. Transcripts are also bound to the file names and URLs that they were made
from, so that the same upload or import gets the same words. The course of imports and of transcripts of URLs becomes timelines.

Fixtures can't hold the texts of outputs, the answers of chats, clips, or webhooks. Standard error lists what was left out. A fixture
has what was said: treat it like the recordings.

Exit codes: 2 wrong flags, a damaged recording, or nothing to make a fixture of, 3 no recording, 5 the file can't be written, 8 the fixture
would be longer than 4 MiB.`,
		Example: "  soundstage fixtures from ./recorded -o recorded.yaml\n  soundstage serve --fixtures recorded.yaml",
		Args:    exactArgs(1, "a folder"),
		RunE:    func(_ *cobra.Command, args []string) error { return fixturesFrom(args[0], output, std) },
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "`file` to write; default standard output, which is also -")
	return cmd
}

func fixturesFrom(dir, output string, std streams) error {
	f, err := record.Open(dir)
	if err != nil {
		return err
	}
	e := extract.New()
	cut, err := f.Each(func(x *record.Exchange) error {
		e.Add(x)
		return nil
	})
	if err != nil {
		return err
	}
	tellCut(std, cut, dir)
	made, err := e.Fixture()
	if err != nil {
		return err
	}
	for _, note := range made.Notes {
		fmt.Fprintln(std.err, "soundstage:", note)
	}
	if isStdout(output) {
		_, err = std.out.Write(made.YAML)
		return err
	}
	if err := writeFile(output, made.YAML); err != nil {
		return err
	}
	fmt.Fprintf(std.err, "soundstage: wrote %s: %s, %s, %s, and %s\n", output, plural(made.Spaces, "space", "spaces"), plural(made.Recordings, "recording", "recordings"),
		plural(made.Transcripts, "bound transcript", "bound transcripts"), plural(made.Timelines, "timeline", "timelines"))
	return nil
}
