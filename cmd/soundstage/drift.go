package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/emulator/drift"
	"github.com/soundstage-dev/soundstage/emulator/record"
)

// driftFlags are the parsed flags of `soundstage drift`.
type driftFlags struct {
	format, output string
	strict         bool
}

func newDrift(std streams) *cobra.Command {
	var o driftFlags
	cmd := &cobra.Command{
		Use:   "drift DIR",
		Short: "Report how a service differs from the contract, from recorded exchanges",
		Long: `Compares the exchanges that soundstage proxy --record has recorded with the contract and the statements about the service. Each
difference is reported once, with its first exchange. A difference from a specified or documented part is a fault or a change
of the service. One from an assumed part means that the assumption of the sandbox was wrong.

Exit codes: 0 no difference, 2 wrong flags or a damaged recording, 3 no recording, 5 a file can't be written, 6 the service differs
from a specified or documented part (with --strict: from any).`,
		Example: "  soundstage drift ./recorded\n  soundstage drift ./recorded --format html -o drift.html\n  soundstage drift ./recorded --format junit --strict",
		Args:    exactArgs(1, "a folder"),
		RunE:    func(_ *cobra.Command, args []string) error { return runDrift(args[0], o, std) },
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "text", "report format: `text`, json, junit, or html")
	f.StringVarP(&o.output, "output", "o", "", "`file` to write; default standard output, which is also -")
	f.BoolVar(&o.strict, "strict", false, "also exit with 6 when the service differs from an assumed part")
	return cmd
}

func runDrift(dir string, o driftFlags, std streams) error {
	if !slices.Contains(drift.Formats(), o.format) {
		return unknownValue("drift", "report format", o.format, drift.Formats())
	}
	f, err := record.Open(dir)
	if err != nil {
		return err
	}
	checker, err := drift.New()
	if err != nil {
		return err
	}
	cut, err := f.Each(func(x *record.Exchange) error {
		checker.Add(x)
		return nil
	})
	if err != nil {
		return err
	}
	tellCut(std, cut, dir)
	r := checker.Report(f.To)
	if isStdout(o.output) {
		err = r.Write(std.out, o.format)
	} else {
		err = writeDrift(r, o.output, o.format)
	}
	if err != nil {
		return err
	}
	return driftError(r, o.strict)
}
